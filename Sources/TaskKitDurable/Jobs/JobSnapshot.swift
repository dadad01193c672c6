public import Foundation

/// Everything that a store knows about a job, at a moment.
public struct JobSnapshot: Sendable, Hashable, Codable, Identifiable {
  public var id: JobID
  public var kind: String
  public var queue: String
  public var state: JobState
  public var priority: JobPriority
  public var payload: JobPayload
  /// Attempts that count: begun ones, without those that were interrupted.
  public var attempts: Int
  public var maximumAttempts: Int?
  /// How often the process died in it since it last ended otherwise.
  public var crashes: Int
  public var deadline: Duration?
  public var created: Date
  /// When it becomes ready, where it is delayed.
  public var due: Date?
  /// When the attempt began that is going.
  public var started: Date?
  public var ended: Date?
  public var constraints: [String]
  public var constraintsUntil: Date?
  public var uniqueKey: String?
  public var limit: KeyLimit?
  /// Those that have not ended.
  public var parents: [JobID]
  public var hold: HoldReason?
  public var tags: [String]
  public var progress: JobProgress?
  public var checkpoint: Data?
  public var result: Data?
  /// The latest ones, at most ten, the latest last.
  public var errors: [AttemptFailure]

  public init(
    id: JobID, kind: String, queue: String, state: JobState, priority: JobPriority, payload: JobPayload, attempts: Int,
    maximumAttempts: Int?, crashes: Int, deadline: Duration?, created: Date, due: Date?, started: Date?, ended: Date?,
    constraints: [String], constraintsUntil: Date?, uniqueKey: String?, limit: KeyLimit?, parents: [JobID],
    hold: HoldReason?, tags: [String], progress: JobProgress?, checkpoint: Data?, result: Data?,
    errors: [AttemptFailure]
  ) {
    self.id = id
    self.kind = kind
    self.queue = queue
    self.state = state
    self.priority = priority
    self.payload = payload
    self.attempts = attempts
    self.maximumAttempts = maximumAttempts
    self.crashes = crashes
    self.deadline = deadline
    self.created = created
    self.due = due
    self.started = started
    self.ended = ended
    self.constraints = constraints
    self.constraintsUntil = constraintsUntil
    self.uniqueKey = uniqueKey
    self.limit = limit
    self.parents = parents
    self.hold = hold
    self.tags = tags
    self.progress = progress
    self.checkpoint = checkpoint
    self.result = result
    self.errors = errors
  }
}

/// How far an attempt has come.
public struct JobProgress: Hashable, Sendable, Codable {
  public var completed: Int64
  /// Nil where nobody knows.
  public var total: Int64?

  public init(completed: Int64, of total: Int64? = nil) {
    self.completed = completed
    self.total = total
  }
}

/// An attempt that ended badly.
public struct AttemptFailure: Hashable, Sendable, Codable {
  /// What ended it.
  public enum Cause: String, Hashable, Sendable, Codable {
    /// It threw.
    case error
    /// Its deadline passed.
    case deadline
    /// Its process died.
    case crash
  }

  /// Which attempt it was, counted from 1.
  public var attempt: Int
  public var date: Date
  public var cause: Cause
  public var text: String

  public init(attempt: Int, date: Date, cause: Cause, text: String) {
    self.attempt = attempt
    self.date = date
    self.cause = cause
    self.text = text
  }
}
