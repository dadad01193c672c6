import TaskGraph

/// What is put into lanes at run time: its way from the line into a run, and to its end.
extension CenterMachine {
  // MARK: - Into the line

  /// Puts something into a lane, unless the rule about duplicates keeps what is there.
  ///
  /// - Returns: the entry that the ticket is for.
  mutating func enqueue(_ request: LaneRequest, now: Int64) -> LaneEntry {
    let state = laneState(of: request.lane, now: now)
    guard state.lane.agrees(with: request.lane) else {
      return refuse(
        request, because: .conflictingLane(request.registration.name, state.lane, request.lane), in: state, now: now)
    }
    if let mistake = TaskProof.timeoutMistakes(in: request.registration).first {
      return refuse(
        request, because: .timeoutIsNotPositive(request.registration.name, mistake), in: state, now: now)
    }
    if let mistake = TaskProof.attemptsMistake(request.registration.retry, of: request.registration.name) {
      return refuse(
        request, because: .attemptsBelowOne(request.registration.name, mistake), in: state, now: now)
    }
    guard !isClosed else {
      return refuse(request, because: .hasShutDown(request.registration.name), in: state, now: now)
    }
    var arrival: UInt64?
    if state.lane.duplicates != .both, let other = state.newestOfKey[request.key], !isCancelled(other) {
      guard state.lane.duplicates == .replace else {
        other.senders += 1
        if let run = other.run { runs[run.slot]!.senders += 1 }
        return other
      }
      // Also where its turn has come and its body has not begun.
      takeBack(other, in: state, now: now)
      if other.run == nil || isWaiting(other) { arrival = other.rank.arrival }
      other.senders = 1
      other.isDismissed = true
      cancelEntry(other, in: state, now: now)
    }
    let entry = makeEntry(request, in: state, arrival: arrival, now: now)
    if state.lane.duplicates != .both { state.newestOfKey[entry.key] = entry }
    entry.isOfIdleness = isIdleTold
    add(entry, to: state, now: now)
    openLane(state.lane, leftBy: nil, now: now)
    if isLimited { fillSlots(now: now) }
    return entry
  }

  /// Whether it runs on only until its body heeds the cancellation.
  private func isCancelled(_ entry: LaneEntry) -> Bool {
    entry.run.flatMap { runs[$0.slot]?.verdict } == .cancelled
  }

  /// The failed one comes first of all, unless one of its key has come since: then the rule about duplicates says which of
  /// the two runs, which is told to the ticket of the one that has come: the other's has ended with the failure.
  mutating func enqueueAgain(_ failed: LaneEntry, in state: LaneState, now: Int64) {
    let rank = LaneRank(
      priority: failed.request.registration.priority.rawValue, arrival: failed.rank.arrival, node: 0, comesFirst: true)
    if state.lane.duplicates != .both, let other = state.newestOfKey[failed.key], !isCancelled(other) {
      guard state.lane.duplicates == .keepFirst, other.run == nil else { return }
      state.line.remove(other)
      discard(other.request)
      other.request = failed.request
      other.rank = rank
      state.line.insert(other)
      return
    }
    let entry = LaneEntry(
      failed.request, id: nextID(), rank: rank, enqueued: now, heldBefore: state.held(until: now))
    if state.lane.duplicates != .both { state.newestOfKey[entry.key] = entry }
    add(entry, to: state, now: now)
  }

  private mutating func makeEntry(
    _ request: LaneRequest, in state: LaneState, arrival: UInt64? = nil, now: Int64
  ) -> LaneEntry {
    let id = nextID()
    return LaneEntry(
      request, id: id,
      rank: LaneRank(priority: request.registration.priority.rawValue, arrival: arrival ?? id, node: 0),
      enqueued: now, heldBefore: state.held(until: now))
  }

  private mutating func add(_ entry: LaneEntry, to state: LaneState, now: Int64) {
    if state.origin == nil { state.origin = now }
    state.total += 1
    state.keep(entry)
    state.line.insert(entry)
    if !observers.isEmpty { observe(.taskEnqueued(entry.name, state.lane), of: entry.id, now: now) }
    changed(state)
  }

  /// Two lanes of one name, no time to run in, or a center that has shut down: what was meant to run has failed.
  private mutating func refuse(
    _ request: LaneRequest, because error: TaskError, in state: LaneState, now: Int64
  ) -> LaneEntry {
    let entry = makeEntry(request, in: state, now: now)
    state.total += 1
    if state.origin == nil { state.origin = now }
    endUnstarted(entry, in: state, .failed(error), now: now)
    return entry
  }

  // MARK: - Into a run

  /// Makes a run of the first of the line, unless the lane is held or another one comes before it.
  mutating func startFirst(of state: LaneState, now: Int64) {
    guard !state.isHeld, let entry = state.line.first, !state.candidates.isAny(before: entry.rank) else { return }
    state.line.remove(entry)
    let handle = start(entry, in: state, now: now)
    if !isLimited { wakeWorkers(handle) }
  }

  private mutating func start(_ entry: LaneEntry, in state: LaneState, now: Int64) -> RunHandle {
    let plan = plan(of: entry)
    let run = ActiveRun(
      state: RunState(id: entry.id, plan: plan, payload: (), isTimed: isTimed, isLimited: isLimited, now: now),
      event: nil)
    run.entry = entry
    run.senders = entry.senders
    run.state.reportsEnds = !observers.isEmpty
    let handle = RunHandle(slot: freeSlot(), id: entry.id)
    place(run, at: handle)
    if !entry.isOfIdleness { noteActivity(of: nil) }
    entry.stage = .run(handle, held: state.held(until: now))
    state.begin(entry, turn: run.state.turn)
    run.state.candidacy = (entry, state.candidates)
    run.state.open(now: now)
    return handle
  }

  /// A plan of one node. It belongs to a task that nobody can name and that is never destroyed or paused.
  private mutating func plan(of entry: LaneEntry) -> EventPlan {
    let task = entryTask ?? addEntryTask()
    tasks[Int(task)].registration = entry.request.registration
    // Nothing must be found by its name, or live longer than it.
    defer { tasks[Int(task)].registration = CenterMachine.nobody }
    let event = EventDescription(
      EventIdentity(name: entry.name.rawValue, payload: Void.self, reply: nil, isOnce: false), burst: .queue, reply: nil
    )
    let plan = EventPlan(event: event, members: [EventPlan.Member(task: task, body: entry.request.body)], tasks: tasks)
    guard let plan else { preconditionFailure("a single task forms no cycle") }
    return plan
  }

  private mutating func addEntryTask() -> Int32 {
    let task = Int32(tasks.count)
    tasks.append(TaskRecord(registration: CenterMachine.nobody, module: ""))
    marks.append(.notATask)
    entryTask = task
    return task
  }

  /// In the place of a task that has no number, or whose number is nobody's.
  static let nobody = TaskRegistration(
    name: "", location: TaskLocation("", 0, 0), occasions: [], priority: .default, dependencies: [], after: [],
    timeout: nil, retry: .never, onFailure: .skipDependents, runs: .always, lane: nil)

  // MARK: - To its end

  /// The run of an entry has ended, unless that has been noted already.
  mutating func endEntry(of handle: RunHandle, now: Int64) {
    let run = runs[handle.slot]!
    guard let entry = run.entry, run.state.unended == 0, case .run(_, let held) = entry.stage,
      let state = lanes[entry.request.lane]
    else { return }
    let outcome = run.state.record.outcome(of: 0)
    note(entry, in: state, now: now)
    if state.lane.onFailure == .stop, run.state.status[0].isFailure, !entry.isDismissed {
      // What failed before is forgotten: a body that had timed out came back.
      if let failed = state.failed { discard(failed) }
      state.hold(now: now) { $0.failed = entry }
      if !observers.isEmpty { observe(.laneStopped(state.lane, by: entry.name), of: entry.id, now: now) }
    }
    record(report(of: entry, run, held: held, in: state), in: state)
    effects.append(
      .settle(entry.answer, LaneAnswer.End(outcome: outcome, output: run.state.outputs[0], timeout: entry.timeout)))
    changed(state)
  }

  /// Ends an entry that never became a run.
  private mutating func endUnstarted(_ entry: LaneEntry, in state: LaneState, _ outcome: TaskOutcome, now: Int64) {
    note(entry, in: state, now: now)
    var waits = TaskReport.Waits()
    if isTimed {
      waits.pause = .nanoseconds(state.held(until: now) - entry.heldBefore)
      waits.slot = .nanoseconds(now - entry.enqueued) - waits.pause
    }
    record(
      TaskReport(
        name: entry.name, outcome: outcome, started: nil, duration: .zero, waits: waits,
        effectivePriority: entry.request.registration.priority, attempts: 0, isStillRunning: false,
        location: entry.request.registration.location, module: nil), in: state)
    if !observers.isEmpty { observe(.taskEnded(entry.name, outcome), of: entry.id, now: now) }
    if !awaiting.isEmpty { awaiting.removeAll(waitingFor: .run(entry.id)) }
    effects.append(.settle(entry.answer, LaneAnswer.End(outcome: outcome)))
    discard(entry)
    changed(state)
  }

  private func note(_ entry: LaneEntry, in state: LaneState, now: Int64) {
    entry.stage = .ended
    state.forget(entry)
    state.ended += 1
    state.lastEnd = now
    if state.newestOfKey[entry.key] === entry { state.newestOfKey[entry.key] = nil }
  }

  private mutating func record(_ report: TaskReport, in state: LaneState) {
    guard isTimed || !report.outcome.isSuccess else { return }
    state.history.append(report)
    guard state.history.count == 2 * LaneState.historyLimit else { return }
    for old in state.history.prefix(LaneState.historyLimit) {
      if !old.outcome.isSuccess { state.omittedFailures += 1 }
      discard(old)
    }
    state.history.removeFirst(LaneState.historyLimit)
    state.omitted += LaneState.historyLimit
  }

  /// What the run of an entry came to, with the time in the line, from the lane's beginning.
  ///
  /// - Parameter held: for how long the lane had been held in all when it became a run.
  private func report(of entry: LaneEntry, _ run: ActiveRun, held: Int64, in state: LaneState) -> TaskReport {
    let report = ReportBuilder(record: run.state.record, overdue: run.state.overdue, ended: state.lastEnd).tasks().first
    var waits = report?.waits ?? TaskReport.Waits()
    let held = held - entry.heldBefore
    if isTimed {
      waits.pause += .nanoseconds(held)
      waits.slot += .nanoseconds(run.state.record.origin - entry.enqueued - held)
    }
    let beginning = Duration.nanoseconds(run.state.record.origin - (state.origin ?? run.state.record.origin))
    return TaskReport(
      name: entry.name, outcome: run.state.record.outcome(of: 0),
      errorAfterCancellation: run.state.record.errorsAfterCancellation[0],
      started: report?.started.map { $0 + beginning }, duration: report?.duration ?? .zero, waits: waits,
      effectivePriority: entry.request.registration.priority,
      attempts: report?.attempts ?? 1, isStillRunning: run.state.overdue.contains(0),
      location: entry.request.registration.location, module: nil)
  }

  /// What was put into a lane under that number and has not ended.
  func laneEntry(_ id: UInt64) -> LaneEntry? {
    for state in lanes.values { if let entry = state.entries[id] { return entry } }
    return nil
  }

  // MARK: - Out of the line

  /// Cancels the entry of a ticket; one that stands for several, with the last of them.
  mutating func cancelEntry(_ id: UInt64, in lane: Lane, now: Int64) {
    guard let state = lanes[lane], let entry = state.entries[id] else { return }
    cancelEntry(entry, in: state, now: now)
    openLane(lane, leftBy: nil, now: now)
    if isLimited { fillSlots(now: now) }
  }

  /// What waits never starts; what runs is cancelled.
  private mutating func cancelEntry(_ entry: LaneEntry, in state: LaneState, now: Int64) {
    switch entry.stage {
    case .run(let run, _):
      if entry.senders == 1 { takeBack(entry, in: state, now: now) }
      runs[run.slot]!.senders = entry.senders
      entry.senders -= 1
      // Between two attempts it waits: nothing of it fails by being taken out.
      if entry.senders == 0, runs[run.slot]!.state.status[0] != .running { entry.isDismissed = true }
      cancel(run: entry.id, now: now)
    case .waiting:
      entry.senders -= 1
      guard entry.senders == 0 else { return }
      state.line.remove(entry)
      endUnstarted(entry, in: state, .cancelled, now: now)
    case .ended: break
    }
  }

  /// Takes everything of a key out of the lane. What somebody takes out has not failed.
  mutating func removeEntries(of key: String, in lane: Lane, now: Int64) throws {
    let (state, found) = try entries(of: key, in: lane)
    // Out of the line all at once: one by one, each of thousands would move all that stands behind it.
    let inLine = found.filter { $0.run == nil }
    state.line.remove(inLine.filter { $0.isPaused })
    state.line.remove(inLine.filter { !$0.isPaused })
    for entry in found {
      entry.isDismissed = true
      entry.senders = 1
      cancelEntry(entry, in: state, now: now)
    }
    openLane(lane, leftBy: nil, now: now)
    if isLimited { fillSlots(now: now) }
  }

  /// Cancels what waits; with `reset` what runs as well, and forgets a failure and the progress.
  mutating func clearLane(_ lane: Lane, reset: Bool, now: Int64) {
    guard let state = lanes[lane], state.total > 0 else { return }
    for entry in state.line.removeAll() { endUnstarted(entry, in: state, .cancelled, now: now) }
    // One whose turn has come and whose body has not begun still waits.
    for entry in state.live { takeBack(entry, in: state, now: now) }
    for entry in state.live where reset || isWaiting(entry) {
      entry.isDismissed = true
      entry.senders = 1
      cancelEntry(entry, in: state, now: now)
    }
    if reset {
      if let failed = state.failed {
        discard(failed)
        state.hold(now: now) { $0.failed = nil }
        if !state.isPaused, !observers.isEmpty { observe(.laneResumed(state.lane), now: now) }
      }
      state.total -= state.ended
      state.ended = 0
    }
    changed(state)
    openLane(lane, leftBy: nil, now: now)
    if isLimited { fillSlots(now: now) }
  }

  private func isWaiting(_ entry: LaneEntry) -> Bool {
    guard let run = entry.run, let state = runs[run.slot]?.state, !state.isBetweenAttempts(0) else { return false }
    return state.status[0] == .ready || state.status[0] == .waitingForLane
  }

  /// - Parameter frame: the body that waits, which has said so before: the lane may have come to rest since, and gone on.
  /// - Returns: whether there is something to wait for.
  mutating func awaitIdle(
    _ lane: Lane, _ continuation: CheckedContinuation<Void, Never>, by frame: FrameIdentity?
  ) -> Bool {
    guard let state = lanes[lane], !state.isIdle, state.failed == nil else { return false }
    if let frame, !awaiting.contains(.lane(lane), by: frame) { note(.lane(lane), awaitedBy: frame) }
    state.idleWaiters.append(continuation)
    return true
  }
}
