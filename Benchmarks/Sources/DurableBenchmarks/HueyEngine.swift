#if Durable
import Foundation
import Measuring

/// huey, a task queue for Python, on SQLite with a flush for each commit: a process of its own that is told what to do.
///
/// It forgets a task when it gives it out, so one that was running when its process died is lost.
final class HueyEngine: DurableEngine {
  static let name = "huey"
  let share = 0.125
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  /// - Returns: nil where there is no Python with huey.
  init?(at file: URL) throws {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "huey_engine.py")
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", script.path(percentEncoded: false), file.path(percentEncoded: false)]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    guard answer() == "ready" else { return nil }
  }

  private func answer() -> String? {
    var line = Data()
    while let byte = try? output.fileHandleForReading.read(upToCount: 1), byte.first != UInt8(ascii: "\n") {
      line += byte
    }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }

  private func ask(_ words: Any...) -> [Double] {
    input.fileHandleForWriting.write(Data((words.map { "\($0)" }.joined(separator: " ") + "\n").utf8))
    guard let answer = answer() else { preconditionFailure("huey did not answer") }
    return answer.split(separator: " ").compactMap { Double($0) }
  }

  func enqueueInTurn(_ count: Int) -> [Double] { ask("in-turn", count, HandLoop.payload.count) }
  func enqueue(callers: Int, each: Int) -> Double { ask("enqueue", callers, each, HandLoop.payload.count)[0] }
  func work(batch: Int) -> Double { ask("work")[0] }
  func waiting() -> Int { Int(ask("waiting")[0]) }

  func close() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
#endif
