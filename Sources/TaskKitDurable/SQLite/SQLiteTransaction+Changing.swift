#if Durable
import Foundation
import GRDB

extension SQLiteTransaction {
  func change(_ selection: JobSelection, _ change: JobChange) throws -> JobChangeAnswer {
    let (condition, arguments) = try Self.condition(of: selection)
    let statement = try db.makeStatement(sql: "SELECT \(SQLiteJob.columns) FROM \(SQLiteJob.tables) WHERE \(condition)")
    let rows = try Row.fetchCursor(statement, arguments: StatementArguments(arguments))
    var ids: [JobID] = []
    while let row = try rows.next() {
      let job = try SQLiteJob(row)
      if change.concerns(job.state) { ids.append(job.id) }
    }
    var told: [AttemptToken] = []
    var count = 0
    for id in ids where try apply(change, to: id, told: &told) { count += 1 }
    return JobChangeAnswer(count: count, cancelled: told.sorted())
  }

  private func apply(_ change: JobChange, to id: JobID, told: inout [AttemptToken]) throws -> Bool {
    switch change {
    case .cancel: try cancel(id, .cancelled, told: &told)
    case .delete: try cancel(id, nil, told: &told)
    case .prioritise(let priority):
      guard var job = try job(id) else { return true }
      try prioritise(&job, priority)
    case .change(let term):
      guard var job = try job(id) else { return true }
      try self.change(&job, term)
    case .hold(let text, let constraints):
      guard var job = try job(id) else { return true }
      try hold(&job, HoldReason(asked: text, until: constraints))
    case .release:
      guard var job = try job(id) else { return true }
      try release(&job)
    case .retry:
      return try retry(id)
    case .reschedule(let start):
      guard var job = try job(id) else { return true }
      try makeReady(&job, due: StoreTime(start, now: now))
    }
    return true
  }

  private func release(_ job: inout SQLiteJob) throws {
    let reason = job.hold
    if reason?.keepsAttempts != true { startOver(&job) }
    let failed = try failedParent(of: job)
    if failed != nil, reason?.cause == .parentFailed {
      job.flags.insert(.excused)
      try db.run("UPDATE taskkit_edge SET place = ~place WHERE child = ? AND place < 0", job.id.rawValue)
    }
    try makeReady(&job, due: job.due)
    guard let failed, reason?.isAsked == true, !job.flags.contains(.excused), job.parentFailure == .hold else { return }
    try hold(&job, .parentFailed(failed))
  }

  private func prioritise(_ job: inout SQLiteJob, _ priority: JobPriority) throws {
    guard job.state == .ready else {
      job.priority = priority
      return try save(&job)
    }
    try move(&job, to: .ready, since: since(job)) { $0.priority = priority }
  }

  private func change(_ job: inout SQLiteJob, _ term: JobTerm) throws {
    switch term {
    case .attempts(let attempts):
      let maximum = attempts.maximum(insteadOf: job.maximumAttempts, running: job.attempt?.number)
      try db.run("UPDATE taskkit_job SET maximum_attempts = ? WHERE id = ?", maximum, job.id.rawValue)
    case .deadline(let deadline):
      try db.run("UPDATE taskkit_job SET deadline = ? WHERE id = ?", deadline?.microseconds, job.id.rawValue)
    case .requires(let constraints, let until):
      try require(constraints.map(\.name), until: until.map { StoreTime($0, now: now) }, of: &job)
    }
  }

  private func require(_ constraints: [String], until: StoreTime?, of job: inout SQLiteJob) throws {
    let needs = try Self.text(constraints)
    let shelf = try shelf(
      queue: job.queue, kind: job.kind, needs: needs.isEmpty ? needs : Self.text(constraints.sorted()),
      isLimited: job.limit != nil, version: job.version)
    func change(_ job: inout SQLiteJob) {
      (job.needs, job.needsUntil, job.firstShelf, job.shelf) = (needs, until, shelf, shelf)
    }
    if job.state == .ready {
      try move(&job, to: .ready, since: since(job), change)
    } else {
      change(&job)
      try save(&job)
    }
    try db.run(
      "UPDATE taskkit_job SET needs = ?, needs_until = ?, shelf = ? WHERE id = ?", needs, until?.microseconds, shelf,
      job.id.rawValue)
  }

  /// Since when a ready job has been so.
  private func since(_ job: SQLiteJob) throws -> StoreTime? {
    try shelve()
    return try db.first(
      "SELECT since FROM taskkit_ready WHERE shelf = ? AND major = ? AND minor = ? AND attempts = ? AND id = ?",
      job.shelf, ~job.priority.major, ~job.priority.minor, job.attempts, job.id.rawValue
    ) { StoreTime(microseconds: $0[0]) }
  }

  /// Ends a job from outside of its attempt, and tells that.
  ///
  /// - Parameter isReplaced: whether another one does its work: it is kept as if it were done.
  func cancel(_ id: JobID, _ state: JobState?, isReplaced: Bool = false, told: inout [AttemptToken]) throws {
    guard let job = try job(id), state == nil || !job.state.isFinal else { return }
    if let attempt = job.attempt {
      if attempt.owner == owner {
        told.append(attempt.token)
      } else {
        try db.run("INSERT INTO taskkit_cancel VALUES (?, ?)", attempt.owner, attempt.token.rawValue)
      }
    }
    try end(job, state, isReplaced: isReplaced)
  }

  /// - Returns: whether it is unfinished now.
  private func retry(_ id: JobID) throws -> Bool {
    guard var job = try job(id) else { return false }
    let failed = try failedParent(of: job)
    if failed != nil, job.parentFailure == .cancel { return false }
    guard try takeKeyAgain(job) else { return false }
    startOver(&job)
    try makeReady(&job, due: now)
    if let failed, job.parentFailure == .hold { try hold(&job, .parentFailed(failed)) }
    try db.run("UPDATE taskkit_edge SET place = ~place WHERE parent = ? AND place < 0", id.rawValue)
    // Those that do not run, and are not about to, wait for it again.
    noteEdges()
    try db.run(
      """
      UPDATE taskkit_edge SET is_open = 1, result = NULL WHERE parent = ? AND NOT is_order
        AND (SELECT coalesce(s.state, j.state) FROM taskkit_job j LEFT JOIN taskkit_state s ON s.id = j.id WHERE j.id = child)
          IN (SELECT value FROM json_each(?))
      """, id.rawValue, "\(JobState.allCases.filter(\.waitsAgain).map(\.number))")
    try db.run(
      """
      UPDATE taskkit_state SET flags = flags & ~?1 WHERE flags & ?1
        AND id IN (SELECT child FROM taskkit_edge WHERE parent = ?2 AND NOT is_order AND is_open)
      """, SQLiteJob.Flags.excused.rawValue, id.rawValue)
    return true
  }

  /// The first of those that a job waited for which has not succeeded, and can be tried again, or did not while the job was held
  /// for something else.
  private func failedParent(of job: SQLiteJob) throws -> JobID? {
    guard job.flags.contains(.parents) else { return nil }
    return try db.first(
      """
      SELECT e.parent FROM taskkit_edge e LEFT JOIN taskkit_state s ON s.id = e.parent
      WHERE e.child = ? AND NOT e.is_order AND (e.place < 0 OR s.state IN (?, ?))
      ORDER BY max(e.place, ~e.place) LIMIT 1
      """, job.id.rawValue, JobState.dead.number, JobState.cancelled.number
    ) { JobID(rawValue: $0[0]) }
  }

  private func startOver(_ job: inout SQLiteJob) {
    // No table has a held or ended job's attempts in its key.
    job.attempts = 0
    job.crashes = 0
  }

  /// A job that begins again needs its key again; false where another unfinished one has it.
  private func takeKeyAgain(_ job: SQLiteJob) throws -> Bool {
    guard let key = job.uniqueKey else { return true }
    guard try lastUnfinishedJob(of: key) == nil else { return false }
    let until = job.uniquePeriod.map { (job.created + .microseconds($0)).microseconds }
    try db.run("INSERT OR REPLACE INTO taskkit_key VALUES (?, ?, ?, 0)", key, job.id.rawValue, until)
    return true
  }

  // MARK: Stopping

  func setPaused(_ paused: Bool, _ subject: PauseSubject, by name: String) throws {
    let (sort, subjectName) = subject.order
    if paused {
      try db.run(
        "INSERT OR IGNORE INTO taskkit_pause VALUES (?, ?, ?, ?)", sort, subjectName, name, now.microseconds)
    } else {
      try db.run("DELETE FROM taskkit_pause WHERE subject = ? AND name = ?", sort, subjectName)
      guard case .kind = subject, db.changesCount > 0 else { return }
      // Its slots have passed meanwhile.
      try db.run("UPDATE taskkit_schedule SET latest = ? WHERE name = ?", now.microseconds, subjectName)
    }
  }

  func pauses() throws -> [JobPause] {
    try Self.pauses(db)
  }

  func setRate(_ rate: RateLimit?, of subject: JobRate.Subject) throws {
    let (isKey, name) = subject.order
    if let rate {
      try db.run(
        """
        INSERT INTO taskkit_rate (is_key, name, count, period) VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET count = excluded.count, period = excluded.period
        """, isKey, name, rate.count, rate.period.microseconds)
    } else {
      try db.run("DELETE FROM taskkit_rate WHERE is_key = ? AND name = ?", isKey, name)
      try db.run("DELETE FROM taskkit_start WHERE is_key = ? AND name = ?", isKey, name)
    }
  }

  /// Deletes ended jobs whose retention has passed.
  func sweep(limit: Int) throws -> Duration? {
    try db.run("DELETE FROM taskkit_key WHERE has_ended AND until <= ?", now.microseconds)
    // Queues may have any names. Who counts adds them again.
    try db.run("DELETE FROM taskkit_count WHERE count = 0")
    // A file that is damaged keeps its jobs until it is repaired.
    guard !caches.isDamaged else { return nil }
    let expired = try db.list(
      "SELECT id FROM taskkit_state WHERE expiry <= ? ORDER BY expiry, id LIMIT ?", now.microseconds, max(0, limit)
    ) { JobID(rawValue: $0[0]) }
    for id in expired {
      guard let job = try job(id) else {
        try db.run("DELETE FROM taskkit_state WHERE id = ?", id.rawValue)
        continue
      }
      try leave(job)
      try forget(job)
    }
    let next: Int64? = try db.first(
      "SELECT expiry FROM taskkit_state WHERE expiry IS NOT NULL ORDER BY expiry LIMIT 1"
    ) { $0[0] }
    return next.map { now.wait(until: StoreTime(microseconds: $0)) }
  }

  // MARK: Owners

  /// Gives back what an owner held: as a crash, or as an interruption. What the file cannot give stays where it is.
  func release(owner: Int64, isCrash: Bool) throws -> [RescuedJob] {
    let ids = try db.list("SELECT id FROM taskkit_running WHERE owner = ? ORDER BY id", owner) {
      JobID(rawValue: $0[0])
    }
    var rescued: [RescuedJob] = []
    for id in ids where !isPassedBy(id.rawValue) {
      try about(id) {
        guard var job = try job(id) else { return try run(.deleteRunning, id.rawValue) }
        if isCrash { rescued.append(try rescue(&job)) } else { try interrupt(&job) }
      }
    }
    try db.run("DELETE FROM taskkit_cancel WHERE owner = ?", owner)
    try db.run("DELETE FROM taskkit_owner WHERE id = ?", owner)
    return rescued
  }

  private func rescue(_ job: inout SQLiteJob) throws -> RescuedJob {
    let kind: String? = try db.first("SELECT text FROM taskkit_name WHERE id = ?", job.kind) {
      try $0.value(0, of: .name, "\(job.kind)")
    }
    var gaveUp: RescuedJob.GivenUp?
    job.crashes += 1
    try note(.crash, "the process died", &job)
    if job.crashes >= job.maximumCrashes {
      try hold(&job, .crashed(times: job.crashes))
    } else if let maximum = job.maximumAttempts, job.attempts >= maximum {
      let attempts = job.attempts
      gaveUp = try db.first("SELECT version, payload FROM taskkit_job WHERE id = ?", job.id.rawValue) { row in
        RescuedJob.GivenUp(attempts: attempts, payload: JobPayload(version: row[0], bytes: row[1]))
      }
      try exhaust(&job)
    } else {
      try makeReady(&job, due: now)
    }
    return RescuedJob(id: job.id, kind: kind ?? "", state: try self.job(job.id)?.state, gaveUp: gaveUp)
  }
}
#endif
