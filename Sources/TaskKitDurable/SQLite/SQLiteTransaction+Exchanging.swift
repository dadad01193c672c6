#if Durable
import Foundation
import GRDB

extension SQLiteTransaction {
  func exchange(_ exchange: JobExchange) throws -> JobExchange.Answer {
    var answer = JobExchange.Answer()
    answer.notes = try exchange.notes.map { key, note in try take(note, by: key) }
    answer.ends = try take(exchange.ends)
    try promote()
    let paused = exchange.claims.isEmpty ? [] : try paused()
    for claim in exchange.claims { try take(claim, paused: paused, claimed: &answer.claimed) }
    answer.toCancel = try takeCancelled(without: exchange.ends)
    answer.nextDue = try nextDue()
    return answer
  }

  private func takeCancelled(without ended: [(AttemptKey, JobExchange.End)]) throws -> [AttemptToken] {
    var select = try step(.cancelled)
    select.bind(owner)
    let tokens = try select.list { AttemptToken(rawValue: $0.integer(0)) }
    guard !tokens.isEmpty else { return [] }
    try db.run("DELETE FROM taskkit_cancel WHERE owner = ?", owner)
    return tokens.filter { token in !ended.contains { $0.0.token == token } }
  }

  private func paused() throws -> Set<PauseSubject> {
    Set(try step(.paused).list { row in PauseSubject(sort: Int(row.integer(0)), name: row.text(1) ?? "") })
  }

  // MARK: What attempts say

  func isHeld(by key: AttemptKey) throws -> Bool {
    try db.first(
      "SELECT 1 FROM taskkit_running WHERE id = ? AND token = ?", key.job.rawValue, key.token.rawValue
    ) { _ in true } ?? false
  }

  func take(_ note: JobExchange.Note, by key: AttemptKey) throws -> Bool {
    guard try isHeld(by: key) else { return false }
    let id = key.job.rawValue
    switch note {
    case .progress(let progress):
      try db.run(
        "UPDATE taskkit_running SET completed = ?, total = ? WHERE id = ?", progress.completed, progress.total, id)
    case .checkpoint(let data?):
      try db.run("INSERT OR REPLACE INTO taskkit_checkpoint VALUES (?, ?)", id, data)
      try flag(key.job, .checkpoint)
    case .checkpoint(nil):
      try db.run("DELETE FROM taskkit_checkpoint WHERE id = ?", id)
    case .step(let name, let result):
      try db.run("INSERT OR REPLACE INTO taskkit_step VALUES (?, ?, ?)", id, name, result)
      try flag(key.job, .steps)
    }
    return true
  }

  private func flag(_ id: JobID, _ flag: SQLiteJob.Flags) throws {
    guard var job = try job(id), !job.flags.contains(flag) else { return }
    job.flags.insert(flag)
    try save(&job)
  }

  private func take(_ ends: [(AttemptKey, JobExchange.End)]) throws -> [Bool] {
    var isTaken = Array(repeating: false, count: ends.count)
    try endPlainly(ends, &isTaken)
    for (place, (key, end)) in ends.enumerated() where !isTaken[place] { isTaken[place] = try take(end, by: key) }
    return isTaken
  }

  /// Ends what leaves nothing behind, at once as many as have ids that follow each other.
  private func endPlainly(_ ends: [(AttemptKey, JobExchange.End)], _ isTaken: inout [Bool]) throws {
    var order: [(job: JobID, place: Int)] = []
    order.reserveCapacity(ends.count)
    for place in ends.indices {
      if case .succeeded = ends[place].1 { order.append((ends[place].0.job, place)) }
    }
    order.sort { $0 < $1 }
    let keys = order.map { ends[$0.place].0 }
    var rest = keys[...]
    while let first = rest.first {
      var count = 1
      while count < rest.count, rest[rest.startIndex + count].job.rawValue == first.job.rawValue + Int64(count) {
        count += 1
      }
      try endPlainly(rest.prefix(count)) { isTaken[order[$0].place] = true }
      rest = rest.dropFirst(count)
    }
  }

  private func take(_ end: JobExchange.End, by key: AttemptKey) throws -> Bool {
    if case .succeeded(let result) = end { return try succeed(key, result: result) }
    guard var job = try job(key.job), job.attempt?.token == key.token else { return false }
    switch end {
    case .succeeded: break  // Above.
    case .failed(let cause, let text, let delay):
      job.crashes = 0
      try note(cause, text, &job)
      if let maximum = job.maximumAttempts, job.attempts >= maximum {
        try exhaust(&job)
      } else {
        try makeReady(&job, due: now + delay)
      }
    case .gaveUp(let cause, let text):
      job.crashes = 0
      try note(cause, text, &job)
      try exhaust(&job)
    case .interrupted: try interrupt(&job)
    case .snoozed(let start): try interrupt(&job, due: StoreTime(start, now: now))
    case .held(let reason): try interrupt(&job, hold: reason)
    case .cancelled: try self.end(job, .cancelled)
    }
    return true
  }

  // MARK: Time

  /// How many jobs one exchange makes ready at most, so that none holds the file for long after a long sleep.
  static let largestPromotion = 256

  /// Does what the time has come for, the earliest first, as much as fits into one exchange: what is left is due now, and
  /// whoever asks is told so.
  private func promote() throws {
    try shelve()
    var select = try step(.due)
    select.bind(now.microseconds)
    select.bind(Self.largestPromotion + caches.unreadable.count)
    let due = try select.list { row in
      (at: StoreTime(microseconds: row.integer(0)), id: JobID(rawValue: row.integer(1)), what: row.integer(2))
    }
    for (at, id, what) in due where !isPassedBy(id.rawValue) {
      try about(id) { try promote(id, at: at, isConstraint: what != 0) }
    }
  }

  /// - Parameter isConstraint: whether it no longer waits for what it needs, and was ready before.
  private func promote(_ id: JobID, at date: StoreTime, isConstraint: Bool) throws {
    guard var job = try job(id) else {
      return try db.run(
        "DELETE FROM taskkit_due WHERE at = ? AND id = ? AND what = ?", date.microseconds, id.rawValue, isConstraint)
    }
    guard isConstraint else { return try move(&job, to: .ready, since: date) }
    let since: Int64? = try db.first(
      "SELECT since FROM taskkit_ready WHERE shelf = ? AND major = ? AND minor = ? AND attempts = ? AND id = ?",
      job.shelf, ~job.priority.major, ~job.priority.minor, job.attempts, id.rawValue
    ) { $0[0] }
    try move(&job, to: .ready, since: since.map { StoreTime(microseconds: $0) })
  }

  private func nextDue() throws -> Duration? {
    var next =
      try caches.unreadable.isEmpty ? step(.nextDue).first { StoreTime(microseconds: $0.integer(0)) } : nextSound()
    for rate in try storedRates() where rate.limit.count > 0 && rate.used >= rate.limit.count {
      // Whether a job waits for a key would take a look at all of them.
      if case .queue(let queue) = rate.subject, try !hasReady(queue: queue) { continue }
      guard let free = try nextStart(of: try settled(rate), looksAt: Self.fewStarts) else { continue }
      next = min(next ?? .max, free)
    }
    return next.map { now.wait(until: $0) }
  }

  /// When the first one is due that is not passed by.
  private func nextSound() throws -> StoreTime? {
    let first = try db.list(
      "SELECT at, id FROM taskkit_due ORDER BY at LIMIT ?", caches.unreadable.count + 1
    ) { (at: StoreTime(microseconds: $0[0]), id: $0[1] as Int64) }
    return first.first { !isPassedBy($0.id) }?.at
  }

  private func hasReady(queue: String) throws -> Bool {
    try shelve()
    guard let number = try storedNumber(of: queue) else { return false }
    return try caches.shelves(of: number).contains { shelf in
      try db.first("SELECT 1 FROM taskkit_ready WHERE shelf = ? LIMIT 1", shelf.id) { _ in true } ?? false
    }
  }

  // MARK: Rates

  /// A rate, and how many starts are written down for it: nobody adds them up.
  private struct StoredRate {
    let subject: JobRate.Subject
    let limit: RateLimit
    /// Some of them may have passed, until somebody settles it.
    var used: Int

    var free: Int { max(0, limit.count - used) }

    /// - Parameter column: where the count stands, before the period and how many are used.
    init(_ row: StepRow, from column: Int32, of subject: JobRate.Subject) throws {
      func value(_ offset: Int32) throws -> Int64 {
        try row.integer(column + offset, of: .rate, "'\(subject.order.1)'")
      }
      self.subject = subject
      limit = try RateLimit(Int(value(0)), per: .microseconds(value(1)))
      used = try Int(value(2))
    }
  }

  /// How many starts an exchange looks at to say when the next may be. Only where a rate has become a smaller one more have to
  /// leave; then it says when to look again.
  private static let fewStarts = 64

  private func storedRates() throws -> [StoredRate] {
    try step(.rates).list { row in
      let name = row.text(1) ?? ""
      return try StoredRate(row, from: 2, of: row.integer(0) != 0 ? .key(name) : .queue(name))
    }
  }

  func rates() throws -> [JobRate] {
    try storedRates().map { stored in
      let rate = try settled(stored)
      let next = rate.limit.count > 0 ? try nextStart(of: rate, looksAt: .max) : nil
      return JobRate(
        subject: rate.subject, limit: rate.limit, free: rate.free, wait: next.map { now.wait(until: $0) })
    }
  }

  private func rate(of subject: JobRate.Subject) throws -> StoredRate? {
    let (isKey, name) = subject.order
    var select = try step(.rate)
    select.bind(isKey)
    select.bind(name)
    return try select.first { try StoredRate($0, from: 0, of: subject) }
  }

  /// Forgets the starts that do not count any more, each once. What was started by a clock that was far ahead does not: it
  /// would hold up the others for as long as that.
  private func settled(_ rate: StoredRate) throws -> StoredRate {
    guard rate.used > 0 else { return rate }
    let (isKey, name) = rate.subject.order
    let (passed, furthest) = (now + (.zero - rate.limit.period), now + rate.limit.period)
    let gone =
      try db.list(
        "DELETE FROM taskkit_start WHERE is_key = ? AND name = ? AND at <= ? RETURNING count", isKey, name,
        passed.microseconds
      ) { try $0.value(0, of: .start, "'\(name)'") as Int }
      + db.list(
        "DELETE FROM taskkit_start WHERE is_key = ? AND name = ? AND at > ? RETURNING count", isKey, name,
        furthest.microseconds
      ) { try $0.value(0, of: .start, "'\(name)'") as Int }
    guard !gone.isEmpty else { return rate }
    var settled = rate
    settled.used -= gone.reduce(0, +)
    try db.run("UPDATE taskkit_rate SET used = ? WHERE is_key = ? AND name = ?", settled.used, isKey, name)
    return settled
  }

  /// When the next may start; nil where one may now.
  ///
  /// - Parameters:
  ///   - rate: a settled one.
  ///   - most: of how many starts it is looked at most whether their leaving makes room; it may be later than that.
  private func nextStart(of rate: StoredRate, looksAt most: Int) throws -> StoreTime? {
    var over = rate.used - rate.limit.count
    guard over >= 0 else { return nil }
    let (isKey, name) = rate.subject.order
    let first = try db.list(
      "SELECT at, count FROM taskkit_start WHERE is_key = ? AND name = ? ORDER BY at LIMIT ?", isKey, name,
      min(over + 1, most)
    ) { row in
      try (
        at: StoreTime(microseconds: row.value(0, of: .start, "'\(name)'")),
        count: row.value(1, of: .start, "'\(name)'") as Int
      )
    }
    // The one whose leaving makes room: nearly always the first.
    let last = first.first { start in
      over -= start.count
      return over < 0
    }
    return (last ?? first.last).map { $0.at + rate.limit.period }
  }

  /// How many jobs may start now.
  func freeStarts(of subject: JobRate.Subject) throws -> (count: Int, isLimited: Bool) {
    guard let rate = try rate(of: subject) else { return (.max, false) }
    return (try settled(rate).free, true)
  }

  func noteStarts(_ count: Int, of subject: JobRate.Subject) throws {
    let (isKey, name) = subject.order
    try db.run("UPDATE taskkit_rate SET used = used + ? WHERE is_key = ? AND name = ?", count, isKey, name)
    guard db.changesCount > 0 else { return }
    try db.run(
      "INSERT INTO taskkit_start VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count", isKey,
      name, now.microseconds, count)
  }
}
#endif
