/// When nothing is going, and when something is again: what the end of a process and the idle event wait for.
struct QuietWatch {
  typealias Waiter = CheckedContinuation<Void, Never>

  /// Those who wait for one thing.
  fileprivate typealias Waiters = WritableKeyPath<QuietWatch, [UInt64: Waiter]>

  /// Who waits until nothing is going.
  fileprivate var forQuiet: [UInt64: Waiter] = [:]
  /// Who waits until something is.
  fileprivate var forActivity: [UInt64: Waiter] = [:]
  /// Who waits until every body has returned, also those that nobody waits for any more.
  fileprivate var forReturns: [UInt64: Waiter] = [:]
  /// Who waits until nothing of the center's companions runs.
  fileprivate var forCompanions: [UInt64: Waiter] = [:]
  /// How many companions have something that runs.
  fileprivate var workingCompanions = 0
  fileprivate var cancelled: Set<UInt64> = []
  fileprivate var nextID: UInt64 = 0
  /// Whether sources say when nothing has run for a time: then that event itself is no activity, or two of them would wake
  /// each other for ever.
  var passesOverIdle = false

  /// Whether an occurrence of an event is no activity; what is in a lane is none of any event.
  func passesOver(_ event: String?) -> Bool {
    passesOverIdle && event == LifecycleEvent<Void, Void>.idle.name
  }

  /// Whether the next occurrence has to be told to somebody.
  var expectsActivity: Bool { !forActivity.isEmpty }
  var expectsQuiet: Bool { !forQuiet.isEmpty }
}

extension CenterMachine {
  mutating func quietWaiterID() -> UInt64 {
    defer { quiet.nextID += 1 }
    return quiet.nextID
  }

  /// Waits until nothing is going.
  ///
  /// - Returns: whether nothing is.
  mutating func awaitQuiet(_ id: UInt64, _ waiter: QuietWatch.Waiter) -> Bool {
    wait(in: \.forQuiet, as: id, waiter, unless: goingCount == 0)
  }

  /// Waits until an occurrence begins.
  ///
  /// - Parameter count: how many there had been when the caller looked.
  /// - Returns: whether there has been another one meanwhile.
  mutating func awaitActivity(_ id: UInt64, after count: UInt64, _ waiter: QuietWatch.Waiter) -> Bool {
    wait(in: \.forActivity, as: id, waiter, unless: occurrenceCount != count)
  }

  /// Waits until no body is running, one that has timed out or missed a deadline included; but for those of
  /// ``LifecycleEvent/willTerminate``, which have had their share of the time.
  ///
  /// - Returns: whether none is.
  mutating func awaitReturns(_ id: UInt64, _ waiter: QuietWatch.Waiter) -> Bool {
    // The shutdown is among those who do.
    wakeSettleWaiters()
    return wait(in: \.forReturns, as: id, waiter, unless: !hasRunningBodies)
  }

  /// Waits until nothing of the companions runs.
  ///
  /// - Returns: whether nothing does.
  mutating func awaitCompanions(_ id: UInt64, _ waiter: QuietWatch.Waiter) -> Bool {
    wait(in: \.forCompanions, as: id, waiter, unless: quiet.workingCompanions == 0)
  }

  /// - Returns: whether there is nothing to wait for.
  private mutating func wait(
    in waiters: QuietWatch.Waiters, as id: UInt64, _ waiter: QuietWatch.Waiter, unless isSo: Bool
  ) -> Bool {
    guard !isSo, !quiet.cancelled.contains(id) else { return true }
    quiet[keyPath: waiters][id] = waiter
    return false
  }

  private mutating func tell(_ waiters: QuietWatch.Waiters) {
    resumeAll(quiet[keyPath: waiters].values)
    quiet[keyPath: waiters] = [:]
  }

  /// Something of a companion begins to run, or the last of it has ended.
  mutating func companionWorks(_ isWorking: Bool, now: Int64) {
    quiet.workingCompanions += isWorking ? 1 : -1
    guard !isWorking else { return noteActivity(of: nil) }
    latestEnd = now
    if quiet.workingCompanions == 0 { tell(\.forCompanions) }
  }

  mutating func cancelQuietWaiter(_ id: UInt64) {
    quiet.cancelled.insert(id)
    let all: [QuietWatch.Waiters] = [\.forQuiet, \.forActivity, \.forReturns, \.forCompanions]
    resumeAll(all.compactMap { quiet[keyPath: $0].removeValue(forKey: id) })
  }

  mutating func forgetQuietWaiter(_ id: UInt64) { quiet.cancelled.remove(id) }

  /// Whether the tasks of the idle event run at this moment.
  var isIdleTold: Bool {
    guard quiet.passesOverIdle, let number = eventNumbers[LifecycleEvent<Void, Void>.idle.name] else { return false }
    return events[number].active != nil
  }

  /// An occurrence of an event has begun.
  ///
  /// - Parameter event: nil for what is in a lane.
  mutating func noteActivity(of event: String?) {
    guard !quiet.passesOver(event) else { return }
    occurrenceCount += 1
    if quiet.expectsActivity { tell(\.forActivity) }
  }

  /// An occurrence of an event has ended.
  mutating func noteEnd(of run: ActiveRun, now: Int64) {
    if !quiet.passesOver(run.eventName) { latestEnd = now }
    // Who awaits the return of bodies may have looked while these ran.
    tellWhoAwaitsReturns()
    if quiet.expectsQuiet, goingCount == 0 { tell(\.forQuiet) }
  }

  /// A body that had timed out has returned.
  mutating func noteReturn(in run: ActiveRun, now: Int64) {
    if !quiet.passesOver(run.eventName) { latestEnd = now }
    tellWhoAwaitsReturns()
  }

  var awaitsReturns: Bool { !quiet.forReturns.isEmpty }

  private mutating func tellWhoAwaitsReturns() {
    if !quiet.forReturns.isEmpty, !hasRunningBodies { tell(\.forReturns) }
  }

  private var hasRunningBodies: Bool {
    runs.contains { run in
      guard let run, run.state.running > 0 || !run.state.overdue.isEmpty else { return false }
      return run.eventName != LifecycleEvent<Void, Void>.willTerminate.name
    }
  }

  // MARK: - Idleness

  /// What there is to know for the idle event.
  struct Activity {
    /// Whether something is going, or a body runs that nobody waits for any more, or something of a companion.
    let isGoing: Bool
    let latestEnd: Int64
    /// How many occurrences there have been.
    let count: UInt64
    /// When the next task is due, on the continuous clock.
    let due: Int64?
  }

  /// - Parameters:
  ///   - end: what is due from there on does not count.
  ///   - ahead: by how much the suspending clock is ahead of the continuous one.
  func activity(before end: Int64, suspendingIsAheadBy ahead: Int64) -> Activity {
    Activity(
      isGoing: goingCount > 0 || hasRunningBodies || quiet.workingCompanions > 0, latestEnd: latestEnd,
      count: occurrenceCount,
      due: [timers.earliest, nextScheduled(before: end, ahead)].compactMap { $0 }.min().flatMap { $0 < end ? $0 : nil })
  }

  /// When the next task is due that is not paused.
  private func nextScheduled(before end: Int64, _ ahead: Int64) -> Int64? {
    let earliest = [schedules.continuous.earliest, schedules.suspending.earliest?.earlier(by: ahead)].compactMap { $0 }
      .min()
    // Mostly there is nothing to look through.
    guard hasMarks, let earliest, earliest < end else { return earliest }
    return schedules.states.lazy.compactMap { task, state in
      guard let slot = state.armed?.slot, !marks[Int(task)].contains(.paused) else { return nil }
      switch state.line {
      case .continuous: return slot.later(by: state.delay)
      case .suspending: return slot.later(by: state.delay).earlier(by: ahead)
      case .wall: return slot.earlier(by: schedules.wallOffset ?? 0).later(by: state.delay)
      }
    }.min()
  }

  // MARK: - Shutting down

  /// Refuses what is sent from now on, and cancels what is going.
  mutating func close(now: Int64) {
    isClosed = true
    closeSchedules(now: now)
    endSequences(now: now)
    lookAtListeners()
    // What nobody has used holds nothing, and what its gate waits for is not asked now.
    for state in lanes.values where state.isUsed { clearLane(state.lane, reset: false, now: now) }
    for id in queued.keys.sorted() { while queued[id] != nil { cancel(run: id, now: now) } }
    for slot in runs.indices {
      guard let run = runs[slot], !run.isConcluded else { continue }
      run.senders = 1
      cancel(run: run.state.id, now: now)
    }
  }

  /// Whether something is to be stopped, or will be if a body that has not returned succeeds.
  var mayHaveToStop: Bool {
    !stops.isEmpty
      || runs.contains { run in
        guard let state = run?.state, state.running > 0 || !state.overdue.isEmpty else { return false }
        return (0..<Int32(state.plan.count)).contains { node in
          state.plan.demands[Int(node)].contains(.stop) && state.isAtWork(node)
        }
      }
  }

  /// Whether a task of an event has a `stop`.
  func hasStop(ofEvent name: String) -> Bool {
    guard let number = eventNumbers[name] else { return false }
    return events[number].members.contains(in: tasks) { tasks[Int($0.task)].registration.stop != nil }
  }

  /// The bodies that have not returned.
  func runningBodies(now: Int64) -> [UnfinishedTask] {
    var bodies: [UnfinishedTask] = []
    for run in runs {
      guard let state = run?.state else { continue }
      for node in 0..<Int32(state.plan.count) where state.isAtWork(node) {
        let registration = state.plan.registrations[Int(node)]
        bodies.append(
          UnfinishedTask(
            name: registration.name, location: registration.location,
            duration: isTimed ? .nanoseconds(now - state.record.times(of: node).begun) : nil))
      }
    }
    return bodies
  }
}

extension RunState {
  /// Whether the body of a node has not returned, in time or not.
  fileprivate func isAtWork(_ node: Int32) -> Bool { status[Int(node)] == .running || overdue.contains(node) }
}

extension ActiveRun {
  /// The name of the event; nil for what is in a lane, which has a name of its own.
  fileprivate var eventName: String? { entry == nil ? state.plan.event.name : nil }
}

extension TaskCenter {
  static let closedText = "the center is shutting down"

  /// Returns when no occurrence is going, or the calling task is cancelled.
  func untilQuiet() async {
    await waitInMachine { machine, id, waiter in machine.awaitQuiet(id, waiter) }
  }

  /// Returns when nothing is going and every body has returned, or the calling task is cancelled.
  func untilReturned() async {
    await untilQuiet()
    await waitInMachine { machine, id, waiter in machine.awaitReturns(id, waiter) }
  }

  /// Returns when nothing of the companions runs, or the calling task is cancelled.
  func untilCompanionsRest() async {
    await waitInMachine { machine, id, waiter in machine.awaitCompanions(id, waiter) }
  }

  /// Returns when an occurrence has begun since there had been that many, or the calling task is cancelled.
  func untilActivity(after count: UInt64) async {
    await waitInMachine { machine, id, waiter in machine.awaitActivity(id, after: count, waiter) }
  }

  private func waitInMachine(
    _ wait: @escaping @Sendable (inout CenterMachine, UInt64, QuietWatch.Waiter) -> Bool
  ) async {
    let id = receive { $0.quietWaiterID() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if receive({ wait(&$0, id, continuation) }) { continuation.resume() }
      }
    } onCancel: {
      receive { $0.cancelQuietWaiter(id) }
    }
    receive { $0.forgetQuietWaiter(id) }
  }
}
