import Synchronization

extension TaskCenter {
  /// Sends an event and blocks the calling thread until its tasks have ended: for callbacks that must not return
  /// before, such as the one before termination.
  ///
  /// The only blocking form, and the only one that may be called where nothing can be awaited. On the main actor its
  /// synchronous tasks run on the calling thread, at once or while that waits, and on the main thread the run loop goes on
  /// while that waits, so that asynchronous tasks of the main actor can too. They cannot where the call itself comes out of
  /// the main actor's queue, from a `Task` of the main actor or a block of the main queue: that goes on when the call has
  /// returned, and they wait for the deadline. What a ``Completion`` calls on the main actor is called in either case. From a
  /// task of this center use ``send(_:_:deadline:)``; here it would hold a thread.
  ///
  /// Behind an earlier send of the event it waits for its turn, and the deadline counts from the call all the same: what the
  /// earlier one needs may be this thread. What has not had its turn by then never has it, unless by the event's burst policy
  /// it stands for sends of others, too: then those go on without this call.
  ///
  /// Those of no actor that have no time limit, of their own or of their lane, run there as well, as in
  /// ``begin(_:_:deadline:)``: a slow one holds up the run loop, and the call does not return before it has, whatever its
  /// deadline says. Give it a `timeout:`, and it runs on another thread.
  ///
  /// - Parameters:
  ///   - event: what happened.
  ///   - payload: what the tasks get to see.
  ///   - deadline: how long the call may take; give one wherever a task could wait for something that this thread has to do.
  @available(*, noasync, message: "await send(_:_:deadline:) instead")
  @discardableResult
  public func sendAndWait<Payload: Sendable, Reply: Sendable>(
    _ event: LifecycleEvent<Payload, Reply>, _ payload: Payload, deadline: Duration? = nil
  ) -> EventReport {
    let sender = WorkerBox.blockingCaller(in: self)
    let isMain = MainThread.isCurrent
    // A walk does not say who awaits it.
    if sender == nil, deadline == nil, WorkerBox.current?.isOfCompanion != true,
      let walk = startWalk(event.description, payload, by: isMain ? .mainCaller : .caller)
    {
      let id = walk.id
      let detour = WorkerBox.apart(from: WorkerBox.current) { followInline(walk, payload: payload) }
      guard let detour else { return walk.report }
      return detour.finished.map(conclusion) ?? wait(forReportOf: id, sender: nil, isMain: isMain)
    }
    let due = deadline.map { now.later(by: $0.nanoseconds) }
    let (admission, worker) = admit(
      event.description, payload, deadline: deadline, sender: sender, flavor: isMain ? .mainCaller : .caller)
    let id: UInt64
    switch admission {
    case .answered(let status): return EventReport(event: event.name, status: status)
    case .queued(let queued):
      let late = EventReport(event: event.name, status: .deadlineExceeded)
      let early = sender.map { EarlyWait(frame: $0.frame, part: SendersPart()) }
      return wait(forReportOf: queued, sender: sender, early, isMain: isMain, until: due, otherwise: late)
    case .started(let handle, let plan):
      let wait = beginCompanionWait(for: .run(handle.id))
      defer { endCompanionWait(wait) }
      let finished = WorkerBox.apart(from: WorkerBox.current) { workInline(handle, plan: plan, worker: worker) }
      if let finished {
        let report = conclusion(of: finished)
        guard let sender else { return report }
        // A body that sends in the blocking way: it waits for a slot in the same way.
        let box = ReportBox<EventReport>()
        // Ended when the body has its slot again.
        _Concurrency.Task {
          await endAwaiting(.run(handle.id), by: sender)
          box.fill(report)
        }
        return box.wait(isMain: isMain)
      }
      id = handle.id
    }
    return wait(forReportOf: id, sender: sender, isMain: isMain)
  }

  /// Sends an event without a payload and blocks until its tasks have ended. See ``sendAndWait(_:_:deadline:)``.
  @available(*, noasync, message: "await send(_:deadline:) instead")
  @discardableResult
  public func sendAndWait<Reply: Sendable>(_ event: LifecycleEvent<Void, Reply>, deadline: Duration? = nil)
    -> EventReport
  {
    sendAndWait(event, (), deadline: deadline)
  }

  /// Shuts the center down and blocks the calling thread until that is done, as ``sendAndWait(_:_:deadline:)`` does until
  /// its tasks have ended: for an adapter's callback before the end of the process. See ``terminate(deadline:)``.
  ///
  /// - Returns: nil at the deadline, where a shutdown that has begun before may take longer, and soon after it where bodies
  ///   that block hold every thread on which a shutdown could go on.
  @available(*, noasync, message: "await terminate(deadline:) instead")
  @discardableResult
  func terminateAndWait(deadline: Duration) -> ShutdownReport? {
    let box = ReportBox<ShutdownReport?>()
    // This thread sees by itself that time is over: there may be no other one to tell it. Not at once at the deadline: the
    // shutdown ends by itself then, and what it does last is to be waited for. Times of other clocks mean nothing to it.
    let most = deadline.nanoseconds.later(by: max(deadline.nanoseconds / 8, 100_000_000))
    let limit = time.continuous.isMachineClock ? now.later(by: most) : .max
    // Ended by the shutdown, or by the deadline.
    _Concurrency.Task { box.fill(await terminate(within: deadline)) }
    return box.wait(isMain: MainThread.isCurrent, until: limit, otherwise: .some(nil))
  }

  /// - Parameters:
  ///   - early: that the sender is a body, and the run has not had its turn.
  ///   - late: the report at the time where the run goes on for others. A body that sends in the blocking way waits for them:
  ///     it has lent its slot.
  private func wait(
    forReportOf id: UInt64, sender: Caller?, _ early: EarlyWait? = nil, isMain: Bool, until due: Int64? = nil,
    otherwise late: EventReport? = nil
  ) -> EventReport {
    let box = ReportBox<EventReport>()
    let leave = late.flatMap { late in sender == nil ? { @Sendable in box.fill(late) } : nil }
    let patience = due.map { self.patience(withRun: id, until: $0, orLeave: leave) }
    defer { patience?.cancel() }
    // Ended by the report of the run.
    _Concurrency.Task { box.fill(await report(of: id, sender: sender, early: early)) }
    return box.wait(isMain: isMain)
  }
}

/// Carries a report to the thread that makes it and waits for it.
private final class ReportBox<Report: Sendable>: Sendable {
  private let sleeper = ThreadSleeper()
  private let report = Mutex<Report?>(nil)

  func fill(_ report: Report) {
    self.report.withLock { $0 = report }
    sleeper.wake()
  }

  /// - Parameters:
  ///   - limit: when it is waited for no longer, on the machine's continuous clock.
  ///   - late: what to return then.
  func wait(isMain: Bool, until limit: Int64 = .max, otherwise late: Report? = nil) -> Report {
    func answer() -> Report? {
      if let report = report.withLock({ $0 }) { return report }
      return limit < .max && MachineClock.now() >= limit ? late : nil
    }
    if isMain { return MainActorWork.wait(sleeper, until: limit, for: answer) }
    while true {
      if let answer = answer() { return answer }
      sleeper.sleep(until: limit)
    }
  }
}
