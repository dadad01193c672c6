#if Durable && Postgres
import Foundation

/// A PostgreSQL server of this run's own, which flushes what it commits. It ends with the value, and with the process.
final class PrivateServer {
  let address: String
  private let process = Process()
  private let input = Pipe()

  /// - Throws: where there is none, and none can be installed.
  init() throws {
    let output = Pipe()
    process.executableURL = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../../Scripts/postgres")
    process.arguments = ["-d"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    var line = Data()
    while let byte = try output.fileHandleForReading.read(upToCount: 1), byte.first != UInt8(ascii: "\n") {
      line += byte
    }
    guard !line.isEmpty else { throw CocoaError(.fileNoSuchFile) }
    address = String(decoding: line, as: UTF8.self)
  }

  /// Where it keeps its files.
  var folder: URL {
    let host = address.split(separator: " ").first { $0.hasPrefix("host=") }
    return URL(filePath: String(host?.dropFirst(5) ?? "/"), directoryHint: .isDirectory)
  }

  func close() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
#endif
