import TaskGraph

/// How tasks and runs end: by their bodies, by cancellation.
extension CenterMachine {
  // MARK: - What the end of a task means beyond its run

  /// Tells those outside a run about the tasks of it that have just ended. Does nothing unless somebody asked.
  mutating func afterEnds(_ handle: RunHandle, now: Int64) {
    guard runs[handle.slot]!.state.reportsEnds else { return }
    // What ends elsewhere for that reason may be all that this run was waiting for.
    while isActive(handle), !runs[handle.slot]!.state.ended.isEmpty {
      let ended = runs[handle.slot]!.state.ended
      runs[handle.slot]!.state.ended = []
      for node in ended where isActive(handle) { afterEnd(of: node, in: handle, now: now) }
    }
  }

  private mutating func afterEnd(of node: Int32, in handle: RunHandle, now: Int64) {
    let slot = handle.slot
    let plan = runs[slot]!.state.plan
    let task = plan.tasks[Int(node)]
    if !observers.isEmpty {
      let state = runs[slot]!.state
      observe(.taskEnded(plan.name(node), state.record.outcome(of: node)), of: state.id, now: now)
    }
    if let dependents = runs[slot]!.state.externalDependents.removeValue(forKey: node) {
      let well = runs[slot]!.state.endedWell(node)
      // Where another one had its run, what that has come to is kept.
      let end = well && !leavesRunToAnother(node, of: runs[slot]!.state) ? ended(node, in: handle) : nil
      for dependent in dependents.elements where isActive(dependent.run) {
        if let end, dependent.kind == .requires {
          runs[dependent.run.slot]!.state.keep(end, ofExternal: tasks[Int(task)].sequence)
        }
        runs[dependent.run.slot]!.state.externalEnded(
          dependent.node, kind: dependent.kind, well: well, name: plan.name(node), now: now)
        afterEnds(dependent.run, now: now)
        guard isActive(dependent.run) else { continue }
        if !isLimited { wakeWorkers(dependent.run) }
        concludeIfDone(dependent.run, now: now)
      }
      guard isActive(handle) else { return }
    }
    if let waiters = outputWaiters.removeValue(forKey: task) {
      keep(node, of: runs[slot]!.state)
      resumeAll(waiters)
    }
    if plan.event.schedule != nil {
      scheduledTaskEnded(node, of: runs[slot]!.state, now: now)
      guard isActive(handle) else { return }
    }
    guard !runs[slot]!.readyWaiters.isEmpty else { return }
    let priority = plan.effectivePriorities[Int(node)]
    for index in runs[slot]!.readyWaiters.indices where priority >= runs[slot]!.readyWaiters[index].priority {
      runs[slot]!.readyWaiters[index].left -= 1
    }
    for waiter in runs[slot]!.readyWaiters where waiter.left == 0 { effects.append(.resume(waiter.continuation)) }
    runs[slot]!.readyWaiters.removeAll { $0.left == 0 }
  }

  /// Keeps what a task came to for later occurrences, other events and questions from outside.
  mutating func keep(_ node: Int32, of state: RunState) {
    let task = Int(state.plan.tasks[Int(node)])
    guard !isGone(Int32(task)), keepStatus(of: node, state) else { return }
    discard(tasks[task].keep(output: state.outputs[node], error: state.errors[node]))
  }

  /// - Returns: false if it says nothing new.
  private mutating func keepStatus(of node: Int32, _ state: RunState) -> Bool {
    guard isLatestEnd(node, of: state) else { return false }
    let task = Int(state.plan.tasks[Int(node)])
    // A slot that a pause has left out is no run: what depends on the task goes by the one before.
    if state.status[Int(node)] == .skippedPaused, schedules.states[Int32(task)] != nil { return false }
    tasks[task].latestTurn = state.turn
    tasks[task].latest = state.status[Int(node)]
    tasks[task].latestEndedWell = state.endedWell(node)
    return true
  }

  /// Whether the end of a node is the latest of its task; of one that runs once that is the end of its run, whatever an
  /// occurrence has come to that has begun later and could not run it.
  private func isLatestEnd(_ node: Int32, of state: RunState) -> Bool {
    guard !leavesRunToAnother(node, of: state) else { return false }
    let isOnce = state.plan.demands[Int(node)].contains(.once)
    if isOnce, state.status[Int(node)].hasStarted { return true }
    return tasks[Int(state.plan.tasks[Int(node)])].latestTurn <= state.turn
  }

  /// Whether a node has ended without a run of its own, and its task, which runs once, has its run elsewhere or has had it:
  /// then what that comes to is what the task has come to.
  func leavesRunToAnother(_ node: Int32, of state: RunState) -> Bool {
    let status = state.status[Int(node)]
    if status == .skippedAlreadyRan { return true }
    guard status.hasEnded, !status.hasStarted, state.plan.demands[Int(node)].contains(.once) else { return false }
    return !marks[Int(state.plan.tasks[Int(node)])].isDisjoint(with: [.runningOnce, .ranOnce])
  }

  // MARK: - The end of a run

  /// For inputs that are not a worker's: concludes the run if its last task has just ended.
  mutating func concludeIfDone(_ handle: RunHandle, now: Int64) {
    guard isActive(handle), runs[handle.slot]!.state.unended == 0, !runs[handle.slot]!.isConcluded else { return }
    if case .finished(let finished) = conclude(handle, now: now) { effects.append(.conclude(finished)) }
  }

  /// Ends a run whose tasks have all ended. Its slot is kept while a body that nobody waits for still runs.
  ///
  /// - Parameter isCaller: the worker that saw the end is the sender, who takes the report along.
  mutating func conclude(_ handle: RunHandle, isCaller: Bool = false, now: Int64) -> Step {
    let slot = handle.slot
    guard !runs[slot]!.isConcluded else {
      freeSlotIfUnused(slot)
      return .leave
    }
    runs[slot]!.isConcluded = true
    goingCount -= 1
    let run = runs[slot]!
    if !run.state.plan.lanes.isEmpty { for lane in run.state.plan.lanes.keys { lanes[lane]?.forget(handle) } }
    keepAll(of: run.state, now: now)
    endEntry(of: handle, now: now)
    if let event = run.event, run.measured == run.state.plan.count {
      events[event].learn(busy: run.busy, tasks: run.measured)
    }
    let finished = FinishedRun(
      state: run.state, overdue: run.state.overdue,
      status: run.verdict.status, ended: now,
      waiters: reportWaiters.isEmpty ? [] : takeReportWaiters(of: handle.id),
      readyWaiters: run.readyWaiters.map(\.continuation))
    if !observers.isEmpty, run.entry == nil { observe(endOf: finished, now: now) }
    if let event = run.event, events[event].active == handle {
      events[event].end()
      if !closedLanes.isEmpty { openLanes(after: run.state.plan.event.name, now: now) }
      startNextQueued(of: event, now: now)
      if hasMarks { forgetIfUnused(event: event) }
    }
    if !run.timers.isEmpty || run.deadline != nil {
      for timer in run.timers.values { _ = timers.remove(timer) }
      if let deadline = run.deadline { _ = timers.remove(deadline) }
      effects.append(.setAlarm)
    }
    if !awaiting.isEmpty {
      awaiting.removeAll(waitingFor: .run(handle.id))
      // A body that has timed out is still waited for: by who holds the lane after it, comes in its place or awaits that it
      // has gone.
      awaiting.removeAll(ofRun: handle.id, butBy: run.state.overdue)
    }
    runs[slot]!.readyWaiters = []
    let claims = run.claims - finished.waiters.count
    if claims > 0, !(claims == 1 && isCaller) { unclaimed[handle.id] = (finished.withoutWaiters, claims) }
    freeSlotIfUnused(slot)
    if isLimited { slotsAreDue = now }
    wakeSettleWaiters()
    noteEnd(of: run, now: now)
    return .finished(finished)
  }

  private mutating func freeSlotIfUnused(_ slot: Int) {
    let run = runs[slot]!
    guard run.activeWorkers == 0 else { return }
    for left in run.state.retire() { discard(left) }
    // What bodies have left behind may still wait on their behalf.
    if run.lenders != nil { for worker in run.workers.indices { resumeReclaiming(worker, of: run) } }
    awaiting.removeAll(ofRun: run.state.id)
    garbage.append(runs[slot]!.state)
    discard(runs[slot]!.entry)
    slotsOfRuns[runs[slot]!.state.id] = nil
    runs[slot] = nil
    freeSlots.append(slot)
    if numbers.hasRetired { clear(numbers.runHasGone(slot)) }
    // What has timed out was in its lane until now.
    if !run.state.plan.lanes.isEmpty { for lane in run.state.plan.lanes.keys { forgetIfUnused(lane: lane) } }
  }

  /// Keeps what the tasks of a run came to, and ends the life of those that run once.
  private mutating func keepAll(of state: RunState, now: Int64) {
    let plan = state.plan
    let hasResults = !state.outputs.isEmpty || !state.errors.isEmpty
    if isTimed { makeStatistics() }
    var ranOnce: [Int32] = []
    for node in 0..<Int32(plan.count) {
      let task = Int(plan.tasks[Int(node)])
      let status = state.status[Int(node)]
      if hasResults || tasks[task].hasBelongings {
        keep(node, of: state)
      } else {
        _ = keepStatus(of: node, state)
      }
      if isTimed {
        if status.hasStarted {
          let times = state.record.times(of: node)
          statistics[task].add(.nanoseconds(times.ended - times.begun))
        }
        if status != .succeeded {
          statistics[task].lastOutcome = state.outcomeWords(of: node)
        } else if statistics[task].lastOutcome != "succeeded" {
          statistics[task].lastOutcome = "succeeded"
        }
      }
      // Where it has not begun, another occurrence may have its one run.
      if plan.demands[Int(node)].contains(.once), status.hasStarted { ranOnce.append(Int32(task)) }
    }
    // Other occurrences may begin with that, and go by what all tasks of this one came to.
    for task in ranOnce {
      marks[Int(task)].remove(.runningOnce)
      self.ranOnce(task, now: now)
    }
  }

  /// Lets go of something after the lock has been released.
  mutating func discard(_ value: (any Sendable)?) {
    if let value { garbage.append(value) }
  }

  mutating func makeStatistics() {
    let missing = tasks.count - statistics.count
    if missing > 0 { statistics.append(contentsOf: repeatElement(TaskStatistics(), count: missing)) }
  }

  mutating func startNextQueued(of event: Int, now: Int64) {
    guard !events[event].isStartingQueued, events[event].quietTimer == nil else { return }
    events[event].isStartingQueued = true
    defer { events[event].isStartingQueued = false }
    while events[event].active == nil, !events[event].queue.isEmpty {
      refuseCircles(throughQueueOf: event, now: now)
      guard let id = events[event].queue.popFirst(), let waiting = queued.removeValue(forKey: id) else { continue }
      let handle = startRun(
        id, arrival: nextID(), event: event, payload: waiting.payload, deadline: waiting.deadline, now: now)
      runs[handle.slot]!.claims = waiting.claims
      runs[handle.slot]!.senders = waiting.senders
      transferReadyWaiters(to: handle)
      serve(handle, now: now)
    }
  }

  // MARK: - Cancellation

  /// Cancels a run: bodies are asked to stop, tasks that have not started never will.
  ///
  /// A run that stands for several sends goes on until the last of them is cancelled.
  ///
  /// - Parameter bySender: whether whoever has sent it is cancelled, and a body on that one's thread with it.
  mutating func cancel(run id: UInt64, bySender: Bool = false, now: Int64) {
    if leave(merged: id) { return }
    if let waiting = queued.removeValue(forKey: id) {
      return end(waiting, tasks: .cancelled, status: .cancelled, now: now)
    }
    guard let handle = handle(ofRun: id), !runs[handle.slot]!.isConcluded else { return }
    // It may have been cancelled before, by another one.
    if bySender { runs[handle.slot]!.isCancelledBySender = true }
    runs[handle.slot]!.senders -= 1
    guard runs[handle.slot]!.senders == 0 else { return }
    runs[handle.slot]!.verdict = max(runs[handle.slot]!.verdict, .cancelled)
    takeBackUnbegun(of: handle, now: now)
    // What somebody takes out of a lane has been cancelled, whatever became of an attempt before.
    runs[handle.slot]!.state.stop(.cancelled, forgetsAttempts: runs[handle.slot]!.entry != nil, now: now)
    for worker in runs[handle.slot]!.workers.indices { cancelWorker(worker, of: handle) }
    afterStop(of: handle, now: now)
  }

  /// Tells those outside a run what its stop has ended, and lets others have what its tasks would have had.
  private mutating func afterStop(of handle: RunHandle, now: Int64) {
    afterEnds(handle, now: now)
    // What ended elsewhere for that reason may have ended this one, too.
    guard isActive(handle) else { return }
    openLanes(of: handle, now: now)
    // At the end of the input: what takes its place may have to come first.
    if isLimited { slotsAreDue = now }
    concludeIfDone(handle, now: now)
  }

  /// Ends a send that has not had its turn, and is not in the queue any more.
  private mutating func end(_ waiting: QueuedSend, tasks: NodeStatus, status: EventReport.Status, now: Int64) {
    let id = waiting.id
    events[waiting.event].queue.remove(id)
    let plan = plan(ofEvent: waiting.event)
    // No body will ask for the payload, and a report that nobody takes would hold it.
    discard(waiting.payload)
    let state = RunState(id: id, plan: plan, payload: (), isTimed: isTimed, isLimited: isLimited, now: now)
    state.stop(tasks, now: now)
    let finished = FinishedRun(
      state: state, overdue: [], status: status, ended: now, waiters: takeReportWaiters(of: id),
      readyWaiters: readyWaitersOfQueued.removeValue(forKey: id)?.map(\.continuation) ?? [])
    if waiting.claims > finished.waiters.count {
      unclaimed[id] = (finished.withoutWaiters, waiting.claims - finished.waiters.count)
    }
    if !observers.isEmpty { observe(endOf: finished, now: now) }
    effects.append(.conclude(finished))
  }

  /// Somebody no longer wants a send that has not had its turn; false where it stands for nobody else's.
  mutating func leave(merged id: UInt64) -> Bool {
    guard let senders = queued[id]?.senders, senders > 1 else { return false }
    queued[id]!.senders = senders - 1
    return true
  }

  /// Ends a run as its own deadline does, whether it has had its turn or not.
  mutating func endAtDeadline(run id: UInt64, now: Int64) {
    if let waiting = queued.removeValue(forKey: id) {
      return end(waiting, tasks: .skippedStopped, status: .deadlineExceeded, now: now)
    }
    guard let handle = handle(ofRun: id), !runs[handle.slot]!.isConcluded else { return }
    missDeadline(handle, now: now)
    afterStop(of: handle, now: now)
  }

  /// Cancels the body that a worker runs.
  mutating func cancelWorker(_ worker: Int, of handle: RunHandle) {
    guard runs[handle.slot]!.workers[worker].stage.node != nil else { return }
    // A caller's thread runs synchronous bodies, which nobody can cancel, and its task is not ours to cancel.
    guard runs[handle.slot]!.workers[worker].flavor == .background else { return }
    runs[handle.slot]!.workers[worker].isSpent = true
    switch runs[handle.slot]!.workers[worker].canceller {
    case .none: break
    case .task(let task): effects.append(.cancel(task))
    case .walker(let walker): effects.append(.cancelWalker(walker))
    }
  }

  /// Cancels the body of a node, if it runs.
  mutating func cancelBody(of node: Int32, in handle: RunHandle) {
    // In one access: each asynchronous body has a worker of its own, so there may be very many.
    let workers = runs[handle.slot]!.workers.withUnsafeBufferPointer { workers in
      workers.indices.filter { workers[$0].stage.node == node }
    }
    for worker in workers { cancelWorker(worker, of: handle) }
  }
}
