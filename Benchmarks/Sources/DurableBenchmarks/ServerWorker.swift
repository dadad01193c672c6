#if Durable && Postgres
import Foundation
import Measuring

/// An engine in a process of its own, which is this program again.
final class ServerWorker {
  private static let option = "--worker"

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let lines: UnsafeMutablePointer<FILE>

  init(_ kind: ServerEngineKind, _ address: String, schema: String) throws {
    process.executableURL = URL(filePath: CommandLine.arguments[0])
    process.arguments = [Self.option, kind.rawValue, address, schema]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    guard let lines = fdopen(dup(output.fileHandleForReading.fileDescriptor), "r") else {
      preconditionFailure("no file is left")
    }
    self.lines = lines
  }

  deinit { fclose(lines) }

  /// Tells the process what to do; its answer has to be waited for.
  func tell(_ words: Any...) {
    input.fileHandleForWriting.write(Data((words.map { "\($0)" }.joined(separator: " ") + "\n").utf8))
  }

  /// Waits for an answer.
  func answer() -> [Double] {
    var line: UnsafeMutablePointer<CChar>?
    var size = 0
    defer { free(line) }
    guard getline(&line, &size, lines) > 0, let line else { preconditionFailure("a process has died") }
    return String(cString: line).split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
  }

  func ask(_ words: Any...) -> [Double] {
    tell(words.map { "\($0)" }.joined(separator: " "))
    return answer()
  }

  /// The process closes what it has, and ends.
  func close() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// What the program does that is told to be a worker.
  ///
  /// - Returns: false where it is not.
  @concurrent
  static func isThis(_ arguments: [String]) async throws -> Bool {
    guard arguments.first == option else { return false }
    guard arguments.count == 4, let kind = ServerEngineKind(rawValue: arguments[1]) else {
      preconditionFailure("these are no arguments of a worker: \(arguments)")
    }
    let engine = try await kind.make(arguments[2], schema: arguments[3])
    while let line = readLine() {
      let words = line.split(separator: " ")
      let numbers = words.dropFirst().compactMap { Int($0) }
      var answer: [Double] = []
      switch words.first {
      case "fill": try await engine.fill(numbers[0])
      case "in-turn": answer = try await engine.enqueueInTurn(numbers[0])
      case "enqueue": answer = [try await engine.enqueue(callers: numbers[0], each: numbers[1])]
      case "work": answer = try await engine.work().map(Double.init)
      case "waiting": answer = [Double(try await engine.waiting())]
      default: preconditionFailure("this is nothing that a worker is told: \(line)")
      }
      print(answer.map { "\($0)" }.joined(separator: " "))
      fflush(nil)
    }
    await engine.close()
    return true
  }
}
#endif
