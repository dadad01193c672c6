#if Durable
import Foundation
import GRDB

/// What a writer knows of the file beyond a transaction: names and shelves, which are never changed or deleted.
struct SQLiteCaches: Sendable {
  struct ShelfName: Hashable {
    let queue: Int64
    let kind: Int64
    let needs: String
  }

  struct Shelf: Sendable {
    let id: Int64
    let kind: Int64
    /// Nil where the file's list cannot be read: its jobs are given out, to be held for that.
    let needs: Set<String>?
  }

  var names: [String: Int64] = [:]
  var shelves: [ShelfName: Shelf] = [:]
  var shelvesByQueue: [Int64: [Shelf]] = [:]
  var lastShelf: Int64 = 0
  /// Those whose list of constraints cannot be read.
  var damagedShelves: Set<Int64> = []
}

/// The rules of a store within one transaction on an SQLite file.
///
/// It does what ``JobLedger`` does, in the same words.
final class SQLiteTransaction {
  struct CountKey: Hashable {
    let queue: Int64
    let kind: Int64
    let state: Int
  }

  /// What is written when the transaction ends, once for all operations in it.
  struct Pending {
    var nextJob: Int64?
    var nextToken: Int64?
    var counts: [CountKey: Int] = [:]
    /// New jobs that are ready and do not lie on their shelves yet.
    var unshelved: ClosedRange<Int64>?
  }

  let db: Database
  /// When what is done now was asked for, or later.
  var now: StoreTime
  let owner: Int64
  var caches: SQLiteCaches
  var pending = Pending()
  /// Statements that were used already, by ``Step``.
  var steps = [Statement?](repeating: nil, count: Step.allCases.count)
  /// Whether any job waits for another; nil where that has not been looked at.
  private var mayHaveEdges: Bool?

  init(_ db: Database, now: StoreTime, owner: Int64, caches: SQLiteCaches) throws {
    self.db = db
    self.now = now
    self.owner = owner
    self.caches = caches
    try loadShelves()
  }

  /// Writes what has gathered. Nothing may be done afterwards.
  func finish() throws {
    try shelve()
    if let next = pending.nextJob { try setNext(next, "job") }
    if let next = pending.nextToken { try setNext(next, "token") }
    for (key, difference) in pending.counts where difference != 0 { try count(key, difference) }
    pending = Pending()
  }

  /// What changes when another connection has written.
  func dataVersion() throws -> Int { try step(.dataVersion).first { Int($0.integer(0)) }! }

  /// Whether any job waits for another: where none does, none has to be looked for.
  func haveEdges() throws -> Bool {
    if let known = mayHaveEdges { return known }
    let isThere = try db.first("SELECT 1 FROM taskkit_edge LIMIT 1") { _ in true } ?? false
    mayHaveEdges = isThere
    return isThere
  }

  func noteEdges() { mayHaveEdges = true }

  /// Does something that takes nothing else with it where it fails.
  ///
  /// - Throws: where the whole transaction is lost.
  func inSavepoint<Value>(_ body: () throws -> Value) throws -> Result<Value, any Error> {
    let (caches, pending) = (caches, pending)
    try db.run("SAVEPOINT taskkit_operation")
    do {
      let value = try body()
      try db.run("RELEASE taskkit_operation")
      return .success(value)
    } catch {
      // A full disk, for one, ends the transaction.
      guard db.isInsideTransaction else { throw error }
      try db.run("ROLLBACK TO taskkit_operation")
      try db.run("RELEASE taskkit_operation")
      self.caches = caches
      self.pending = pending
      return .failure(error)
    }
  }

  // MARK: Numbers and names

  func nextJob() throws -> Int64 {
    if let next = pending.nextJob { return next }
    let next = try next("job")
    pending.nextJob = next
    return next
  }

  /// - Returns: the first of so many tokens that follow each other.
  func takeTokens(_ count: Int) throws -> Int64 {
    let next = try pending.nextToken ?? next("token")
    pending.nextToken = next + Int64(count)
    return next
  }

  /// The number of a queue or kind; a new one where it has none.
  func number(of name: String) throws -> Int64 {
    if let known = caches.names[name] { return known }
    if let stored = try storedNumber(of: name) { return stored }
    try db.run("INSERT INTO taskkit_name (text) VALUES (?)", name)
    caches.names[name] = db.lastInsertedRowID
    return db.lastInsertedRowID
  }

  /// The number of a queue or kind; nil where it never had a job.
  func storedNumber(of name: String) throws -> Int64? {
    if let known = caches.names[name] { return known }
    let stored: Int64? = try db.first("SELECT id FROM taskkit_name WHERE text = ?", name) { $0[0] }
    if let stored { caches.names[name] = stored }
    return stored
  }

  func shelf(queue: Int64, kind: Int64, needs: String) throws -> Int64 {
    if let known = caches.shelves[SQLiteCaches.ShelfName(queue: queue, kind: kind, needs: needs)] {
      return known.id
    }
    try db.run("INSERT INTO taskkit_shelf (queue, kind, needs) VALUES (?, ?, ?)", queue, kind, needs)
    let id = db.lastInsertedRowID
    try loadShelves()
    return id
  }

  /// Others may have put up new ones.
  private func loadShelves() throws {
    guard try step(.lastShelf).first({ $0.integer(0) }) != caches.lastShelf else { return }
    let new = try db.list("SELECT id, queue, kind, needs FROM taskkit_shelf WHERE id > ?", caches.lastShelf) { row in
      let needs: String = row[3]
      let shelf = SQLiteCaches.Shelf(id: row[0], kind: row[2], needs: Self.strings(needs).map(Set.init))
      return (shelf, queue: row[1] as Int64, needs)
    }
    for (shelf, queue, needs) in new {
      caches.shelves[SQLiteCaches.ShelfName(queue: queue, kind: shelf.kind, needs: needs)] = shelf
      caches.shelvesByQueue[queue, default: []].append(shelf)
      if shelf.needs == nil { caches.damagedShelves.insert(shelf.id) }
      caches.lastShelf = max(caches.lastShelf, shelf.id)
    }
  }

  /// A list of texts as the file holds it; an empty one is an empty text.
  static func text(_ strings: [String]) throws -> String {
    strings.isEmpty ? "" : String(decoding: try JSONEncoder().encode(strings), as: UTF8.self)
  }

  /// - Returns: nil for a text that is no such list.
  static func strings(_ text: String) -> [String]? {
    text.isEmpty ? [] : try? JSONDecoder().decode([String].self, from: Data(text.utf8))
  }

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

  private func count(_ job: SQLiteJob, _ difference: Int) {
    pending.counts[CountKey(queue: job.queue, kind: job.kind, state: job.state.number), default: 0] += difference
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
    let hold = try job.hold.map { try JSONEncoder().encode($0) }
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
      job.shelf = try shelf(queue: job.queue, kind: job.kind, needs: "")
    }
    try enter(job, since: since ?? now)
    try save(&job)
  }

  /// Lets a job run when its parents have ended and its time has come.
  func makeReady(_ job: inout SQLiteJob, due: StoreTime) throws {
    let isWaiting =
      try job.flags.contains(.parents)
      && db.first("SELECT 1 FROM taskkit_edge WHERE child = ? AND is_open LIMIT 1", job.id.rawValue) { _ in true }
        == true
    try move(&job, to: isWaiting ? .waiting : due > now ? .delayed : .ready) { job in
      job.due = due
      job.ended = nil
      job.expiry = nil
    }
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

  /// It was no attempt.
  func interrupt(_ job: inout SQLiteJob, hold reason: HoldReason? = nil, due: StoreTime? = nil) throws {
    job.attempts -= 1
    job.crashes = 0
    job.due = now
    if let reason { try hold(&job, reason) } else { try makeReady(&job, due: due ?? now) }
  }

  /// Ends an attempt that succeeded.
  ///
  /// - Returns: whether the attempt held the job.
  func succeed(_ key: AttemptKey, result: Data?) throws -> Bool {
    guard let job = try job(key.job), job.attempt?.token == key.token else { return false }
    try end(job, .finished, result: result)
    return true
  }

  /// Ends attempts that succeeded, where nothing is to be kept and nobody waits, as is nearly always so: all that there is
  /// of a job goes with two rows, and those of jobs whose ids follow each other go at once.
  ///
  /// - Parameters:
  ///   - keys: in the order of the jobs' ids, which follow each other.
  ///   - ended: told the places of those that have been ended. The others have to be looked at one by one.
  func endPlainly(_ keys: ArraySlice<AttemptKey>, _ ended: (Int) -> Void) throws {
    guard let first = keys.first, let last = keys.last else { return }
    var ending = try step(.ending)
    ending.bind(first.job.rawValue...last.job.rawValue)
    let found = try ending.list { row in
      (
        id: row.integer(0), token: row.integer(1), queue: row.integer(2), kind: row.integer(3),
        isPlain: !row.isNull(4) && row.integer(4) <= 0 && row.integer(5) == 0
      )
    }
    var run: ClosedRange<Int64>?
    for job in found {
      let place = keys.startIndex + Int(job.id - first.job.rawValue)
      guard job.isPlain, job.token == keys[place].token.rawValue else { continue }
      pending.counts[CountKey(queue: job.queue, kind: job.kind, state: JobState.running.number), default: 0] -= 1
      ended(place)
      if let ids = run, ids.upperBound + 1 == job.id {
        run = ids.lowerBound...job.id
      } else {
        if let run { try endRun(run) }
        run = job.id...job.id
      }
    }
    if let run { try endRun(run) }
  }

  private func endRun(_ ids: ClosedRange<Int64>) throws {
    try run(.endRunning, ids)
    try run(.endJobs, ids)
  }

  /// Ends a job, and does with its children what they ask for.
  ///
  /// - Parameter state: a final one; nil for no trace.
  func end(_ job: SQLiteJob, _ state: JobState?, result: Data? = nil) throws {
    // A list instead of recursion: chains may be long.
    var ending: [JobID] = []
    var next: (SQLiteJob, JobState?)? = (job, state)
    while let (job, state) = next {
      let wasUnfinished = !job.state.isFinal
      try finish(job, state, result: state == .finished ? result : nil)
      if wasUnfinished { ending += try childrenThatEnd(with: job.id, state, result: result) }
      next = nil
      while next == nil, let id = ending.popLast() {
        if let child = try self.job(id), !child.state.isFinal { next = (child, .cancelled) }
      }
    }
  }

  /// Tells the children of a job that it has ended.
  ///
  /// - Returns: those that are cancelled for it, the first one last.
  private func childrenThatEnd(with parent: JobID, _ state: JobState?, result: Data?) throws -> [JobID] {
    guard try haveEdges() else { return [] }
    let children = try db.list(
      "SELECT child, is_order FROM taskkit_edge WHERE parent = ? AND is_open ORDER BY child DESC", parent.rawValue
    ) { (JobID(rawValue: $0[0]), isOrder: $0[1] as Bool) }
    guard !children.isEmpty else { return [] }
    try db.run(
      "UPDATE taskkit_edge SET is_open = 0, result = ? WHERE parent = ? AND is_open",
      state == .finished ? result : nil, parent.rawValue)
    return try children.compactMap { id, isOrder in
      guard let child = try job(id) else { return nil }
      return try parentEnded(parent, state, isOrder: isOrder, child: child) ? id : nil
    }
  }

  /// - Returns: whether the child ends as well.
  private func parentEnded(_ parent: JobID, _ state: JobState?, isOrder: Bool, child: SQLiteJob) throws -> Bool {
    guard !child.state.isFinal else { return false }
    var child = child
    if state != .finished, !isOrder {
      switch child.parentFailure {
      case .cancel: return true
      case .hold:
        if child.state == .waiting { try hold(&child, .parentFailed(parent)) }
        return false
      case .run: break
      }
    }
    if child.state == .waiting { try makeReady(&child, due: child.due) }
    return false
  }

  private func finish(_ job: SQLiteJob, _ state: JobState?, result: Data?) throws {
    try releaseKey(of: job)
    let keep = state == .finished ? job.keepFinished : job.keepFailed
    guard let state, keep.map({ $0 > 0 }) ?? true else {
      try leave(job)
      return try forget(job)
    }
    var job = job
    try move(&job, to: state) { job in
      job.result = result
      job.ended = now
      job.expiry = keep.map { now + .microseconds($0) }
    }
  }

  /// Deletes every trace of a job but its key.
  func forget(_ job: SQLiteJob) throws {
    let id = job.id.rawValue
    try run(.deleteJob, id)
    if job.isChanged { try db.run("DELETE FROM taskkit_state WHERE id = ?", id) }
    if job.flags.contains(.parents) { try db.run("DELETE FROM taskkit_edge WHERE child = ?", id) }
    if job.flags.contains(.checkpoint) { try db.run("DELETE FROM taskkit_checkpoint WHERE id = ?", id) }
    if job.flags.contains(.errors) { try db.run("DELETE FROM taskkit_error WHERE id = ?", id) }
    if job.flags.contains(.steps) { try db.run("DELETE FROM taskkit_step WHERE id = ?", id) }
  }

  // MARK: Keys

  private func releaseKey(of job: SQLiteJob) throws {
    guard let key = job.uniqueKey else { return }
    if let period = job.uniquePeriod, job.created + .microseconds(period) > now {
      try db.run("UPDATE taskkit_key SET has_ended = 1 WHERE key = ? AND id = ?", key, job.id.rawValue)
    } else {
      try db.run("DELETE FROM taskkit_key WHERE key = ? AND id = ?", key, job.id.rawValue)
    }
  }

  /// The jobs that have a key now: unfinished ones, or else the one whose period has not passed.
  func holders(of key: String) throws -> (unfinished: [JobID], ended: JobID?) {
    let rows = try db.list("SELECT id, has_ended, until FROM taskkit_key WHERE key = ? ORDER BY id", key) { row in
      (id: JobID(rawValue: row[0]), hasEnded: row[1] as Bool, until: row[2] as Int64?)
    }
    return (
      rows.filter { !$0.hasEnded }.map(\.id), rows.last { $0.hasEnded && ($0.until ?? .min) > now.microseconds }?.id
    )
  }

  // MARK: Errors

  func note(_ cause: AttemptFailure.Cause, _ text: String, _ job: inout SQLiteJob) throws {
    let id = job.id.rawValue
    let last: Int64? = try db.first("SELECT coalesce(max(place), 0) FROM taskkit_error WHERE id = ?", id) { $0[0] }
    let place = (last ?? 0) + 1
    try db.run(
      "INSERT INTO taskkit_error VALUES (?, ?, ?, ?, ?, ?)", id, place, job.attempts, now.microseconds, cause.rawValue,
      text)
    try db.run("DELETE FROM taskkit_error WHERE id = ? AND place <= ?", id, place - Int64(LedgerEntry.keptErrors))
    job.flags.insert(.errors)
  }
}
#endif
