public import Foundation

/// Which attempt writes.
public struct AttemptKey: Hashable, Sendable {
  /// The job.
  public var job: JobID
  /// The attempt that holds it, if it still does.
  public var token: AttemptToken

  public init(job: JobID, token: AttemptToken) {
    self.job = job
    self.token = token
  }
}

/// What attempts have to say, and a wish for others.
public struct JobExchange: Sendable {
  /// Something to keep while the attempt goes on.
  public enum Note: Sendable {
    /// How far it has come, in the place of what was said before.
    case progress(JobProgress)
    /// What the next attempt gets; in the place of what was there. Nil: nothing.
    case checkpoint(Data?)
    /// The result of a step.
    case step(String, Data)
  }

  /// What an attempt came to.
  public enum End: Sendable, Hashable {
    /// With what its children get.
    case succeeded(result: Data?)
    /// It threw or was too late, and is tried again after the delay.
    case failed(AttemptFailure.Cause, String, retryAfter: Duration)
    /// It threw or was too late for the last time: what ``NewJob/exhaustion`` says happens.
    case gaveUp(AttemptFailure.Cause, String)
    /// Shut down or cancelled from inside of its process: ready at once, and it was no attempt.
    case interrupted
    /// It asked for another time: it was no attempt.
    case snoozed(NewJob.Start)
    /// It was no attempt.
    case held(HoldReason)
    /// Cancelled for good.
    case cancelled
  }

  /// Ready jobs of a queue that are wanted.
  public struct Claim: Sendable {
    /// A kind that may start, and how many of it at most.
    public struct Kind: Sendable {
      /// The kind.
      public var name: String
      /// How many of it at most; at least 1.
      public var limit: Int
      /// The versions of its payloads that this process cannot read: jobs of those are left to others.
      public var unreadable: Set<Int>

      public init(_ name: String, limit: Int, unreadable: Set<Int> = []) {
        self.name = name
        self.limit = limit
        self.unreadable = unreadable
      }

      /// With what the same claim has said of the kind before: both together, or as many as a number can say.
      package func limit(added other: Int?) -> Int {
        let (sum, overflows) = limit.addingReportingOverflow(other ?? 0)
        return overflows ? (limit < 0 ? .min : .max) : sum
      }
    }

    /// The queue from which they are wanted.
    public var queue: String
    /// How many at most, of all kinds together.
    public var limit: Int
    /// What this process can run, and how many more of each.
    public var kinds: [Kind]
    /// The constraints that hold now.
    public var satisfied: Set<String>
    /// After how long of waiting a job's major priority counts as one more; nil for never. With it, of jobs that are equal
    /// in all but age the one comes first that became ready first, and then the one of the lower id.
    public var aging: Duration?

    public init(queue: String, limit: Int, kinds: [Kind], satisfied: Set<String> = [], aging: Duration? = nil) {
      self.queue = queue
      self.limit = limit
      self.kinds = kinds
      self.satisfied = satisfied
      self.aging = aging
    }
  }

  /// What has become of what was said, and what was given out.
  public struct Answer: Sendable {
    /// Whether each note was by the attempt that holds the job; others change nothing.
    public var notes: [Bool]
    /// The same for each end.
    public var ends: [Bool]
    /// The jobs that were given out, in the order of the law.
    public var claimed: [ClaimedJob]
    /// How long until a job can become ready without anybody doing anything; nil for never.
    public var nextDue: Duration?
    /// Attempts of this owner that have to be cancelled: somebody else asked for it.
    public var toCancel: [AttemptToken]
    /// Jobs that dead owners had held.
    public var rescued: [RescuedJob]

    public init(
      notes: [Bool] = [], ends: [Bool] = [], claimed: [ClaimedJob] = [], nextDue: Duration? = nil,
      toCancel: [AttemptToken] = [], rescued: [RescuedJob] = []
    ) {
      self.notes = notes
      self.ends = ends
      self.claimed = claimed
      self.nextDue = nextDue
      self.toCancel = toCancel
      self.rescued = rescued
    }
  }

  /// What is to be kept, in the order in which attempts said it.
  public var notes: [(AttemptKey, Note)]
  /// What attempts came to, which is written down after the notes.
  public var ends: [(AttemptKey, End)]
  /// What is wanted, which is looked for when the ends are written down.
  public var claims: [Claim]

  public init(notes: [(AttemptKey, Note)] = [], ends: [(AttemptKey, End)] = [], claims: [Claim] = []) {
    self.notes = notes
    self.ends = ends
    self.claims = claims
  }
}

/// A job that was given out.
public struct ClaimedJob: Sendable {
  /// The job's.
  public var id: JobID
  /// The attempt that was begun with this; whatever it writes names it.
  public var token: AttemptToken
  /// Its kind: one of those that were asked for.
  public var kind: String
  /// The queue from which it comes.
  public var queue: String
  /// Its value, as it is stored.
  public var payload: JobPayload
  /// Which attempt it is, counted from 1.
  public var attempt: Int
  /// How many it has in all; nil for no limit.
  public var maximumAttempts: Int?
  /// How long the attempt may take; nil for any time.
  public var deadline: Duration?
  /// What an earlier attempt has kept for this one; nil for nothing.
  public var checkpoint: Data?
  /// What has to hold; nothing once ``NewJob/constraintsUntil`` has passed.
  public var constraints: [String]
  /// How long after it was given out that has to hold: until ``NewJob/constraintsUntil``; nil for always.
  public var constraintsFor: Duration?
  /// What its parents returned; those that have no result are not there.
  public var parentResults: [JobID: Data]
  /// The words that were given to it.
  public var tags: [String]
  /// The occurrence of a schedule that it stands for; nil where it stands for none.
  public var occurrence: JobOccurrence?
  /// What of it the store cannot read any more, in words: it is held as unreadable, and not run.
  public var damage: String?

  public init(
    id: JobID, token: AttemptToken, kind: String, queue: String, payload: JobPayload, attempt: Int,
    maximumAttempts: Int?, deadline: Duration?, checkpoint: Data?, constraints: [String] = [],
    constraintsFor: Duration? = nil, parentResults: [JobID: Data] = [:], tags: [String] = [],
    occurrence: JobOccurrence? = nil, damage: String? = nil
  ) {
    self.id = id
    self.token = token
    self.kind = kind
    self.queue = queue
    self.payload = payload
    self.attempt = attempt
    self.maximumAttempts = maximumAttempts
    self.deadline = deadline
    self.checkpoint = checkpoint
    self.constraints = constraints
    self.constraintsFor = constraintsFor
    self.parentResults = parentResults
    self.tags = tags
    self.occurrence = occurrence
    self.damage = damage
  }
}
