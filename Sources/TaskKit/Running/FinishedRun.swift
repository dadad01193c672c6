/// A run that has ended, on its way to become a report.
struct FinishedRun {
  let state: RunState
  /// Tasks that have ended while their body still runs.
  let overdue: Set<Int32>
  let status: EventReport.Status
  let ended: Int64
  var waiters: [CheckedContinuation<EventReport, Never>]
  var readyWaiters: [CheckedContinuation<Void, Never>]

  /// The same for somebody who comes later: those who waited are resumed by whoever saw the end, and only by them.
  var withoutWaiters: FinishedRun {
    var copy = self
    copy.waiters = []
    copy.readyWaiters = []
    return copy
  }
}
