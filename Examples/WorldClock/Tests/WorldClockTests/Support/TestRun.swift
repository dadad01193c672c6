import Foundation
import Testing
import ZoneData

@testable import WorldClock

/// One run of the program, with what it wrote.
@MainActor
struct TestRun {
  let code: Int32
  let output: [String]
  let errors: [String]

  init(_ arguments: String..., database: String? = nil, isTerminal: Bool = false, environment: [String: String] = [:])
    async
  {
    let console = Console(isTerminal: isTerminal, isKept: true)
    var environment = environment
    // No test depends on where the machine stands.
    environment["TZ"] = environment["TZ"] ?? "UTC"
    environment["TZDIR"] = database
    code = await Program(arguments: arguments, environment: environment, console: console).run()
    output = console.output
    errors = console.errors
  }

  /// The line in which the clock of a zone stands.
  func clock(_ zone: String) -> String? { output.first { $0.hasPrefix(zone) } }

  /// The lines that are neither about the time that passed nor the notes about the machine's own tables.
  var failures: [String] { errors.filter { $0.hasPrefix("error: ") } }
  var notes: [String] { errors.filter { $0.hasPrefix("note: ") } }
}

/// A database with some of the machine's files, which goes away with its last reference.
final class TestDatabase {
  static let system = try? ZoneDatabase.locate(environment: [:])

  let url = FileManager.default.temporaryDirectory.appending(path: "worldclock-\(UUID().uuidString)")
  var path: String { url.path(percentEncoded: false) }

  init(_ names: String...) throws {
    let system = try #require(TestDatabase.system)
    for name in names { try write(name, system.bytes(of: name)) }
  }

  func write(_ name: String, _ bytes: [UInt8]) throws {
    let file = url.appending(path: name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }

  func write(_ name: String, _ text: String) throws { try write(name, Array(text.utf8)) }

  deinit { try? FileManager.default.removeItem(at: url) }
}
