public import Foundation
import TaskKit

/// Everything that a store knows about a job, at a moment.
public struct JobSnapshot: Sendable, Hashable, Codable, Identifiable, CustomStringConvertible {
  /// Never given to another job.
  public var id: JobID
  /// What it is in the store, as `kind:` says.
  public var kind: String
  /// The queue in which it waits.
  public var queue: String
  /// Where it is in its life.
  public var state: JobState
  /// The one that it was given; aging does not change it.
  public var priority: JobPriority
  /// Its value, as it was when it was enqueued.
  public var payload: JobPayload
  /// Attempts that count: begun ones, without those that were interrupted.
  public var attempts: Int
  /// How many it has in all; nil for no limit.
  public var maximumAttempts: Int?
  /// How often the process died in it since it last ended otherwise.
  public var crashes: Int
  /// How long one attempt may take; nil for any time.
  public var deadline: Duration?
  /// When it was enqueued, by the clock of the store.
  public var created: Date
  /// When it becomes ready, where it is delayed.
  public var due: Date?
  /// When the attempt began that is going.
  public var started: Date?
  /// The process in which it runs, as its ``JobConfiguration/owner`` calls it; nil unless it runs.
  public var owner: String?
  /// When it came to its end; nil before.
  public var ended: Date?
  /// The names of what must hold for it to run.
  public var constraints: [String]
  /// From when on they no longer hold it up; nil: they always do.
  public var constraintsUntil: Date?
  /// The key that no other unfinished job has, unless those wait for each other (``UniqueKey/Conflict/append``); nil where it may
  /// have its like.
  public var uniqueKey: String?
  /// Jobs of that key run only so many at a time; nil for any number.
  public var limit: KeyLimit?
  /// Those that have not ended.
  public var parents: [JobID]
  /// Why it is held; nil unless it is.
  public var hold: HoldReason?
  /// The words that were given to it, by which it is found.
  public var tags: [String]
  /// How far the attempt has come that is going; nil where that has not said so, and where none is going.
  public var progress: JobProgress?
  /// What the next attempt gets to go on from, as an attempt kept it.
  public var checkpoint: Data?
  /// What its `run` returned, encoded; nil before, and where it returned nothing.
  public var result: Data?
  /// The latest ones, at most ten, the latest last.
  public var errors: [AttemptFailure]
  /// How often the process may die in it, one time after the other, before it is held.
  public var maximumCrashes: Int
  /// What becomes of it when its attempts are used up.
  public var exhaustion: Exhaustion
  /// What becomes of it when a parent dies or is cancelled.
  public var parentFailure: ParentFailure
  /// How long it stays visible after it ended.
  public var retention: JobRetention
  /// For how long after it was enqueued ``uniqueKey`` stays taken even if it has ended; nil: until it has.
  public var uniquePeriod: Duration?
  /// The occurrence of a durable schedule that it stands for; nil where it stands for none.
  public var occurrence: JobOccurrence?

  public init(
    id: JobID, kind: String, queue: String, state: JobState, priority: JobPriority, payload: JobPayload, attempts: Int,
    maximumAttempts: Int?, crashes: Int, deadline: Duration?, created: Date, due: Date?, started: Date?, ended: Date?,
    constraints: [String], constraintsUntil: Date?, uniqueKey: String?, limit: KeyLimit?, parents: [JobID],
    hold: HoldReason?, tags: [String], progress: JobProgress?, checkpoint: Data?, result: Data?,
    errors: [AttemptFailure], owner: String? = nil, maximumCrashes: Int = 3, exhaustion: Exhaustion = .keep,
    parentFailure: ParentFailure = .cancel, retention: JobRetention = .default, uniquePeriod: Duration? = nil,
    occurrence: JobOccurrence? = nil
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
    self.owner = owner
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
    self.maximumCrashes = maximumCrashes
    self.exhaustion = exhaustion
    self.parentFailure = parentFailure
    self.retention = retention
    self.uniquePeriod = uniquePeriod
    self.occurrence = occurrence
  }
}

extension JobSnapshot {
  /// For people, on one line: `job 17 of kind 'digest' in queue 'mail': delayed until 2026-11-25 07:00:00 UTC, attempt 2 of
  /// 5, the last error: no route to host`. Its value is not in it. It may be worded better in a later version;
  /// ``JobOperations/why(_:)`` says what it waits for.
  public var description: String {
    let moment =
      switch state {
      case .delayed: due.map { "until \($0.words)" }
      case .running: started.map { "since \($0.words)" }
      case .finished, .dead, .cancelled: ended.map { "at \($0.words)" }
      case .held: hold.map { "(\($0))" }
      case .waiting: "for " + parents.map { "job \($0)" }.joined(separator: ", ")
      case .ready: String?.none
      }
    let parts: [String?] = [
      [state.rawValue, moment].compactMap(\.self).joined(separator: " "), "attempt \(attemptInWords)",
      progress.map { "\($0.completed)" + ($0.total.map { " of \($0)" } ?? "") + " done" },
      errors.last.map { "the last error: \($0.text)" },
    ]
    let text = "job \(id) of kind '\(kind)' in queue '\(queue)': " + parts.compactMap(\.self).joined(separator: ", ")
    return text.onOneLine
  }

  /// The latest attempt of one that has ended, the next of one that is to run.
  var attemptInWords: String {
    let isLatest = state == .running || state.isFinal || hold == .gaveUp
    let number = isLatest ? max(1, attempts) : attempts + 1
    return maximumAttempts.map { "\(min(number, $0)) of \($0)" } ?? "\(number)"
  }
}

/// How far an attempt has come.
public struct JobProgress: Hashable, Sendable, Codable {
  /// How much is done, in the unit of ``total``.
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
  /// When it ended, by the clock of the store.
  public var date: Date
  /// What ended it.
  public var cause: Cause
  /// The error in words.
  public var text: String

  public init(attempt: Int, date: Date, cause: Cause, text: String) {
    self.attempt = attempt
    self.date = date
    self.cause = cause
    self.text = text
  }
}
