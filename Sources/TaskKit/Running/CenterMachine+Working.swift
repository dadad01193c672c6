import TaskGraph

/// How workers get work and hand in results. One call per task on the hot path: a result in, the next node out.
extension CenterMachine {
  // MARK: - Workers

  /// Adds a worker to a run. A pending one counts as served only when it asks for work.
  mutating func addWorker(_ flavor: WorkerFlavor, to handle: RunHandle) -> Int {
    runs[handle.slot]!.workers.append(WorkerState(flavor: flavor))
    runs[handle.slot]!.activeWorkers += 1
    if flavor == .mainCaller { runs[handle.slot]!.hasMainCaller = true }
    return runs[handle.slot]!.workers.count - 1
  }

  mutating func startWorker(_ flavor: WorkerFlavor, for handle: RunHandle, node: Int32?) {
    let worker = addWorker(flavor, to: handle)
    if let node {
      runs[handle.slot]!.workers[worker].node = node
      runs[handle.slot]!.workers[worker].hasBegun = false
    } else {
      runs[handle.slot]!.pendingWorkers += flavor == .background ? 1 : 0
    }
    if flavor == .main { runs[handle.slot]!.hasMainWorker = true }
    effects.append(
      .startWorker(handle, runs[handle.slot]!.state.plan, worker: worker, flavor: flavor, node: node))
  }

  /// The worker's task exists: it can be cancelled from now on.
  mutating func attach(_ task: _Concurrency.Task<Void, Never>, worker: Int, of handle: RunHandle) {
    guard isActive(handle) else { return }
    runs[handle.slot]!.workers[worker].task = task
    // Somebody may have wanted to cancel it before it had a handle.
    if runs[handle.slot]!.workers[worker].isSpent { effects.append(.cancel(task)) }
  }

  /// A worker asks for its first node.
  mutating func firstStep(_ handle: RunHandle, worker: Int, now: Int64) -> Step {
    guard isActive(handle) else { return .leave }
    if runs[handle.slot]!.workers[worker].flavor == .background { runs[handle.slot]!.pendingWorkers -= 1 }
    return next(handle, worker: worker, previous: -1, now: now)
  }

  /// A worker that was started for a node begins with it.
  mutating func beginAssigned(_ handle: RunHandle, worker: Int, node: Int32, now: Int64) -> Step {
    guard isActive(handle) else { return .leave }
    let run = runs[handle.slot]!
    // It was taken back.
    guard run.workers[worker].node == node else { return next(handle, worker: worker, previous: -1, now: now) }
    run.workers[worker].hasBegun = true
    // What ends it takes it back first, and its timeout counts from here.
    assert(run.state.status[Int(node)] == .running, "a body that has not begun has ended")
    let task = Int(run.state.plan.tasks[Int(node)])
    if marks[task].contains(.paused) {
      takeBack(node, from: worker, of: run, in: handle, now: now)
      _ = admitMarked(node, task: task, in: handle, now: now)
      return next(handle, worker: worker, previous: -1, now: now)
    }
    run.state.begin(node, now: now)
    run.workers[worker].since = now
    didBegin(node, of: run.state, in: handle, now: now)
    return .run(node)
  }

  /// What was given to workers that have not begun is as if it had not been chosen: an end that nothing may start after.
  ///
  /// - Parameter chosen: the one node that this is about; nil for all.
  /// - Returns: whether there was any.
  @discardableResult
  mutating func takeBackUnbegun(_ chosen: Int32? = nil, of handle: RunHandle, now: Int64) -> Bool {
    guard isLimited, let run = runs[handle.slot] else { return false }
    var isAny = false
    for worker in run.workers.indices where !run.workers[worker].hasBegun {
      let node = run.workers[worker].node
      guard node >= 0, chosen == nil || node == chosen, run.state.status[Int(node)] == .running else { continue }
      takeBack(node, from: worker, of: run, in: handle, now: now)
      isAny = true
    }
    return isAny
  }

  /// A failure may have stopped the occurrence: what has been given to a worker and has not begun is part of the rest.
  mutating func stopUnbegun(of handle: RunHandle, now: Int64) {
    guard let state = runs[handle.slot]?.state, state.isStopped, takeBackUnbegun(of: handle, now: now) else { return }
    state.stop(.skippedStopped, now: now)
  }

  private mutating func takeBack(
    _ node: Int32, from worker: Int, of run: ActiveRun, in handle: RunHandle, now: Int64
  ) {
    run.workers[worker].node = -1
    run.workers[worker].hasBegun = true
    run.state.takeBack(node, now: now)
    bodyHasGone(node, of: run.state, in: handle)
    // One of which an attempt has failed has begun its run.
    if run.state.plan.demands[Int(node)].contains(.once), !run.state.isBetweenAttempts(node) {
      marks[Int(run.state.plan.tasks[Int(node)])].remove(.runningOnce)
    }
    releaseSlot()
    slotsAreDue = now
  }

  // MARK: - The step

  /// Takes the result of a node and says what the worker does next.
  mutating func step(_ handle: RunHandle, worker: Int, node: Int32, result: BodyResult, now: Int64, chance: Double)
    -> Step
  {
    let run = runs[handle.slot]!
    run.workers[worker].node = -1
    if !isLimited, run.state.plan.forms[Int(node)] == .asynchronous { run.asynchronousWorkers -= 1 }
    // A task that is switched off says nothing about how long it takes.
    if case .disabled = result {
    } else {
      // Where the clock was not read at one of the two, this says nothing, and must not overflow either.
      run.busy &+= now &- run.workers[worker].since
      run.measured += 1
    }
    finish(
      node, of: run.state, in: handle, result: result, wasCancelled: run.wasToldToEnd(worker), now: now, chance: chance)
    wakeSettleWaiters()
    return next(handle, worker: worker, previous: node, now: now)
  }

  private mutating func finish(
    _ node: Int32, of state: RunState, in handle: RunHandle, result: BodyResult, wasCancelled: Bool, now: Int64,
    chance: Double
  ) {
    let demands = state.plan.demands[Int(node)]
    if !demands.isEmpty { bodyHasGone(node, of: state, in: handle) }
    let leavesLane = demands.contains(.lane)
    guard state.status[Int(node)] == .running else {
      // Late or not: what it has opened is there to be closed.
      if demands.contains(.stop) { noteSuccess(of: node, in: state, result) }
      noteLateReturn(of: node, in: state, result, now: now)
      bodyReturnedLate(node, in: handle, now: now)
      if leavesLane { openLane(of: node, in: handle, now: now) }
      return
    }
    releaseSlot(of: node, in: handle)
    if demands.contains(.timeout), let timer = runs[handle.slot]!.timers.removeValue(forKey: node) {
      _ = timers.remove(timer)
    }
    if demands.contains(.stop) { noteSuccess(of: node, in: state, result) }
    switch result {
    case .returned:
      state.end(node, .succeeded, now: now)
    case .output(let output):
      state.keep(output: output, of: node)
      state.end(node, .succeeded, now: now)
    case .disabled:
      state.endDisabled(node, now: now)
      // Its one run is still to come, here or elsewhere.
      if demands.contains(.once), state.status[Int(node)] == .skippedDisabled {
        marks[Int(state.plan.tasks[Int(node)])].remove(.runningOnce)
      }
      // With the failure of an attempt before it.
      stopUnbegun(of: handle, now: now)
    case .failed(let error, let words):
      fail(node, in: handle, error: error, words: words, wasCancelled: wasCancelled, now: now, chance: chance)
      stopUnbegun(of: handle, now: now)
    }
    afterEnds(handle, now: now)
    if leavesLane {
      // A failure may stop the lane before the next one starts.
      endEntry(of: handle, now: now)
      openLane(of: node, in: handle, now: now)
    } else if state.isStopped {
      openLanes(of: handle, now: now)
    }
    guard hasMarks else { return }
    let task = state.plan.tasks[Int(node)]
    if marks[Int(task)].contains(.destroyed) { destroyedBodyReturned(task) }
  }

  /// A body that was counted, or should have been, runs no more: its lane is free, and its schedule has one less.
  private mutating func bodyHasGone(_ node: Int32, of state: RunState, in handle: RunHandle) {
    let demands = state.plan.demands[Int(node)]
    if demands.contains(.lane) { leaveLane(of: node, in: handle) }
    if demands.contains(.number) { countBody(of: node, in: state, -1) }
  }

  /// What a body came to that counts no more: an output, a reply, an error.
  private mutating func noteLateReturn(of node: Int32, in state: RunState, _ result: BodyResult, now: Int64) {
    if isTimed {
      makeStatistics()
      statistics[Int(state.plan.tasks[Int(node)])].lateReturns += 1
    }
    guard !observers.isEmpty else { return }
    let words =
      switch result {
      case .returned, .output: "succeeded"
      case .failed(_, let words): "failed: \(words)"
      case .disabled: "skipped: \(SkipReason.disabled)"
      }
    observe(.taskReturnedLate(state.plan.name(node), words), of: state.id, now: now)
  }

  private mutating func fail(
    _ node: Int32, in handle: RunHandle, error: any Error, words: String, wasCancelled: Bool, now: Int64, chance: Double
  ) {
    let slot = handle.slot
    if error is CancellationError || wasCancelled {
      runs[slot]!.state.end(node, .cancelled, now: now)
      return
    }
    discard(runs[slot]!.state.errors[node])
    runs[slot]!.state.keep(error: error, words: words, of: node)
    let retry = runs[slot]!.state.plan.registrations[Int(node)].retry
    guard retry.attempts > 1, !runs[slot]!.isConcluded else {
      runs[slot]!.state.end(node, .failed, now: now)
      return
    }
    if !scheduleRetry(node, in: handle, retry: retry, now: now, chance: chance) {
      runs[slot]!.state.end(node, .failed, now: now)
    }
  }

  /// Sets a failed attempt aside until its delay has passed.
  ///
  /// - Returns: false when no attempt is left, or nothing of it may start any more.
  mutating func scheduleRetry(
    _ node: Int32, in handle: RunHandle, retry: RetryPolicy, now: Int64, chance: Double
  ) -> Bool {
    let state = runs[handle.slot]!.state
    let failed = (state.attempts[node] ?? 0) + 1
    guard failed < retry.attempts, !state.isStopped,
      !marks[Int(state.plan.tasks[Int(node)])].contains(.destroyed)
    else { return false }
    _ = runs[handle.slot]!.state.failAttempt(node, now: now)
    let delay = retry.backoff.delay(after: failed, chance: chance).nanoseconds
    if !observers.isEmpty {
      observe(.taskRetried(name(of: node, in: handle), attempt: failed + 1), of: handle.id, now: now)
    }
    if delay <= 0, !runs[handle.slot]!.state.overdue.contains(node) {
      runs[handle.slot]!.state.makeReady(node, by: -1, now: now)
    } else {
      addTimer(.retry(handle, node: node, attempt: failed), due: now.later(by: delay))
    }
    return true
  }

  /// Says what a worker does next.
  mutating func next(_ handle: RunHandle, worker: Int, previous: Int32, now: Int64) -> Step {
    if isLimited { return nextWithinLimit(handle, worker: worker, previous: previous, now: now) }
    let run = runs[handle.slot]!
    if !run.workers[worker].isSpent {
      let flavor = run.workers[worker].flavor
      while let node = run.state.firstReady(
        synchronous: flavor.acceptsSynchronous && !(flavor == .caller && run.refusesCallersThread)
          && !(flavor == .background && run.hasMainCaller),
        main: flavor.acceptsMain, asynchronous: flavor.acceptsAsynchronous)
      {
        guard admit(node, of: run.state, in: handle, now: now) else { continue }
        choose(node, for: worker, of: run, in: handle, freedBy: previous, now: now)
        if run.state.plan.forms[Int(node)] == .asynchronous { run.asynchronousWorkers += 1 }
        startHelpers(of: run, handle, besides: flavor, taking: node)
        return .run(node)
      }
    }
    return leave(handle, worker: worker, now: now)
  }

  /// The worker has nothing to do. The run may be over with it.
  mutating func leave(_ handle: RunHandle, worker: Int, now: Int64) -> Step {
    let run = runs[handle.slot]!
    run.workers[worker].hasLeft = true
    run.workers[worker].task = nil
    run.workers[worker].walker = nil
    run.activeWorkers -= 1
    let flavor = run.workers[worker].flavor
    if flavor == .main { run.hasMainWorker = false }
    if flavor == .mainCaller {
      run.hasMainCaller = false
      // What was for the main actor alone is for everybody now.
      run.state.announceReady()
    }
    if run.state.unended == 0 {
      return conclude(handle, isCaller: flavor == .caller || flavor == .mainCaller, now: now)
    }
    if !isLimited { startHelpers(of: run, handle, besides: flavor, taking: -1) }
    return .leave
  }

  /// Starts who can take what a worker cannot, or should not alone.
  private mutating func startHelpers(
    of run: ActiveRun, _ handle: RunHandle, besides flavor: WorkerFlavor, taking node: Int32
  ) {
    let state = run.state
    let isIdle = node < 0
    if !state.readyMain.isEmpty, !run.hasMainWorker, isIdle || flavor != .mainCaller {
      startWorker(.main, for: handle, node: nil)
    }
    let synchronous = !state.readySynchronous.isEmpty
    let asynchronous = !state.readyAsynchronous.isEmpty
    guard synchronous || asynchronous, run.pendingWorkers == 0 else { return }
    let mustCome =
      (asynchronous && !flavor.acceptsAsynchronous)
      || (synchronous && !flavor.acceptsSynchronous && !run.hasMainCaller)
      || (isIdle && (asynchronous || (synchronous && !run.hasMainCaller)))
      // A body that suspends must not keep another one from starting.
      || (!isIdle && state.plan.forms[Int(node)] == .asynchronous)
    // One whose body is suspended takes no thread.
    let busy = run.activeWorkers - run.asynchronousWorkers
    if mustCome || (!run.hasMainCaller && busy < coreCount && !isTiny(run)) {
      startWorker(.background, for: handle, node: nil)
    }
  }

  func isTiny(_ run: ActiveRun) -> Bool {
    run.event.map { events[$0].isTiny } ?? false
  }

  /// Without a limit: sees to it that somebody comes for what is ready.
  mutating func wakeWorkers(_ handle: RunHandle) {
    let slot = handle.slot
    if !runs[slot]!.state.readyMain.isEmpty, !runs[slot]!.hasMainWorker { startWorker(.main, for: handle, node: nil) }
    if !runs[slot]!.state.readySynchronous.isEmpty || !runs[slot]!.state.readyAsynchronous.isEmpty,
      runs[slot]!.pendingWorkers == 0
    {
      startWorker(.background, for: handle, node: nil)
    }
  }

  // MARK: - Choosing

  mutating func choose(
    _ node: Int32, for worker: Int, of run: ActiveRun, in handle: RunHandle, freedBy: Int32, now: Int64
  ) {
    run.state.start(node, freedBy: freedBy, now: now)
    run.workers[worker].node = node
    run.workers[worker].since = now
    if isLimited { used += 1 }
    didChoose(node, of: run.state, in: handle)
    didBegin(node, of: run.state, in: handle, now: now)
  }

  /// What a choice entails for tasks that ask for more than to be run.
  mutating func didChoose(_ node: Int32, of state: RunState, in handle: RunHandle) {
    let demands = state.plan.demands[Int(node)]
    guard !demands.isEmpty else { return }
    let plan = state.plan
    if demands.contains(.lane), let lane = plan.registrations[Int(node)].lane {
      laneState(of: lane).holder = (handle, node)
    }
    if demands.contains(.number) { countBody(of: node, in: state, 1) }
    if demands.contains(.once) { marks[Int(plan.tasks[Int(node)])].insert(.runningOnce) }
  }

  mutating func setTimeout(of node: Int32, in handle: RunHandle, now: Int64) {
    guard isActive(handle), let state = runs[handle.slot]?.state, state.status[Int(node)] == .running,
      let timeout = state.plan.registrations[Int(node)].timeout
    else { return }
    let attempt = state.attempts[node] ?? 0
    addTimer(.timeout(handle, node: node, attempt: attempt), due: now.later(by: timeout.nanoseconds))
  }

  /// What a start entails: nothing keeps the body from running any more.
  private mutating func didBegin(_ node: Int32, of state: RunState, in handle: RunHandle, now: Int64) {
    if !observers.isEmpty { observe(.taskStarted(state.plan.name(node)), of: state.id, now: now) }
    let demands = state.plan.demands[Int(node)]
    guard !demands.isEmpty else { return }
    // Not from the choice on: the time of an attempt is none in which it waits for the main actor or a thread.
    if demands.contains(.timeout) {
      // Nobody may have wanted to know what time it is.
      if now == 0 {
        effects.append(.setTimeout(handle, node: node))
      } else {
        setTimeout(of: node, in: handle, now: now)
      }
    }
    if demands.contains(.stop) { stops.started(state.plan.tasks[Int(node)]) }
    if demands.contains(.number) { numberRun(of: node, in: state) }
  }

  /// A task with a `stop` has succeeded: from now on there is something to undo.
  private mutating func noteSuccess(of node: Int32, in state: RunState, _ result: BodyResult) {
    let output: (any Sendable)?
    switch result {
    case .returned: output = nil
    case .output(let value): output = value
    case .failed, .disabled: return
    }
    discard(
      stops.succeeded(
        state.plan.tasks[Int(node)], state.plan.registrations[Int(node)], output: output))
  }

  /// Whether a ready node may start now; if not, it has been dealt with.
  mutating func admit(_ node: Int32, of state: RunState, in handle: RunHandle, now: Int64) -> Bool {
    let task = Int(state.plan.tasks[Int(node)])
    if !marks[task].isEmpty, !admitMarked(node, task: task, in: handle, now: now) { return false }
    if !predecessors.isEmpty, predecessors[Int32(task)] != nil {
      heldBack[Int32(task), default: []].append((handle, node))
      state.park(node)
      openLane(of: node, in: handle, now: now)
      return false
    }
    guard state.plan.demands[Int(node)].contains(.lane), let lane = state.plan.registrations[Int(node)].lane,
      !mayEnter(lane, node, in: handle)
    else { return true }
    let line = laneState(of: lane)
    line.parked.insert(node, of: handle)
    state.park(node, held: line.held(for: runs[handle.slot]!, until: now))
    return false
  }

  private mutating func admitMarked(_ node: Int32, task: Int, in handle: RunHandle, now: Int64) -> Bool {
    let slot = handle.slot
    let isRetry = runs[slot]!.state.attempts[node] != nil
    if marks[task].contains(.destroyed) {
      runs[slot]!.state.end(node, .cancelled, now: now)
    } else if marks[task].contains(.runningOnce), !isRetry, let only = onlyRun(of: Int32(task)) {
      skipOnce(node, in: handle, after: only, now: now)
    } else if marks[task].contains(.ranOnce) {
      if tasks[task].latestEndedWell { runs[slot]!.state.dispense(with: node) }
      runs[slot]!.state.end(node, .skippedAlreadyRan, now: now)
    } else if marks[task].contains(.paused), let last = runs[slot]!.state.lastFailure(of: node) {
      // It has begun, and missed nothing: what does not start is one more attempt.
      runs[slot]!.state.end(node, last, now: now)
    } else if marks[task].contains(.paused) {
      // A scheduled task keeps its slot, not the occasion of all that were due with it.
      if marks[task].contains(.pausedAndKept), let event = runs[slot]!.event, schedules.states[Int32(task)] == nil {
        discard(tasks[task].keep(missed: (event, runs[slot]!.state.payload)))
      }
      runs[slot]!.state.end(node, .skippedPaused, now: now)
    } else {
      return true
    }
    stopUnbegun(of: handle, now: now)
    afterEnds(handle, now: now)
    if isActive(handle) { openLane(of: node, in: handle, now: now) }
    return false
  }

  /// Where a task that runs once has started, in an occurrence that is still going: also where its next attempt waits for
  /// its turn.
  func onlyRun(of task: Int32) -> (run: RunHandle, node: Int32)? {
    for slot in runs.indices {
      guard let run = runs[slot], !run.isConcluded, let node = run.state.plan.node(ofTask: task),
        run.state.status[Int(node)].hasStarted || run.state.isBetweenAttempts(node)
      else { continue }
      return (RunHandle(slot: slot, id: run.state.id), node)
    }
    return nil
  }

  /// A task has its one run in another occurrence: who depends on it here waits for the end of that.
  private mutating func skipOnce(
    _ node: Int32, in handle: RunHandle, after only: (run: RunHandle, node: Int32), now: Int64
  ) {
    let (state, other) = (runs[handle.slot]!.state, runs[only.run.slot]!.state)
    guard other.status[Int(only.node)].hasEnded else {
      state.putOff(node)
      other.reportsEnds = true
      other.externalDependents[only.node, default: []].append((handle, node, .follows))
      return
    }
    if other.endedWell(only.node) { state.dispense(with: node) }
    state.end(node, .skippedAlreadyRan, now: now)
  }

  func name(of node: Int32, in handle: RunHandle) -> TaskName {
    runs[handle.slot]!.state.plan.name(node)
  }
}
