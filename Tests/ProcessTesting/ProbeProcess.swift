#if os(Linux)
package import Foundation

/// The program `DurableProbe` as a process of its own. Everything here blocks its thread, which is the test's own.
package struct ProbeProcess: ~Copyable {
  package enum End: Equatable {
    case exit(Int32)
    case signal(Int32)
  }

  package let identifier: pid_t
  /// What the history calls it.
  package let run: String
  /// Its standard input and output.
  private let socket: Int32

  /// - Parameter wrapper: a program, with its arguments, that becomes this one.
  package init(run: String, through wrapper: [String] = [], _ environment: [String: String]) throws {
    var all = ProcessInfo.processInfo.environment
    all["PROBE_RUN"] = run
    all.merge(environment) { $1 }
    let command = wrapper + [try Self.program()]
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw POSIXError(.EMFILE) }
    defer { close(ends[1]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    let arguments = command.map { strdup($0) } + [nil]
    let variables = all.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, command[0], &actions, nil, arguments, variables)
    guard code == 0 else {
      close(ends[0])
      throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EAGAIN)
    }
    identifier = process
    self.run = run
    socket = ends[0]
  }

  deinit { close(socket) }

  /// Waits until the process has written that many lines into the history.
  ///
  /// - Returns: how many have come; fewer if it has ended.
  @discardableResult
  package borrowing func lines(_ count: Int) -> Int {
    var seen = 0
    var bytes = [UInt8](repeating: 0, count: 64)
    while seen < count {
      let new = read(socket, &bytes, min(bytes.count, count - seen))
      if new < 0, errno == EINTR { continue }
      guard new > 0 else { break }
      seen += new
    }
    return seen
  }

  /// Lets a process go on that waits for a line.
  package borrowing func goOn() {
    var line = UInt8(ascii: "\n")
    _ = send(socket, &line, 1, Int32(MSG_NOSIGNAL))
  }

  package borrowing func kill() { Glibc.kill(identifier, SIGKILL) }

  /// Waits for the end of the process.
  package consuming func end() -> End {
    lines(.max)
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
    return status & 0x7f == 0 ? .exit((status >> 8) & 0xff) : .signal(status & 0x7f)
  }

  /// The program lies beside that of the tests.
  private static func program() throws -> String {
    let tests = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
    let bundle = tests[..<(tests.range(of: ".xctest")?.upperBound ?? tests.endIndex)]
    let program = URL(filePath: String(bundle)).deletingLastPathComponent().appending(path: "DurableProbe").path
    guard access(program, X_OK) == 0 else { throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: program]) }
    return program
  }
}
#endif
