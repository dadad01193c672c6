/// Who waits for the report of a run, and what it means for a body that does.
extension CenterMachine {
  /// Without a thread of the caller's: sees to it that workers come for a run that has just started.
  mutating func serve(_ handle: RunHandle, now: Int64) {
    if isLimited { slotsAreDue = now } else { wakeWorkers(handle) }
    concludeIfDone(handle, now: now)
  }

  /// A body begins to await something. What waits for that body waits for more from now on.
  mutating func note(_ waited: Waited, awaitedBy frame: FrameIdentity) {
    awaiting.add(waited, by: frame)
    if let work = companionWaits.oneOfThem { effects.append(.lookWhoWaits(work)) }
  }

  /// A body awaits something, and lends its slot meanwhile.
  mutating func await(_ waited: Waited, by caller: Caller, now: Int64) {
    note(waited, awaitedBy: caller.frame)
    leaveRest(by: caller, now: now)
    lendSlot(of: caller, now: now)
  }

  /// The same for what may wait for the caller.
  ///
  /// - Returns: by which chain it would wait for itself; then nothing was noted.
  mutating func beginWait(for waited: Waited, by caller: Caller, now: Int64) -> String? {
    if let chain = chainOfWaiting(from: waited, to: caller.frame) { return chain }
    self.await(waited, by: caller, now: now)
    return nil
  }

  /// A synchronous body that waits keeps its thread: what was reserved for that, or was too short to be worth another, is for
  /// others now. What it waits for may need it.
  private mutating func leaveRest(by caller: Caller, now: Int64) {
    guard let body = caller.frame.body, let worker = caller.worker, isActive(body.run), let run = runs[body.run.slot],
      run.state.plan.forms[Int(body.node)] != .asynchronous
    else { return }
    switch run.workers[worker].flavor {
    case .mainCaller:
      run.hasMainCaller = false
      run.state.announceReady()
    case .main: run.hasMainWorker = false
    case .caller, .background: break
    }
    if isLimited { slotsAreDue = now } else { wakeWorkers(body.run) }
  }

  mutating func lendSlot(of caller: Caller, now: Int64) {
    guard isLimited, let body = caller.frame.body, let worker = caller.worker, isActive(body.run) else { return }
    let run = runs[body.run.slot]!
    guard run.state.status[Int(body.node)] == .running else { return }
    let hadSlot = run.workers[worker].loan == nil
    run.lend(slotOf: body.node, by: worker)
    guard hadSlot else { return }
    releaseSlot()
    fillSlots(now: now)
  }

  mutating func endAwaiting(_ waited: Waited, by frame: FrameIdentity) {
    awaiting.remove(waited, by: frame)
  }

  /// A body that lent its slot wants to go on.
  ///
  /// - Returns: whether it may at once; otherwise it is resumed when a slot is free, before anything new starts. While
  ///   it awaits something else as well it goes on without one: what it awaits may need it.
  mutating func reclaimSlot(of caller: Caller, _ continuation: CheckedContinuation<Void, Never>) -> Bool {
    guard let body = caller.frame.body, let worker = caller.worker, isActive(body.run) else { return true }
    let run = runs[body.run.slot]!
    guard run.workers[worker].loan?.node == body.node, run.workers[worker].loan!.count > 0 else { return true }
    run.workers[worker].loan!.count -= 1
    // Timed out meanwhile: it no longer counts.
    guard run.workers[worker].loan!.count == 0, run.state.status[Int(body.node)] == .running else {
      run.workers[worker].endLoanIfOver()
      return true
    }
    // Several parts of one body, which end one after the other, wait for one slot.
    guard run.workers[worker].isReclaiming || used >= limit else {
      run.workers[worker].loan = nil
      used += 1
      return true
    }
    if !run.workers[worker].isReclaiming { reclaimers.append(Reclaimer(run: body.run, worker: worker)) }
    run.workers[worker].loan!.reclaiming.append(continuation)
    return false
  }

  /// A body has ended or does not count any more. Bodies that lent their slot come before new ones.
  mutating func releaseSlot() {
    guard isLimited else { return }
    while let next = reclaimers.popFirst() {
      // It may have timed out or ended meanwhile.
      guard isActive(next.run), runs[next.run.slot]!.workers[next.worker].isReclaiming else { continue }
      let run = runs[next.run.slot]!
      resumeReclaiming(next.worker, of: run)
      // Or await the next thing already.
      if run.workers[next.worker].loan == nil { return }
    }
    used -= 1
  }

  /// What waits in a body for a slot goes on: with one, or because it needs none any more.
  mutating func resumeReclaiming(_ worker: Int, of run: ActiveRun) {
    guard let waiting = run.workers[worker].loan?.reclaiming else { return }
    resumeAll(waiting)
    run.workers[worker].loan!.reclaiming = []
    run.workers[worker].endLoanIfOver()
  }

  /// The body of a node has ended or does not count any more: gives back its slot, if it holds one.
  mutating func releaseSlot(of node: Int32, in handle: RunHandle) {
    guard isLimited else { return }
    let run = runs[handle.slot]!
    if run.lenders != nil, let worker = run.takeLender(ofSlotOf: node) {
      resumeReclaiming(worker, of: run)
      run.workers[worker].loan = nil
    } else {
      releaseSlot()
    }
  }

  /// Lets those go on who have waited for something.
  mutating func resumeAll(_ waiters: some Sequence<CheckedContinuation<Void, Never>>) {
    for waiter in waiters { effects.append(.resume(waiter)) }
  }

  /// Claims the report of a run: at once if the run is over, else when it is.
  mutating func claimReport(of id: UInt64, _ waiter: ReportWaiter, now: Int64 = 0) -> FinishedRun? {
    guard let (finished, claims) = unclaimed[id] else {
      reportWaiters[id, default: []].append(waiter)
      if let frame = waiter.early?.frame, let chain = lateCircle(from: .run(id), of: id, to: frame) {
        refuse([frame: chain], waitingFor: id, now: now)
      }
      return nil
    }
    unclaimed[id] = claims > 1 ? (finished, claims - 1) : nil
    return finished
  }

  /// Those who wait for reports that will not come any more.
  mutating func takeReportWaiters() -> [CheckedContinuation<EventReport, Never>] {
    defer { reportWaiters = [:] }
    return reportWaiters.values.flatMap { $0.map(\.continuation) }
  }

  mutating func takeReportWaiters(of id: UInt64) -> [CheckedContinuation<EventReport, Never>] {
    reportWaiters.removeValue(forKey: id)?.map(\.continuation) ?? []
  }

  // MARK: - Circles that have closed behind an earlier send

  /// A send in the queue of an event is about to have its turn. Where that, or one behind it, would wait for a body that awaits
  /// it, the body's wait ends here: it was looked at when it began, and what closes the circle has begun since.
  mutating func refuseCircles(throughQueueOf event: Int, now: Int64) {
    guard !awaiting.isEmpty, plan(ofEvent: event).mayWaitForOthers || !predecessors.isEmpty else { return }
    let next = events[event].queue.first
    for circle in circles(throughQueueOf: event) {
      switch circle.waited {
      case .run(let id): refuse(circle.chains, waitingFor: id, now: now)
      // Which of its tasks wait for what is known once it has started.
      case .urgent(let id, let priority) where id != next:
        for waiter in readyWaitersOfQueued.removeValue(forKey: id) ?? [] {
          if waiter.priority == priority, let frame = waiter.frame, circle.chains[frame] != nil {
            effects.append(.resume(waiter.continuation))
          } else {
            readyWaitersOfQueued[id, default: []].append(waiter)
          }
        }
      default: break
      }
    }
  }

  /// The same for a body whose wait has begun, and that could not be told until now: in between, the send for which it waits,
  /// or one before that, may have had its turn.
  private mutating func lateCircle(from waited: Waited, of id: UInt64, to frame: FrameIdentity) -> String? {
    if let event = queued[id]?.event, let active = events[event].active,
      let arrival = runs[active.slot]?.state.arrival, arrival < id
    {
      return nil
    }
    return chainOfWaiting(from: waited, to: frame)
  }

  /// Ends the waits of bodies for a report. Those among them that have sent it leave it: what is nobody else's ends with
  /// that, before its turn.
  private mutating func refuse(_ chains: [FrameIdentity: String], waitingFor id: UInt64, now: Int64) {
    let name = eventName(of: .run(id))
    var senders = 0
    for waiter in reportWaiters.removeValue(forKey: id) ?? [] {
      guard let early = waiter.early, let chain = chains[early.frame] else {
        reportWaiters[id, default: []].append(waiter)
        continue
      }
      effects.append(.answer(waiter.continuation, EventReport(event: name, status: early.refusal(of: name, chain))))
      dropClaim(on: id)
      if early.part?.leave() == true { senders += 1 }
    }
    for _ in 0..<senders { cancel(run: id, now: now) }
  }

  /// One more will come for the report.
  ///
  /// - Returns: false if nobody needs to: it was taken by all who had said so.
  mutating func addClaim(on id: UInt64) -> Bool {
    if let (finished, claims) = unclaimed[id] {
      unclaimed[id] = (finished, claims + 1)
    } else if let handle = handle(ofRun: id), !runs[handle.slot]!.isConcluded {
      runs[handle.slot]!.claims += 1
    } else if queued[id] != nil {
      queued[id]!.claims += 1
    } else {
      return false
    }
    return true
  }

  /// Nobody will come for the report any more.
  mutating func dropClaim(on id: UInt64) {
    if let (finished, claims) = unclaimed[id] {
      // The last reference to what users' tasks returned may be this one.
      discard(finished.state)
      unclaimed[id] = claims > 1 ? (finished, claims - 1) : nil
    } else if let handle = handle(ofRun: id) {
      runs[handle.slot]!.claims -= 1
    } else {
      queued[id]?.claims -= 1
    }
  }

  /// Waits until every task of at least that effective priority has ended.
  ///
  /// - Parameter frame: the body that waits, where the run had not had its turn when it was begun.
  /// - Returns: whether they have, or would wait for that body.
  mutating func awaitReady(
    run id: UInt64, priority: Int, by frame: FrameIdentity?, _ continuation: CheckedContinuation<Void, Never>
  ) -> Bool {
    if queued[id] != nil {
      if let frame, lateCircle(from: .urgent(id, priority: priority), of: id, to: frame) != nil { return true }
      readyWaitersOfQueued[id, default: []].append((priority, frame, continuation))
      return false
    }
    guard let handle = handle(ofRun: id), !runs[handle.slot]!.isConcluded else { return true }
    return awaitReady(handle, priority: priority, by: frame, continuation)
  }

  /// A run that was queued has started: who waited for its urgent tasks waits on.
  mutating func transferReadyWaiters(to handle: RunHandle) {
    for (priority, frame, continuation) in readyWaitersOfQueued.removeValue(forKey: handle.id) ?? [] {
      if awaitReady(handle, priority: priority, by: frame, continuation) { effects.append(.resume(continuation)) }
    }
  }

  /// - Parameter frame: the body that waits, where it began to before the turn of the run.
  private mutating func awaitReady(
    _ handle: RunHandle, priority: Int, by frame: FrameIdentity?, _ continuation: CheckedContinuation<Void, Never>
  ) -> Bool {
    let urgent = Waited.urgent(handle.id, priority: priority)
    if let frame, chainOfWaiting(from: urgent, to: frame) != nil { return true }
    let state = runs[handle.slot]!.state
    let left = (0..<state.plan.count).count {
      state.plan.effectivePriorities[$0] >= priority && !state.status[$0].hasEnded
    }
    guard left > 0 else { return true }
    runs[handle.slot]!.state.reportsEnds = true
    runs[handle.slot]!.readyWaiters.append(
      ReadyWaiter(priority: priority, left: left, continuation: continuation))
    return false
  }

  mutating func unended(ofRun id: UInt64) -> [TaskName] {
    if let waiting = queued[id] {
      let plan = plan(ofEvent: waiting.event)
      return (0..<Int32(plan.count)).map { plan.name($0) }
    }
    guard unclaimed[id] == nil, let handle = handle(ofRun: id) else { return [] }
    let state = runs[handle.slot]!.state
    return (0..<Int32(state.plan.count)).filter { !state.status[Int($0)].hasEnded }.map { state.plan.name($0) }
  }

  func progress(ofRun id: UInt64) -> EventProgress? {
    if let waiting = queued[id] {
      return EventProgress(ended: 0, total: events[waiting.event].members.present(in: tasks).count)
    }
    if let plan = unclaimed[id]?.finished.state.plan { return EventProgress(ended: plan.count, total: plan.count) }
    guard let handle = handle(ofRun: id) else { return nil }
    let state = runs[handle.slot]!.state
    return EventProgress(ended: state.plan.count - state.unended, total: state.plan.count)
  }
}

extension ActiveRun {
  /// A worker lends the slot of the body of a node: that runs there, or what an attempt before it has left behind does.
  fileprivate func lend(slotOf node: Int32, by worker: Int) {
    workers[worker].lend(slotOf: node)
    if lenders == nil { lenders = [:] }
    if lenders![node]?.contains(worker) != true { lenders![node, default: []].append(worker) }
  }

  /// Takes the first worker that has lent the slot of the body of a node and has not got it back.
  ///
  /// Not looked for among all: each body that waits has a worker of its own, so there may be very many.
  fileprivate func takeLender(ofSlotOf node: Int32) -> Int? {
    let lending = lenders?.removeValue(forKey: node)?.filter { workers[$0].loan?.node == node }
    guard let lending, let first = lending.min() else { return nil }
    if lending.count > 1 { lenders![node] = lending.filter { $0 != first } }
    return first
  }
}
