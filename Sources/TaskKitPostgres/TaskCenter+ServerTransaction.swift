#if Postgres
import Foundation
import Synchronization
public import TaskKit
public import TaskKitDurable

extension TaskCenter {
  /// Writes a job down in a transaction of yours on the server that its store is on: it is there if and when that is committed.
  ///
  /// ```swift
  /// try await client.withTransaction { connection in
  ///   try await connection.query("INSERT INTO orders (id) VALUES (7)")
  ///   try await center.enqueue(SendReceipt(order: 7), in: connection.jobs)
  /// }
  /// ```
  ///
  /// A transaction or a savepoint that is rolled back has enqueued nothing. It has all options of its kind but the durability:
  /// it is as durable as the commit is. Workers find it at their next look, `pollInterval` after the commit at the latest, or
  /// at once where `SELECT taskkit_wake()` follows the commit.
  ///
  /// The transaction keeps the locks of each call until it ends. Where it meets another one in a deadlock, the server
  /// takes one of them back (`40P01`, `40001`): do the whole of it again. In between, await nothing else of the same store:
  /// that may wait for the commit, which the server cannot see. What waits for the job is enqueued in the same
  /// transaction or after its commit: before that, nobody else sees that it is there.
  ///
  /// - Parameters:
  ///   - job: what is to be done.
  ///   - options: what it has that its kind does not say.
  ///   - transaction: of the level READ COMMITTED where the job has a unique key or waits for others.
  /// - Returns: its id; that of the unfinished one that has its unique key, where that is kept.
  /// - Throws: `JobStoreError` where the store is not on a PostgreSQL server, has not been opened yet
  ///   (`center.jobs.open()`), or what is asked for makes no sense; what the transaction throws, also where it is one of another
  ///   database; what the encoding of the value throws.
  @discardableResult
  public func enqueue(
    _ job: some DurableTask, _ options: EnqueueOptions = EnqueueOptions(), in transaction: ServerTransaction
  ) async throws -> JobID {
    var batch = JobBatch()
    batch.add(job, options)
    return try await enqueue(batch, in: transaction)[0]
  }

  /// Writes several jobs down in a transaction of yours on the server that their store is on.
  @discardableResult
  public func enqueue(
    _ jobs: [any DurableTask], _ options: EnqueueOptions = EnqueueOptions(), in transaction: ServerTransaction
  ) async throws -> [JobID] {
    var batch = JobBatch()
    for job in jobs { batch.add(job, options) }
    return try await enqueue(batch, in: transaction)
  }

  /// Writes a batch down in a transaction of yours on the server that its store is on, with one statement.
  ///
  /// - Returns: the jobs' ids, in the order in which they were added.
  @discardableResult
  public func enqueue(_ batch: JobBatch, in transaction: ServerTransaction) async throws -> [JobID] {
    guard let (jobs, anyStore, identity) = try newJobs(of: batch) else { return [] }
    guard let store = anyStore as? PostgresStore else {
      throw JobStoreError(
        .invalid, store: anyStore.name,
        detail: "it is not on a PostgreSQL server, and enqueuing in a transaction there needs that")
    }
    for (place, job) in jobs.enumerated() {
      // Which ids there were, the server knows.
      if let problem = job.problem(at: place, next: .max) {
        throw JobStoreError(.invalid, store: store.name, detail: problem)
      }
    }
    // In a transaction of its own, so that nobody waits for this one because of them.
    try await store.makeShelves(for: jobs)
    let text = try await transaction.query(try store.enqueuing(jobs, identity))
    guard let ids = Self.ids(text), ids.count == jobs.count else {
      throw JobStoreError(
        .invalid, store: store.name,
        detail: "the transaction did not give what the server said: '\(text ?? "nothing")' came back")
    }
    return ids.map { JobID(rawValue: $0) }
  }

  private static func ids(_ text: String?) -> [Int64]? {
    do { return try text.map { try JSONDecoder().decode([Int64].self, from: Data($0.utf8)) } } catch { return nil }
  }
}

extension PostgresStore {
  /// Makes the shelves that jobs need, where this process has not seen them yet; they stay.
  fileprivate func makeShelves(for jobs: [NewJob]) async throws {
    let sorts = Set(
      jobs.map { job in
        "\(job.queue)\0\(job.kind)\0\(job.constraints)\0\(job.limit != nil)\0\(job.constraintsUntil != nil)\0"
          + "\(job.payload.version)"
      })
    guard !shelves.withLock({ $0.isSuperset(of: sorts) }) else { return }
    let rows = try await query("SELECT \(schema).taskkit_shelve(NULL, $1)", [.json(try PostgresCall(jobs).json)])
    try understood { try PostgresFailure.check(shelved: rows) }
    shelves.withLock { shelves in
      // Queues may be named by users, of whom there are always more.
      if shelves.count > 10_000 { shelves = [] }
      shelves.formUnion(sorts)
    }
  }

  /// The statement that enqueues jobs. All that it says stands in its text, in base64; see ``ServerTransaction``.
  fileprivate func enqueuing(_ jobs: [NewJob], _ identity: UUID) throws -> String {
    let stored = try PostgresCall(jobs).json
    let payloads = jobs.map { "decode('\($0.payload.bytes.base64EncodedString())', 'base64')" }
    return "SELECT \(schema).taskkit_enqueue_all(\(format), '\(identity.uuidString)', "
      + "convert_from(decode('\(Data(stored.utf8).base64EncodedString())', 'base64'), 'UTF8')::jsonb, "
      + "ARRAY[\(payloads.joined(separator: ", "))]::bytea[])"
  }
}

extension PostgresCall {
  /// The jobs as the server's functions take them.
  fileprivate var json: String { if case .json(let text?) = jobs { text } else { "[]" } }
}
#endif
