public import Foundation
import Synchronization
public import TaskKit

/// What an attempt knows and can do: given to `run`.
///
/// Everything that it writes down is refused when the attempt no longer holds its job, because that was cancelled, deleted
/// or replaced; then ``DurableError`` is thrown.
public struct DurableContext: Sendable {
  let attemptState: RunningAttempt

  /// Which job it is.
  public var id: JobID { attemptState.job.id }

  /// Which attempt it is, counted from 1. Attempts that were stopped do not count.
  public var attempt: Int { attemptState.job.attempt }

  /// Whether the job gives up if this attempt fails (Z19).
  public var isFinalAttempt: Bool {
    attemptState.job.maximumAttempts.map { attempt >= $0 } ?? false
  }

  /// Proves which attempt it is, and rises with time: other systems may refuse what comes with a lower one.
  public var token: AttemptToken { attemptState.job.token }

  /// The same for all attempts of this job, and of no other job of any store: for requests that a server should do once.
  ///
  /// Not so where a power cut takes jobs from a shared SQLite file that is opened next by a store that does not share it, or a
  /// replica takes over from a server without its last moments: see ``JobID``.
  public var idempotencyKey: String { "\(attemptState.storeIdentity.uuidString)-\(id)" }

  /// The same for one step of the job.
  public func idempotencyKey(for step: String) -> String { "\(idempotencyKey)-\(step)" }

  /// The words with which it was enqueued.
  public var tags: [String] { attemptState.job.tags }

  /// The occurrence of a schedule that the job stands for.
  public var occurrence: JobOccurrence? { attemptState.job.occurrence }

  /// The center that runs the job: for outputs of tasks, and to enqueue further jobs.
  public var center: TaskCenter { attemptState.center }

  /// Whether the attempt should end: it was stopped, cancelled, or its deadline has passed. The same as
  /// `Task.isCancelled` outside of child tasks.
  public var isCancelled: Bool { attemptState.engine.isCancelled(token) || _Concurrency.Task.isCancelled }

  // MARK: - Keeping

  /// Keeps a value for the next attempt, in the place of the one before (Z26). It is written down when this returns.
  ///
  /// While the store cannot be written this waits, until the attempt is cancelled: by a stop, its deadline, or whoever
  /// cancels the job. In one that is cancelled already it throws at once. Either way the value is kept, and written down when the
  /// store can be written, unless the job is no longer the attempt's.
  ///
  /// - Throws: ``DurableError``; a ``JobStoreError`` if the store will never take it, or could not be written when the attempt
  ///   was cancelled; what encoding throws.
  public func checkpoint(_ value: some Encodable) async throws {
    let data = try JobCoding.encode(value)
    try await attemptState.write(.checkpoint(data))
    attemptState.checkpoint.withLock { $0 = data }
  }

  /// Forgets the checkpoint: the next attempt finds none. The same holds as for ``checkpoint(_:)``.
  public func removeCheckpoint() async throws {
    try await attemptState.write(.checkpoint(nil))
    attemptState.checkpoint.withLock { $0 = nil }
  }

  /// The latest checkpoint of this job; nil if there is none.
  public func checkpoint<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value? {
    try attemptState.checkpoint.withLock { $0 }.map { try JobCoding.decode(type, from: $0) }
  }

  /// Says how far the job has come. Costs little: the latest is written with the next exchange, within a second. It is that of the
  /// attempt, and gone when that has ended: what is to last longer is a ``checkpoint(_:)``.
  public func progress(_ completed: Int64, of total: Int64? = nil) {
    attemptState.engine.receive {
      $0.progress(attemptState.key, JobProgress(completed: completed, of: total))
    }
  }

  /// Does something once for all attempts of this job: what it returns is written down when it ends, and later attempts
  /// get that without running the body.
  ///
  /// A process that dies after the body and before its result is written down runs it again: send ``idempotencyKey(for:)``
  /// along where that matters. What a step does in the SQLite database that the store shares happens exactly once with
  /// ``once(_:in:_:)->_``, and so does what it does on the server that a `PostgresStore` is on. While the store cannot be
  /// written this waits as ``checkpoint(_:)`` does. Where it cannot be read whether the step is done, as while a server is away,
  /// this throws at once and nothing has happened: tried again in the same attempt it may be done; thrown on, the error ends that
  /// as any other would. A body that throws has not happened, and may be tried again under the same name. One whose result could
  /// not be written down has: asked for again in the same attempt it is written again, and the body does not run.
  ///
  /// - Throws: ``DurableError`` if this attempt has used the name already; what the body throws; a ``JobStoreError``.
  public func once<Value: Codable & Sendable>(
    _ step: String, _ body: () async throws -> Value
  ) async throws -> Value {
    try await attemptState.step(step) { known in
      if let known { return (try JobCoding.decode(Value.self, from: known), nil) }
      let value = try await body()
      return (value, try JobCoding.encode(value))
    }
  }

  /// The same for a body that returns nothing.
  public func once(_ step: String, _ body: () async throws -> Void) async throws {
    try await attemptState.step(step) { known in
      if known != nil { return ((), nil) }
      try await body()
      return ((), Data())
    }
  }

  // MARK: - Parents

  /// The jobs that this one waited for and that have left a result.
  public var parents: [JobID] { attemptState.job.parentResults.keys.sorted() }

  /// What a job that this one waited for has returned.
  ///
  /// - Throws: ``DurableError`` if it is no parent or has left nothing; what decoding throws.
  public func result<Value: Decodable>(of parent: JobID, as type: Value.Type = Value.self) throws -> Value {
    guard let data = attemptState.job.parentResults[parent] else {
      throw DurableError.missingResult(of: parent, to: id, parents: parents)
    }
    return try JobCoding.decode(type, from: data)
  }

  /// What all the jobs that this one waited for have returned, those without a result left out.
  public func results<Value: Decodable>(as type: Value.Type = Value.self) throws -> [Value] {
    try parents.map { try result(of: $0, as: type) }
  }

  // MARK: - Ending otherwise

  /// Ends the attempt, to go on after a while. It was no attempt.
  public func snooze(for delay: Duration) throws -> Never { throw AttemptRequest.end(.snoozed(.after(delay))) }

  /// Ends the attempt, to go on at a date. It was no attempt.
  public func snooze(until date: Date) throws -> Never { throw AttemptRequest.end(.snoozed(.at(date))) }

  /// Ends the attempt, and parks the job until somebody releases it. It was no attempt.
  public func hold(_ reason: String) throws -> Never { throw AttemptRequest.end(.held(.asked(JobText.kept(reason)))) }

  /// Ends the attempt, and parks the job until constraints hold, in a process that runs its kind, or somebody releases it.
  /// It was no attempt, and those before are forgotten when the job is released.
  ///
  /// Where they hold already, and the body sees it otherwise, the job is not parked: it goes on after ten seconds, and those before
  /// count. Without any it is ``hold(_:)``.
  public func hold(_ reason: String, until constraints: [Constraint]) throws -> Never {
    let names = try JobText.names(of: constraints)
    throw AttemptRequest.end(.held(HoldReason(asked: JobText.kept(reason), until: names)))
  }

  /// Ends the job as cancelled. As with ``giveUp(because:)``, not in an attempt that was stopped.
  public func cancel() throws -> Never { throw AttemptRequest.end(.cancelled) }

  /// Ends the job for good, whatever attempts are left: trying again would not help.
  ///
  /// An attempt that was stopped, or cancelled since what it needs was lost, ends no job for good, as the error may be that of the
  /// cancellation: the job is ready again, and the next attempt says so if it is so.
  public func giveUp(because error: any Error) throws -> Never { throw AttemptRequest.giveUp(error) }
}

/// How a body ends other than by returning or failing. One that catches it and returns has succeeded.
enum AttemptRequest: Error {
  case end(JobExchange.End)
  case giveUp(any Error)
}

/// An attempt that is going.
final class RunningAttempt: Sendable {
  /// What it has to do with a step.
  struct Step {
    /// Whether it does it, or has done it.
    var isUsed = false
    /// What the step came to, where that could not be written down: it has happened.
    var unwritten: Data?
    /// Whether it has begun it in a transaction of the program, which may have been rolled back since, or has used it up there.
    var isUsedInTransaction = false
    /// In which transaction it has last got the result of an earlier attempt.
    var transaction: String?

    /// - Returns: whether it has not used it yet.
    mutating func use() -> Bool {
      defer { isUsed = true }
      return !isUsed
    }
  }

  let job: ClaimedJob
  let kind: KnownKind
  let engine: JobEngine
  let center: TaskCenter
  let storeIdentity: UUID
  let checkpoint: Mutex<Data?>
  /// By their names.
  let steps = Mutex<[String: Step]>([:])
  /// Whether it has come to something: its task is no longer needed.
  let hasEnded = Atomic(false)

  init(job: ClaimedJob, kind: KnownKind, engine: JobEngine, center: TaskCenter, storeIdentity: UUID) {
    self.job = job
    self.kind = kind
    self.engine = engine
    self.center = center
    self.storeIdentity = storeIdentity
    checkpoint = Mutex(job.checkpoint)
  }

  var key: AttemptKey { AttemptKey(job: job.id, token: job.token) }

  /// - Parameter body: gets what an earlier attempt has left; returns what it came to, and what to write down of it.
  func step<Value>(_ step: String, _ body: (Data?) async throws -> (Value, Data?)) async throws -> Value {
    try JobText.check(step, of: "step")
    guard steps.withLock({ $0[step, default: Step()].use() }) else {
      throw DurableError.stepUsedTwice(step, by: job.kind)
    }
    do {
      var known = try await engine.store.step(step, of: job.id)
      // What would be refused afterwards does not happen.
      if engine.isLost(job.token) { throw DurableError.staleAttempt(job.id) }
      if known == nil, let result = steps.withLock({ $0[step]?.unwritten }) {
        try await write(step, result)
        known = result
      }
      let (value, new) = try await body(known)
      if let new { try await write(step, new) }
      return value
    } catch {
      steps.withLock { $0[step]?.isUsed = false }
      throw error
    }
  }

  private func write(_ step: String, _ result: Data) async throws {
    steps.withLock { $0[step, default: Step()].unwritten = result }
    try await write(.step(step, result))
    steps.withLock { $0[step]?.unwritten = nil }
  }

  func write(_ note: JobExchange.Note) async throws {
    let answer = await withCheckedContinuation { waiter in
      engine.receive { $0.note(key, note, waiter) }
    }
    switch answer {
    case .written: return
    case .refused: throw DurableError.staleAttempt(job.id)
    case .failed(let error): throw error
    }
  }
}
