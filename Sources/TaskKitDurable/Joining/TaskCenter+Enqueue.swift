public import TaskKit

extension TaskCenter {
  /// Writes a job down. When this returns, it is as durable as its kind says: it runs, also after a crash, until it has
  /// succeeded or given up.
  ///
  /// It may be called at any time: before `start()`, while the workers stop, and from inside of jobs. A kind that is
  /// not registered in this program is written down, too, and waits (Z10).
  ///
  /// - Returns: its id; that of the unfinished one that has its unique key, where that is kept.
  /// - Throws: ``JobStoreError``, ``DurableError``, or what the encoding of the value throws; nothing was written then, but for the
  ///   moments that ``JobStoreError`` names.
  @discardableResult
  public func enqueue(
    _ job: some DurableTask, _ options: EnqueueOptions = EnqueueOptions()
  ) async throws -> JobID {
    let runtime = try runtime()
    let kind = runtime.kinds.kind(of: type(of: job))
    var new = try kind.registration.newJob(job, options)
    new.parents = options.after.map { .job($0) }
    return try await runtime.engine(for: kind).enqueue([new])[0].id
  }

  /// Writes several jobs down, all or nothing: none of them runs before all are written (Z11).
  @discardableResult
  public func enqueue(
    _ jobs: [any DurableTask], _ options: EnqueueOptions = EnqueueOptions()
  ) async throws -> [JobID] {
    var batch = JobBatch()
    for job in jobs { batch.add(job, options) }
    return try await enqueue(batch)
  }

  /// Writes down jobs that run one after the other, each when the one before has succeeded.
  @discardableResult
  public func enqueue(chain jobs: [any DurableTask]) async throws -> [JobID] {
    var batch = JobBatch()
    batch.add(chain: jobs)
    return try await enqueue(batch)
  }

  /// Writes jobs down, all or nothing.
  ///
  /// - Returns: their ids, in the order in which they were added.
  @discardableResult
  public func enqueue(_ batch: JobBatch) async throws -> [JobID] { try await write(batch).map(\.id) }

  /// - Returns: what has become of each.
  private func write(_ batch: JobBatch) async throws -> [EnqueuedJob] {
    guard let (engine, jobs) = try prepare(batch) else { return [] }
    return try await engine.enqueue(jobs)
  }

  /// What is written down for a batch, and where; nil for an empty one.
  func prepare(_ batch: JobBatch) throws -> (JobEngine, [NewJob])? {
    let runtime = try runtime()
    guard !batch.entries.isEmpty else { return nil }
    var jobs: [NewJob] = []
    var stores: [(engine: JobEngine, kinds: [String])] = []
    for entry in batch.entries {
      let kind = runtime.kinds.kind(of: type(of: entry.job))
      var new = try kind.registration.newJob(entry.job, entry.options)
      new.parents = entry.options.after.map { .job($0) } + entry.parents.map { .inBatch($0.index) }
      jobs.append(new)
      let (engine, name) = (try runtime.engine(for: kind), kind.registration.kind)
      if let place = stores.firstIndex(where: { $0.engine === engine }) {
        if !stores[place].kinds.contains(name) { stores[place].kinds.append(name) }
      } else {
        stores.append((engine, [name]))
      }
    }
    guard stores.count == 1 else { throw DurableError.severalStores(stores.map { ($0.engine.name, $0.kinds) }) }
    return (stores[0].engine, jobs)
  }
}

extension JobEngine {
  @discardableResult
  func enqueue(_ jobs: [NewJob]) async throws -> [EnqueuedJob] {
    try await open()
    noteRetention(of: jobs)
    let enqueued = try await store.enqueue(jobs)
    let tellsChange = changes.isObserved
    receive { machine in
      for (job, answer) in zip(jobs, enqueued) {
        if answer.outcome != .kept { machine.tell(.enqueued(answer.id, kind: job.kind)) }
        for token in answer.cancelled { machine.cancel(token) }
      }
      machine.storeWorked()
      var last: String?
      for job in jobs where job.queue != last {
        machine.wake(CollectionOfOne(job.queue), workers: self.newQueue)
        last = job.queue
      }
      if tellsChange { machine.emit(.changed) }
    }
    if mayHaveEnded(jobs, enqueued) { jobsEnded() }
    return enqueued
  }

  /// Whether jobs may have ended as these were written down: one that was replaced, or one whose parent had failed.
  func mayHaveEnded(_ jobs: [NewJob], _ enqueued: [EnqueuedJob]) -> Bool {
    jobs.contains { !$0.parents.isEmpty }
      || enqueued.contains { if case .replaced = $0.outcome { true } else { false } }
  }
}
