#if Durable
import Foundation
import GRDB

/// The rules of a store within one transaction on an SQLite file.
///
/// It does what ``JobLedger`` does, in the same words.
final class SQLiteTransaction {
  struct CountKey: Hashable {
    let queue: Int64
    let kind: Int64
    let state: Int
  }

  /// By how much numbers of jobs change. Jobs that follow each other are nearly always counted for the same.
  struct CountChanges {
    private var changes: [CountKey: Int] = [:]
    private var latest: (key: CountKey, difference: Int)?

    mutating func add(_ difference: Int, to key: CountKey) {
      if latest?.key == key {
        latest!.difference += difference
      } else {
        if let latest { changes[latest.key, default: 0] += latest.difference }
        latest = (key, difference)
      }
    }

    /// All that there are, which are none afterwards.
    mutating func take() -> [CountKey: Int] {
      if let latest { changes[latest.key, default: 0] += latest.difference }
      defer { self = CountChanges() }
      return changes
    }
  }

  /// What is written when the transaction ends, once for all operations in it.
  struct Pending {
    var nextJob: Int64?
    var nextToken: Int64?
    var counts = CountChanges()
    /// New jobs that are ready and do not lie on their shelves yet.
    var unshelved: ClosedRange<Int64>?
  }

  let db: Database
  /// When what is done now was asked for, or later.
  var now: StoreTime
  let owner: Int64
  var caches: SQLiteCaches
  private let knowsShelves: Bool
  var pending = Pending()
  /// Whether it has seen to it that the owner can be found.
  var keepsPlace = false
  /// The last look for dead owners, its own or an earlier one.
  var ownerLook: OwnerLook?
  /// Whether no power cut may undo it, whatever was asked for: jobs have ended in it, or dead owners have lost theirs, and
  /// whoever is told so acts on it.
  var mustBeFlushed = false
  /// What was not heard of earlier operations, and has not been said since.
  var unheard: UnheardAnswers?
  let statements: StepStatements
  /// What is given for a plain job beside its own.
  var plain: PlainJob?
  /// Whether any job waits for another that has not ended; nil where that has not been looked at.
  private var mayHaveEdges: Bool?

  /// - Parameters:
  ///   - knowsShelves: whether all shelves are known in it, as they have to be to claim.
  ///   - statements: those that the connection keeps compiled; none where it keeps none but GRDB's.
  init(
    _ db: Database, now: StoreTime, owner: Int64, caches: SQLiteCaches, knowsShelves: Bool = true,
    statements: StepStatements = StepStatements()
  ) throws {
    self.db = db
    self.statements = statements
    self.now = now
    self.owner = owner
    self.caches = caches
    self.knowsShelves = knowsShelves
    if knowsShelves { try loadShelves() }
  }

  /// Writes what has gathered. Nothing may be done afterwards.
  func finish() throws {
    try shelve()
    if let next = pending.nextJob { try setNext(next, "job") }
    if let next = pending.nextToken { try setNext(next, "token") }
    for (key, difference) in pending.counts.take() where difference != 0 { try count(key, difference) }
    pending = Pending()
  }

  /// Whether any job waits for another that has not ended: where none does, none has to be looked for. What is kept of those
  /// whose parents have ended, as of all that are dead, does not count.
  func haveEdges() throws -> Bool {
    if let known = mayHaveEdges { return known }
    let isThere = try step(.anyEdge).hasRow()
    mayHaveEdges = isThere
    return isThere
  }

  func noteEdges() { mayHaveEdges = true }

  /// Does something that takes nothing else with it where it fails.
  ///
  /// - Throws: where the whole transaction is lost.
  func inSavepoint<Value>(_ body: () throws -> Value) throws -> Result<Value, any Error> {
    let (caches, pending, keepsPlace, ownerLook) = (caches, pending, keepsPlace, ownerLook)
    try db.run("SAVEPOINT taskkit_operation")
    do {
      let value = try body()
      try db.run("RELEASE taskkit_operation")
      return .success(value)
    } catch {
      func rollBack() throws {
        try db.run("ROLLBACK TO taskkit_operation")
        try db.run("RELEASE taskkit_operation")
      }
      // A full disk, for one, ends the transaction.
      guard db.isInsideTransaction else { throw error }
      // One that has met a damaged page is over as well: SQLite writes nothing more in it, and does not commit it. It does where only
      // a value means nothing, and the transaction may be the caller's, who goes on with it.
      guard !Self.isDamage(error) else {
        try? rollBack()
        throw error
      }
      try rollBack()
      self.caches = caches
      self.pending = pending
      (self.keepsPlace, self.ownerLook) = (keepsPlace, ownerLook)
      plain = nil
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
    if let stored = try storedNumber(of: name) { return stored }
    try db.run("INSERT INTO taskkit_name (text) VALUES (?)", name)
    caches.add(db.lastInsertedRowID, of: name)
    return db.lastInsertedRowID
  }

  /// The number of a queue or kind; nil where it never had a job.
  func storedNumber(of name: String) throws -> Int64? {
    if let known = caches.number(of: name) { return known }
    let stored: Int64? = try db.first("SELECT id FROM taskkit_name WHERE text = ?", name) { $0[0] }
    if let stored { caches.add(stored, of: name) }
    return stored
  }

  /// - Parameter version: that of its jobs' payloads.
  func shelf(queue: Int64, kind: Int64, needs: String, isLimited: Bool, version: Int) throws -> Int64 {
    let name = SQLiteCaches.ShelfName(
      queue: queue, kind: kind, needs: needs, isLimited: isLimited, version: SQLiteCaches.shelfVersion(of: version))
    if let known = caches.shelf(name) { return known.id }
    guard knowsShelves else { return try shelfThere(name) }
    let id = try makeShelf(name)
    try loadShelves()
    return id
  }

  /// The same where it has to be looked whether it is there.
  private func shelfThere(_ name: SQLiteCaches.ShelfName) throws -> Int64 {
    let stored: Int64? = try db.first(
      "SELECT id FROM taskkit_shelf WHERE queue = ? AND kind = ? AND needs = ? AND is_limited = ? AND version = ?",
      name.queue, name.kind, name.needs, name.isLimited, name.version
    ) { $0[0] }
    let id = try stored ?? makeShelf(name)
    caches.add(Self.shelf(id, name), as: name)
    return id
  }

  private static func shelf(_ id: Int64, _ name: SQLiteCaches.ShelfName) -> SQLiteCaches.Shelf {
    SQLiteCaches.Shelf(
      id: id, kind: name.kind, needs: strings(name.needs).map(Set.init), isLimited: name.isLimited,
      version: name.version)
  }

  private func makeShelf(_ name: SQLiteCaches.ShelfName) throws -> Int64 {
    try db.run(
      "INSERT INTO taskkit_shelf (queue, kind, needs, is_limited, version) VALUES (?, ?, ?, ?, ?)", name.queue,
      name.kind, name.needs, name.isLimited, name.version)
    return db.lastInsertedRowID
  }

  /// Others may have put up new ones.
  private func loadShelves() throws {
    guard try step(.lastShelf).first({ $0.integer(0) }) != caches.lastShelf else { return }
    let new = try db.list(
      "SELECT id, queue, kind, needs, is_limited, version FROM taskkit_shelf WHERE id > ?", caches.lastShelf
    ) { row in
      let id: Int64 = row[0]
      func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ column: Int) throws -> Value {
        try row.value(column, of: .shelf, "\(id)")
      }
      let name = try SQLiteCaches.ShelfName(
        queue: value(1), kind: value(2), needs: value(3), isLimited: value(4), version: value(5))
      return (name, Self.shelf(id, name))
    }
    for (name, shelf) in new { caches.add(shelf, as: name) }
  }

  /// A list of texts as the file holds it; an empty one is an empty text.
  static func text(_ strings: [String]) throws -> String {
    strings.isEmpty ? "" : String(decoding: try JSONEncoder().encode(strings), as: UTF8.self)
  }

  /// - Returns: nil for a text that is no such list.
  static func strings(_ text: String) -> [String]? {
    text.isEmpty ? [] : try? JSONDecoder().decode([String].self, from: Data(text.utf8))
  }
}
#endif
