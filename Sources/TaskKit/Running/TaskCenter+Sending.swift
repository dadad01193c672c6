import Foundation
import Synchronization

extension TaskCenter {
  /// Sends an event and returns when its tasks have ended.
  ///
  /// Synchronous tasks that belong to no actor may run on the caller's thread, never on the main one. If the calling
  /// task is cancelled, running tasks are cancelled with it and those that have not started never do; the report
  /// comes when they have returned.
  ///
  /// From inside a task, a send that would wait for itself, directly or through other tasks of this center, returns at
  /// once, and its status says by which chain; one that waits behind an earlier send of its event returns so when its turn
  /// comes, where only what has begun since makes it wait for itself. A task that awaits a send does not count against the
  /// limit of its center meanwhile. A `Task` that a synchronous task starts is not inside that one, which cannot await it.
  /// One that an asynchronous task leaves behind without awaiting it is taken for whatever asynchronous task runs on the same
  /// worker: for sends that nobody waits for there is ``begin(_:_:deadline:)``.
  ///
  /// Whoever makes place for an asynchronous task starts it: which task-local values and which priority of the system it
  /// begins with is not promised.
  ///
  /// - Parameters:
  ///   - event: what happened.
  ///   - payload: what the tasks get to see; it belongs to this occurrence alone.
  ///   - deadline: how long the whole occurrence may take once it has its turn. When it passes, running tasks are
  ///     cancelled and count as timed out, the rest is skipped, and the report comes at once.
  /// - Returns: every task of the event with its outcome. Nothing is thrown: what went wrong is in the report.
  @concurrent
  @discardableResult
  public func send<Payload: Sendable, Reply: Sendable>(
    _ event: LifecycleEvent<Payload, Reply>, _ payload: Payload, deadline: Duration? = nil
  ) async -> EventReport {
    let outer = WorkerBox.current
    let sender = outer?.caller(in: self)
    let walk = startWalk(event.description, payload, deadline: deadline, outer: outer, sender: sender)
    guard let walk, !walk.route.allForms.contains(.asynchronous) else {
      return await send(event.description, payload, deadline: deadline, sender: sender, walk)
    }
    let detour = await withTaskCancellationHandler {
      WorkerBox.apart(from: outer) { followInline(walk, payload: payload) }
    } onCancel: {
      cancel(run: walk.id)
    }
    return if let detour { await report(of: walk, after: detour) } else { walk.report }
  }

  /// Sends an event without a payload. See ``send(_:_:deadline:)``.
  @concurrent
  @discardableResult
  public func send<Reply: Sendable>(_ event: LifecycleEvent<Void, Reply>, deadline: Duration? = nil) async
    -> EventReport
  {
    // Step by step as above: to forward would be one more asynchronous call around every walk.
    let outer = WorkerBox.current
    let sender = outer?.caller(in: self)
    let walk = startWalk(event.description, (), deadline: deadline, outer: outer, sender: sender)
    guard let walk, !walk.route.allForms.contains(.asynchronous) else {
      return await send(event.description, (), deadline: deadline, sender: sender, walk)
    }
    let detour = await withTaskCancellationHandler {
      WorkerBox.apart(from: outer) { followInline(walk, payload: ()) }
    } onCancel: {
      cancel(run: walk.id)
    }
    return if let detour { await report(of: walk, after: detour) } else { walk.report }
  }

  /// Where the synchronous bodies are not all that there is to do.
  private func send(
    _ event: EventDescription, _ payload: any Sendable, deadline: Duration?,
    sender: Caller?, _ walk: Walk?
  ) async -> EventReport {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), let walk {
      return await followBeside(walk, payload: payload)
    }
    let (admission, worker) = admit(event, payload, deadline: deadline, sender: sender, flavor: .caller)
    switch admission {
    case .answered(let status): return EventReport(event: event.name, status: status)
    case .started(let handle, let plan):
      return await withTaskCancellationHandler {
        // A body that runs here may block for somebody who asks who waits for him.
        await waiting(for: .run(handle.id), by: sender) {
          let finished = WorkerBox.apart(from: WorkerBox.current) { workInline(handle, plan: plan, worker: worker) }
          return if let finished { conclusion(of: finished) } else { await claimedReport(of: handle.id) }
        }
      } onCancel: {
        cancel(run: handle.id)
      }
    case .queued(let id):
      let early = sender.map { EarlyWait(frame: $0.frame, part: SendersPart()) }
      return await withTaskCancellationHandler {
        await report(of: id, sender: sender, early: early)
      } onCancel: {
        // Whoever was refused has left it with that.
        if early?.part?.leave() ?? true { cancel(run: id) }
      }
    }
  }

  /// Sends an event and returns at once.
  ///
  /// On the main actor it first starts what is asynchronous and ready, then runs inline, in the law's order, each
  /// synchronous task whose dependencies have ended, and returns: the form for delegate callbacks. What waits for an
  /// asynchronous task follows later, and so does what waits for its lane, or for a slot where the center has a
  /// ``TaskCenter/Configuration/maximumConcurrency`` that others use up. If an earlier send of the event is still going,
  /// nothing runs inline, and ``EventRun/isQueued`` is true.
  ///
  /// A synchronous task of no actor that has a time limit, its own or its lane's, counts as asynchronous: it has a thread of
  /// its own, so that it holds nobody up after that.
  @discardableResult
  public func begin<Payload: Sendable, Reply: Sendable>(
    _ event: LifecycleEvent<Payload, Reply>, _ payload: Payload, deadline: Duration? = nil
  ) -> EventRun {
    let isMain = MainThread.isCurrent
    let outer = isMain ? WorkerBox.current : nil
    // A walk does not say who waits for what it runs.
    if isMain, deadline == nil, !WorkerBox.isInNoBody(outer),
      let walk = startWalk(event.description, payload, by: .mainCaller)
    {
      let run = EventRun(center: self, id: walk.id, event: event.name)
      let detour = WorkerBox.apart(from: outer) { followInline(walk, payload: payload) }
      if let detour { detour.finished.map { run.finish(conclusion(of: $0)) } } else { run.finish(walk.report) }
      return run
    }
    let (admission, worker) = admit(
      event.description, payload, deadline: deadline, sender: nil, flavor: isMain ? .mainCaller : .background)
    switch admission {
    case .answered(let status):
      return EventRun(center: self, id: 0, event: event.name, report: EventReport(event: event.name, status: status))
    case .queued(let id): return EventRun(center: self, id: id, event: event.name, isQueued: true)
    case .started(let handle, let plan):
      let run = EventRun(center: self, id: handle.id, event: event.name)
      guard isMain else { return run }
      if let finished = workBefore(handle, plan: plan, worker: worker) { run.finish(conclusion(of: finished)) }
      return run
    }
  }

  /// Sends an event without a payload and returns at once. See ``begin(_:_:deadline:)``.
  @discardableResult
  public func begin<Reply: Sendable>(_ event: LifecycleEvent<Void, Reply>, deadline: Duration? = nil) -> EventRun {
    begin(event, (), deadline: deadline)
  }

  /// Runs on the calling thread what is ready, for somebody who does not wait for the rest. A job that calls waits for each of
  /// these bodies, and so do a body and an initialiser: they may block for somebody who asks who waits for him.
  private func workBefore(_ handle: RunHandle, plan: EventPlan, worker: Int) -> FinishedRun? {
    let waited = Waited.worker(handle, worker)
    let wait = beginCompanionWait(for: waited)
    let body = WorkerBox.heldCaller(in: self)?.frame
    if let body { receive { $0.note(waited, awaitedBy: body) } }
    defer {
      if let body { receive { $0.endAwaiting(waited, by: body) } }
      endCompanionWait(wait)
    }
    return WorkerBox.apart(from: WorkerBox.current) { workInline(handle, plan: plan, worker: worker) }
  }

  // MARK: - Steps of a send

  /// Lets the state machine decide about a send.
  ///
  /// - Parameter task: whose sequence has brought it, if one has. It may have gone meanwhile, and the name of the event be that
  ///   of another sequence.
  /// - Returns: the decision, and the caller's number among the workers of the run.
  func admit(
    _ event: EventDescription, _ payload: any Sendable, deadline: Duration?,
    sender: Caller?, flavor: WorkerFlavor, for task: TaskList.Entry? = nil
  ) -> (Admission, Int) {
    if deadline != nil || event.burst.quietTime != nil { needsTime.store(true, ordering: .relaxed) }
    let now = readsClock ? self.now : 0
    return receive(at: now) { machine, now in
      if let task, !task.isPresent(in: machine.tasks) {
        return (.answered(.refused("the task of '\(event.name)' has gone")), -1)
      }
      let admission = machine.admit(
        event, payload: payload, deadline: deadline?.nanoseconds, sender: sender?.frame, now: now)
      switch admission {
      case .answered: return (admission, -1)
      case .queued(let id):
        if let sender { machine.await(.run(id), by: sender, now: now) }
        return (admission, -1)
      case .started(let handle, _):
        if let sender { machine.await(.run(handle.id), by: sender, now: now) }
        // Where none of its bodies was to run, the slot that the sender lent was all that it took to end it.
        guard machine.isActive(handle) else { return (.queued(handle.id), -1) }
        if flavor == .background {
          machine.serve(handle, now: now)
          return (admission, -1)
        }
        return (admission, machine.addWorker(flavor, to: handle))
      }
    }
  }

  /// Waits for the report of a run that others bring to its end.
  ///
  /// - Parameter early: that the sender is a body that began to wait before the turn of the run: it may be refused.
  func report(of id: UInt64, sender: Caller?, early: EarlyWait? = nil) async -> EventReport {
    await waiting(for: .run(id), by: sender) { await claimedReport(of: id, early: early) }
  }

  private func claimedReport(of id: UInt64, early: EarlyWait? = nil) async -> EventReport {
    await withCheckedContinuation { continuation in
      let waiter = ReportWaiter(continuation: continuation, early: early)
      let finished =
        early == nil
        ? receive { $0.claimReport(of: id, waiter) }
        : receive(at: readsClock ? now : 0) { $0.claimReport(of: id, waiter, now: $1) }
      if let finished { continuation.resume(returning: conclusion(of: finished)) }
    }
  }

  /// Ends a run at a time as at its own deadline, whether it has had its turn or not: for who cannot wait longer although the
  /// deadline of a send counts from its turn. Whoever has the report by then cancels it.
  ///
  /// - Parameter leave: called instead where the run has not had its turn and stands for sends of others, too.
  func patience(
    withRun id: UInt64, until due: Int64, orLeave leave: (@Sendable () -> Void)? = nil
  ) -> _Concurrency.Task<Void, Never> {
    // Ended by the clock, or by the report.
    _Concurrency.Task {
      guard (try? await time.continuous.sleep(due)) != nil else { return }
      let leaves = receive(at: now) { machine, now in
        if leave != nil, machine.leave(merged: id) { return true }
        machine.endAtDeadline(run: id, now: now)
        return false
      }
      if leaves { leave?() }
    }
  }

  func conclusion(of finished: FinishedRun) -> EventReport {
    let report = EventReport(finished)
    for waiter in finished.readyWaiters { waiter.resume() }
    for waiter in finished.waiters { waiter.resume(returning: report) }
    return report
  }

  /// Whoever has sent something does not want it any more.
  func cancel(run id: UInt64) {
    let now = readsClock ? self.now : 0
    receive(at: now) { $0.cancel(run: id, bySender: true, now: $1) }
  }
}
