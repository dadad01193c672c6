/// Somebody who waits for the report of a run.
struct ReportWaiter {
  let continuation: CheckedContinuation<EventReport, Never>
  var early: EarlyWait?
}

/// A body that began to wait for a send before that had its turn: what has begun since may have closed a circle, so that the
/// turn of the send ends the wait.
struct EarlyWait: Sendable {
  let frame: FrameIdentity
  /// Whether it is the body that sends.
  let isSender: Bool

  func refusal(of event: String, _ chain: String) -> EventReport.Status {
    isSender ? .sendingInCircle(event, chain) : .awaitingInCircle(event, chain)
  }
}

extension EventReport.Status {
  static func sendingInCircle(_ event: String, _ chain: String) -> EventReport.Status {
    .refused(
      "sending '\(event)' here would wait for itself: \(chain), which sends it; use begin(_:_:), which does not wait")
  }

  static func awaitingInCircle(_ event: String, _ chain: String) -> EventReport.Status {
    .refused(
      "awaiting the report of '\(event)' here would wait for itself: \(chain), which awaits it; await it after this task "
        + "has ended")
  }
}
