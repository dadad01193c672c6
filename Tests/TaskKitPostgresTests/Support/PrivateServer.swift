import Foundation

/// A server of a test's own, which may be killed and started again. It ends with the value, and with the process.
actor PrivateServer {
  let address: String
  private let input: FileHandle
  private let output: AsyncStream<String>

  static func start() async throws -> PrivateServer {
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../../Scripts/postgres")
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let (lines, continuation) = AsyncStream<String>.makeStream()
    let reading = output.fileHandleForReading
    // A thread of its own, which ends with the script's output: reading holds it.
    Thread.detachNewThread {
      var text = Data()
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        // Not through the handle, which ends the process where a signal comes in between.
        let count = read(reading.fileDescriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        text += buffer.prefix(count)
        while let end = text.firstIndex(of: UInt8(ascii: "\n")) {
          continuation.yield(String(decoding: text[text.startIndex..<end], as: UTF8.self))
          text.removeSubrange(text.startIndex...end)
        }
      }
      continuation.finish()
    }
    guard let address = await Self.next(of: lines) else {
      throw TestServer.Missing(
        description: """
          no PostgreSQL server of its own could be started. Install one (Debian, Ubuntu: sudo apt-get install \
          postgresql libpq-dev; macOS: brew install libpq postgresql@16)
          """)
    }
    return PrivateServer(address, input: input.fileHandleForWriting, output: lines)
  }

  private init(_ address: String, input: FileHandle, output: AsyncStream<String>) {
    self.address = address
    self.input = input
    self.output = output
  }

  deinit { try? input.close() }

  /// Kills the server as a crash would, and starts it again.
  func restart() async throws { try await perform("restart") }

  /// Kills the server as a crash would.
  func stop() async throws { try await perform("stop") }

  func start() async throws { try await perform("start") }

  /// Starts a pooler before the server, which gives each transaction another of a few connections. It ends with the server.
  ///
  /// - Returns: its address.
  func startPooler() async throws -> String {
    try input.write(contentsOf: Data("pool\n".utf8))
    guard let address = await Self.next(of: output) else {
      throw TestServer.Missing(
        description: """
          no PgBouncer could be started. Install it (Debian, Ubuntu: sudo apt-get install pgbouncer; macOS: brew install \
          pgbouncer)
          """)
    }
    return address
  }

  private func perform(_ command: String) async throws {
    try input.write(contentsOf: Data("\(command)\n".utf8))
    guard await Self.next(of: output) == command else {
      throw TestServer.Missing(description: "the server did not \(command)")
    }
  }

  private static func next(of lines: AsyncStream<String>) async -> String? {
    for await line in lines { return line }
    return nil
  }
}
