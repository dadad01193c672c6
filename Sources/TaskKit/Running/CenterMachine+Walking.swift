import Synchronization

/// Occurrences that one worker can walk through without a decision.
///
/// Nothing but the inputs of a walk itself may look at the runs and the tasks of a machine with a walk in it: every other
/// input is preceded by ``settle()``, which makes an ordinary run of it.
extension CenterMachine {
  /// Starts an occurrence as a walk, if it can be one: of plain tasks only, for which a second worker could do nothing or
  /// would not pay, with nothing else going on.
  mutating func startWalk(
    _ event: EventDescription, payload: any Sendable, by flavor: WorkerFlavor, maySuspend: Bool, in center: TaskCenter,
    now: Int64?
  ) -> Walk? {
    guard walkedEvent < 0, goingCount == 0, used == 0, observers.isEmpty, outputWaiters.isEmpty, !isClosed,
      !quiet.expectsActivity, !quiet.passesOver(event.name),
      let number = knownNumber(of: event.name), event.identity == events[number].description.identity,
      !event.isOnce || !events[number].hasHappened, events[number].description.burst.quietTime == nil,
      // An ordinary run goes on with the payload that is kept of the event, which is not all of a notification.
      !events[number].description.isOfNotifications,
      // The end of a walk is told to nobody.
      closedLanes.isEmpty || closedLanes[event.name] == nil
    else { return nil }
    guard let walk = walk(ofEvent: number, in: center) else { return nil }
    let isAlone = limit == 1 || walk.route.isChain
    guard isAlone || events[number].isTiny || flavor == .mainCaller else { return nil }
    guard !walk.route.allForms.contains(.main) || flavor == .mainCaller else { return nil }
    // Until one of them suspends, nobody else can be given anything: only where nobody else could start, or the bodies
    // are known to be short.
    if walk.route.allForms.contains(.asynchronous) {
      guard maySuspend, isAlone || events[number].isTiny, flavor != .mainCaller else { return nil }
    }
    if hasMarks, walk.route.plan.tasks.contains(where: { !marks[Int($0)].isEmpty }) { return nil }

    walk.flavor = walk.route.allForms.contains(.asynchronous) ? .background : flavor
    walk.isGoing = true
    walk.hasArrived.store(false, ordering: .relaxed)
    walk.origin = now ?? 0
    walk.isMeasured = now != nil
    walk.start(nextID())
    if isLimited { used += 1 }
    if !events[number].begin(walk.handle) { setLatestPayload(payload, ofEvent: number) }
    walkedEvent = number
    occurrenceCount += 1
    mustSettle = true
    return walk
  }

  /// The walk of an event; a new one where there was none, or where somebody still holds the one before: a report, or a
  /// task that a body has left behind.
  private mutating func walk(ofEvent number: Int, in center: TaskCenter) -> Walk? {
    if isKnownUniquelyReferenced(&events[number].walk), isKnownUniquelyReferenced(&events[number].walk!.box) {
      return events[number].walk
    }
    let old = events[number].walk
    let plan = old?.route.plan ?? plan(ofEvent: number)
    guard plan.isWalkable, predecessors.isEmpty else { return nil }
    let walk = Walk(
      old?.route ?? Route(plan), event: number, slot: old?.slot ?? freeSlot(), isTimed: isTimed,
      isLimited: isLimited, in: center)
    events[number].walk = walk
    return walk
  }

  /// The last body of a walk has returned.
  ///
  /// - Parameter busy: how long the bodies took together, where somebody measured it.
  /// - Returns: false if the walk has become an ordinary run meanwhile.
  mutating func finishWalk(_ walk: Walk, busy: Int64?) -> Bool {
    guard walk.isGoing else { return false }
    walk.isGoing = false
    walkedEvent = -1
    walk.box.node.store(-1, ordering: .relaxed)
    if walk.route.allForms.contains(.asynchronous) { walk.task = nil }
    walk.hasArrived.store(true, ordering: .releasing)
    if isLimited { used -= 1 }
    events[walk.event].end()
    events[walk.event].tally.add(walk)
    if unfolded.last != walk.event {
      unfolded.removeAll { $0 == walk.event }
      unfolded.append(walk.event)
    }
    if let busy {
      events[walk.event].learn(busy: busy, tasks: walk.route.count)
      latestEnd = walk.origin + busy
    }
    return true
  }

  /// Writes down what finished walks have left, and makes an ordinary run of the one that is going.
  mutating func settle() {
    mustSettle = false
    fold()
    guard walkedEvent >= 0, let walk = events[walkedEvent].walk else { return }
    walkedEvent = -1
    walk.isGoing = false
    walk.isInterrupted.store(true, ordering: .sequentiallyConsistent)
    Crossing.takeLook(atWalkerOf: walk.box)
    let node = walk.box.node.load(ordering: .sequentiallyConsistent)
    let run = ActiveRun(
      state: walk.replay(to: node, payload: events[walk.event].latestPayload ?? ()), event: walk.event)
    // The walker may have read the clock later than whoever interrupts it.
    _ = inOrder(run.state.record.times(of: node).begun)
    run.claims = 1
    run.workers = [WorkerState(flavor: walk.flavor, stage: .running(node), since: walk.origin)]
    if let task = walk.task {
      run.workers[0].canceller = .walker(task)
      walk.box.note(task)
    }
    walk.task = nil
    // The first body that ends counts for all that have been walked through. Without a beginning nothing is learned.
    run.measured = walk.isMeasured ? walk.route.place(of: node) : .min
    run.activeWorkers = 1
    if !isLimited, run.state.plan.forms[Int(node)] == .asynchronous { run.asynchronousWorkers = 1 }
    run.hasMainCaller = walk.flavor == .mainCaller
    place(run, at: walk.handle)
    if let waiter = walk.takeWaiter() { reportWaiters[walk.handle.id] = [ReportWaiter(continuation: waiter)] }
    // The slot goes with the run.
    events[walk.event].walk = nil
  }

  /// Writes down what finished walks have come to.
  private mutating func fold() {
    guard !unfolded.isEmpty else { return }
    if isTimed { makeStatistics() }
    for number in unfolded {
      guard let route = events[number].walk?.route else { continue }
      let tally = events[number].tally
      events[number].tally = WalkTally()
      for place in 0..<route.count {
        let task = Int(route.plan.tasks[Int(route.nodes[place])])
        tasks[task].latest = .succeeded
        tasks[task].latestEndedWell = true
        if tasks[task].hasBelongings { discard(tasks[task].keep(output: nil, error: nil)) }
        guard isTimed else { continue }
        statistics[task].add(
          count: tally.count, last: tally.last[place], total: tally.total[place], maximum: tally.maximum[place])
        statistics[task].lastOutcome = "succeeded"
      }
    }
    unfolded = []
  }

  /// A walker has a task, in which it is about to begin.
  ///
  /// - Returns: whether somebody wanted to cancel it before.
  mutating func begin(_ walk: Walk, in task: WalkerTask) -> Bool {
    guard !walk.isGoing else {
      walk.task = task
      return false
    }
    runs[walk.handle.slot]!.workers[0].canceller = .walker(task)
    walk.box.note(task)
    return runs[walk.handle.slot]!.workers[0].isSpent
  }

  /// A walker has suspended: from here on the occurrence is an ordinary run.
  ///
  /// - Returns: false if it has gone on and come to the end meanwhile.
  mutating func goOnBeside(_ walk: Walk, now: Int64) -> Bool {
    guard !walk.hasArrived.load(ordering: .relaxed) else { return false }
    if isLimited { fillSlots(now: now) } else if isActive(walk.handle) { wakeWorkers(walk.handle) }
    return true
  }

  /// A walker has suspended, and its sender waits for the report.
  ///
  /// - Returns: false if there is nothing to wait for: it has come to the end, or has become an ordinary run.
  func awaitArrival(of walk: Walk, _ continuation: CheckedContinuation<EventReport, Never>) -> Bool {
    guard walk.isGoing else { return false }
    walk.waiter = continuation
    return true
  }

  /// What the walker does when it has been told to stop, or cannot go on as before.
  ///
  /// - Parameters:
  ///   - node: the task whose body has returned.
  ///   - next: the one that was published after it, if one was.
  mutating func leaveWalk(
    _ handle: RunHandle, after node: Int32, next: Int32, result: BodyResult, now: Int64
  ) -> Step {
    // Whoever interfered has seen the next one as started, and the one before as ended.
    let run = runs[handle.slot]!
    if next >= 0, run.workers[0].stage == .running(next) {
      // What has been walked through counts from the beginning of the walk, and the next one from its own.
      run.busy &+= now &- run.workers[0].since
      return .run(next)
    }
    return step(handle, worker: 0, node: node, begun: nil, result: result, now: now, chance: 0)
  }
}

extension EventState {
  /// An occurrence begins.
  ///
  /// - Returns: whether the payload is the one that is kept already: there is only one of no payload.
  @inline(__always)
  mutating func begin(_ handle: RunHandle) -> Bool {
    active = handle
    defer { hasHappened = true }
    return hasHappened && description.identity.payload == Void.self
  }

  /// The occurrence that was going is over.
  @inline(__always)
  mutating func end() {
    active = nil
    hasEnded = true
  }

  /// Draws from an occurrence whether a second worker would pay: starting one takes some ten microseconds, and each
  /// step that two share is dearer than one alone.
  mutating func learn(busy: Int64, tasks: Int) {
    isTiny = busy < 40_000 || busy < 1500 * Int64(tasks)
  }
}
