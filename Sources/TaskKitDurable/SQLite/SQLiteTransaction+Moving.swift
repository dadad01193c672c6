#if Durable
import Foundation
import GRDB

extension SQLiteTransaction {
  // MARK: Jobs

  func job(_ id: JobID) throws -> SQLiteJob? {
    try db.first("SELECT \(SQLiteJob.columns) FROM \(SQLiteJob.tables) WHERE j.id = ?", id.rawValue) {
      try SQLiteJob($0)
    }
  }

  /// A new job that is ready will lie on its shelf before anybody looks there.
  func shelveLater(_ id: Int64) throws {
    if let ids = pending.unshelved {
      guard ids.upperBound + 1 != id else {
        pending.unshelved = ids.lowerBound...id
        return
      }
      try shelve()
    }
    pending.unshelved = id...id
  }

  /// Puts new jobs on their shelves: to be called before these are looked at.
  func shelve() throws {
    guard let ids = pending.unshelved else { return }
    try run(.shelve, ids)
    pending.unshelved = nil
  }

  func count(_ job: SQLiteJob, _ difference: Int) {
    pending.counts.add(difference, to: CountKey(queue: job.queue, kind: job.kind, state: job.state.number))
  }

  private func hasDateOfNeeds(_ job: SQLiteJob) -> Bool {
    job.needsUntil != nil && job.shelf == job.firstShelf && !job.needs.isEmpty
  }

  /// Takes a job out of the table of its state.
  func leave(_ job: SQLiteJob) throws {
    switch job.state {
    case .ready:
      try shelve()
      try deleteReady(
        shelf: job.shelf, major: ~job.priority.major, minor: ~job.priority.minor, attempts: job.attempts,
        id: job.id.rawValue)
      if hasDateOfNeeds(job) {
        try db.run(
          "DELETE FROM taskkit_due WHERE at = ? AND id = ? AND what = 1", job.needsUntil!.microseconds, job.id.rawValue)
      }
    case .delayed:
      try db.run(
        "DELETE FROM taskkit_due WHERE at = ? AND id = ? AND what = 0", job.due.microseconds, job.id.rawValue)
    case .running:
      try run(.deleteRunning, job.id.rawValue)
      if let key = job.limit?.key {
        try db.run("UPDATE taskkit_permit SET used = used - 1 WHERE key = ?", key)
        try db.run("DELETE FROM taskkit_permit WHERE key = ? AND used <= 0", key)
      }
    default: break
    }
    count(job, -1)
  }

  /// Puts a job into the table of its state.
  ///
  /// - Parameter since: since when it has been ready.
  func enter(_ job: SQLiteJob, since: StoreTime) throws {
    switch job.state {
    case .ready:
      try insertReady(
        shelf: job.shelf, job.priority, attempts: job.attempts, id: job.id.rawValue, since: since, job.limit)
      if hasDateOfNeeds(job) {
        try db.run("INSERT INTO taskkit_due VALUES (?, ?, 1)", job.needsUntil!.microseconds, job.id.rawValue)
      }
    case .delayed:
      try db.run("INSERT INTO taskkit_due VALUES (?, ?, 0)", job.due.microseconds, job.id.rawValue)
    default: break
    }
    count(job, 1)
  }

  /// Writes down what has become of a job.
  func save(_ job: inout SQLiteJob) throws {
    // As text, so that a database of another encoding than UTF-8 reads it as what it is.
    let hold = try job.hold.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
    try db.run(
      "INSERT OR REPLACE INTO taskkit_state VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", job.id.rawValue,
      job.storedState, job.shelf, job.priority.major, job.priority.minor, job.attempts, job.crashes,
      job.due.microseconds, job.flags.rawValue, job.ended?.microseconds, job.expiry?.microseconds, hold, job.result)
    job.isChanged = true
  }

  func move(
    _ job: inout SQLiteJob, to state: JobState, since: StoreTime? = nil, _ change: (inout SQLiteJob) -> Void = { _ in }
  ) throws {
    try leave(job)
    job.attempt = nil
    if state != .held { job.hold = nil }
    job.state = state
    change(&job)
    if state == .ready, let until = job.needsUntil, until <= now {
      job.shelf = try shelf(
        queue: job.queue, kind: job.kind, needs: "", isLimited: job.limit != nil, version: job.version)
    }
    try enter(job, since: since ?? now)
    try save(&job)
  }

  /// Lets a job run when its parents have ended and its time has come.
  func makeReady(_ job: inout SQLiteJob, due: StoreTime) throws {
    let isWaiting = try job.flags.contains(.parents) && waits(job.id)
    try move(&job, to: isWaiting ? .waiting : due > now ? .delayed : .ready) { job in
      job.due = due
      job.ended = nil
      job.expiry = nil
    }
  }

  private func waits(_ child: JobID) throws -> Bool {
    try db.first("SELECT 1 FROM taskkit_edge WHERE child = ? AND is_open LIMIT 1", child.rawValue) { _ in true } != nil
  }

  func hold(_ job: inout SQLiteJob, _ reason: HoldReason) throws {
    try move(&job, to: .held) { $0.hold = reason }
  }

  /// What ``NewJob/exhaustion`` says.
  func exhaust(_ job: inout SQLiteJob) throws {
    switch job.exhaustion {
    case .keep: try end(job, .dead)
    case .hold: try hold(&job, .gaveUp)
    case .discard: try end(job, nil)
    }
  }

  /// Puts a job that somebody could not read on the shelf of its own version, where it lies on one of any: there it is left alone.
  private func part(_ job: inout SQLiteJob) throws {
    // A list that cannot be read makes no shelf.
    guard caches.isMixed(shelf: job.shelf), let needs = Self.strings(job.needs) else { return }
    func shelf(_ needs: [String]) throws -> Int64 {
      try self.shelf(
        queue: job.queue, kind: job.kind, needs: Self.text(needs.sorted()), isLimited: job.limit != nil,
        version: job.version)
    }
    let (first, isRelaxed) = (try shelf(needs), job.shelf != job.firstShelf)
    job.shelf = isRelaxed ? try shelf([]) : first
    job.firstShelf = first
    try db.run("UPDATE taskkit_job SET shelf = ? WHERE id = ?", first, job.id.rawValue)
  }

  /// It was no attempt.
  func interrupt(_ job: inout SQLiteJob, hold reason: HoldReason? = nil, due: StoreTime? = nil) throws {
    job.attempts -= 1
    if reason?.keepsAttempts == true {
      // Who could not read it has not found out whether the process would have died in it.
      try part(&job)
    } else {
      job.crashes = 0
    }
    job.due = now
    if let reason { try hold(&job, reason) } else { try makeReady(&job, due: due ?? now) }
  }
}
#endif
