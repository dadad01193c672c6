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
    select.bind(Self.largestPromotion)
    let due = try select.list { row in
      (at: StoreTime(microseconds: row.integer(0)), id: JobID(rawValue: row.integer(1)), what: row.integer(2))
    }
    for (at, id, what) in due {
      guard var job = try job(id) else { continue }
      if what == 0 {
        try move(&job, to: .ready, since: at)
      } else {
        let since: Int64? = try db.first(
          "SELECT since FROM taskkit_ready WHERE shelf = ? AND major = ? AND minor = ? AND attempts = ? AND id = ?",
          job.shelf, ~job.priority.major, ~job.priority.minor, job.attempts, id.rawValue
        ) { $0[0] }
        try move(&job, to: .ready, since: since.map { StoreTime(microseconds: $0) })
      }
    }
  }

  private func nextDue() throws -> Duration? {
    var next = try step(.nextDue).first { StoreTime(microseconds: $0.integer(0)) }
    for (subject, rate) in try storedRates() {
      // Whether a job waits for a key would take a look at all of them.
      if case .queue(let queue) = subject, try !hasReady(queue: queue) { continue }
      guard rate.count > 0, let free = try nextStart(of: subject, rate) else { continue }
      next = min(next ?? .max, free)
    }
    return next.map { now.wait(until: $0) }
  }

  private func hasReady(queue: String) throws -> Bool {
    try shelve()
    guard let number = try storedNumber(of: queue) else { return false }
    return try caches.shelvesByQueue[number, default: []].contains { shelf in
      try db.first("SELECT 1 FROM taskkit_ready WHERE shelf = ? LIMIT 1", shelf.id) { _ in true } ?? false
    }
  }

  // MARK: Rates

  private func storedRates() throws -> [(subject: JobRate.Subject, RateLimit)] {
    try step(.rates).list { row in
      let name = row.text(1) ?? ""
      return (
        row.integer(0) != 0 ? .key(name) : .queue(name),
        RateLimit(Int(row.integer(2)), per: .microseconds(row.integer(3)))
      )
    }
  }

  func rates() throws -> [JobRate] {
    try storedRates().map { subject, rate in
      let next = rate.count > 0 ? try nextStart(of: subject, rate) : nil
      return JobRate(
        subject: subject, limit: rate, free: try freeStarts(of: subject).count, wait: next.map { now.wait(until: $0) })
    }
  }

  private func rate(of subject: JobRate.Subject) throws -> RateLimit? {
    let (isKey, name) = subject.order
    var select = try step(.rate)
    select.bind(isKey)
    select.bind(name)
    return try select.first { RateLimit(Int($0.integer(0)), per: .microseconds($0.integer(1))) }
  }

  /// What has started and still counts, the oldest first. What was started by a clock that was far ahead does not: it would
  /// hold up the others for as long as that.
  private func starts(of subject: JobRate.Subject, _ rate: RateLimit) throws -> [(at: StoreTime, count: Int)] {
    let (isKey, name) = subject.order
    return try db.list("SELECT at, count FROM taskkit_start WHERE is_key = ? AND name = ? ORDER BY at", isKey, name) {
      (at: StoreTime(microseconds: $0[0]), count: $0[1] as Int)
    }.filter { $0.at + rate.period > now && $0.at <= now + rate.period }
  }

  /// When the next may start; nil where one may now.
  private func nextStart(of subject: JobRate.Subject, _ rate: RateLimit) throws -> StoreTime? {
    let starts = try starts(of: subject, rate)
    var over = starts.reduce(0) { $0 + $1.count } - rate.count
    guard over >= 0 else { return nil }
    for start in starts {
      over -= start.count
      if over < 0 { return start.at + rate.period }
    }
    return nil
  }

  /// How many jobs may start now.
  func freeStarts(of subject: JobRate.Subject) throws -> (count: Int, isLimited: Bool) {
    guard let rate = try rate(of: subject) else { return (.max, false) }
    let used = try starts(of: subject, rate).reduce(0) { $0 + $1.count }
    return (max(0, rate.count - used), true)
  }

  func noteStarts(_ count: Int, of subject: JobRate.Subject) throws {
    guard let rate = try rate(of: subject) else { return }
    let (isKey, name) = subject.order
    try db.run(
      "DELETE FROM taskkit_start WHERE is_key = ? AND name = ? AND (at <= ? OR at > ?)", isKey, name,
      now.microseconds &- rate.period.microseconds, (now + rate.period).microseconds)
    try db.run(
      "INSERT INTO taskkit_start VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count", isKey,
      name, now.microseconds, count)
  }
}
#endif
