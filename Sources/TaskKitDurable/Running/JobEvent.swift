public import Foundation

/// Something that happened to the jobs of a center.
public struct JobEvent: Sendable {
  /// What it was.
  public enum Kind: Sendable {
    /// A job was written down by this process, and not in a transaction of the program.
    case enqueued(JobID, kind: String)
    /// An attempt begins, counted from 1.
    case started(JobID, kind: String, attempt: Int)
    /// The body has returned, and that is written down.
    case succeeded(JobID, kind: String, attempt: Int)
    /// The deadline of an attempt has passed: it was cancelled, and its worker is free for another job. How it ends is told
    /// when its body has returned.
    case overdue(JobID, kind: String, attempt: Int)
    /// It is tried again after that time; the text is the error.
    case failed(JobID, kind: String, attempt: Int, String, retryAfter: Duration)
    /// It was its last attempt; the text is the error.
    case gaveUp(JobID, kind: String, attempt: Int, String)
    /// Stopped, or a constraint was lost: no attempt was used.
    case interrupted(JobID, kind: String, attempt: Int)
    /// It asked for another time: no attempt was used.
    case snoozed(JobID, kind: String, NewJob.Start)
    /// Its attempt has led to a hold: no attempt was used.
    case held(JobID, kind: String, HoldReason)
    /// Its attempt has ended it for good.
    case cancelled(JobID, kind: String)
    /// A cancelled, deleted or replaced job has returned; what it came to counts for nothing.
    case discarded(JobID, kind: String, attempt: Int)
    /// An attempt that no longer held its job has ended; what it came to counts for nothing.
    case refused(JobID, kind: String, attempt: Int)
    /// The process that ran it has died.
    case rescued(RescuedJob)
    /// This process has changed jobs from outside of their attempts, so many of those that the selection means: somebody
    /// asked for it, the constraints hold until which they were held, or it can read what another one could not. What
    /// follows for others, the children of a cancelled job for one, is not counted.
    case changed(JobSelection, JobChange, count: Int)
    /// Unfinished jobs of a kind that is not registered in this build: they wait (Z10).
    case orphaned(kind: String, count: Int)
    /// Slots of a kind's schedule that passed unused: the program did not run, or the kind was paused.
    case slotsMissed(kind: String, count: Int, latest: Date)
    /// The schedule of a kind can never fire, or its jobs cannot be made; the text says why.
    case scheduleFailed(kind: String, String)
    /// The system did not take the wish for time in the background, or a store could not say whether it needs any; the text is
    /// the error.
    case backgroundTimeRefused(String)
    /// A constraint holds, no longer holds, or nobody knows any more.
    case constraint(Constraint, ConstraintState)
    /// The store could not be used; the text is the error. What ended is kept until it can be written down. It is tried
    /// again after half of that time at the earliest: the rest is left to chance, so that all who share it do not come back
    /// together.
    case storeFailed(String, retryAfter: Duration)
    /// A store that had failed does again what it is asked for.
    case storeRecovered
    /// The last try of a shutdown failed: so many ends of attempts were not written down, and their jobs run again. The text
    /// is the error.
    case endsLost(Int, String)
    /// This observer was too slow: that many were dropped at this place.
    case lost(Int)
  }

  /// What happened.
  public let kind: Kind
  /// The name of the store in the center; nil for what concerns all of them.
  public let store: String?
}

extension JobEvent.Kind {
  init(_ end: JobMachine.PendingEnd) {
    let (id, kind, attempt) = (end.key.job, end.kind, end.attempt)
    self =
      switch end.end {
      case .succeeded: .succeeded(id, kind: kind, attempt: attempt)
      case .failed(_, let text, let delay): .failed(id, kind: kind, attempt: attempt, text, retryAfter: delay)
      case .gaveUp(_, let text): .gaveUp(id, kind: kind, attempt: attempt, text)
      case .interrupted: .interrupted(id, kind: kind, attempt: attempt)
      case .snoozed(let start): .snoozed(id, kind: kind, start)
      case .held(let reason): .held(id, kind: kind, reason)
      case .cancelled: .cancelled(id, kind: kind)
      }
  }
}
