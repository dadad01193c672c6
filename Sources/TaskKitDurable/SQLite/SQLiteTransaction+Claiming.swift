#if Durable
import Foundation
import GRDB

extension SQLiteTransaction {
  /// A ready job, with its place in the order of the law: what runs earlier is smaller.
  struct Candidate {
    let shelf: Int64
    let order: (Int, Int, Int, Int64)
    let limit: KeyLimit?

    init(_ row: Row) {
      shelf = row[0]
      order = (row[1], row[2], row[3], row[4])
      limit = (row[5] as String?).map { KeyLimit($0, count: row[6]) }
    }

    init(_ row: StepRow) {
      shelf = row.integer(0)
      order = (Int(row.integer(1)), Int(row.integer(2)), Int(row.integer(3)), row.integer(4))
      limit = row.text(5).map { KeyLimit($0, count: Int(row.integer(6))) }
    }

    static let columns = "shelf, major, minor, attempts, id, limit_key, limit_count"
  }

  /// What a claim may still take.
  private struct Allowance {
    var left: Int
    /// By kind.
    var kinds: [Int64: Int]
    /// How many run, by the key of their limit.
    var used: [String: Int] = [:]
    /// How many more may start and how many do, by the key of their limit, where that has a rate.
    var rates: [String: (left: Int, taken: Int)] = [:]
  }

  func take(_ claim: JobExchange.Claim, pauses: [JobPause], claimed: inout [ClaimedJob]) throws {
    let stopped = Set(pauses.map(\.subject))
    guard !stopped.contains(.queue(claim.queue)), let queue = try storedNumber(of: claim.queue) else { return }
    let (free, isLimited) = try freeStarts(of: .queue(claim.queue))
    var allowance = Allowance(left: min(claim.limit, free), kinds: [:])
    guard allowance.left > 0 else { return }
    var names: [Int64: String] = [:]
    for kind in claim.kinds where !stopped.contains(.kind(kind.name)) {
      guard let number = try storedNumber(of: kind.name) else { continue }
      names[number] = kind.name
      allowance.kinds[number, default: 0] += kind.limit
    }
    let shelves = caches.shelvesByQueue[queue, default: []].filter { shelf in
      allowance.kinds[shelf.kind, default: 0] > 0 && shelf.needs?.isSubset(of: claim.satisfied) ?? true
    }
    let chosen: [(Candidate, kind: Int64)]
    if let aging = claim.aging, aging > .zero {
      chosen = try choose(from: shelves, aging: aging, &allowance)
    } else {
      chosen = try choose(from: shelves, &allowance)
    }
    for (candidate, kind) in chosen {
      claimed.append(try begin(candidate, kind: names[kind]!, kindNumber: kind, queue: claim.queue, queueNumber: queue))
    }
    if isLimited, !chosen.isEmpty { try noteStarts(chosen.count, of: .queue(claim.queue)) }
    for (key, room) in allowance.rates where room.taken > 0 { try noteStarts(room.taken, of: .key(key)) }
  }

  // MARK: Choosing

  /// Merges the shelves, the best of all first.
  private func choose(
    from shelves: [SQLiteCaches.Shelf], _ allowance: inout Allowance
  ) throws -> [(Candidate, kind: Int64)] {
    var readers = try shelves.map { try ShelfReader($0, self, chunk: min(max(allowance.left, 8), 512)) }
    var chosen: [(Candidate, kind: Int64)] = []
    while allowance.left > 0 {
      var best: Int?
      for index in readers.indices where allowance.kinds[readers[index].kind, default: 0] > 0 {
        guard let head = readers[index].head else { continue }
        if let other = best, readers[other].head!.order <= head.order { continue }
        best = index
      }
      guard let best else { break }
      let candidate = readers[best].head!
      if try allow(candidate, kind: readers[best].kind, &allowance) { chosen.append((candidate, readers[best].kind)) }
      try readers[best].advance(db, used: allowance.used)
    }
    return chosen
  }

  /// Looks at all ready jobs of the shelves: what waiting adds to them changes their order all the time.
  private func choose(
    from shelves: [SQLiteCaches.Shelf], aging: Duration, _ allowance: inout Allowance
  ) throws -> [(Candidate, kind: Int64)] {
    let kinds = Dictionary(uniqueKeysWithValues: shelves.map { ($0.id, $0.kind) })
    let ids = "[\(shelves.map { "\($0.id)" }.joined(separator: ","))]"
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT \(Candidate.columns),
            CASE WHEN since < ?1 THEN (?1 - since) / ?2 ELSE 0 END AS steps
          FROM taskkit_ready WHERE shelf IN (SELECT value FROM json_each(?3))
          ORDER BY CASE WHEN major < -9223372036854775807 - 1 + steps THEN -9223372036854775807 - 1 ELSE major - steps END,
            minor, attempts, id
          """), arguments: [now.microseconds, aging.microseconds, ids])
    var chosen: [(Candidate, kind: Int64)] = []
    while allowance.left > 0, let row = try rows.next() {
      let candidate = Candidate(row)
      let kind = kinds[candidate.shelf]!
      if try allow(candidate, kind: kind, &allowance) { chosen.append((candidate, kind)) }
    }
    return chosen
  }

  private func allow(_ candidate: Candidate, kind: Int64, _ allowance: inout Allowance) throws -> Bool {
    guard allowance.kinds[kind, default: 0] > 0 else { return false }
    if let limit = candidate.limit {
      let used =
        try allowance.used[limit.key]
        ?? db.first("SELECT used FROM taskkit_permit WHERE key = ?", limit.key) { $0[0] } ?? 0
      allowance.used[limit.key] = used
      var rate = try allowance.rates[limit.key] ?? (left: freeStarts(of: .key(limit.key)).count, taken: 0)
      defer { allowance.rates[limit.key] = rate }
      guard used < limit.count, rate.left > 0 else { return false }
      allowance.used[limit.key] = used + 1
      rate = (rate.left - 1, rate.taken + 1)
    }
    allowance.kinds[kind]! -= 1
    allowance.left -= 1
    return true
  }

  // MARK: Beginning

  private func begin(
    _ candidate: Candidate, kind: String, kindNumber: Int64, queue: String, queueNumber: Int64
  ) throws -> ClaimedJob {
    let token = try takeToken()
    let (major, minor, attempts, id) = candidate.order
    try deleteReady(shelf: candidate.shelf, major: major, minor: minor, attempts: attempts, id: id)
    var insertRunning = try step(.insertRunning)
    insertRunning.bind(id)
    insertRunning.bind(token.rawValue)
    insertRunning.bind(owner)
    insertRunning.bind(attempts + 1)
    insertRunning.bind(now.microseconds)
    try insertRunning.run()
    if let limit = candidate.limit {
      try db.run("INSERT INTO taskkit_permit VALUES (?, 1) ON CONFLICT DO UPDATE SET used = used + 1", limit.key)
    }
    pending.counts[.init(queue: queueNumber, kind: kindNumber, state: JobState.ready.number), default: 0] -= 1
    pending.counts[.init(queue: queueNumber, kind: kindNumber, state: JobState.running.number), default: 0] += 1
    var flags = SQLiteJob.Flags()
    var until: Int64?
    var (needs, shelf, damage): (String, Int64, String?) = ("", 0, nil)
    func strings(_ text: String?, _ what: String) -> [String] {
      guard let text, !text.isEmpty else { return [] }
      if let strings = Self.strings(text) { return strings }
      damage = "its list of \(what) is damaged: \(text)"
      return []
    }
    var statement = try step(.claimed)
    statement.bind(id)
    var claimed = try statement.first { row in
      needs = row.text(4) ?? ""
      until = row.optionalInteger(8)
      let constraints = strings(needs, "constraints")
      shelf = row.integer(9)
      flags = SQLiteJob.Flags(rawValue: row.integer(10))
      return ClaimedJob(
        id: JobID(rawValue: id), token: token, kind: kind, queue: queue,
        payload: JobPayload(version: Int(row.integer(0)), bytes: row.data(1)), attempt: attempts + 1,
        maximumAttempts: row.optionalInteger(2).map { Int($0) },
        deadline: row.optionalInteger(3).map { .microseconds($0) }, checkpoint: nil,
        constraints: until.map { $0 <= now.microseconds } ?? false ? [] : constraints,
        tags: strings(row.text(5), "tags"),
        occurrence: row.text(6).map {
          JobOccurrence(schedule: $0, date: StoreTime(microseconds: row.integer(7)).date)
        })
    }!
    if !caches.damagedShelves.isEmpty, caches.damagedShelves.contains(candidate.shelf) {
      damage = "the list of constraints under which it lies is damaged"
    }
    // Such a list must not count as an empty one: the job would run while what it needs does not hold.
    claimed.damage = damage
    if let until, !needs.isEmpty, candidate.shelf == shelf {
      try db.run("DELETE FROM taskkit_due WHERE at = ? AND id = ? AND what = 1", until, id)
    }
    if flags.contains(.checkpoint) {
      claimed.checkpoint = try db.first("SELECT data FROM taskkit_checkpoint WHERE id = ?", id) { $0[0] }
    }
    if flags.contains(.parents) {
      let results = try db.list(
        "SELECT parent, result FROM taskkit_edge WHERE child = ? AND NOT is_order AND result IS NOT NULL", id
      ) { (JobID(rawValue: $0[0]), $0[1] as Data) }
      claimed.parentResults = Dictionary(uniqueKeysWithValues: results)
    }
    return claimed
  }
}

/// The jobs on a shelf in their order, read in pieces.
private struct ShelfReader {
  let shelf: Int64
  let kind: Int64
  private let chunk: Int
  private var rows: ArraySlice<SQLiteTransaction.Candidate>
  private var isAtEnd: Bool

  init(_ shelf: SQLiteCaches.Shelf, _ transaction: SQLiteTransaction, chunk: Int) throws {
    self.shelf = shelf.id
    self.chunk = chunk
    kind = shelf.kind
    rows = try transaction.candidates(on: shelf.id, limit: chunk)[...]
    isAtEnd = rows.count < chunk
  }

  var head: SQLiteTransaction.Candidate? { rows.first }

  /// - Parameter used: how many jobs run of the keys that have been met. Those of a key that is full are passed over
  ///   where they lie: there may be very many of them.
  mutating func advance(_ db: Database, used: [String: Int]) throws {
    let last = rows.removeFirst().order
    guard rows.isEmpty, !isAtEnd else { return }
    let keys = used.isEmpty ? "{}" : String(decoding: try JSONEncoder().encode(used), as: UTF8.self)
    rows = try db.list(
      """
      WITH used AS MATERIALIZED (SELECT key, value FROM json_each(?))
      SELECT \(SQLiteTransaction.Candidate.columns) FROM taskkit_ready
      WHERE shelf = ? AND (major, minor, attempts, id) > (?, ?, ?, ?)
        AND (limit_key IS NULL
          OR NOT EXISTS (SELECT 1 FROM used WHERE used.key = limit_key AND used.value >= limit_count))
      ORDER BY major, minor, attempts, id LIMIT ?
      """, keys, shelf, last.0, last.1, last.2, last.3, chunk, value: SQLiteTransaction.Candidate.init)[...]
    isAtEnd = rows.count < chunk
  }
}
#endif
