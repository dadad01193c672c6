import Synchronization

/// What the monitors of a center say, put together.
final class ConstraintWatch: Sendable {
  /// What one monitor says of one constraint.
  private struct Word {
    let state: ConstraintState
    /// A later one has a higher number.
    let number: Int
  }

  private struct State {
    /// By the place of the monitor.
    var words: [Int: [Constraint: Word]] = [:]
    var lastNumber = 0
    /// What follows from them.
    var states: [Constraint: ConstraintState] = [:]
    var tasks: [_Concurrency.Task<Void, Never>]?
    /// The monitors whose first word has not been passed on.
    var silent: Set<Int> = []

    mutating func note(_ new: [Constraint: ConstraintState], by monitor: Int) {
      lastNumber += 1
      for (constraint, state) in new where words[monitor]?[constraint]?.state != state {
        words[monitor, default: [:]][constraint] = Word(state: state, number: lastNumber)
      }
    }

    /// What a monitor that knows it has said last; one that does not know takes nothing away from the others.
    func state(of constraint: Constraint) -> ConstraintState {
      let known = words.values.compactMap { $0[constraint] }.filter { $0.state != .unknown }
      return known.max { $0.number < $1.number }?.state ?? .unknown
    }
  }

  private let state = Mutex(State())
  private let monitors: [any ConstraintMonitor]
  private let changed: @Sendable ([Constraint: ConstraintState], ConstraintWatch) -> Void
  private let listens: @Sendable (Bool) -> Void

  /// - Parameters:
  ///   - listens: is told when the monitors are asked, and when each of them has been heard.
  ///   - changed: gets what is another than before. What holds by now has to be read where it is used: monitors report at
  ///     the same time, and the one that is heard last may have seen less.
  init(
    monitors: [any ConstraintMonitor], listens: @escaping @Sendable (_ isWaiting: Bool) -> Void,
    changed: @escaping @Sendable ([Constraint: ConstraintState], ConstraintWatch) -> Void
  ) {
    self.monitors = monitors
    self.listens = listens
    self.changed = changed
  }

  deinit { end() }

  /// Nil for one that no monitor knows.
  func state(of constraint: Constraint) -> ConstraintState? {
    if let known = state.withLock({ $0.states[constraint] }) { return known }
    return isWatched(constraint) ? .unknown : nil
  }

  /// Whether a monitor can say something about one.
  func isWatched(_ constraint: Constraint) -> Bool { monitors.contains { $0.constraints.contains(constraint) } }

  /// The names of those that hold.
  var satisfied: Set<String> {
    state.withLock { state in Set(state.states.filter { $0.value == .satisfied }.map(\.key.name)) }
  }

  func start() {
    let isFirst = state.withLock { state in
      guard state.tasks == nil, state.silent.isEmpty, !monitors.isEmpty else { return false }
      state.silent = Set(monitors.indices)
      return true
    }
    guard isFirst else { return }
    listens(true)
    state.withLock { state in
      guard state.tasks == nil else { return }
      // Each ends with its monitor's stream, and is cancelled by `end()`.
      state.tasks = monitors.enumerated().map { place, monitor in
        _Concurrency.Task.detached { [weak self] in
          for await states in monitor.states() { self?.take(states, from: place) }
          // It says nothing any more, and what it has said last is not true for ever.
          guard !_Concurrency.Task.isCancelled else { return }
          self?.forget(place)
          self?.noteHeard(place)
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

  private func take(_ new: [Constraint: ConstraintState], from monitor: Int) {
    update { state in
      state.note(new, by: monitor)
      return Array(new.keys)
    }
    noteHeard(monitor)
  }

  /// A monitor has said something, and everybody knows what follows from that.
  private func noteHeard(_ monitor: Int) {
    let isLast = state.withLock { $0.silent.remove(monitor) != nil && $0.silent.isEmpty }
    if isLast { listens(false) }
  }

  /// A monitor has ended: what it knows, and what it has said beside that, is unknown to it.
  private func forget(_ monitor: Int) {
    // Before the lock: it is asked of a monitor that may ask something itself.
    let watched = monitors[monitor].constraints
    update { state in
      let known = watched + (state.words[monitor] ?? [:]).keys
      state.note(Dictionary(known.map { ($0, .unknown) }) { first, _ in first }, by: monitor)
      return known
    }
  }

  /// - Parameter change: returns which constraints it is about.
  private func update(_ change: (inout State) -> [Constraint]) {
    let differing = state.withLock { state in
      var differing: [Constraint: ConstraintState] = [:]
      for constraint in change(&state) {
        let combined = state.state(of: constraint)
        if state.states[constraint] != combined { differing[constraint] = combined }
      }
      state.states.merge(differing) { $1 }
      return differing
    }
    if !differing.isEmpty { changed(differing, self) }
  }
}
