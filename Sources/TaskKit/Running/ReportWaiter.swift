import Synchronization

/// Somebody who waits for the report of a run.
struct ReportWaiter {
  let continuation: CheckedContinuation<EventReport, Never>
  var early: EarlyWait?
}

/// A body that began to wait for a send before that had its turn: what has begun since may have closed a circle, so that the
/// turn of the send ends the wait.
struct EarlyWait: Sendable {
  let frame: FrameIdentity
  /// That of the body in the send, if it is the one that sends.
  var part: SendersPart?

  func refusal(of event: String, _ chain: String) -> EventReport.Status {
    part == nil ? .awaitingInCircle(event, chain) : .sendingInCircle(event, chain)
  }
}

/// The part of one sender in a send, which may stand for several: he leaves it once, refused or cancelled.
final class SendersPart: Sendable {
  private let isLeft = Atomic(false)

  /// - Returns: false if he has left it before.
  func leave() -> Bool { !isLeft.exchange(true, ordering: .relaxed) }
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
