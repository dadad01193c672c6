/// Who sleeps on a ``TickClock``. Continuations are returned, and resumed with the lock released.
struct TickClockState {
  private struct Sleeper {
    let deadline: TickClock.Instant
    let isForCenter: Bool
    /// Of whose body it is.
    let run: UInt64?
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct Watcher {
    let id: Int
    let expectation: TickClock.Expectation
    let continuation: CheckedContinuation<Void, Never>
  }

  private(set) var now = TickClock.Instant()
  /// Up to when sleepers wake. A nanosecond is what a center counts in: sixty ticks of a sixtieth of a second, which are just
  /// less than one, reach the second.
  private var reached: TickClock.Instant { now.advanced(by: .halfNanosecond) }
  private var sleepers: [Int: Sleeper] = [:]
  private var nextID = 0
  /// Cancelled before they slept.
  private var cancelled: Set<Int> = []
  private var watchers: [Watcher] = []

  var nextDeadline: TickClock.Instant? { sleepers.values.map(\.deadline).min() }

  mutating func takeID() -> Int {
    defer { nextID += 1 }
    return nextID
  }

  /// - Returns: whether it is cancelled, if it does not sleep at all; and who waited for this sleeper.
  mutating func add(
    _ id: Int, until deadline: TickClock.Instant, isForCenter: Bool, run: UInt64?,
    _ continuation: CheckedContinuation<Bool, Never>
  ) -> (Bool?, [CheckedContinuation<Void, Never>]) {
    if cancelled.remove(id) != nil { return (true, []) }
    if deadline <= reached { return (false, []) }
    sleepers[id] = Sleeper(deadline: deadline, isForCenter: isForCenter, run: run, continuation: continuation)
    return (nil, takeSatisfiedWatchers())
  }

  mutating func cancel(_ id: Int) -> (CheckedContinuation<Bool, Never>?, [CheckedContinuation<Void, Never>]) {
    guard let sleeper = sleepers.removeValue(forKey: id) else {
      cancelled.insert(id)
      return (nil, [])
    }
    return (sleeper.continuation, takeSatisfiedWatchers())
  }

  mutating func forget(_ id: Int) {
    cancelled.remove(id)
  }

  /// - Returns: those whose time has come, in the order of their times, and those who waited for there being no sleeper.
  mutating func advance(
    by duration: Duration
  ) -> ([CheckedContinuation<Bool, Never>], [CheckedContinuation<Void, Never>]) {
    now = now.advanced(by: duration)
    let reached = reached
    let due = sleepers.filter { $0.value.deadline <= reached }
      .sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }
    for (id, _) in due { sleepers[id] = nil }
    return (due.map(\.value.continuation), takeSatisfiedWatchers())
  }

  // MARK: - For tests

  /// - Parameter run: the one that the center of the runs will begin next.
  func mark(beforeRun run: UInt64, _ runsOfShutdown: Set<UInt64>) -> TickClock.Mark {
    TickClock.Mark(sleeper: nextID, run: run, runsOfShutdown: runsOfShutdown)
  }

  /// - Returns: whether it need not be waited for, because it is met or whoever would wait is cancelled.
  mutating func isMet(
    _ expectation: TickClock.Expectation, otherwise continuation: CheckedContinuation<Void, Never>, _ id: Int
  ) -> Bool {
    if cancelled.remove(id) != nil || isMet(expectation) { return true }
    watchers.append(Watcher(id: id, expectation: expectation, continuation: continuation))
    return false
  }

  mutating func cancelWatcher(_ id: Int) -> CheckedContinuation<Void, Never>? {
    guard let index = watchers.firstIndex(where: { $0.id == id }) else {
      cancelled.insert(id)
      return nil
    }
    return watchers.remove(at: index).continuation
  }

  private func isMet(_ expectation: TickClock.Expectation) -> Bool {
    switch expectation {
    case .sleepers(let count): sleepers.count >= count
    case .sleeper(let deadline): sleepers.values.contains { $0.deadline == deadline }
    case .onlySleeper(let deadline): sleepers.count == 1 && sleepers.first?.value.deadline == deadline
    case .somebody(let mark): sleepers.contains { !$0.value.isForCenter && mark.isBefore($0.key, of: $0.value.run) }
    case .noSleepers: sleepers.isEmpty
    }
  }

  private mutating func takeSatisfiedWatchers() -> [CheckedContinuation<Void, Never>] {
    guard !watchers.isEmpty else { return [] }
    let (satisfied, waiting) = (watchers.filter { isMet($0.expectation) }, watchers.filter { !isMet($0.expectation) })
    watchers = waiting
    return satisfied.map(\.continuation)
  }
}
