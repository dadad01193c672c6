#if Postgres
import Dispatch
import Synchronization

/// Waits for a socket, one wait at a time, without a thread of its own.
final class SocketWait: Sendable {
  enum Wish {
    case reading
    case writing
    /// Whichever comes first.
    case both
  }

  /// Begins a wait. What it is given is told once whether the socket is ready, and what it returns ends the wait, where that is
  /// not over.
  typealias Beginning =
    @Sendable (
      _ socket: Int32, _ wish: Wish, _ tell: @escaping @Sendable (_ isReady: Bool) -> Void
    ) -> @Sendable () -> Void

  private struct State {
    var hasEnded = false
    /// Ends the last wait.
    var end: (@Sendable () -> Void)?
  }

  private let begin: Beginning
  private let state = Mutex(State())

  init(_ begin: @escaping Beginning = SocketWait.system) { self.begin = begin }

  /// - Returns: false if there is nothing to wait for any more, or the time has passed.
  func ready(_ socket: Int32, _ wish: Wish, within time: Duration? = nil) async -> Bool {
    guard socket >= 0 else { return false }
    return await withCheckedContinuation { continuation in
      let end = begin(socket, wish) { continuation.resume(returning: $0) }
      let hasEnded = state.withLock { state in
        state.end = end
        return state.hasEnded
      }
      if hasEnded { end() }
      if let time { Self.timers.asyncAfter(deadline: .now() + time / .seconds(1), execute: end) }
    }
  }

  /// Ends the wait, and every later one.
  func end() {
    let end = state.withLock { state in
      state.hasEnded = true
      return state.end
    }
    end?()
  }

  /// One of its own: a program may fill the threads that all share.
  private static let timers = DispatchQueue(label: "org.taskkit.postgres.time")

  /// As the system does it best.
  static let system: Beginning = {
    #if os(Linux)
    if let thread = SocketThread.shared { return { thread.begin($0, $1, tell: $2) } }
    #endif
    return { SocketSources.begin($0, $1, tell: $2) }
  }()
}
#endif
