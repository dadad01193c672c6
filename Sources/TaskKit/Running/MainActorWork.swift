import Synchronization

/// What centers have to do on the main actor.
///
/// Each piece goes into the main actor's own queue. A thread that is on the main actor and waits takes pieces out before
/// their turn: that queue does not go on while something that came out of it waits, and without a main thread, as under an
/// asynchronous `main` on Linux, nothing else would.
enum MainActorWork {
  typealias Body = @MainActor @Sendable () -> Void

  private struct State {
    var pieces = MainActorPieces()
    /// Who is on the main actor and waits, the innermost last.
    var sleepers: [ThreadSleeper] = []
  }

  private static let state = Mutex(State())

  /// Does something on the main actor, soon.
  static func add(_ body: @escaping Body) {
    let (number, sleeper) = state.withLock { ($0.pieces.add(body), $0.sleepers.last) }
    // Ended by its turn in the queue of the main actor.
    _Concurrency.Task { @MainActor in
      state.withLock { $0.pieces.take(number) }?()
    }
    sleeper?.wake()
  }

  /// Does something on the main actor, and waits for its end without holding a thread: what a plain hop cannot do where that
  /// actor waits.
  ///
  /// What has not begun when whoever awaits it is cancelled never does: its place may be behind something that takes its time,
  /// and by then others go by that it did not happen.
  ///
  /// - Throws: what it throws, or `CancellationError` where it has not begun.
  static func run<Value: Sendable>(_ body: @escaping @MainActor @Sendable () throws -> Value) async throws -> Value {
    // It belongs to whoever awaits it, on whichever thread's turn it comes.
    let box = WorkerBox.current
    let turn = Turn<Value>()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard turn.await(continuation) else { return continuation.resume(throwing: CancellationError()) }
        add {
          guard let continuation = turn.take() else { return }
          let result = WorkerBox.$current.withValue(box) { Result { try body() } }
          continuation.resume(with: result)
        }
      }
    } onCancel: {
      turn.cancel()?.resume(throwing: CancellationError())
    }
  }

  /// Waits on the main actor, and does meanwhile what comes for it.
  ///
  /// - Parameters:
  ///   - sleeper: made by the calling thread; woken when there is an answer.
  ///   - limit: when there is one in any case, on the machine's continuous clock.
  ///   - answer: what is waited for.
  static func wait<Answer>(
    _ sleeper: ThreadSleeper, until limit: Int64 = .max, for answer: () -> Answer?
  ) -> Answer {
    state.withLock { $0.sleepers.append(sleeper) }
    defer {
      let outer = state.withLock { state in
        state.sleepers.removeAll { $0 === sleeper }
        return state.sleepers.last
      }
      sleeper.end()
      // What it was woken for may have come to this one.
      outer?.wake()
    }
    while true {
      if let answer = answer() { return answer }
      if let body = state.withLock({ $0.pieces.takeNext() }) {
        // Whoever calls is on the main actor. The body that waits, if it is one, is not what calls into its center from there.
        WorkerBox.offThread { MainActor.assumeIsolated(body) }
      } else {
        sleeper.sleep(until: limit)
      }
    }
  }
}

/// Who awaits a piece of work that has not begun: its turn takes that away, or the cancellation, whichever comes first, and
/// only who has it resumes it.
private final class Turn<Value: Sendable>: Sendable {
  typealias Waiter = CheckedContinuation<Value, any Error>

  private struct State {
    var waiter: Waiter?
    var isCancelled = false
  }

  private let state = Mutex(State())

  /// - Returns: false if it was cancelled before; then the waiter is left to whoever calls.
  func await(_ waiter: Waiter) -> Bool {
    state.withLock { state in
      if !state.isCancelled { state.waiter = waiter }
      return !state.isCancelled
    }
  }

  /// - Returns: nil if it was cancelled.
  func take() -> Waiter? { state.withLock { $0.waiter.take() } }

  /// - Returns: nil if it has begun, or nobody awaits it yet.
  func cancel() -> Waiter? {
    state.withLock { state in
      state.isCancelled = true
      return state.waiter.take()
    }
  }
}
