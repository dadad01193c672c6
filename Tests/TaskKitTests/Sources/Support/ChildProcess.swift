#if !os(Windows)
import Foundation
import Synchronization

/// A program of the tests as a process of its own: its lines, and the signals that a test sends it.
// `process` is started in `init` and then used only by the thread that waits for its end.
final class ChildProcess: @unchecked Sendable {
  private let process = Process()
  private let pipe = Pipe()
  private let output = Output()
  let identifier: Int32

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - mode: what it does; see `Mode` in `ProcessProbe`.
  ///   - environment: what it gets besides that of the tests.
  ///   - ignoring: a signal that whoever starts it wants ignored.
  ///   - isOnTerminal: whether its standard output is a terminal.
  ///   - user: who it is, where that is somebody else than the tests are: only root may say so.
  ///   - name: which program it is.
  init(
    _ mode: String = "", environment: [String: String] = [:], ignoring: String? = nil, isOnTerminal: Bool = false,
    user: Int? = nil,
    program name: String = "ProcessProbe"
  ) throws {
    let program = try Self.program(name)
    if let ignoring {
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = ["-c", "trap '' \(ignoring); exec \"$0\" one two", program.path]
    } else if let user {
      process.executableURL = URL(filePath: Self.userSetter)
      process.arguments = ["--reuid", "\(user)", "--regid", "\(user)", "--clear-groups", program.path, "one", "two"]
    } else {
      process.executableURL = program
      process.arguments = ["one", "two"]
    }
    var all = ProcessInfo.processInfo.environment
    all["PROBE_MODE"] = mode
    process.environment = all.merging(environment) { $1 }
    let terminal = try isOnTerminal ? Terminal() : nil
    process.standardOutput = terminal.map { $0.end as Any } ?? pipe
    try process.run()
    terminal?.closeEnd()
    identifier = process.processIdentifier
    // Threads of its own, which end with the process: Foundation's handlers may miss its end where many are started at once.
    Thread.detachNewThread { [output, pipe] in
      if let terminal {
        while let data = terminal.read() { output.read(data) }
        return output.read(Data())
      }
      while true {
        let data = pipe.fileHandleForReading.availableData
        output.read(data)
        if data.isEmpty { return }
      }
    }
    Thread.detachNewThread { [self] in
      // Waits without the processor's time, of which Foundation takes all that there is while the process lives.
      var info = siginfo_t()
      while waitid(P_PID, id_t(identifier), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
      process.waitUntilExit()
      output.exited(process.terminationStatus, process.terminationReason)
    }
  }

  /// The next line; nil when there is none any more.
  func line() async -> String? { await output.line() }

  /// The exit code when the process has ended; 128 and the signal if one ended it.
  func exitCode() async -> Int32 { await output.exitCode() }

  /// The lines up to and including one; all that are left if it does not come.
  @discardableResult
  func lines(until last: String? = nil) async -> [String] {
    var lines: [String] = []
    while let line = await line() {
      lines.append(line)
      if line == last { break }
    }
    return lines
  }

  func send(_ signal: Int32) { kill(identifier, signal) }

  /// Returns when the process has been stopped by a signal; says by which.
  func stopped() async -> Int32 {
    await withCheckedContinuation { continuation in
      let identifier = identifier
      Thread.detachNewThread {
        var info = siginfo_t()
        // The state is left as it is, for whoever waits for the end.
        while waitid(P_PID, id_t(identifier), &info, WSTOPPED | WNOWAIT) != 0, errno == EINTR {}
        continuation.resume(returning: info._sifields._sigchld.si_status)
      }
    }
  }

  /// What starts a program as another user.
  static let userSetter = "/usr/bin/setpriv"

  /// The program lies beside that of the tests.
  private static func program(_ name: String) throws -> URL {
    let tests = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
    let bundle = tests[..<(tests.range(of: ".xctest")?.upperBound ?? tests.endIndex)]
    let program = URL(filePath: String(bundle)).deletingLastPathComponent().appending(path: name)
    guard FileManager.default.isExecutableFile(atPath: program.path) else {
      throw Missing(description: "there is no program at \(program.path); build the tests first")
    }
    return program
  }

  struct Missing: Error, CustomStringConvertible {
    let description: String
  }
}

/// A terminal that nobody looks at.
private final class Terminal: Sendable {
  private let descriptor: Int32
  /// What a process writes to.
  let end: FileHandle

  init() throws {
    descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (isLocked, number): (Int32, Int32) = (0, 0)
    // TIOCSPTLCK and TIOCGPTN, which Swift does not see.
    guard ioctl(descriptor, 0x4004_5431, &isLocked) == 0, ioctl(descriptor, 0x8004_5430, &number) == 0 else {
      throw ChildProcess.Missing(description: "there is no terminal: \(String(cString: strerror(errno)))")
    }
    let other = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard other >= 0 else {
      throw ChildProcess.Missing(description: "the terminal has no other end: \(String(cString: strerror(errno)))")
    }
    end = FileHandle(fileDescriptor: other, closeOnDealloc: true)
  }

  deinit { close(descriptor) }

  /// The process has its own by now: what is read ends with that one.
  func closeEnd() { end.closeFile() }

  /// What was written; nil when nobody can write any more. Line ends are those of a file again.
  func read() -> Data? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Foundation.read(descriptor, &bytes, bytes.count)
    return count > 0 ? Data(bytes[..<count].filter { $0 != UInt8(ascii: "\r") }) : nil
  }
}

/// What a process has said, and how it ended.
private final class Output: Sendable {
  private struct State {
    var text = Data()
    var lines: [String] = []
    var isOver = false
    var waiter: CheckedContinuation<Void, Never>?
    var status: Int32?
    var exitWaiter: CheckedContinuation<Int32, Never>?
  }

  private let state = Mutex(State())
  /// The next line; nil when there is none any more.
  func line() async -> String? {
    while true {
      let (line, isOver) = state.withLock { state in
        (state.lines.isEmpty ? nil : state.lines.removeFirst(), state.isOver)
      }
      if line != nil || isOver { return line }
      await withCheckedContinuation { continuation in
        let isThere = state.withLock { state in
          if !state.lines.isEmpty || state.isOver { return true }
          state.waiter = continuation
          return false
        }
        if isThere { continuation.resume() }
      }
    }
  }

  /// The exit code when the process has ended; 128 and the signal if one ended it.
  func exitCode() async -> Int32 {
    await withCheckedContinuation { continuation in
      let status = state.withLock { state in
        if state.status == nil { state.exitWaiter = continuation }
        return state.status
      }
      if let status { continuation.resume(returning: status) }
    }
  }

  func read(_ data: Data) {
    let waiter = state.withLock { state in
      state.text.append(data)
      while let end = state.text.firstIndex(of: UInt8(ascii: "\n")) {
        state.lines.append(String(decoding: state.text[state.text.startIndex..<end], as: UTF8.self))
        state.text.removeSubrange(state.text.startIndex...end)
      }
      if data.isEmpty { state.isOver = true }
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  func exited(_ status: Int32, _ reason: Process.TerminationReason) {
    let code = reason == .exit ? status : 128 + status
    let waiter = state.withLock { state in
      state.status = code
      defer { state.exitWaiter = nil }
      return state.exitWaiter
    }
    waiter?.resume(returning: code)
  }
}
#endif
