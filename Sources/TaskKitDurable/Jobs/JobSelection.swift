/// Which jobs are meant: those to which everything applies that is not nil.
///
/// The name of a queue, or a key, that has letters and their accents apart is refused, with ``DurableError``, as it is where jobs
/// are enqueued: no job has it. So is a kind, queue, key or tag with the character NUL. A store that is asked directly says of
/// such a one that no job has it.
public struct JobSelection: Hashable, Sendable {
  /// Only these jobs.
  public var ids: [JobID]?
  /// Only jobs of one of these kinds.
  public var kinds: [String]?
  /// Only jobs in one of these queues.
  public var queues: [String]?
  /// Only jobs with one of these keys, which begin with the kind: see ``UniqueRule``.
  public var uniqueKeys: [String]?
  /// Only jobs that have at least one of these; texts that are equal are one tag, however their accents are written.
  public var tags: [String]?
  /// Only jobs that are in one of these now.
  public var states: Set<JobState>?
  /// Only held ones, for one of these.
  public var heldFor: Set<HoldCause>?

  public init(
    ids: [JobID]? = nil, kinds: [String]? = nil, queues: [String]? = nil, uniqueKeys: [String]? = nil,
    tags: [String]? = nil, states: Set<JobState>? = nil, heldFor: Set<HoldCause>? = nil
  ) {
    self.ids = ids
    self.kinds = kinds
    self.queues = queues
    self.uniqueKeys = uniqueKeys
    self.tags = tags
    self.states = states
    self.heldFor = heldFor
  }

  /// Every job.
  public static let all = JobSelection()

  /// - Throws: ``DurableError`` for a name that no job has, since it is refused where jobs are enqueued.
  func check() throws {
    for kind in kinds ?? [] { try JobText.check(kind, of: "kind") }
    for tag in tags ?? [] { try JobText.check(tag, of: "tag") }
    for queue in queues ?? [] {
      try JobText.check(queue, of: "queue")
      try JobText.checkForm(queue, of: "queue")
    }
    for key in uniqueKeys ?? [] {
      try JobText.check(key, of: "key")
      try JobText.checkForm(key, of: "key")
    }
  }

  /// The same as stores look for it that compare bytes: tags and kinds in each of their spellings; and without texts that have the
  /// character NUL in them, which no job has: SQLite reads one only as far as that, as a text that other jobs may have, and PostgreSQL
  /// takes nothing that has one in it.
  package var asStored: JobSelection {
    func known(_ texts: [String]?) -> [String]? { texts?.filter { !$0.utf8.contains(0) } }
    var selection = self
    selection.kinds = known(kinds)?.flatMap(JobText.spellings)
    selection.queues = known(queues)
    selection.uniqueKeys = known(uniqueKeys)
    selection.tags = known(tags)?.flatMap(JobText.spellings)
    return selection
  }
}

/// What is done to jobs from outside of their attempts.
public enum JobChange: Hashable, Sendable {
  /// It runs no more, also while it runs: its attempt is told, and what that writes afterwards is refused.
  case cancel
  /// The same, and no trace is left (Z32).
  case delete
  /// Unfinished ones get another priority, those that run keep it for their next attempt (Zw10).
  case prioritise(JobPriority)
  /// Unfinished ones ask for something else from now on, those that run from their next attempt on (Z33).
  case change(JobTerm)
  /// Unfinished ones that do not run are parked until somebody releases them, or these constraints hold where there are any.
  case hold(String, until: [String] = [])
  /// Held ones go on with no attempt used (Z25): ready, or delayed and waiting as they would be otherwise. Those that could not be
  /// read have used as many as before. One that asks for that is held for its parent where this has died or was cancelled while it
  /// was held because somebody had asked for it, also if that one is gone by then; not again once somebody has released it from
  /// that.
  case release
  /// Dead and cancelled ones become ready, with no attempt used, in the order of their ids. One whose unique key another
  /// unfinished job has stays as it is.
  ///
  /// Those that waited for one wait for it again, but for those that run without it or are about to. To one that waited
  /// for a job which is dead or cancelled still, what ``NewJob/parentFailure`` says happens as when it was enqueued: it
  /// stays as it is, is held, or runs.
  case retry
  /// Delayed and ready ones become due at another time.
  case reschedule(NewJob.Start)
}
