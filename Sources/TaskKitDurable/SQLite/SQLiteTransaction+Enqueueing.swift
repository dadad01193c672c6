#if Durable
import Foundation
import GRDB

extension SQLiteTransaction {
  /// What a job waits for.
  private struct Edge {
    let parent: JobID
    /// Only the end is waited for: the key's jobs run one after the other.
    var isOrder: Bool
    var isOpen: Bool
    var result: Data?
  }

  func enqueue(_ jobs: [NewJob], store: String) throws -> [EnqueuedJob] {
    let next = try nextJob()
    for (place, job) in jobs.enumerated() {
      if let problem = job.problem(at: place, next: next) {
        throw JobStoreError(.invalid, store: store, detail: problem)
      }
    }
    var done: [EnqueuedJob] = []
    done.reserveCapacity(jobs.count)
    for job in jobs { done.append(try enqueue(job, batch: done, from: JobID(rawValue: next))) }
    return done
  }

  /// The same for jobs that are all plain, and sound.
  ///
  /// - Returns: the first one's id, which those of the others follow.
  func enqueuePlainly(_ jobs: [NewJob]) throws -> Int64 {
    let first = try nextJob()
    // In place: a job has a dozen parts whose references a copy would count.
    try jobs.withUnsafeBufferPointer { jobs in
      guard let start = jobs.baseAddress else { return }
      for place in jobs.indices { try writePlainly(start[place], id: first + Int64(place)) }
    }
    pending.nextJob = first + Int64(jobs.count)
    return first
  }

  private func writePlainly(_ new: borrowing NewJob, id: Int64) throws {
    guard let plain, plain.isLike(new) else {
      let new = copy new
      try write(new, id: id, isWaiting: false, hasParents: false)
      let (queue, kind) = (try number(of: new.queue), try number(of: new.kind))
      self.plain = PlainJob(new, counted: CountKey(queue: queue, kind: kind, state: JobState.ready.number))
      return
    }
    var insert = try step(.insertJob)
    insert.bind(id)
    insert.place = PlainJob.placeBeforeTimes
    insert.bind(now.microseconds)
    insert.bind(now.microseconds)
    insert.place = PlainJob.placeBeforePayload
    try insert.run(new.payload.bytes)
    try shelveLater(id)
    pending.counts.add(1, to: plain.counted)
  }

  /// - Parameters:
  ///   - batch: what has become of the jobs of the same call that come before it.
  ///   - first: the id of the first job that the call writes.
  private func enqueue(_ new: NewJob, batch: [EnqueuedJob], from first: JobID) throws -> EnqueuedJob {
    if let occurrence = new.occurrence,
      let old = try job(of: occurrence) ?? lastJob(of: occurrence, new.occurrenceLimit)
    {
      return EnqueuedJob(id: old, outcome: .kept)
    }
    var outcome = EnqueuedJob.Outcome.added
    var told: [AttemptToken] = []
    var edges: [Edge] = []
    if let unique = new.unique {
      switch unique.conflict {
      case .keep:
        if let old = try keeper(of: unique.key) {
          if let occurrence = new.occurrence { try take(occurrence, for: old) }
          return EnqueuedJob(id: old, outcome: .kept)
        }
      case .replace:
        let unfinished = try unfinishedJobs(of: unique.key)
        for id in unfinished { try cancel(id, .cancelled, isReplaced: true, told: &told) }
        if !unfinished.isEmpty { outcome = .replaced(unfinished) }
      case .append:
        if let last = try lastUnfinishedJob(of: unique.key) {
          edges.append(Edge(parent: last, isOrder: true, isOpen: true))
        }
      }
    }
    let number = try nextJob()
    let id = JobID(rawValue: number)
    pending.nextJob = number + 1
    let failed = try addEdges(to: &edges, of: new, batch, from: first)
    if !edges.isEmpty { noteEdges() }
    for (place, edge) in edges.enumerated() {
      try db.run(
        "INSERT INTO taskkit_edge VALUES (?, ?, ?, ?, ?, ?)", edge.parent.rawValue, number, place, edge.isOrder,
        edge.isOpen, edge.result)
    }
    if let unique = new.unique {
      let until = unique.period.map { (now + $0).microseconds }
      try db.run("INSERT INTO taskkit_key VALUES (?, ?, ?, 0)", unique.key, number, until)
    }
    if let occurrence = new.occurrence { try take(occurrence, for: id) }
    try write(new, id: number, isWaiting: edges.contains(where: \.isOpen), hasParents: !edges.isEmpty)
    if let failed {
      switch new.parentFailure {
      case .cancel: try end(job(id)!, .cancelled)
      case .hold:
        var job = try job(id)!
        try hold(&job, .parentFailed(failed))
      case .run: break
      }
    }
    return EnqueuedJob(id: id, outcome: outcome, cancelled: told.sorted())
  }

  /// - Returns: the first parent that has failed already.
  private func addEdges(
    to edges: inout [Edge], of new: NewJob, _ batch: [EnqueuedJob], from first: JobID
  ) throws -> JobID? {
    var failed: JobID?
    var seen: Set<JobID> = []
    for parent in new.parents {
      let id =
        switch parent {
        case .job(let id): id
        case .inBatch(let place): batch[place].id
        }
      guard seen.insert(id).inserted else { continue }
      // Of the others none is there twice: only the edge of its key, the first one, may be there already.
      if edges.first?.parent == id {
        edges[0].isOrder = false
        continue
      }
      let job = try job(id)
      // Nothing has succeeded yet of what the same call has written: what is gone of it was cancelled and not kept.
      let hasFailed = job.map { $0.state == .dead || $0.state == .cancelled } ?? (id >= first)
      if hasFailed { failed = failed ?? id }
      let isOpen = job.map { !$0.state.isFinal } ?? false
      let result = job?.state == .finished ? job?.result : nil
      edges.append(Edge(parent: id, isOrder: false, isOpen: isOpen, result: result))
    }
    return failed
  }

  private func write(_ new: NewJob, id: Int64, isWaiting: Bool, hasParents: Bool) throws {
    plain = nil
    let (queue, kind) = (try number(of: new.queue), try number(of: new.kind))
    let needs = try Self.text(new.constraints)
    let shelf = try shelf(
      queue: queue, kind: kind, needs: needs.isEmpty ? needs : Self.text(new.constraints.sorted()),
      isLimited: new.limit != nil, version: new.payload.version)
    let due = StoreTime(new.start, now: now)
    let until = new.constraintsUntil.map { StoreTime($0, now: now) }
    let state: JobState = isWaiting ? .waiting : due > now ? .delayed : .ready
    let flags: SQLiteJob.Flags = hasParents ? .parents : []
    var insert = try step(.insertJob)
    insert.bind(id)
    insert.bind(queue)
    insert.bind(kind)
    insert.bind(shelf)
    insert.bind(state.number)
    insert.bind(new.priority.major)
    insert.bind(new.priority.minor)
    insert.bind(due.microseconds)
    insert.bind(now.microseconds)
    insert.bind(flags.rawValue)
    insert.bind(new.maximumAttempts)
    insert.bind(new.maximumCrashes)
    insert.bind(new.deadline?.microseconds)
    insert.bind(needs)
    insert.bind(until?.microseconds)
    insert.bind(new.unique?.key)
    insert.bind(new.unique?.period?.microseconds)
    insert.bind(new.limit?.key)
    insert.bind(new.limit?.count)
    insert.bind(new.parentFailure.number)
    insert.bind(new.exhaustion.number)
    insert.bind(new.retention.finished?.microseconds)
    insert.bind(new.retention.failed?.microseconds)
    insert.bind(new.tags.isEmpty ? nil : try Self.text(new.tags))
    insert.bind(new.occurrence?.schedule)
    insert.bind(new.occurrence.map { StoreTime($0.date).microseconds })
    insert.bind(new.payload.version)
    try insert.run(new.payload.bytes)
    if state == .ready, until == nil || new.constraints.isEmpty {
      // The common case, with nothing that would have to be read back.
      try shelveLater(id)
      pending.counts.add(1, to: CountKey(queue: queue, kind: kind, state: state.number))
    } else {
      var job = try job(JobID(rawValue: id))!
      if state == .ready, let until, until <= now {
        job.shelf = try self.shelf(
          queue: queue, kind: kind, needs: "", isLimited: new.limit != nil, version: new.payload.version)
        try save(&job)
      }
      try enter(job, since: now)
    }
  }

  // MARK: Occurrences

  /// What is known of a schedule, which begins now for one that was not.
  func schedule(_ name: String, beginning date: Date) throws -> ScheduleRecord {
    try db.run("INSERT OR IGNORE INTO taskkit_schedule VALUES (?, ?, NULL, 0)", name, StoreTime(date).microseconds)
    var record = try Self.schedule(db, name)!
    if let latest = record.latest, StoreTime(latest) > now {
      // A clock that was ahead has written it down.
      record.latest = try db.first(
        "SELECT at FROM taskkit_occurrence WHERE schedule = ? AND at <= ? ORDER BY at DESC LIMIT 1", name,
        now.microseconds
      ) { try StoreTime(microseconds: $0.value(0, of: .occurrence, "'\(name)'")).date }
    }
    return record
  }

  private func job(of occurrence: JobOccurrence) throws -> JobID? {
    let time = StoreTime(occurrence.date).microseconds
    let next = try db.first(
      "SELECT at, id FROM taskkit_occurrence WHERE schedule = ? AND at >= ? ORDER BY at LIMIT 1", occurrence.schedule,
      time
    ) { row in
      try (
        at: row.value(0, of: .occurrence, "'\(occurrence.schedule)'") as Int64,
        id: row.value(1, of: .occurrence, "'\(occurrence.schedule)'") as Int64
      )
    }
    return next.flatMap { $0.at == time || $0.id < 0 ? JobID(rawValue: abs($0.id)) : nil }
  }

  /// That of the latest occurrence of a schedule where so many were taken; nil where another one may be.
  private func lastJob(of occurrence: JobOccurrence, _ limit: Int?) throws -> JobID? {
    guard let limit else { return nil }
    let count: Int? = try db.first("SELECT count FROM taskkit_schedule WHERE name = ?", occurrence.schedule) {
      try $0.value(0, of: .schedule, "'\(occurrence.schedule)'")
    }
    guard let count, count >= limit else { return nil }
    return try db.first(
      "SELECT id FROM taskkit_occurrence WHERE schedule = ? ORDER BY at DESC LIMIT 1", occurrence.schedule
    ) { try JobID(rawValue: abs($0.value(0, of: .occurrence, "'\(occurrence.schedule)'") as Int64)) }
  }

  private func take(_ occurrence: JobOccurrence, for id: JobID) throws {
    let at = StoreTime(occurrence.date).microseconds
    try db.run("INSERT INTO taskkit_occurrence VALUES (?, ?, ?)", occurrence.schedule, at, id.rawValue)
    let count: Int? = try db.first(
      """
      INSERT INTO taskkit_schedule VALUES (?1, ?2, ?2, 1)
      ON CONFLICT DO UPDATE SET latest = max(coalesce(latest, excluded.latest), excluded.latest), count = count + 1
      RETURNING count
      """, occurrence.schedule, at
    ) { try $0.value(0, of: .schedule, "'\(occurrence.schedule)'") }
    if count?.isMultiple(of: OccurrenceMemory.interval) == true { try putTogether(occurrence.schedule) }
  }

  /// Keeps of old occurrences only the ends of their rows: see ``OccurrenceMemory``.
  private func putTogether(_ schedule: String) throws {
    func latest(but count: Int) throws -> Int64? {
      try db.first(
        "SELECT at FROM taskkit_occurrence WHERE schedule = ? ORDER BY at DESC LIMIT 1 OFFSET ?", schedule, count
      ) { try $0.value(0, of: .occurrence, "'\(schedule)'") }
    }
    guard let last = try latest(but: OccurrenceMemory.single),
      let furthest = try latest(but: OccurrenceMemory.single - OccurrenceMemory.compared)
    else { return }
    // What lies before an entry that closes a row is no gap. Not by a FILTER: SQLite's max over rows that move on heeds none.
    try db.run(
      """
      UPDATE taskkit_occurrence SET id = -id WHERE schedule = ?1 AND at IN (
        SELECT at FROM (
          SELECT at, id, gap, max(CASE WHEN id > 0 THEN gap END) OVER (
            ORDER BY at ROWS BETWEEN 1 FOLLOWING AND \(OccurrenceMemory.compared) FOLLOWING) AS longest
          FROM (
            SELECT at, id, at - lag(at) OVER (ORDER BY at) AS gap FROM taskkit_occurrence
            WHERE schedule = ?1 AND at <= ?3))
        WHERE id > 0 AND at <= ?2 AND gap <= longest)
      """, schedule, last, furthest)
    try db.run(
      """
      DELETE FROM taskkit_occurrence AS o WHERE schedule = ?1 AND at <= ?2 AND id < 0 AND
        (SELECT n.id FROM taskkit_occurrence n WHERE n.schedule = ?1 AND n.at > o.at ORDER BY n.at LIMIT 1) < 0
      """, schedule, last)
  }
}
#endif
