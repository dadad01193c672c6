import TaskGraph

/// How workers come, get work and leave. One call per task on the hot path: a result in (`step`), the next node out.
extension CenterMachine {
  // MARK: - Workers

  /// Adds a worker to a run. A pending one counts as served only when it asks for work.
  mutating func addWorker(_ flavor: WorkerFlavor, to handle: RunHandle) -> Int {
    let run = runs[handle.slot]!
    run.activeWorkers += 1
    if flavor == .mainCaller { run.hasMainCaller = true }
    return run.place(WorkerState(flavor: flavor))
  }

  mutating func startWorker(_ flavor: WorkerFlavor, for handle: RunHandle, node: Int32?) {
    let worker = addWorker(flavor, to: handle)
    if let node {
      runs[handle.slot]!.workers[worker].stage = .assigned(node)
      runs[handle.slot]!.pendingWorkers += 1
    } else {
      runs[handle.slot]!.pendingWorkers += flavor == .background ? 1 : 0
    }
    if flavor == .main { runs[handle.slot]!.hasMainWorker = true }
    effects.append(
      .startWorker(handle, runs[handle.slot]!.state.plan, worker: worker, flavor: flavor, node: node))
  }

  /// The worker's task exists: it can be cancelled from now on.
  mutating func attach(_ task: _Concurrency.Task<Void, Never>, worker: Int, of handle: RunHandle) {
    guard isActive(handle), let run = runs[handle.slot] else { return }
    guard run.workers[worker].stage != .left else { return run.free(worker) }
    run.workers[worker].canceller = .task(task)
    // Somebody may have wanted to cancel it before it had a handle.
    if run.workers[worker].isSpent { effects.append(.cancel(task)) }
  }

  /// A worker asks for its first node.
  mutating func firstStep(_ handle: RunHandle, worker: Int, now: Int64) -> Step {
    guard isActive(handle) else { return .leave }
    if runs[handle.slot]!.workers[worker].flavor == .background { runs[handle.slot]!.pendingWorkers -= 1 }
    return next(handle, worker: worker, previous: -1, now: inOrder(now))
  }

  /// A worker that was started for a node begins with it.
  mutating func beginAssigned(_ handle: RunHandle, worker: Int, node: Int32, now: Int64) -> Step {
    guard isActive(handle) else { return .leave }
    let run = runs[handle.slot]!
    let now = inOrder(now)
    // It was taken back.
    guard run.workers[worker].stage == .assigned(node) else {
      return next(handle, worker: worker, previous: -1, now: now)
    }
    run.workers[worker].stage = .running(node)
    run.pendingWorkers -= 1
    // What ends it takes it back first, and its timeout counts from here.
    assert(run.state.status[Int(node)] == .running, "a body that has not begun has ended")
    let task = Int(run.state.plan.tasks[Int(node)])
    if marks[task].contains(.paused) {
      takeBack(node, from: worker, of: run, in: handle, now: now)
      _ = admitMarked(node, task: task, in: handle, now: now)
      wakeSettleWaiters()
      return next(handle, worker: worker, previous: -1, now: now)
    }
    run.state.begin(node, now: now)
    run.workers[worker].since = now
    didBegin(node, by: worker, of: run.state, in: handle, now: now)
    return .run(node)
  }

  /// What was given to workers that have not begun is as if it had not been chosen: an end that nothing may start after.
  ///
  /// - Parameter chosen: the one node that this is about; nil for all.
  /// - Returns: whether there was any.
  @discardableResult
  mutating func takeBackUnbegun(_ chosen: Int32? = nil, of handle: RunHandle, now: Int64) -> Bool {
    // Whoever ends after a stop comes by here: not all workers are looked through for each.
    guard isLimited, let run = runs[handle.slot], run.pendingWorkers > 0 else { return false }
    var isAny = false
    for worker in run.workers.indices {
      guard case .assigned(let node) = run.workers[worker].stage, chosen == nil || node == chosen,
        run.state.status[Int(node)] == .running
      else { continue }
      takeBack(node, from: worker, of: run, in: handle, now: now)
      run.pendingWorkers -= 1
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
    run.workers[worker].stage = .idle
    run.state.takeBack(node, now: now)
    bodyHasGone(node, of: run.state, in: handle)
    // One of which an attempt has failed has begun its run.
    if run.state.plan.demands[Int(node)].contains(.once), !run.state.isBetweenAttempts(node) {
      marks[Int(run.state.plan.tasks[Int(node)])].remove(.runningOnce)
    }
    releaseSlot()
    slotsAreDue = now
  }

  // MARK: - The next node

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
    let isKnown = run.workers[worker].leave()
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
    // Else its place is free when its task has become known.
    if flavor != .background || isKnown { run.free(worker) }
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
}
