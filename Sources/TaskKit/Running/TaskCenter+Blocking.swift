import Dispatch
import Foundation
import Synchronization

extension TaskCenter {
  /// Sends an event and blocks the calling thread until its tasks have ended: for callbacks that must not return
  /// before, such as the one before termination.
  ///
  /// The only blocking form, and the only one that may be called where nothing can be awaited. On the main thread,
  /// synchronous tasks of the main actor run inline; while asynchronous ones are awaited the main run loop goes on, so
  /// that those isolated to the main actor can too. From a task of this center use ``send(_:_:deadline:)``; here it
  /// would hold a thread.
  ///
  /// - Parameters:
  ///   - event: what happened.
  ///   - payload: what the tasks get to see.
  ///   - deadline: give one wherever a task could wait for something that this thread has to do.
  @available(*, noasync, message: "await send(_:_:deadline:) instead")
  @discardableResult
  public func sendAndWait<Payload: Sendable, Reply: Sendable>(
    _ event: LifecycleEvent<Payload, Reply>, _ payload: Payload, deadline: Duration? = nil
  ) -> EventReport {
    let sender = WorkerBox.blockingFrame(in: self)
    let isMain = MainThread.isCurrent
    if sender == nil, deadline == nil,
      let walk = startWalk(event.description, payload, by: isMain ? .mainCaller : .caller)
    {
      let id = walk.id
      return followInline(walk, payload: payload) ?? wait(forReportOf: id, sender: nil, isMain: isMain)
    }
    let (admission, worker) = admit(
      event.description, payload, deadline: deadline, sender: sender, flavor: isMain ? .mainCaller : .caller)
    let id: UInt64
    switch admission {
    case .answered(let status): return EventReport(event: event.name, status: status)
    case .queued(let queued): id = queued
    case .started(let handle, let plan):
      if let finished = workInline(handle, plan: plan, worker: worker) {
        let report = conclusion(of: finished)
        guard let sender else { return report }
        // A body that sends in the blocking way: it waits for a slot in the same way.
        let box = ReportBox()
        // Ended when the body has its slot again.
        _Concurrency.Task {
          await endAwaiting(.run(handle.id), sender)
          box.fill(report)
        }
        return isMain ? box.waitOnMain() : box.wait()
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

  private func wait(
    forReportOf id: UInt64, sender: (identity: FrameIdentity, worker: Int)?, isMain: Bool
  ) -> EventReport {
    let box = ReportBox()
    // Ended by the report of the run.
    _Concurrency.Task { box.fill(await report(of: id, sender: sender)) }
    return isMain ? box.waitOnMain() : box.wait()
  }
}

/// Carries a report to a thread that waits for it.
private final class ReportBox: Sendable {
  private let isFilled = DispatchSemaphore(value: 0)
  private let report = Mutex<EventReport?>(nil)

  func fill(_ report: EventReport) {
    self.report.withLock { $0 = report }
    isFilled.signal()
    // Ends the turn of a main run loop that is waiting below.
    RunLoop.main.perform {}
    #if canImport(Darwin)
    CFRunLoopWakeUp(CFRunLoopGetMain())
    #endif
  }

  func wait() -> EventReport {
    while true {
      if let report = report.withLock({ $0 }) { return report }
      isFilled.wait()
    }
  }

  func waitOnMain() -> EventReport {
    while true {
      if let report = report.withLock({ $0 }) { return report }
      _ = RunLoop.main.run(mode: .default, before: .distantFuture)
    }
  }
}
