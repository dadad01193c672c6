import Synchronization

/// What the monitors of a center say, put together.
final class ConstraintWatch: Sendable {
  private struct State {
    var states: [Constraint: ConstraintState] = [:]
    var tasks: [_Concurrency.Task<Void, Never>]?
  }

  private let state = Mutex(State())
  private let monitors: [any ConstraintMonitor]
  private let changed: @Sendable ([Constraint: ConstraintState], ConstraintWatch) -> Void

  /// - Parameter changed: gets what is another than before. What holds by now has to be read where it is used: monitors
  ///   report at the same time, and the one that is heard last may have seen less.
  init(
    monitors: [any ConstraintMonitor],
    changed: @escaping @Sendable ([Constraint: ConstraintState], ConstraintWatch) -> Void
  ) {
    self.monitors = monitors
    self.changed = changed
  }

  deinit { end() }

  /// Nil for one that no monitor knows.
  func state(of constraint: Constraint) -> ConstraintState? {
    if let known = state.withLock({ $0.states[constraint] }) { return known }
    return monitors.contains { $0.constraints.contains(constraint) } ? .unknown : nil
  }

  /// The names of those that hold.
  var satisfied: Set<String> {
    state.withLock { state in Set(state.states.filter { $0.value == .satisfied }.map(\.key.name)) }
  }

  func start() {
    state.withLock { state in
      guard state.tasks == nil else { return }
      // Each ends with its monitor's stream, and is cancelled by `end()`.
      state.tasks = monitors.map { monitor in
        _Concurrency.Task.detached { [weak self] in
          for await states in monitor.states() { self?.take(states) }
          // It says nothing any more, and what it has said last is not true for ever.
          guard !_Concurrency.Task.isCancelled else { return }
          self?.take(Dictionary(monitor.constraints.map { ($0, .unknown) }) { first, _ in first })
        }
      }
    }
  }

  func end() {
    let tasks = state.withLock { state in
      defer { state.tasks = [] }
      return state.tasks ?? []
    }
    for task in tasks { task.cancel() }
  }

  private func take(_ new: [Constraint: ConstraintState]) {
    let differing = state.withLock { state in
      let differing = new.filter { state.states[$0.key] != $0.value }
      state.states.merge(differing) { $1 }
      return differing
    }
    if !differing.isEmpty { changed(differing, self) }
  }
}
