import Foundation
import Testing

/// GNU `date`, an implementation of time zones that shares nothing with ours but the files.
enum DateCommand {
  /// What it prints for a time.
  struct Line: Hashable {
    let time: Int64
    /// For example `+05:30:00`.
    let offset: String
    let abbreviation: String
  }

  static let isGNU = (try? run(["--version"], zone: "UTC").contains("GNU")) ?? false

  /// One line for each time. The times themselves are not printed: to print `%s`, `date` computes it back from the
  /// local time, and errs by an hour where a local time comes twice.
  static func lines(for times: [Int64], zone: String) throws -> [Line] {
    let input = FileManager.default.temporaryDirectory.appending(path: "worldclock-\(UUID().uuidString)")
    try Data(times.map { "@\($0)\n" }.joined().utf8).write(to: input)
    defer { try? FileManager.default.removeItem(at: input) }
    let lines = try run(["-f", input.path, "+%::z %Z"], zone: zone).split(separator: "\n")
    try #require(lines.count == times.count, "date left something out for \(zone)")
    return try zip(times, lines).map { time, line in
      let words = line.split(separator: " ")
      try #require(words.count == 2)
      return Line(time: time, offset: String(words[0]), abbreviation: String(words[1]))
    }
  }

  private static func run(_ arguments: [String], zone: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["date"] + arguments
    process.environment = ["TZ": zone, "LC_ALL": "C", "PATH": "/usr/bin:/bin"]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
