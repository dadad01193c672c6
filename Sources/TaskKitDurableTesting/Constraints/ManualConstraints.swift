import Synchronization
public import TaskKitDurable

/// Constraints that hold when a test says so.
///
/// ```swift
/// let constraints = ManualConstraints([.network: .unsatisfied])
/// // … JobConfiguration(monitors: [constraints])
/// constraints.set(.network, .satisfied)
/// ```
public final class ManualConstraints: ConstraintMonitor {
  private struct State {
    var states: [Constraint: ConstraintState]
    var observers: [Int: AsyncStream<[Constraint: ConstraintState]>.Continuation] = [:]
    var next = 0
    /// How many words the first observer was told; nil as long as there is none.
    var told: Int?
  }

  public let constraints: [Constraint]
  private let state: Mutex<State>

  /// - Parameter states: what it knows, and how that stands.
  public init(_ states: [Constraint: ConstraintState]) {
    constraints = states.keys.sorted { $0.name < $1.name }
    state = Mutex(State(states: states))
  }

  /// Who watches hears of it soon after; wait for what follows from it.
  public func set(_ constraint: Constraint, _ new: ConstraintState) {
    // Under the lock, so that what is set last is heard last.
    state.withLock { state in
      if state.states[constraint] != new { state.told? += 1 }
      state.states[constraint] = new
      for observer in state.observers.values { observer.yield(state.states) }
    }
  }

  /// How they stand.
  public var current: [Constraint: ConstraintState] { state.withLock { $0.states } }

  /// How many words there are to hear, of one constraint each: how they stood at first, and each change since.
  var told: Int { state.withLock { $0.told ?? $0.states.count } }

  public func states() -> AsyncStream<[Constraint: ConstraintState]> {
    let (stream, continuation) = AsyncStream.makeStream(of: [Constraint: ConstraintState].self)
    let number = state.withLock { state in
      defer { state.next += 1 }
      state.observers[state.next] = continuation
      state.told = state.told ?? state.states.count
      continuation.yield(state.states)
      return state.next
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.observers.removeValue(forKey: number) }
    }
    return stream
  }
}
