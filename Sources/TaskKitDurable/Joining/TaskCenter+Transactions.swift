#if Durable && !os(Windows)
public import GRDB
public import TaskKit

extension TaskCenter {
  /// Writes a job down in a transaction of the database that the store shares: it is there if and when that is committed.
  ///
  /// ```swift
  /// let center = try TaskCenter(registry: .generated, stores: [DurableStore("app", SQLiteStore(sharing: pool))])
  /// try await center.jobs.open()
  /// try await pool.write { db in
  ///   try picture.insert(db)
  ///   try center.enqueue(Upload(file: picture.file), in: db)
  /// }
  /// ```
  ///
  /// A transaction or a savepoint that is rolled back has enqueued nothing. The workers look at it after the commit. It is as
  /// durable as the commit is: see ``SQLiteStore/init(sharing:)``.
  ///
  /// - Parameters:
  ///   - job: what is to be done.
  ///   - options: what it has that its kind does not say.
  ///   - db: a connection of that database, inside a transaction.
  /// - Returns: its id; that of the unfinished one that has its unique key, where that is kept.
  /// - Throws: ``DurableError`` where the store of the kind shares no database, ``JobStoreError`` where it has not been
  ///   opened yet (``JobOperations/open()``) or `db` is none of its connections; what the encoding of the value throws.
  @discardableResult
  public func enqueue(
    _ job: some DurableTask, _ options: EnqueueOptions = EnqueueOptions(), in db: Database
  ) throws -> JobID {
    var batch = JobBatch()
    batch.add(job, options)
    return try enqueue(batch, in: db)[0]
  }

  /// Writes several jobs down in a transaction of the database that the store shares.
  @discardableResult
  public func enqueue(
    _ jobs: [any DurableTask], _ options: EnqueueOptions = EnqueueOptions(), in db: Database
  ) throws -> [JobID] {
    var batch = JobBatch()
    for job in jobs { batch.add(job, options) }
    return try enqueue(batch, in: db)
  }

  /// Writes a batch down in a transaction of the database that the store shares.
  ///
  /// - Returns: the jobs' ids, in the order in which they were added.
  @discardableResult
  public func enqueue(_ batch: JobBatch, in db: Database) throws -> [JobID] {
    guard let (engine, jobs) = try prepare(batch) else { return [] }
    return try engine.enqueue(jobs, in: db).map(\.id)
  }
}

extension JobEngine {
  fileprivate func enqueue(_ jobs: [NewJob], in db: Database) throws -> [EnqueuedJob] {
    guard let store = store as? SQLiteStore, store.sharesDatabase else { throw DurableError.sharesNoDatabase(name) }
    try openIdentity()
    noteRetention(of: jobs)
    let enqueued = try store.enqueue(jobs, in: db)
    let queues = Set(jobs.map(\.queue))
    let (cancelled, replaced) = (enqueued.flatMap(\.cancelled), enqueued.flatMap(\.replaced))
    let haveEnded = mayHaveEnded(jobs, enqueued)
    let added = zip(jobs, enqueued).filter { $1.outcome != .kept }.map { (id: $1.id, kind: $0.kind) }
    db.afterNextTransaction { [weak self] db in
      guard let self else { return }
      let there = events.isObserved ? Self.written(added.map(\.id), in: db) : []
      receive { machine in
        for job in added where there.contains(job.id) { machine.tell(.enqueued(job.id, kind: job.kind)) }
        machine.wake(queues, workers: self.newQueue)
        machine.emit(.changed)
      }
      if haveEnded { jobsEnded() }
      if !cancelled.isEmpty { cancelReplaced(cancelled, of: replaced) }
    }
    return enqueued
  }

  /// Those that are there: a savepoint may have been rolled back before the commit.
  private static func written(_ ids: [JobID], in db: Database) -> Set<JobID> {
    let list = "[\(ids.map(\.description).joined(separator: ","))]"
    let there = try? Int64.fetchAll(
      db, sql: "SELECT id FROM taskkit_job WHERE id IN (SELECT value FROM json_each(?))", arguments: [list])
    return Set((there ?? []).map(JobID.init(rawValue:)))
  }

  /// Ends the attempts of jobs that were replaced, unless their savepoint was rolled back before the commit.
  private func cancelReplaced(_ tokens: [AttemptToken], of jobs: [JobID]) {
    // Ends when the store has answered. If it does not, their ends are refused.
    errand {
      var going: Set<JobID> = []
      do {
        try await self.forEachPart(of: JobSelection(ids: jobs, states: [.running])) { going.formUnion($0.map(\.id)) }
      } catch { return }
      self.receive { [going] machine in
        for token in tokens {
          if let attempt = machine.attempts[token], !going.contains(attempt.job.id) { machine.cancel(token) }
        }
      }
    }
  }
}

extension EnqueuedJob {
  fileprivate var replaced: [JobID] { if case .replaced(let jobs) = outcome { jobs } else { [] } }
}
#endif
