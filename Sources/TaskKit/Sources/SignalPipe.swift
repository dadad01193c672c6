#if !os(Windows)
import CTaskKit
import Foundation
import Synchronization

/// The signals of this process as a stream: the handler writes their numbers into a pipe, which Dispatch reads.
///
/// A signal that somebody else handles, or that whoever started the process wants ignored, is left alone.
final class SignalPipe: Sendable {
  let inputs: AsyncStream<SignalMachine.Input>
  /// What could not be taken, in sentences.
  let notes: [String]

  private let taken: [ProcessSignal]
  private let source: DescriptorSource
  private let continuation: AsyncStream<SignalMachine.Input>.Continuation
  private let writeEnd: Int32
  private let hasEnded = Atomic(false)

  /// In place of a signal's number: what comes behind it came when the process went on.
  private static let thaw: UInt8 = 0

  /// The pipe of the process, made once and never closed: when the signals are given back, the handler of another thread
  /// may be about to write, and the number must not be another file's by then.
  private static let ends = Mutex<(read: Int32, write: Int32)?>(nil)

  private static func pipe() throws -> (read: Int32, write: Int32) {
    try ends.withLock { known in
      if let known { return known }
      var ends: [Int32] = [-1, -1]
      guard taskkit_pipe(&ends) == 0 else { throw EventSourceUnavailable("no pipe for signals: \(SystemError.text)") }
      for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
      known = (ends[0], ends[1])
      return (ends[0], ends[1])
    }
  }

  /// Takes the signals: from here on none is missed.
  init() throws {
    let (pipe, writeEnd) = try SignalPipe.pipe()
    let readEnd = fcntl(pipe, F_DUPFD_CLOEXEC, 0)
    guard readEnd >= 0 else { throw EventSourceUnavailable("no pipe for signals: \(SystemError.text)") }
    guard taskkit_begin_signals(writeEnd) else {
      close(readEnd)
      throw EventSourceUnavailable("another source of this process has its signals; a process needs one")
    }
    // What came too late for the source before.
    var late = [UInt8](repeating: 0, count: 64)
    while read(readEnd, &late, late.count) > 0 {}
    let (inputs, continuation) = AsyncStream.makeStream(of: SignalMachine.Input.self)
    let source = DescriptorSource(readEnd, label: "org.taskkit.signals") {
      var numbers = [UInt8](repeating: 0, count: 64)
      while true {
        let count = read(readEnd, &numbers, numbers.count)
        guard count > 0 else { return }
        for number in numbers[..<count] {
          if number == SignalPipe.thaw {
            continuation.yield(.thawed)
          } else if let signal = ProcessSignal(number: Int32(number)) {
            continuation.yield(.signal(signal))
          }
        }
      }
    }
    self.continuation = continuation
    self.writeEnd = writeEnd
    var taken: [ProcessSignal] = []
    var notes: [String] = []
    for signal in ProcessSignal.allCases {
      switch taskkit_take_signal(signal.number) {
      case taskkit_signal_taken: taken.append(signal)
      case taskkit_signal_is_ignored:
        notes.append("\(signal.name) \(signal.purpose): whoever started the process wants it ignored")
      case taskkit_signal_has_handler:
        notes.append("\(signal.name) \(signal.purpose): it has a handler already, which is left in place")
      default: notes.append("\(signal.name) \(signal.purpose): \(SystemError.text)")
      }
    }
    self.inputs = inputs
    self.notes = notes
    self.taken = taken
    self.source = source
  }

  /// Stops the process, which goes on behind this call. `thawed` is in the stream behind every signal that came before that,
  /// and before all that come later.
  func freeze() {
    // Before the process stops: when it goes on, another thread may take a signal before this one has run again.
    var mark = SignalPipe.thaw
    // So many signals that the pipe is full: what is among them may be taken for a new one.
    if write(writeEnd, &mark, 1) != 1 { continuation.yield(.thawed) }
    // Sent to this thread, because a signal to the process may stop it a moment after the call has returned.
    raise(SIGSTOP)
  }

  /// Gives the signals back, once: another source may have them by the second time.
  func end() {
    guard !hasEnded.exchange(true, ordering: .acquiringAndReleasing) else { return }
    for signal in taken { taskkit_return_signal(signal.number) }
    taskkit_end_signals()
    source.cancel()
    continuation.finish()
  }
}

extension ProcessSignal {
  var number: Int32 {
    switch self {
    case .terminate: SIGTERM
    case .interrupt: SIGINT
    case .hangUp: SIGHUP
    case .stop: SIGTSTP
    case .resume: SIGCONT
    }
  }

  init?(number: Int32) {
    guard let signal = Self.allCases.first(where: { $0.number == number }) else { return nil }
    self = signal
  }
}

/// What the C library says about its latest error.
enum SystemError {
  static var text: String { String(cString: strerror(errno)) }
}
#endif
