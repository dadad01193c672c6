/// What the clock does: timeouts, the delays between attempts, deadlines, and when the center has to wake for them.
extension CenterMachine {
  /// When the center has to wake next, on the continuous clock.
  var earliestAlarm: Int64? {
    guard let run = timers.earliest else { return schedules.earliest }
    return schedules.earliest.map { min($0, run) } ?? run
  }

  mutating func addTimer(_ action: RunTimer, of run: RunHandle, due: Int64) {
    let earliest = timers.earliest
    let timer = timers.add(.ofRun(run, action), due: due)
    switch action {
    case .timeout(let node, _, _), .retry(let node, _), .abandonRetry(let node, _):
      if let earlier = runs[run.slot]!.timers.updateValue(timer, forKey: node) { _ = timers.remove(earlier) }
    case .deadline: runs[run.slot]!.deadline = timer
    }
    wakeSettleWaiters()
    if timers.earliest != earliest { effects.append(.setAlarm) }
  }

  /// A deadline counts from the turn of its occurrence, which may be over by now.
  mutating func setDeadline(_ deadline: Int64, of handle: RunHandle, now: Int64) {
    guard isActive(handle), !runs[handle.slot]!.isConcluded else { return }
    addTimer(.deadline, of: handle, due: now.later(by: deadline))
  }

  /// Those who wait for quiet look again.
  mutating func wakeSettleWaiters() {
    guard !settleWaiters.isEmpty else { return }
    resumeAll(settleWaiters)
    settleWaiters = []
  }

  /// Does everything that is due. Whoever rings looks afterwards when that is next.
  mutating func alarm(at instants: Instants) {
    // Schedules go by what all clocks have shown together.
    let now = inOrder(instants.continuous)
    var dice = Dice(instants.chance)
    while let timer = timers.next(at: now) {
      switch timer {
      case .quiet(let event): endQuietTime(ofEvent: event, now: now)
      case .ofRun(let handle, let action): goOff(action, of: handle, now: now, &dice)
      }
    }
    fireSchedules(at: instants)
    if isLimited { fillSlots(now: now) }
    wakeSettleWaiters()
  }

  private mutating func endQuietTime(ofEvent event: Int, now: Int64) {
    events[event].quietTimer = nil
    startNextQueued(of: event, now: now)
    // Its last task may have gone while it was quiet.
    if hasMarks { forgetIfUnused(event: event) }
  }

  private mutating func goOff(_ action: RunTimer, of handle: RunHandle, now: Int64, _ dice: inout Dice) {
    guard isActive(handle), !runs[handle.slot]!.isConcluded else { return }
    switch action {
    case .timeout(let node, let worker, let attempt):
      timeOut(node, of: Int(worker), attempt: attempt, in: handle, now: now, &dice)
    case .retry(let node, let attempt): retry(node, attempt: attempt, in: handle, now: now)
    case .abandonRetry(let node, let attempt): abandonRetry(node, attempt: attempt, in: handle, now: now)
    case .deadline: missDeadline(handle, now: now)
    }
    guard isActive(handle) else { return }
    stopUnbegun(of: handle, now: now)
    afterEnds(handle, now: now)
    guard isActive(handle) else { return }
    if runs[handle.slot]!.state.isStopped { openLanes(of: handle, now: now) }
    concludeIfDone(handle, now: now)
    if !isLimited, isActive(handle) { wakeWorkers(handle) }
  }

  private mutating func timeOut(
    _ node: Int32, of worker: Int, attempt: Int, in handle: RunHandle, now: Int64, _ dice: inout Dice
  ) {
    let slot = handle.slot
    guard runs[slot]!.state.status[Int(node)] == .running, (runs[slot]!.state.attempts[node] ?? 0) == attempt else {
      return
    }
    releaseSlot(of: node, in: handle)
    if isLimited { slotLeftBy = (handle, node) }
    runs[slot]!.state.overdue.insert(node)
    assert(runs[slot]!.workers[worker].stage.node == node, "the body of an attempt has changed its worker")
    cancelWorker(worker, of: handle)
    let retry = runs[slot]!.state.plan.registrations[Int(node)].retry
    if retry.attempts > 1, scheduleRetry(node, in: handle, retry: retry, now: now, chance: dice.roll()) { return }
    runs[slot]!.state.end(node, .timedOut, now: now)
  }

  /// A delay has passed. While the attempt that timed out has not returned, nothing of the task starts again.
  private mutating func retry(_ node: Int32, attempt: Int, in handle: RunHandle, now: Int64) {
    let slot = handle.slot
    guard runs[slot]!.state.status[Int(node)] == .waitingToRetry, runs[slot]!.state.attempts[node] == attempt else {
      return
    }
    guard runs[slot]!.state.overdue.contains(node) else {
      runs[slot]!.state.makeReady(node, by: -1, now: now)
      return
    }
    // As long again as one attempt may take; then the task has timed out for good.
    let grace = runs[slot]!.state.plan.registrations[Int(node)].timeout ?? .zero
    addTimer(.abandonRetry(node: node, attempt: attempt), of: handle, due: now.later(by: grace.nanoseconds))
  }

  private mutating func abandonRetry(_ node: Int32, attempt: Int, in handle: RunHandle, now: Int64) {
    let state = runs[handle.slot]!.state
    guard state.status[Int(node)] == .waitingToRetry, state.attempts[node] == attempt, state.overdue.contains(node)
    else { return }
    runs[handle.slot]!.state.end(node, .timedOut, now: now)
  }

  /// A body came back after its task had ended, or while the task waits for its next attempt.
  mutating func bodyReturnedLate(_ node: Int32, in handle: RunHandle, now: Int64) {
    let slot = handle.slot
    runs[slot]!.state.overdue.remove(node)
    noteReturn(in: runs[slot]!, now: now)
    let task = runs[slot]!.state.plan.tasks[Int(node)]
    if marks[Int(task)].contains(.destroyed) { destroyedBodyReturned(task) }
    if schedules.states[task] != nil { goOn(with: task, now: now) }
    guard runs[slot]!.state.status[Int(node)] == .waitingToRetry,
      let attempt = runs[slot]!.state.attempts[node]
    else { return }
    // The delay may have passed while the body would not return.
    if runs[slot]!.timers[node].flatMap({ timers[$0] })?.isRetry(of: node, attempt: attempt, in: handle) != true {
      runs[slot]!.state.makeReady(node, by: -1, now: now)
      if !isLimited { wakeWorkers(handle) }
    }
  }

  mutating func missDeadline(_ handle: RunHandle, now: Int64) {
    let slot = handle.slot
    runs[slot]!.verdict = .deadlineExceeded
    takeBackUnbegun(of: handle, now: now)
    runs[slot]!.state.stop(.skippedStopped, now: now)
    // In one pass, not one a node: each asynchronous body has a worker of its own.
    for worker in runs[slot]!.workers.indices {
      guard let node = runs[slot]!.workers[worker].stage.node else { continue }
      if runs[slot]!.state.status[Int(node)] == .running { cancelWorker(worker, of: handle) }
    }
    for node in 0..<Int32(runs[slot]!.state.plan.count) where runs[slot]!.state.status[Int(node)] == .running {
      releaseSlot(of: node, in: handle)
      runs[slot]!.state.overdue.insert(node)
      runs[slot]!.state.end(node, .timedOut, now: now)
    }
  }
}
