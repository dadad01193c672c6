import Synchronization

/// One occurrence of an event that was begun and not waited for.
///
/// Letting go of it changes nothing: the occurrence goes on.
public final class EventRun: Sendable {
  private let center: TaskCenter
  private let id: UInt64
  private let finished: Mutex<EventReport?>
  private let isCancelled = Atomic(false)

  /// The event's name.
  public let event: String

  /// Whether an earlier send of the event was still going, so that nothing ran inline.
  public let isQueued: Bool

  init(center: TaskCenter, id: UInt64, event: String, isQueued: Bool = false, report: EventReport? = nil) {
    self.center = center
    self.id = id
    self.event = event
    self.isQueued = isQueued
    finished = Mutex(report)
  }

  deinit {
    if finished.withLock({ $0 == nil }) { center.receive { $0.dropClaim(on: id) } }
  }

  /// Keeps the report. Whoever calls has taken it from the center.
  func finish(_ report: EventReport) {
    finished.withLock { $0 = report }
  }

  /// The report, if it has come by now: for callbacks that have to answer before they return.
  var finishedReport: EventReport? { finished.withLock { $0 } }

  /// The report, when every task has ended. May be awaited any number of times.
  ///
  /// That the waiting task is cancelled does not end the wait: ``cancel()`` does.
  ///
  /// A task that awaits it lends its slot. Inside a task for which the occurrence waits, it is a refusal that says by
  /// which chain; the occurrence goes on.
  public var report: EventReport {
    get async {
      if let report = finished.withLock({ $0 }) { return report }
      let caller = WorkerBox.caller(in: center)
      if let chain = center.beginWait(for: .run(id), by: caller) {
        return EventReport(event: event, status: .awaitingInCircle(event, chain))
      }
      guard center.receive({ $0.addClaim(on: id) }) else {
        // Since the look at it above somebody else has taken it, who writes it down here before the center forgets it.
        await center.endAwaiting(.run(id), by: caller)
        return finished.withLock { $0! }
      }
      let early = isQueued ? caller.map { EarlyWait(frame: $0.frame) } : nil
      let report = await center.report(of: id, sender: caller, early: early)
      // A refusal is for this caller alone, whose claim has gone with it.
      if case .refused = report.status { return report }
      let isFirst = finished.withLock { finished in
        defer { finished = report }
        return finished == nil
      }
      if isFirst { center.receive { $0.dropClaim(on: id) } }
      return report
    }
  }

  /// The report, at a time at the latest: for who cannot wait longer although the deadline of a send counts from its turn.
  /// What has not ended by then ends as at that deadline, whether it has had its turn or not.
  ///
  /// - Parameter due: when the deadline that it was begun with passes where it has its turn at once.
  func report(by due: Int64) async -> EventReport {
    guard isQueued else { return await report }
    let patience = center.patience(withRun: id, until: due)
    defer { patience.cancel() }
    return await report
  }

  /// How many tasks have ended.
  public var progress: EventProgress {
    if let report = finished.withLock({ $0 }) {
      return EventProgress(ended: report.taskCount, total: report.taskCount)
    }
    return center.receive { $0.progress(ofRun: id) } ?? EventProgress(ended: 0, total: 0)
  }

  /// The tasks that have not ended, in the law's order: what ``TaskCenter/begin(_:_:deadline:)`` has left to follow later.
  ///
  /// - Complexity: linear in the tasks of the occurrence.
  public var unended: [TaskName] {
    if finished.withLock({ $0 != nil }) { return [] }
    return center.receive { $0.unended(ofRun: id) }
  }

  /// Returns when every task whose effective priority is at least that has ended, however it ended.
  ///
  /// A loading screen waits for `.critical` and leaves the rest to go on behind the first real one. A task that awaits it
  /// lends its slot. Inside a task for which one of those waits, and inside one of them, it returns at once: it never
  /// would. That the waiting task is cancelled does not end the wait.
  public func ready(_ priority: Priority) async {
    if finished.withLock({ $0 != nil }) { return }
    let caller = WorkerBox.caller(in: center)
    let urgent = Waited.urgent(id, priority: priority.rawValue)
    guard center.beginWait(for: urgent, by: caller) == nil else { return }
    await center.waiting(for: urgent, by: caller) {
      await withCheckedContinuation { continuation in
        let frame = isQueued ? caller?.frame : nil
        let isReady = center.receive { $0.awaitReady(run: id, priority: priority.rawValue, by: frame, continuation) }
        if isReady { continuation.resume() }
      }
    }
  }

  /// Cancels what runs and keeps what has not started from starting.
  ///
  /// An occurrence that stands for several coalesced sends goes on until each of them is cancelled.
  public func cancel() {
    guard !isCancelled.exchange(true, ordering: .relaxed) else { return }
    center.cancel(run: id)
  }
}
