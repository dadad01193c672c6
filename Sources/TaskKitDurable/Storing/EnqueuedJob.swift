/// What has become of a new job.
public struct EnqueuedJob: Hashable, Sendable {
  /// Whether it was written down.
  public enum Outcome: Hashable, Sendable {
    /// It is there, and nothing else has changed.
    case added
    /// An unfinished one has its key, or its occurrence was taken; the id is that one's. Of an occurrence before the latest
    /// thousand of its schedule it may be that of a later one. Where all occurrences of the schedule are used up, see
    /// ``NewJob/occurrenceLimit``, it is that of the latest.
    case kept
    /// In the place of those, which are kept as finished ones are: at once gone, unless their kind says otherwise.
    case replaced([JobID])
  }

  /// That of the job that is there now: the new one, or the one that was kept.
  public var id: JobID
  /// What has become of it.
  public var outcome: Outcome
  /// Attempts that were cancelled for it.
  public var cancelled: [AttemptToken]

  public init(id: JobID, outcome: Outcome, cancelled: [AttemptToken] = []) {
    self.id = id
    self.outcome = outcome
    self.cancelled = cancelled
  }
}
