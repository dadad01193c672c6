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
  struct Allowance {
    var left: Int
    /// By kind.
    var kinds: [Int64: Int]
    /// How many run, by the key of their limit.
    var used: [String: Int] = [:]
    /// How many more may start and how many do, by the key of their limit, where that has a rate.
    var rates: [String: (left: Int, taken: Int)] = [:]

    /// False where no job with that limit may start for the rest of the claim.
    func mayHaveRoom(for limit: KeyLimit) -> Bool {
      used[limit.key, default: 0] < limit.count && rates[limit.key].map { $0.left > 0 } ?? true
    }
  }

  func take(_ claim: JobExchange.Claim, paused: Set<PauseSubject>, claimed: inout [ClaimedJob]) throws {
    try shelve()
    guard !paused.contains(.queue(claim.queue)), let queue = try storedNumber(of: claim.queue) else { return }
    let (free, isLimited) = try freeStarts(of: .queue(claim.queue))
    var allowance = Allowance(left: min(claim.limit, free), kinds: [:])
    guard allowance.left > 0 else { return }
    for case .key(let key) in paused { allowance.rates[key] = (left: 0, taken: 0) }
    var names: [Int64: String] = [:]
    var unreadable: [Int64: Set<Int>] = [:]
    for kind in claim.kinds where !paused.contains(.kind(kind.name)) {
      guard let number = try storedNumber(of: kind.name) else { continue }
      names[number] = kind.name
      allowance.kinds[number] = kind.limit(added: allowance.kinds[number])
      guard !kind.unreadable.isEmpty else { continue }
      unreadable[number, default: []].formUnion(kind.unreadable.map(SQLiteCaches.shelfVersion(of:)))
    }
    let shelves = caches.shelves(of: queue).filter { shelf in
      allowance.kinds[shelf.kind, default: 0] > 0 && shelf.needs?.isSubset(of: claim.satisfied) ?? true
        && (shelf.isMixed || unreadable[shelf.kind]?.contains(shelf.version) != true)
    }
    let runs = try runs(from: shelves, aging: claim.aging, &allowance)
    for jobs in runs {
      try about(JobID(rawValue: jobs.ids.lowerBound)) {
        try begin(jobs, kind: names[jobs.kind]!, queue: claim.queue, queueNumber: queue, claimed: &claimed)
      }
    }
    if isLimited, !runs.isEmpty {
      try noteStarts(runs.reduce(0) { $0 + $1.ids.count }, of: .queue(claim.queue))
    }
    for (key, room) in allowance.rates where room.taken > 0 { try noteStarts(room.taken, of: .key(key)) }
  }

  // MARK: Choosing

  private func runs(
    from shelves: [SQLiteCaches.Shelf], aging: Duration?, _ allowance: inout Allowance
  ) throws -> [Run] {
    if let aging, aging > .zero { return runs(of: try choose(from: shelves, aging: aging, &allowance)) }
    if shelves.count == 1, !shelves[0].isLimited { return try runs(on: shelves[0], allowance) }
    // Mostly all lie on one: others are of versions that nobody writes any more.
    let readers = try shelves.map { try ShelfReader($0, self, wanted: allowance.left) }.filter { $0.head != nil }
    if readers.count == 1, !readers[0].shelf.isLimited { return try runs(on: readers[0], allowance) }
    return runs(of: try choose(from: readers, &allowance))
  }

  /// The first jobs of the only shelf that has any, as far as they have been read.
  private func runs(on reader: ShelfReader, _ allowance: Allowance) throws -> [Run] {
    let shelf = reader.shelf
    let wanted = min(allowance.left, allowance.kinds[shelf.kind, default: 0])
    guard caches.unreadable.isEmpty, let first = reader.first(wanted) else { return try runs(on: shelf, allowance) }
    var runs: [Run] = []
    for candidate in first { add(candidate, kind: shelf.kind, to: &runs) }
    return runs
  }

  /// The first jobs of the only shelf, none of which has a limit: nothing has to be compared there.
  private func runs(on shelf: SQLiteCaches.Shelf, _ allowance: Allowance) throws -> [Run] {
    var select = try step(.shelf)
    select.bind(shelf.id)
    let wanted = min(allowance.left, allowance.kinds[shelf.kind, default: 0])
    // A center may ask for as many as a number can say.
    let (most, overflows) = wanted.addingReportingOverflow(caches.unreadable.count)
    select.bind(overflows ? .max : most)
    var runs: [Run] = []
    var count = 0
    try select.forEach { row in
      let candidate = Candidate(row)
      guard count < wanted, !isPassedBy(candidate.order.3) else { return }
      count += 1
      add(candidate, kind: shelf.kind, to: &runs)
    }
    return runs
  }

  /// Merges the shelves, the best of all first.
  private func choose(
    from shelves: [ShelfReader], _ allowance: inout Allowance
  ) throws -> [(Candidate, kind: Int64)] {
    var readers = shelves
    var chosen: [(Candidate, kind: Int64)] = []
    while allowance.left > 0 {
      var best: Int?
      for index in readers.indices where allowance.kinds[readers[index].shelf.kind, default: 0] > 0 {
        guard let head = readers[index].head else { continue }
        if let other = best, readers[other].head!.order <= head.order { continue }
        best = index
      }
      guard let best else { break }
      let candidate = readers[best].head!
      let kind = readers[best].shelf.kind
      if try allow(candidate, kind: kind, &allowance) { chosen.append((candidate, kind)) }
      guard allowance.left > 0 else { break }
      try readers[best].advance(db, allowance)
    }
    return chosen
  }

  /// Merges the classes of the shelves, each of which has its order whatever waiting adds.
  private func choose(
    from shelves: [SQLiteCaches.Shelf], aging: Duration, _ allowance: inout Allowance
  ) throws -> [(Candidate, kind: Int64)] {
    guard !shelves.isEmpty else { return [] }
    try AgingReader.makeIndex(db)
    var readers = try shelves.flatMap { shelf in
      try AgingReader.classes(of: shelf, db, aging: Aging(step: aging.microseconds, now: now.microseconds))
    }
    var chosen: [(Candidate, kind: Int64)] = []
    while allowance.left > 0 {
      var best: Int?
      for index in readers.indices where allowance.kinds[readers[index].kind, default: 0] > 0 {
        guard let order = readers[index].order else { continue }
        if let other = best, readers[other].order! <= order { continue }
        best = index
      }
      guard let best else { break }
      let candidate = readers[best].head!.candidate
      if try allow(candidate, kind: readers[best].kind, &allowance) { chosen.append((candidate, readers[best].kind)) }
      guard allowance.left > 0 else { break }
      try readers[best].advance(db, allowance)
    }
    return chosen
  }

  private func allow(_ candidate: Candidate, kind: Int64, _ allowance: inout Allowance) throws -> Bool {
    guard allowance.kinds[kind, default: 0] > 0, !isPassedBy(candidate.order.3) else { return false }
    if let limit = candidate.limit {
      let used =
        try allowance.used[limit.key]
        ?? db.first("SELECT used FROM taskkit_permit WHERE key = ?", limit.key) {
          try $0.value(0, of: .permit, "'\(limit.key)'")
        } ?? 0
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

  /// Jobs that lie beside each other in every table, so that what happens to all of them takes one statement.
  private struct Run {
    let first: Candidate
    let kind: Int64
    /// The keys of those that have a limit.
    var keys: [(id: Int64, key: String)]
    var ids: ClosedRange<Int64>

    init(_ candidate: Candidate, kind: Int64) {
      first = candidate
      self.kind = kind
      keys = candidate.limit.map { [(candidate.order.3, $0.key)] } ?? []
      ids = candidate.order.3...candidate.order.3
    }

    /// - Returns: whether the job lies beside the last one.
    mutating func add(_ next: Candidate, kind: Int64) -> Bool {
      let (order, last) = (next.order, first.order)
      guard next.shelf == first.shelf, kind == self.kind, order.3 == ids.upperBound + 1,
        (order.0, order.1, order.2) == (last.0, last.1, last.2)
      else { return false }
      ids = ids.lowerBound...order.3
      if let limit = next.limit { keys.append((order.3, limit.key)) }
      return true
    }
  }

  private func add(_ candidate: Candidate, kind: Int64, to runs: inout [Run]) {
    if runs.isEmpty || caches.isDamaged || !runs[runs.count - 1].add(candidate, kind: kind) {
      runs.append(Run(candidate, kind: kind))
    }
  }

  private func runs(of chosen: [(Candidate, kind: Int64)]) -> [Run] {
    var runs: [Run] = []
    for (candidate, kind) in chosen { add(candidate, kind: kind, to: &runs) }
    return runs
  }

  private func begin(
    _ jobs: Run, kind: String, queue: String, queueNumber: Int64, claimed: inout [ClaimedJob]
  ) throws {
    let (attempts, first) = (jobs.first.order.2, jobs.ids.lowerBound)
    let token = try takeTokens(jobs.ids.count)
    if caches.isDamaged { try moveAlone(jobs.first, token: token) } else { try move(jobs, token: token) }
    let (before, count) = (claimed.count, jobs.ids.count)
    var statement = try step(caches.isDamaged ? .claimedOne : .claimed)
    if caches.isDamaged { statement.bind(first) } else { statement.bind(jobs.ids) }
    claimed.reserveCapacity(claimed.count + count)
    let isDamaged = caches.isDamaged(shelf: jobs.first.shelf)
    var incomplete: [(place: Int, more: More)] = []
    try statement.forEach { row in
      let (job, more) = Self.claimed(
        row, token: token + row.integer(0) - first, kind: kind, queue: queue, attempt: attempts + 1, now: now,
        shelf: jobs.first.shelf, isShelfDamaged: isDamaged)
      if let more { incomplete.append((claimed.count, more)) }
      claimed.append(job)
    }
    for (place, more) in incomplete { try complete(&claimed[place], more, shelf: jobs.first.shelf) }
    // What lay there of jobs that were lost with a part of the file is gone, and nothing of them runs.
    let begun = claimed.count - before
    pending.counts.add(-count, to: CountKey(queue: queueNumber, kind: jobs.kind, state: JobState.ready.number))
    pending.counts.add(begun, to: CountKey(queue: queueNumber, kind: jobs.kind, state: JobState.running.number))
    for (id, key) in jobs.keys
    where begun == count || claimed[before...].contains(where: { $0.id.rawValue == id }) {
      try db.run("INSERT INTO taskkit_permit VALUES (?, 1) ON CONFLICT DO UPDATE SET used = used + 1", key)
    }
  }

  /// Makes ready jobs running ones.
  private func move(_ jobs: Run, token: Int64) throws {
    let (major, minor, attempts, _) = jobs.first.order
    var takeReady = try step(.takeReady)
    takeReady.bind(jobs.first.shelf)
    takeReady.bind(major)
    takeReady.bind(minor)
    takeReady.bind(attempts)
    takeReady.bind(jobs.ids)
    try takeReady.run()
    var insertRunning = try step(.insertRunning)
    insertRunning.bind(jobs.ids)
    insertRunning.bind(token)
    insertRunning.bind(owner)
    insertRunning.bind(attempts + 1)
    insertRunning.bind(now.microseconds)
    try insertRunning.run()
  }

  /// The same for one job, by its key in each table: a range would also read the pages of its neighbours, which may be
  /// damaged.
  private func moveAlone(_ job: Candidate, token: Int64) throws {
    let (major, minor, attempts, id) = job.order
    try deleteReady(shelf: job.shelf, major: major, minor: minor, attempts: attempts, id: id)
    try db.run(
      """
      INSERT INTO taskkit_running (id, token, owner, attempt, began)
      SELECT id, ?, ?, ?, ? FROM taskkit_job WHERE id = ?
      """, token, owner, attempts + 1, now.microseconds, id)
  }

  /// What there is of a claimed job beside the row that says what it is.
  private struct More {
    let until: Int64?
    /// The shelf that its constraints ask for.
    let shelf: Int64
    let flags: SQLiteJob.Flags
  }

  /// - Parameter shelf: on which it lay.
  /// - Returns: the job, and what else there is of it; nearly always nothing.
  private static func claimed(
    _ row: StepRow, token: Int64, kind: String, queue: String, attempt: Int, now: StoreTime, shelf: Int64,
    isShelfDamaged: Bool
  ) -> (ClaimedJob, More?) {
    // Such a list must not count as an empty one: the job would run while what it needs does not hold.
    var damage = isShelfDamaged ? "the list of constraints under which it lies is damaged" : nil
    func list(_ text: String, _ what: String) -> [String] {
      guard !text.isEmpty else { return [] }
      if let strings = strings(text) { return strings }
      damage = damage ?? "its list of \(what) is damaged: \(text)"
      return []
    }
    let needs = row.text(5) ?? ""
    let constraints = list(needs, "constraints")
    let until = needs.isEmpty ? nil : row.optionalInteger(9)
    // Whoever no longer waits for them lies elsewhere, for good: the clock may have been set back since.
    let isRelaxed = until.map { shelf != row.integer(10) || StoreTime(microseconds: $0) <= now } ?? false
    let flags = SQLiteJob.Flags(rawValue: row.integer(11))
    var job = ClaimedJob(
      id: JobID(rawValue: row.integer(0)), token: AttemptToken(rawValue: token), kind: kind, queue: queue,
      payload: JobPayload(version: Int(row.integer(1)), bytes: row.data(2)), attempt: attempt,
      maximumAttempts: row.optionalInteger(3).map { Int($0) },
      deadline: row.optionalInteger(4).map { .microseconds($0) }, checkpoint: nil,
      constraints: isRelaxed ? [] : constraints,
      constraintsFor: isRelaxed ? nil : until.map { now.wait(until: StoreTime(microseconds: $0)) },
      tags: row.text(6).map { list($0, "tags") } ?? [],
      occurrence: row.text(7).map { JobOccurrence(schedule: $0, date: StoreTime(microseconds: row.integer(8)).date) })
    job.damage = damage
    return (job, flags.isEmpty && until == nil ? nil : More(until: until, shelf: row.integer(10), flags: flags))
  }

  /// - Parameter shelf: on which it lay.
  private func complete(_ job: inout ClaimedJob, _ more: More, shelf: Int64) throws {
    let id = job.id.rawValue
    if let until = more.until, shelf == more.shelf {
      try db.run("DELETE FROM taskkit_due WHERE at = ? AND id = ? AND what = 1", until, id)
    }
    if more.flags.contains(.checkpoint) {
      job.checkpoint = try db.first("SELECT data FROM taskkit_checkpoint WHERE id = ?", id) { $0[0] }
    }
    if more.flags.contains(.parents) {
      let results = try db.list(
        "SELECT parent, result FROM taskkit_edge WHERE child = ? AND NOT is_order AND result IS NOT NULL", id
      ) { (JobID(rawValue: $0[0]), $0[1] as Data) }
      job.parentResults = Dictionary(uniqueKeysWithValues: results)
    }
  }
}
#endif
