public import Foundation

/// Where jobs are kept: in memory, in an SQLite file, on a PostgreSQL server, or in a store of your own.
///
/// A store decides nothing about policy and runs no user code: it keeps what it is told, gives out what is runnable in the
/// order of the law, and makes sure that of several attempts only one counts. `JobStoreConformance` of
/// TaskKitDurableTesting proves a store against these rules:
///
/// 1. What a method has returned is as durable as ``NewJob/durability`` says; what it threw for has not happened.
/// 2. ``exchange(_:)`` is one transaction, and so is each call of every other method.
/// 3. A claim takes, per queue, ready jobs by major and minor priority, then fewer attempts, then the lower id, among
///    the kinds asked for, whose constraints hold or are past ``NewJob/constraintsUntil``, whose key's limit is not
///    reached, whose queue and kind are not paused. The attempt is counted and the token given before it returns.
/// 4. Whatever an attempt writes must carry the token of the job's latest attempt, or it is refused.
/// 5. The jobs of an owner whose process has died are found and given back without waiting for a time where that is
///    possible; the attempt counts as a crash.
/// 6. All times are of the store's own clock. What comes in is relative or a date, what goes out is relative.
public protocol JobStore: Sendable {
  /// What it is called in errors and reports: the path of its file, the address of its server.
  var name: String { get }

  /// Opens the store, creates or migrates what it consists of, becomes an owner, and gives back what dead owners held.
  ///
  /// Called before everything else, and not again once it has returned. After an error it is called again later: what
  /// has thrown has left nothing behind, no owner either.
  func open(_ environment: StoreEnvironment) async throws -> StoreOpening

  /// Ends the owner: what it still holds goes back, uncounted. Nothing may be called afterwards.
  func close() async

  /// Writes jobs down, all or nothing.
  func enqueue(_ jobs: [NewJob]) async throws -> [EnqueuedJob]

  /// Takes what attempts have to say, and gives out others: one transaction.
  func exchange(_ exchange: JobExchange) async throws -> JobExchange.Answer

  /// - Returns: how many were changed, and which attempts have to be told.
  func change(_ selection: JobSelection, _ change: JobChange) async throws -> JobChangeAnswer

  /// The jobs in the order of their ids.
  ///
  /// - Parameters:
  ///   - selection: which are meant.
  ///   - after: the id after which to go on.
  ///   - limit: how many at most.
  func jobs(_ selection: JobSelection, after: JobID?, limit: Int) async throws -> [JobSnapshot]

  /// How many there are, by queue, kind and state. Does not read the jobs themselves.
  func counts() async throws -> [JobCount]

  /// How many ready jobs of the queue come before that one in the order of the law, without aging, whether or not they could
  /// start now. None where it runs or has ended.
  func countAhead(of job: JobID) async throws -> Int

  /// The stored result of a step of a job, where it is there.
  func step(_ name: String, of job: JobID) async throws -> Data?

  /// Stops giving out jobs of a queue or a kind, in all processes, until it is resumed (Z30). The slots of a kind's schedule
  /// that passed in its pause are past when it is resumed: its record's ``ScheduleRecord/latest`` is that time.
  func setPaused(_ paused: Bool, _ subject: PauseSubject, by: String) async throws
  /// Everything that is paused now, by whom and since when.
  func pauses() async throws -> [JobPause]

  /// Declares how often jobs of a queue may start.
  func setRate(_ rate: RateLimit?, ofQueue queue: String) async throws

  /// Declares how often jobs with a ``KeyLimit`` of that key may start.
  func setRate(_ rate: RateLimit?, ofKey key: String) async throws

  /// The declared rates, and what is left of them now.
  func rates() async throws -> [JobRate]

  /// What is known of a durable schedule. One that is new to the store begins at that date, for everybody.
  func schedule(_ name: String, beginning date: Date) async throws -> ScheduleRecord

  /// Deletes ended jobs whose retention has passed, and keys whose period has.
  ///
  /// - Parameter limit: how many jobs at most.
  /// - Returns: how long until a job can be deleted; zero where some are left now, and it should go on at once; nil for never.
  func sweep(limit: Int) async throws -> Duration?

  /// Something has changed that another process may have done: an element for each time it should be looked again.
  /// Ends when the store is closed. Elements may be coalesced, never lost.
  func changes() -> AsyncStream<Void>
}

/// What a store may leave out; whoever asks for it is told so.
extension JobStore {
  public func setRate(_ rate: RateLimit?, ofKey key: String) async throws {
    throw JobStoreError(.invalid, store: name, detail: "this store knows no rates by key")
  }

  public func rates() async throws -> [JobRate] { [] }

  public func schedule(_ name: String, beginning date: Date) async throws -> ScheduleRecord {
    throw JobStoreError(.invalid, store: self.name, detail: "this store keeps no schedules")
  }
}

/// What a store is told about its surroundings.
public struct StoreEnvironment: Sendable {
  /// The calendar's time; a store on a server uses the server's.
  public var now: @Sendable () -> Date
  /// A name for people: host, process.
  public var owner: String

  public init(now: @escaping @Sendable () -> Date = { Date() }, owner: String) {
    self.now = now
    self.owner = owner
  }
}

/// What was found when a store was opened.
public struct StoreOpening: Sendable {
  /// What is the same for the store's whole life, also when it is moved: the first part of idempotency keys.
  public var identity: UUID
  /// Jobs that dead owners had held.
  public var rescued: [RescuedJob]

  public init(identity: UUID, rescued: [RescuedJob]) {
    self.identity = identity
    self.rescued = rescued
  }
}

/// A job whose process died in it.
public struct RescuedJob: Sendable, Hashable {
  /// What is needed to tell a job's kind that it has given up, whatever has become of the job.
  public struct GivenUp: Sendable, Hashable {
    /// How many attempts counted.
    public var attempts: Int
    /// The job's value, which the kind gets to see.
    public var payload: JobPayload

    public init(attempts: Int, payload: JobPayload) {
      self.attempts = attempts
      self.payload = payload
    }
  }

  /// The job's.
  public var id: JobID
  /// Its kind.
  public var kind: String
  /// What has become of it: ready, held or dead; nil where it was deleted.
  public var state: JobState?
  /// There where that was its last attempt, and ``NewJob/exhaustion`` has decided.
  public var gaveUp: GivenUp?

  public init(id: JobID, kind: String, state: JobState?, gaveUp: GivenUp? = nil) {
    self.id = id
    self.kind = kind
    self.state = state
    self.gaveUp = gaveUp
  }
}

/// What has become of a new job.
public struct EnqueuedJob: Hashable, Sendable {
  /// Whether it was written down.
  public enum Outcome: Hashable, Sendable {
    /// It is there, and nothing else has changed.
    case added
    /// An unfinished one has its key, or its occurrence was taken; the id is that one's. Of an occurrence before the latest
    /// thousand of its schedule it may be that of a later one.
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

      public init(_ name: String, limit: Int) {
        self.name = name
        self.limit = limit
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
    parentResults: [JobID: Data] = [:], tags: [String] = [], occurrence: JobOccurrence? = nil, damage: String? = nil
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
    self.parentResults = parentResults
    self.tags = tags
    self.occurrence = occurrence
    self.damage = damage
  }
}

/// What a change did.
public struct JobChangeAnswer: Hashable, Sendable {
  /// How many of the selected jobs were changed; what follows for others is not counted.
  public var count: Int
  /// Attempts of this owner that are no longer wanted.
  public var cancelled: [AttemptToken]

  public init(count: Int, cancelled: [AttemptToken] = []) {
    self.count = count
    self.cancelled = cancelled
  }
}

/// How many jobs of a kind are in a state, in a queue.
public struct JobCount: Hashable, Sendable, Codable {
  /// The queue.
  public var queue: String
  /// The kind.
  public var kind: String
  /// The state.
  public var state: JobState
  /// How many; what has none is not listed.
  public var count: Int

  public init(queue: String, kind: String, state: JobState, count: Int) {
    self.queue = queue
    self.kind = kind
    self.state = state
    self.count = count
  }
}

/// What may be paused.
public enum PauseSubject: Hashable, Sendable, Codable {
  /// A queue, whatever kinds are in it.
  case queue(String)
  /// A kind, whatever queue its jobs are in.
  case kind(String)
}

/// Who stopped what, and when.
public struct JobPause: Hashable, Sendable, Codable {
  /// What is paused.
  public var subject: PauseSubject
  /// Who asked for it, as ``JobConfiguration/owner`` calls the process.
  public var by: String
  /// When, by the clock of the store.
  public var since: Date

  public init(subject: PauseSubject, by: String, since: Date) {
    self.subject = subject
    self.by = by
    self.since = since
  }
}

/// So many starts in a time, in all processes that share the store.
public struct RateLimit: Hashable, Sendable, Codable {
  /// How many may start in ``period``; at least 1.
  public var count: Int
  /// The time in which they may; more than zero.
  public var period: Duration

  public init(_ count: Int, per period: Duration) {
    self.count = count
    self.period = period
  }
}

/// A declared rate, and what is left of it.
public struct JobRate: Hashable, Sendable {
  /// What starts only so often.
  public enum Subject: Hashable, Sendable {
    /// The jobs of a queue.
    case queue(String)
    /// The key of a ``KeyLimit``.
    case key(String)
  }

  /// What starts only so often.
  public var subject: Subject
  /// The declared rate.
  public var limit: RateLimit
  /// How many may start now.
  public var free: Int
  /// How long until the next may, where none may now; nil also where none ever may.
  public var wait: Duration?

  public init(subject: Subject, limit: RateLimit, free: Int, wait: Duration?) {
    self.subject = subject
    self.limit = limit
    self.free = free
    self.wait = wait
  }
}

/// What a store knows of a durable schedule.
public struct ScheduleRecord: Hashable, Sendable {
  /// When it was first heard of: intervals count from here.
  public var begun: Date
  /// The latest occurrence that was written down, or the end of the kind's latest pause where that is later.
  public var latest: Date?
  /// How many were.
  public var count: Int

  public init(begun: Date, latest: Date?, count: Int) {
    self.begun = begun
    self.latest = latest
    self.count = count
  }
}
