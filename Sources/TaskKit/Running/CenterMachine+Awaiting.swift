/// Who waits for the report of a run, and what it means for a body that does.
extension CenterMachine {
  /// Without a thread of the caller's: sees to it that workers come for a run that has just started.
  mutating func serve(_ handle: RunHandle, now: Int64) {
    if isLimited { fillSlots(now: now) } else { wakeWorkers(handle) }
    concludeIfDone(handle, now: now)
  }

  /// A body awaits a run, and lends its slot meanwhile.
  mutating func await(run id: UInt64, by frame: FrameIdentity, worker: Int, now: Int64) {
    awaiting.append((frame.run, frame.node, id))
    guard isLimited, isActive(RunHandle(slot: frame.slot, id: frame.run)),
      !runs[frame.slot]!.workers[worker].isLending, runs[frame.slot]!.state.status[Int(frame.node)] == .running
    else { return }
    runs[frame.slot]!.workers[worker].isLending = true
    used -= 1
    fillSlots(now: now)
  }

  mutating func endAwaiting(run id: UInt64, by frame: FrameIdentity) {
    if let index = awaiting.firstIndex(where: { $0.waiting == frame.run && $0.node == frame.node && $0.for == id }) {
      awaiting.remove(at: index)
    }
  }

  /// A body that lent its slot wants to go on.
  ///
  /// - Returns: whether it may at once; otherwise it is resumed when a slot is free, before anything new starts.
  mutating func reclaimSlot(
    _ frame: FrameIdentity, worker: Int, _ continuation: CheckedContinuation<Void, Never>
  ) -> Bool {
    guard isActive(RunHandle(slot: frame.slot, id: frame.run)), runs[frame.slot]!.workers[worker].isLending else {
      return true
    }
    runs[frame.slot]!.workers[worker].isLending = false
    // Timed out meanwhile: it no longer counts.
    guard runs[frame.slot]!.state.status[Int(frame.node)] == .running else { return true }
    guard used >= limit else {
      used += 1
      return true
    }
    reclaimers.append(continuation)
    return false
  }

  /// Claims the report of a run: at once if the run is over, else when it is.
  mutating func claimReport(of id: UInt64, _ continuation: CheckedContinuation<EventReport, Never>) -> FinishedRun? {
    guard let (finished, claims) = unclaimed[id] else {
      reportWaiters[id, default: []].append(continuation)
      return nil
    }
    unclaimed[id] = claims > 1 ? (finished, claims - 1) : nil
    return finished
  }

  /// One more will come for the report.
  mutating func addClaim(on id: UInt64) {
    if let (finished, claims) = unclaimed[id] {
      unclaimed[id] = (finished, claims + 1)
    } else if let handle = handle(ofRun: id) {
      runs[handle.slot]!.claims += 1
    } else {
      queued[id]?.claims += 1
    }
  }

  /// Nobody will come for the report any more.
  mutating func dropClaim(on id: UInt64) {
    if let (finished, claims) = unclaimed[id] {
      unclaimed[id] = claims > 1 ? (finished, claims - 1) : nil
    } else if let handle = handle(ofRun: id) {
      runs[handle.slot]!.claims -= 1
    } else {
      queued[id]?.claims -= 1
    }
  }

  /// Waits until every task of at least that effective priority has ended.
  ///
  /// - Returns: whether they have.
  mutating func awaitReady(
    run id: UInt64, priority: Int, _ continuation: CheckedContinuation<Void, Never>
  ) -> Bool {
    if queued[id] != nil {
      readyWaitersOfQueued[id, default: []].append((priority, continuation))
      return false
    }
    guard let handle = handle(ofRun: id), !runs[handle.slot]!.isConcluded else { return true }
    return awaitReady(handle, priority: priority, continuation)
  }

  /// A run that was queued has started: who waited for its urgent tasks waits on.
  mutating func transferReadyWaiters(to handle: RunHandle) {
    for (priority, continuation) in readyWaitersOfQueued.removeValue(forKey: handle.id) ?? [] {
      if awaitReady(handle, priority: priority, continuation) { effects.append(.resume(continuation)) }
    }
  }

  private mutating func awaitReady(
    _ handle: RunHandle, priority: Int, _ continuation: CheckedContinuation<Void, Never>
  ) -> Bool {
    let state = runs[handle.slot]!.state
    let bound = state.plan.effectivePriorities.firstIndex { $0 < priority } ?? state.plan.count
    let left = (0..<bound).count { !state.status[$0].hasEnded }
    guard left > 0 else { return true }
    runs[handle.slot]!.state.reportsEnds = true
    runs[handle.slot]!.readyWaiters.append(
      ReadyWaiter(bound: Int32(bound), left: left, continuation: continuation))
    return false
  }

  func progress(ofRun id: UInt64) -> EventProgress? {
    if let waiting = queued[id] { return EventProgress(ended: 0, total: events[waiting.event].members.count) }
    if let plan = unclaimed[id]?.finished.state.plan { return EventProgress(ended: plan.count, total: plan.count) }
    guard let handle = handle(ofRun: id) else { return nil }
    let state = runs[handle.slot]!.state
    return EventProgress(ended: state.plan.count - state.unended, total: state.plan.count)
  }
}
