import TaskGraph

/// Lanes: one body at a time, whether a task of an event or something that was put into the lane.
///
/// What was put into a lane becomes a run of one node when its turn comes, and is from then on like any other: slots,
/// timeouts, retries, cancellation and the search for what waits for itself are those of events.
extension CenterMachine {
  // MARK: - The lanes of a center

  /// The state of a lane that somebody uses: if nobody has before, what its gate waits for is asked now.
  mutating func laneState(of lane: Lane, now: Int64 = 0) -> LaneState {
    let state = knownLane(lane, now: now)
    guard !state.isUsed else { return state }
    state.isUsed = true
    if !state.isOpen, let condition = state.lane.condition { effects.append(.awaitCondition(lane, condition)) }
    return state
  }

  /// The state of a lane, which is new if nobody has spoken of it before.
  mutating func knownLane(_ lane: Lane, now: Int64 = 0) -> LaneState {
    if let state = lanes[lane] { return state }
    let isOpen = isOpenFromTheBeginning(lane)
    if !isOpen, let event = lane.gateEvent { closedLanes[event, default: []].append(lane) }
    let state = LaneState(lane, isOpen: isOpen, now: now)
    lanes[lane] = state
    return state
  }

  /// Whether the gate of a lane has opened, or would at once if somebody spoke of it.
  ///
  /// - Parameter isLeft: whether what is known of the lane goes before.
  func isOpen(_ lane: Lane, ifLeft isLeft: Bool = false) -> Bool {
    guard !isLeft, let state = lanes[lane] else { return isOpenFromTheBeginning(lane) }
    return state.isOpen
  }

  /// Whether nothing has to happen first that opens the gate of a lane of which nobody has spoken.
  private func isOpenFromTheBeginning(_ lane: Lane) -> Bool {
    switch lane.opens.kind {
    case .atOnce: true
    case .whenOpened, .when: false
    case .after(let event): eventNumbers[event].map { events[$0].hasEnded } ?? false
    }
  }

  /// A task has left that named a lane, an occurrence has gone with tasks in it, or nobody watches it any more: of a lane that
  /// no task names nothing is kept, unless somebody has done something with it.
  mutating func forgetIfUnused(lane: Lane) {
    guard let state = lanes[lane], state.isForgettable() else { return }
    lanes[lane] = nil
    forgetGate(of: state.lane)
    // Its condition is a user's.
    discard(state.lane)
  }

  private mutating func forgetGate(of lane: Lane) {
    guard let event = lane.gateEvent else { return }
    closedLanes[event]?.removeAll { $0 == lane }
    if closedLanes[event]?.isEmpty == true { closedLanes[event] = nil }
  }

  /// Makes the lane of a task known, and that the task names it.
  ///
  /// - Returns: the registration; where its lane is not the one that is known by that name, with bodies that say so.
  mutating func meetLane(of registration: TaskRegistration) -> TaskRegistration {
    guard let lane = registration.lane else { return registration }
    let state = knownLane(lane)
    state.members += 1
    let known = state.lane
    guard !known.agrees(with: lane) else { return registration }
    return registration.failing(with: TaskError.conflictingLane(registration.name, known, lane), lane: lane)
  }

  /// Lanes of new tasks that this center knows differently, and goes on to know.
  func laneConflicts(of injection: Injection) -> [Problem] {
    injection.definitions.compactMap { definition in
      guard let lane = definition.lane, !injection.leftLanes.contains(lane), let known = lanes[lane]?.lane,
        !known.agrees(with: lane)
      else { return nil }
      return Problem(
        code: "taskKit.laneConflict", message: LaneConflict.message(known, lane),
        place: SourcePlace(definition.location))
    }
  }

  // MARK: - Entering and leaving

  /// Whether a ready node may enter its lane now: nobody is in it, nothing holds it, and none that comes before could
  /// start as well, here or in another run.
  func mayEnter(_ lane: Lane, _ node: Int32, in handle: RunHandle) -> Bool {
    let run = runs[handle.slot]!
    guard let line = lanes[lane], !line.isBusy, !line.holds(run) else { return false }
    if run.state.hasReadyNode(before: node, in: lane) { return false }
    guard goingCount > 1 else { return true }
    let rank = rank(of: node, in: run)
    if !line.isHeld, let first = line.candidates.firstReady, first.rank < rank { return false }
    for occurrence in line.occurrences where occurrence != handle {
      guard let other = runs[occurrence.slot], other.state.hasReady, let nodes = other.state.plan.lanes[lane],
        !line.holds(other),
        let ready = nodes.first(where: { other.state.status[Int($0)] == .ready })
      else { continue }
      if self.rank(of: ready, in: other) < rank { return false }
    }
    return true
  }

  func rank(of node: Int32, in run: ActiveRun) -> LaneRank {
    run.entry?.rank
      ?? LaneRank(priority: run.state.plan.effectivePriorities[Int(node)], arrival: run.state.arrival, node: node)
  }

  /// The body of a node has returned and left its lane, which opens when its end has been dealt with.
  mutating func leaveLane(of node: Int32, in handle: RunHandle) {
    guard let lane = runs[handle.slot]!.state.plan.registrations[Int(node)].lane else { return }
    lanes[lane]?.holder = nil
  }

  /// A node has left its lane, or will never enter it: the first of the line may start, if the lane is free.
  mutating func openLane(of node: Int32, in handle: RunHandle, now: Int64) {
    let state = runs[handle.slot]!.state
    if let lane = state.plan.registrations[Int(node)].lane { openLane(lane, leftBy: (handle, node), now: now) }
    // Others that will never enter theirs.
    if state.isStopped { openLanes(of: handle, now: now) }
  }

  /// Nodes of a run may have ended without having entered their lanes.
  ///
  /// Once after a stop: what ends later was in its lane, and leaves that alone.
  mutating func openLanes(of handle: RunHandle, now: Int64) {
    let state = runs[handle.slot]!.state
    let names = state.plan.lanes.keys
    guard state.mustOpenLanes, !names.isEmpty else { return }
    state.mustOpenLanes = false
    for lane in names.sorted(by: { $0.name < $1.name }) { openLane(lane, leftBy: nil, now: now) }
  }

  /// Lets the first of the line go on, if the lane is free. Whoever calls with a limit fills the slots afterwards.
  mutating func openLane(_ lane: Lane, leftBy holder: (run: RunHandle, node: Int32)?, now: Int64) {
    guard let state = lanes[lane], !state.isBusy else { return }
    startFirst(of: state, now: now)
    let first = state.takeFirst { isActive($0) && runs[$0.slot]!.state.status[Int($1)] == .waitingForLane }
    guard let (run, node) = first else { return }
    runs[run.slot]!.state.unpark(
      node, leftBy: run == holder?.run ? holder!.node : -1, held: state.held(for: runs[run.slot]!, until: now),
      now: now)
    if run != holder?.run, !isLimited { wakeWorkers(run) }
  }

  // MARK: - The gate

  /// An occurrence of an event has ended: lanes that waited for that open. Nobody has done anything with them: that the event has
  /// ended is known without them.
  mutating func openLanes(after event: String, now: Int64) {
    for lane in closedLanes.removeValue(forKey: event) ?? [] {
      if let state = lanes[lane] { openGate(of: state, now: now) }
    }
  }

  /// Somebody opens a lane, or its condition holds.
  mutating func openGate(of lane: Lane, now: Int64) {
    guard !isOpen(lane) else { return }
    let state = laneState(of: lane, now: now)
    if state.lane.condition != nil { effects.append(.forgetCondition(state.lane)) }
    forgetGate(of: state.lane)
    changed(state)
    openGate(of: state, now: now)
  }

  private mutating func openGate(of state: LaneState, now: Int64) {
    state.hold(now: now) { $0.isOpen = true }
    if !observers.isEmpty { observe(.laneOpened(state.lane), now: now) }
    openLane(state.lane, leftBy: nil, now: now)
  }

  // MARK: - Holding

  mutating func pauseLane(_ lane: Lane, now: Int64) {
    let state = laneState(of: lane, now: now)
    guard !state.isPaused else { return }
    state.hold(now: now) { $0.isPaused = true }
    takeBackHolder(of: state, now: now)
    if !observers.isEmpty { observe(.lanePaused(state.lane), now: now) }
    changed(state)
  }

  /// What has been chosen for the lane and has not begun waits again. Under a limit a body is chosen before the worker is
  /// there that runs it.
  mutating func takeBackHolder(of state: LaneState, now: Int64) {
    guard let holder = state.holder, isActive(holder.run) else { return }
    takeBackUnbegun(holder.node, of: holder.run, now: now)
  }

  /// The same for something that was put into it.
  mutating func takeBack(_ entry: LaneEntry, in state: LaneState, now: Int64) {
    if let run = entry.run, state.holder?.run == run { takeBackHolder(of: state, now: now) }
  }

  /// - Parameter point: whether what stopped the lane is run again first.
  mutating func resumeLane(_ lane: Lane, at point: LaneResumption, now: Int64) {
    guard let state = lanes[lane], state.isPaused || state.failed != nil else { return }
    let failed = state.failed
    state.hold(now: now) {
      $0.isPaused = false
      $0.failed = nil
    }
    if !observers.isEmpty { observe(.laneResumed(state.lane), now: now) }
    if let failed, point == .failed, !isClosed { enqueueAgain(failed, in: state, now: now) }
    if let failed { discard(failed) }
    changed(state)
    openLane(lane, leftBy: nil, now: now)
    if isLimited { fillSlots(now: now) }
  }

  /// Keeps what waits under a key from starting, or lets it.
  mutating func setPaused(_ isPaused: Bool, key: String, in lane: Lane, now: Int64) throws {
    let (state, found) = try entries(of: key, in: lane)
    let others = found.filter { $0.isPaused != isPaused }
    // In the line their places are among those that are paused, or among the others.
    let inLine = others.filter { $0.run == nil }
    state.line.remove(inLine)
    for entry in others { state.candidates.setPaused(isPaused, entry) }
    state.line.insert(inLine)
    for entry in others {
      if isPaused { takeBack(entry, in: state, now: now) }
      guard !observers.isEmpty else { continue }
      observe(isPaused ? .taskPaused(entry.name) : .taskResumed(entry.name), now: now)
    }
    changed(state)
    openLane(lane, leftBy: nil, now: now)
    if isLimited { fillSlots(now: now) }
  }

  /// Everything of a key that has not ended, in the order of the line, and the lane in which it is.
  func entries(of key: String, in lane: Lane) throws -> (state: LaneState, entries: [LaneEntry]) {
    guard let state = lanes[lane] else { throw TaskError.notInLane(key, lane, suggestion: nil) }
    let found = state.entries(of: key)
    guard found.isEmpty else { return (state, found) }
    let names = TaskNames((state.live + state.line.entries).map { (name: $0.key, module: "") })
    throw TaskError.notInLane(key, state.lane, suggestion: names.suggestion(for: key))
  }

  // MARK: - Telling

  /// What waits, in the order of the line: tasks of events, too. Behind it what was put in and waits for another attempt.
  func waiting(in lane: Lane) -> [TaskName] {
    guard let state = lanes[lane] else { return [] }
    var waiting = state.line.entries.map { ($0.rank, $0.name) }
    for run in runs {
      guard let run, let nodes = run.state.plan.lanes[lane] else { continue }
      for node in nodes where [.ready, .waitingForLane].contains(run.state.status[Int(node)]) {
        waiting.append((rank(of: node, in: run), run.state.plan.name(node)))
      }
    }
    let pausing = state.live.filter { entry in
      entry.run.flatMap { runs[$0.slot]?.state.status[0] } == .waitingToRetry && !isIn(state, entry)
    }
    return waiting.sorted { $0.0 < $1.0 }.map(\.1) + pausing.map(\.name)
  }

  /// Whether the body of an entry has not left the lane.
  private func isIn(_ state: LaneState, _ entry: LaneEntry) -> Bool { state.holder?.run == entry.run }

  /// What is in the lane; a body that has timed out and not returned is, too.
  func running(in lane: Lane) -> TaskName? {
    lanes[lane]?.holder.flatMap { holder in runs[holder.run.slot]?.state.plan.name(holder.node) }
  }

  /// Something has changed that somebody may wait for.
  mutating func changed(_ state: LaneState) {
    state.version += 1
    resumeAll(state.watchers.values)
    state.watchers = [:]
    guard state.isIdle || state.failed != nil, !state.idleWaiters.isEmpty else { return }
    resumeAll(state.idleWaiters)
    state.idleWaiters = []
    // They go on as soon as their actors let them, and wait for nothing that comes into the lane until then.
    awaiting.removeAll(waitingFor: .lane(state.lane))
  }

  func status(of lane: Lane) -> LaneStatus { lanes[lane]?.status ?? (isOpen(lane) ? .open : .closed) }

  func report(of lane: Lane) -> LaneReport {
    guard let state = lanes[lane] else { return LaneReport(lane: lane.name, status: status(of: lane)) }
    let duration = isTimed ? max(0, state.lastEnd - (state.origin ?? state.lastEnd)) : 0
    return LaneReport(
      lane: lane.name, status: state.status, running: running(in: lane), waiting: waiting(in: lane),
      omitted: state.omitted, omittedFailures: state.omittedFailures, duration: .nanoseconds(duration),
      tasks: state.history)
  }
}

extension TaskRegistration {
  /// The same task with bodies that throw.
  func failing(with error: TaskError, lane: Lane?) -> TaskRegistration {
    TaskRegistration(
      name: name, type: type, owner: owner, location: location,
      occasions: occasions.map { $0.failing(with: error) }, priority: priority,
      dependencies: dependencies, after: after, timeout: timeout, retry: .never, onFailure: onFailure, runs: runs,
      lane: lane, isRefused: true)
  }
}
