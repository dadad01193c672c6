import TaskGraph

/// What may start, and what its start entails.
extension CenterMachine {
  mutating func choose(
    _ node: Int32, for worker: Int, of run: ActiveRun, in handle: RunHandle, freedBy: Int32, now: Int64
  ) {
    run.state.start(node, freedBy: freedBy, now: now)
    run.workers[worker].stage = .running(node)
    run.workers[worker].since = now
    if isLimited { used += 1 }
    didChoose(node, of: run.state, in: handle)
    didBegin(node, by: worker, of: run.state, in: handle, now: now)
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

  mutating func setTimeout(of node: Int32, by worker: Int, in handle: RunHandle, now: Int64) {
    // Where the clock had to be read, another attempt may run by now, whose timeout is set apart.
    guard isActive(handle), let state = runs[handle.slot]?.state, state.status[Int(node)] == .running,
      runs[handle.slot]!.workers[worker].stage == .running(node),
      let timeout = state.plan.registrations[Int(node)].timeout
    else { return }
    let attempt = state.attempts[node] ?? 0
    addTimer(
      .timeout(node: node, worker: Int32(worker), attempt: attempt), of: handle, due: now.later(by: timeout.nanoseconds)
    )
  }

  /// What a start entails: nothing keeps the body from running any more.
  mutating func didBegin(_ node: Int32, by worker: Int, of state: RunState, in handle: RunHandle, now: Int64) {
    if !observers.isEmpty { observe(.taskStarted(state.plan.name(node)), of: state.id, now: now) }
    let demands = state.plan.demands[Int(node)]
    guard !demands.isEmpty else { return }
    // Not from the choice on: the time of an attempt is none in which it waits for the main actor or a thread.
    if demands.contains(.timeout) {
      // Nobody may have wanted to know what time it is.
      if now == 0 {
        effects.append(.setTimeout(handle, node: node, worker: worker))
      } else {
        setTimeout(of: node, by: worker, in: handle, now: now)
      }
    }
    if demands.contains(.stop) { stops.started(state.plan.tasks[Int(node)], run: state.id) }
    if demands.contains(.number) { numberRun(of: node, in: state) }
  }

  /// Whether a ready node may start now; if not, it has been dealt with.
  mutating func admit(_ node: Int32, of state: RunState, in handle: RunHandle, now: Int64) -> Bool {
    if mayStart(node, of: state, in: handle, now: now) { return true }
    // It may have been all that could start: what is left waits for something that may never come by itself, as for a lane that
    // is held.
    wakeSettleWaiters()
    return false
  }

  @inline(__always)
  private mutating func mayStart(_ node: Int32, of state: RunState, in handle: RunHandle, now: Int64) -> Bool {
    let task = Int(state.plan.tasks[Int(node)])
    if !marks[task].isEmpty, !admitMarked(node, task: task, in: handle, now: now) { return false }
    if !predecessors.isEmpty, predecessors[Int32(task)] != nil {
      var held = heldBack.removeValue(forKey: Int32(task)) ?? SweptList()
      held.append((handle, node), where: { isActive($0.run) })
      heldBack[Int32(task)] = held
      state.park(node)
      openLane(of: node, in: handle, now: now)
      return false
    }
    guard state.plan.demands[Int(node)].contains(.lane), let lane = state.plan.registrations[Int(node)].lane,
      !mayEnter(lane, node, in: handle)
    else { return true }
    let line = laneState(of: lane)
    let run = runs[handle.slot]!
    if run.entry == nil { line.park(rank(of: node, in: run), of: run, at: handle) }
    state.park(node, held: line.held(for: run, until: now))
    return false
  }

  mutating func admitMarked(_ node: Int32, task: Int, in handle: RunHandle, now: Int64) -> Bool {
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
      if marks[task].contains(.pausedAndKept), schedules.states[Int32(task)] == nil {
        let (event, delivered) = (runs[slot]!.event, runs[slot]!.delivers)
        // What could not be delivered is kept again, unless a later one was missed since.
        if let event = event ?? (tasks[task].missedPayload == nil ? delivered : nil) {
          discard(tasks[task].keep(missed: (event, runs[slot]!.state.payload)))
        }
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
      other.externalDependents[only.node, default: SweptList()].append(
        (handle, node, .follows), where: { isActive($0.run) })
      return
    }
    if other.endedWell(only.node) { state.dispense(with: node) }
    state.end(node, .skippedAlreadyRan, now: now)
  }

  func name(of node: Int32, in handle: RunHandle) -> TaskName {
    runs[handle.slot]!.state.plan.name(node)
  }
}
