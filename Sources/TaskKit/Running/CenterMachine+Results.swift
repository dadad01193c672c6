import TaskGraph

/// What a worker hands in, and what follows from it.
extension CenterMachine {
  /// Takes the result of a node and says what the worker does next.
  ///
  /// - Parameter begun: when its body began, where that was looked at; else it counts from when it was given out.
  mutating func step(
    _ handle: RunHandle, worker: Int, node: Int32, begun: Int64?, result: BodyResult, now: Int64, chance: Double
  ) -> Step {
    let run = runs[handle.slot]!
    let returned = now
    let now = inOrder(now)
    run.workers[worker].stage = .idle
    if !isLimited, run.state.plan.forms[Int(node)] == .asynchronous { run.asynchronousWorkers -= 1 }
    // A task that is switched off says nothing about how long it takes.
    if case .disabled = result {
    } else {
      // Where the clock was not read at one of the two, this says nothing, and must not overflow either.
      run.busy &+= returned &- (begun ?? run.workers[worker].since)
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
      if demands.contains(.stop) { noteForStop(of: node, in: state, result) }
      noteLateReturn(of: node, in: state, result, now: now)
      bodyReturnedLate(node, in: handle, now: now)
      if leavesLane { openLane(of: node, in: handle, now: now) }
      return
    }
    releaseSlot(of: node, in: handle)
    if demands.contains(.timeout), let timer = runs[handle.slot]!.timers.removeValue(forKey: node) {
      _ = timers.remove(timer)
    }
    if demands.contains(.stop) { noteForStop(of: node, in: state, result) }
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
  mutating func bodyHasGone(_ node: Int32, of state: RunState, in handle: RunHandle) {
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

  /// The body of a task with a `stop` has returned: where it has succeeded, there is something to undo from now on.
  private mutating func noteForStop(of node: Int32, in state: RunState, _ result: BodyResult) {
    let task = state.plan.tasks[Int(node)]
    let output: (any Sendable)?
    switch result {
    case .returned: output = nil
    case .output(let value): output = value
    case .failed, .disabled: return stops.failed(task, run: state.id)
    }
    discard(stops.succeeded(task, run: state.id, state.plan.registrations[Int(node)], output: output))
  }

  private mutating func fail(
    _ node: Int32, in handle: RunHandle, error: any Error, words: String, wasCancelled: Bool, now: Int64, chance: Double
  ) {
    let run = runs[handle.slot]!
    if error is CancellationError || wasCancelled {
      if !(error is CancellationError) {
        // It changes nothing, and is not lost either.
        run.state.record.errorsAfterCancellation[node] = error
        if !observers.isEmpty {
          observe(.taskThrewAfterCancellation(run.state.plan.name(node), words), of: handle.id, now: now)
        }
      }
      run.state.end(node, .cancelled, now: now)
      return
    }
    discard(run.state.errors[node])
    run.state.keep(error: error, words: words, of: node)
    let retry = run.state.plan.registrations[Int(node)].retry
    guard retry.attempts > 1, !run.isConcluded else {
      run.state.end(node, .failed, now: now)
      return
    }
    if !scheduleRetry(node, in: handle, retry: retry, now: now, chance: chance) {
      run.state.end(node, .failed, now: now)
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
    state.failAttempt(node, now: now)
    let delay = retry.backoff.delay(after: failed, chance: chance).nanoseconds
    if !observers.isEmpty {
      observe(.taskRetried(name(of: node, in: handle), attempt: failed + 1), of: handle.id, now: now)
    }
    if delay <= 0, !state.overdue.contains(node) {
      state.makeReady(node, by: -1, now: now)
    } else {
      addTimer(.retry(node: node, attempt: failed), of: handle, due: now.later(by: delay))
    }
    return true
  }
}
