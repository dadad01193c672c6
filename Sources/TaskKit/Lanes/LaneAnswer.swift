import Synchronization

/// How something that was put into a lane ended, for those who hold its tickets.
final class LaneAnswer: Sendable {
  struct End: Sendable {
    let outcome: TaskOutcome
    var output: (any Sendable)?
    /// What is thrown if its time passed.
    var timeout: TimeoutError?
  }

  private struct State {
    var end: End?
    var waiters: [CheckedContinuation<End, Never>] = []
  }

  private let state = Mutex(State())

  var end: End? { state.withLock { $0.end } }

  /// The first end counts.
  func settle(_ end: End) {
    let waiters = state.withLock { state in
      guard state.end == nil else { return [CheckedContinuation<End, Never>]() }
      state.end = end
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume(returning: end) }
  }

  func wait() async -> End {
    await withCheckedContinuation { continuation in
      let end = state.withLock { state in
        if state.end == nil { state.waiters.append(continuation) }
        return state.end
      }
      if let end { continuation.resume(returning: end) }
    }
  }
}
