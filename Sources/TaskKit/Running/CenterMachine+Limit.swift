/// What there is to decide where bodies are limited.
extension CenterMachine {
  /// With a limit on bodies, the choice is among all runs of the center, and a node that goes to another worker is
  /// chosen for it here and now, so that the order of starts is the law's.
  mutating func nextWithinLimit(_ handle: RunHandle, worker: Int, previous: Int32, now: Int64) -> Step {
    var mine: Int32?
    let run = runs[handle.slot]!
    let flavor = run.workers[worker].flavor
    let isFree = !run.workers[worker].isSpent && !(flavor == .caller && run.refusesCallersThread)
    while used < limit, let (best, node) = mostUrgent(for: handle, worker, hasChosen: mine != nil) {
      guard admit(node, of: runs[best.slot]!.state, in: best, now: now) else {
        // It was skipped, and may have been the last of a run that no worker looks after.
        if best != handle { concludeIfDone(best, now: now) }
        continue
      }
      let form = runs[best.slot]!.state.plan.forms[Int(node)]
      if mine == nil, best == handle, isFree, flavor.accepts(form) {
        choose(node, for: worker, of: run, in: handle, freedBy: previous, now: now)
        mine = node
        // Another worker for bodies that are over before it has woken would only be in the way.
        // Not where this one may suspend until another has run, and other runs are not to wait for that.
        if isTiny(run), form != .asynchronous, run.state.readyAsynchronous.isEmpty, readyRuns.isAlone(handle) { break }
        continue
      }
      assign(node, of: best, freedBy: best == handle ? previous : -1, now: now)
    }
    if let mine { return .run(mine) }
    return leave(handle, worker: worker, now: now)
  }

  /// The task that the law puts first among all that could start in any run; among equals that of the run that began first.
  ///
  /// While the main actor serves a run inside `begin`, the synchronous bodies of that run are its own: where it has one,
  /// the next ones wait for it, also where slots are free.
  ///
  /// - Parameter hasChosen: whether the worker has its node, so that everything else is for others.
  private mutating func mostUrgent(for handle: RunHandle, _ worker: Int, hasChosen: Bool) -> (RunHandle, Int32)? {
    let run = runs[handle.slot]!
    // Mostly there is no other.
    if goingCount == 1, !run.isConcluded, !run.hasMainCaller { return run.state.firstReady.map { (handle, $0) } }
    guard !hasChosen, run.workers[worker].flavor == .mainCaller, let own = run.state.firstReady else {
      return mostUrgent()
    }
    guard let (best, node) = mostUrgent() else { return (handle, own) }
    return entry(of: node, in: best).comes(before: entry(of: own, in: handle)) ? (best, node) : (handle, own)
  }

  private func entry(of node: Int32, in handle: RunHandle) -> ReadyRuns.Entry {
    let state = runs[handle.slot]!.state
    return ReadyRuns.Entry(run: handle, turn: state.turn, urgency: state.urgency(of: node))
  }

  /// The same for somebody who serves no run yet.
  private mutating func mostUrgent() -> (RunHandle, Int32)? {
    while let first = readyRuns.first {
      let run = runs[first.run.slot]!
      let ready =
        run.hasMainCaller
        ? run.state.firstReady(synchronous: false, main: false, asynchronous: true) : run.state.firstReady
      guard let node = ready else {
        readyRuns.remove(first.run)
        continue
      }
      let urgency = run.state.urgency(of: node)
      if urgency == first.urgency { return (first.run, node) }
      readyRuns.lowerFirst(to: urgency)
    }
    return nil
  }

  /// Does what an input has left to its end.
  mutating func giveOutSlots() {
    while let now = slotsAreDue {
      slotsAreDue = nil
      fillSlots(now: now)
    }
  }

  /// Gives out slots that became free without a worker asking for one.
  mutating func fillSlots(now: Int64) {
    defer { slotLeftBy = nil }
    while used < limit, let (best, node) = mostUrgent() {
      guard admit(node, of: runs[best.slot]!.state, in: best, now: now) else {
        concludeIfDone(best, now: now)
        continue
      }
      assign(node, of: best, freedBy: slotLeftBy?.run == best ? slotLeftBy!.node : -1, now: now)
    }
  }

  /// Starts a node with a worker of its own.
  private mutating func assign(_ node: Int32, of best: RunHandle, freedBy previous: Int32, now: Int64) {
    let state = runs[best.slot]!.state
    state.start(node, freedBy: previous, now: now)
    used += 1
    didChoose(node, of: state, in: best)
    startWorker(state.plan.forms[Int(node)] == .main ? .main : .background, for: best, node: node)
  }
}
