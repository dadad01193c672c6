public import Foundation

/// A job that is to be written down: what a store gets.
///
/// Everything in it is decided: options of the kind and of the call have been put together.
public struct NewJob: Sendable {
  /// When a job may run at the earliest, by the clock of the store.
  public enum Start: Hashable, Sendable {
    /// As soon as a worker is free.
    case now
    /// So long after it was written down.
    case after(Duration)
    /// Not before that date; one that has passed is now.
    case at(Date)
  }

  /// What it waits for.
  public enum Parent: Hashable, Sendable {
    /// One that is in the store already.
    case job(JobID)
    /// The job at that place of the same batch, which comes before this one.
    case inBatch(Int)
  }

  /// What it is called in the store.
  public var kind: String
  /// The queue in which it waits.
  public var queue: String
  /// How early it runs among those of its queue.
  public var priority: JobPriority
  /// Its value.
  public var payload: JobPayload
  /// From when on it may run.
  public var start: Start
  /// How many attempts it has in all; nil for no limit.
  public var maximumAttempts: Int?
  /// How often the process may die in it, one time after the other, before it is held.
  public var maximumCrashes: Int
  /// How long one attempt may take.
  public var deadline: Duration?
  /// The names of what must hold for it to run.
  public var constraints: [String]
  /// From when on constraints no longer hold it up. Once it was ready at that time they do not for good, whatever becomes of the
  /// clock.
  public var constraintsUntil: Start?
  /// The key that no other unfinished job may have, unless those wait for each other; nil where it may have its like.
  public var unique: UniqueKey?
  /// Jobs of one key run at most that many at a time, in all processes; one that was cancelled no longer counts, also while
  /// it winds down.
  public var limit: KeyLimit?
  /// One that the store no longer knows counts as ended without a result; one of the same batch that is gone already has
  /// failed.
  public var parents: [Parent]
  /// What becomes of it when a parent dies or is cancelled.
  public var parentFailure: ParentFailure
  /// What becomes of it when its attempts are used up.
  public var exhaustion: Exhaustion
  /// What it survives once it was acknowledged.
  public var durability: JobDurability
  /// How long it stays visible after it ended.
  public var retention: JobRetention
  /// Words by which it is found.
  public var tags: [String]
  /// The occurrence of a schedule that it stands for: a store takes each once, for ever.
  public var occurrence: JobOccurrence?
  /// How many occurrences of that schedule are taken in all: where so many were, this one is not; nil for no limit.
  public var occurrenceLimit: Int?

  public init(
    kind: String, queue: String = "default", priority: JobPriority = .default, payload: JobPayload, start: Start = .now,
    maximumAttempts: Int? = 3, maximumCrashes: Int = 3, deadline: Duration? = nil, constraints: [String] = [],
    constraintsUntil: Start? = nil, unique: UniqueKey? = nil, limit: KeyLimit? = nil, parents: [Parent] = [],
    parentFailure: ParentFailure = .cancel, exhaustion: Exhaustion = .keep, durability: JobDurability = .full,
    retention: JobRetention = .default, tags: [String] = [], occurrence: JobOccurrence? = nil,
    occurrenceLimit: Int? = nil
  ) {
    self.kind = kind
    self.queue = queue
    self.priority = priority
    self.payload = payload
    self.start = start
    self.maximumAttempts = maximumAttempts
    self.maximumCrashes = maximumCrashes
    self.deadline = deadline
    self.constraints = constraints
    self.constraintsUntil = constraintsUntil
    self.unique = unique
    self.limit = limit
    self.parents = parents
    self.parentFailure = parentFailure
    self.exhaustion = exhaustion
    self.durability = durability
    self.retention = retention
    self.tags = tags
    self.occurrence = occurrence
    self.occurrenceLimit = occurrenceLimit
  }
}

/// The bytes of a job's value, with the version of their shape.
public struct JobPayload: Hashable, Sendable, Codable {
  /// Which shape the bytes have; ``PayloadMigration`` leads from older ones to the current one.
  public var version: Int
  /// The encoded value. What they mean is not the store's business.
  public var bytes: Data

  public init(version: Int = 1, bytes: Data) {
    self.version = version
    self.bytes = bytes
  }
}

/// At most one unfinished job of a key, or several that run one after the other.
public struct UniqueKey: Hashable, Sendable, Codable {
  /// What happens to a job whose key an unfinished one has.
  public enum Conflict: String, Hashable, Sendable, Codable {
    /// The old one stays, the new one is not written; the caller gets the old one's id.
    case keep
    /// The old one is cancelled, also while it runs, and the new one is written. The old one is kept as finished ones are:
    /// by default it is gone at once.
    case replace
    /// The new one waits until the old one has ended: if that is cancelled or deleted before its turn, until those have
    /// ended that it waited for.
    case append
  }

  /// The text by which jobs are the same.
  public var key: String
  /// What happens to a second one.
  public var conflict: Conflict
  /// For how long after it was enqueued the key stays taken even if the job has ended; nil: until it has ended.
  public var period: Duration?

  public init(_ key: String, _ conflict: Conflict = .keep, period: Duration? = nil) {
    self.key = key
    self.conflict = conflict
    self.period = period
  }
}

/// How many jobs of a key may run at a time, in all processes that share the store.
public struct KeyLimit: Hashable, Sendable, Codable {
  /// The text that the jobs have in common.
  public var key: String
  /// How many of them run at most; at least 1.
  public var count: Int

  public init(_ key: String, count: Int = 1) {
    self.key = key
    self.count = count
  }
}

/// What becomes of a job whose parent died or was cancelled.
public enum ParentFailure: String, Hashable, Sendable, Codable {
  /// It is cancelled, and its own children are asked the same.
  case cancel
  /// It is held until somebody releases it.
  case hold
  /// It runs all the same; the parent's result is missing.
  case run
}

/// What becomes of a job whose attempts are used up (Z24).
public enum Exhaustion: String, Hashable, Sendable, Codable {
  /// It is kept as dead, and can be retried after a fix.
  case keep
  /// It is held: the name that ZLTaskManager has for it.
  case hold
  /// It is deleted.
  case discard
}

/// What an acknowledged job survives, from the moment in which it is enqueued. How it ends is always flushed: an end that was
/// acknowledged survives the same as a job of ``full``.
public enum JobDurability: String, Hashable, Sendable, Codable {
  /// The death of the process, of the system and a power cut.
  case full
  /// The death of the process. When the system dies or the power fails, jobs that were enqueued in the last moments may be lost.
  case relaxed
}

/// How long ended jobs stay visible.
public struct JobRetention: Hashable, Sendable, Codable {
  /// Nil: for ever. Zero: not at all.
  public var finished: Duration?
  /// The same for dead and cancelled ones.
  public var failed: Duration?

  public init(finished: Duration? = .zero, failed: Duration? = nil) {
    self.finished = finished
    self.failed = failed
  }

  /// Finished ones go at once (Z20), dead and cancelled ones stay until they are deleted.
  public static let `default` = JobRetention()
}

/// An occurrence of a durable schedule.
public struct JobOccurrence: Hashable, Sendable, Codable {
  /// The kind whose schedule it is.
  public var schedule: String
  /// The slot, in the calendar's time.
  public var date: Date

  public init(schedule: String, date: Date) {
    self.schedule = schedule
    self.date = date
  }
}
