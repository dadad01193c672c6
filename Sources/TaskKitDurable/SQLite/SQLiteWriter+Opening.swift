#if Durable && !os(Windows)
import Dispatch
import Foundation
import GRDB

extension SQLiteWriter {
  /// How many numbers an opening leaves out where a power cut may have taken those that were given out last: more than are
  /// given out between two flushes.
  static let numberStep: Int64 = 1 << 20

  /// Becomes an owner. Blocks its thread, which must be the queue's.
  ///
  /// - Parameters:
  ///   - path: the file's name without links.
  ///   - isOwned: whether the database is opened for this store alone.
  ///   - makeDatabase: opens it.
  static func open(
    at path: String, isOwned: Bool, environment: StoreEnvironment, queue: DispatchQueue,
    signal: AsyncStream<Void>.Continuation, hearing: SQLiteHearing = SQLiteHearing(),
    _ makeDatabase: () throws -> any DatabaseWriter
  ) throws -> (SQLiteWriter, StoreOpening) {
    let locks = try OwnerLocks(forDatabaseAt: path)
    // In a turn: SQLite does not wait for others who make or recover the file at the same moment.
    let (database, owner, identity, file, lock) = try locks.turn.take {
      let database = try makeDatabase()
      do {
        guard let file = FileIdentity(at: path) else {
          throw JobStoreError(.invalid, store: path, detail: "jobs need a database in a file")
        }
        let lock = try locks.take(for: file, store: path)
        do {
          let (owner, identity) = try begin(
            database, path: path, isOwned: isOwned, name: environment.owner, lock: lock.name)
          return (database, owner, identity, file, lock)
        } catch {
          locks.remove(lock.name)
          throw error
        }
      } catch {
        if isOwned { try? database.close() }
        throw error
      }
    }
    let writer = SQLiteWriter(
      database, path: path, identity: identity, isOwned: isOwned, environment: environment, owner: owner, locks: locks,
      lock: lock, file: file, queue: queue, signal: signal, hearing: hearing)
    var rescued: [RescuedJob] = []
    var names: [String] = []
    var ended: [JobID] = []
    do {
      let lost = try lostParents(in: database)
      try writer.commit(isRelaxed: false) { transaction in
        rescued = try writer.rescue(transaction)
        ended = lost.filter { !transaction.isPassedBy($0.rawValue) }
        for parent in ended.reversed() { try transaction.about(parent) { try transaction.endLost(parent) } }
        names = try transaction.db.list("SELECT id, lock FROM taskkit_owner") { row in
          try row.value(1, of: .owner, "\(row[0] as Int64)")
        }
      }
    } catch is AfterCommit {
      // Those whose last attempt died are told of now or never. That the file is away is told to whoever asks for something next.
    } catch {
      // It is in the file already: others find a lock that nobody holds. The store may be opened again.
      writer.end(removesLock: false, endsSignal: false)
      writer.statements?.forget()
      if isOwned { try? database.close() }
      throw error
    }
    locks.sweep(keeping: Set(names))
    var opening = StoreOpening(identity: identity, rescued: rescued)
    opening.lostParents = ended
    return (writer, opening)
  }

  /// The jobs for which others wait and of which nothing else is left; none where this meets a damaged page: what is lost beside that
  /// is not known until the file is repaired.
  ///
  /// Before the transaction that ends them, which could write nothing any more once it had met such a page.
  private static func lostParents(in database: any DatabaseWriter) throws -> [JobID] {
    do {
      return try database.writeWithoutTransaction(SQLiteTransaction.lostParents)
    } catch {
      guard SQLiteTransaction.isDamage(error) else { throw error }
      return []
    }
  }

  private static func begin(
    _ database: any DatabaseWriter, path: String, isOwned: Bool, name: String, lock: String
  ) throws -> (owner: Int64, identity: UUID) {
    var begun: (Int64, UUID)?
    try database.writeWithoutTransaction { db in
      if isOwned {
        try setDurability(db, isRelaxed: false)
        try db.execute(sql: "PRAGMA journal_size_limit = \(largestLog)")
        return try enter(db)
      }
      // On the disk, whatever its owner has set: a step that a power cut takes would be made again to the same numbers.
      let settings = try flushing.map { name, least in
        (name: name, value: try Int.fetchOne(db, sql: "PRAGMA \(name)") ?? least, least: least)
      }
      func set(_ name: String, _ value: Int) throws { try db.execute(sql: "PRAGMA \(name) = \(value)") }
      do {
        for setting in settings { try set(setting.name, max(setting.value, setting.least)) }
        try enter(db)
      } catch {
        for setting in settings { try? set(setting.name, setting.value) }
        throw error
      }
      for setting in settings { try set(setting.name, setting.value) }
    }
    return begun!

    func enter(_ db: Database) throws {
      try db.inTransaction(.immediate) {
        // In a new file none have been given out.
        let isKnown = try db.tableExists("taskkit_format")
        let identity = try SQLiteSchema.migrate(db, store: path)
        if isKnown, !isOwned {
          try db.execute(
            sql: "UPDATE taskkit_sequence SET next = next + ? WHERE name IN ('job', 'token')", arguments: [numberStep])
        }
        guard let owner = try Int64.fetchOne(db, sql: "SELECT next FROM taskkit_sequence WHERE name = 'owner'") else {
          throw CommonTable.sequence.failure("'owner'")
        }
        try db.execute(sql: "UPDATE taskkit_sequence SET next = next + 1 WHERE name = 'owner'")
        try db.execute(sql: "INSERT INTO taskkit_owner VALUES (?, ?, ?)", arguments: [owner, name, lock])
        begun = (owner, identity)
        return .commit
      }
    }
  }

  /// What a commit is flushed with, by the names of the settings, and their least values.
  private static var flushing: [(String, Int)] {
    #if canImport(Darwin)
    [("synchronous", 2), ("fullfsync", 1)]
    #else
    [("synchronous", 2)]
    #endif
  }

  /// GRDB sets NORMAL itself when it opens a pool, so this comes after it, and is read back.
  static func setDurability(_ db: Database, isRelaxed: Bool) throws {
    try db.execute(sql: "PRAGMA synchronous = \(isRelaxed ? "NORMAL" : "FULL")")
    #if canImport(Darwin)
    try db.execute(sql: "PRAGMA fullfsync = \(isRelaxed ? 0 : 1); PRAGMA checkpoint_fullfsync = 1")
    #endif
    let level = try Int.fetchOne(db, sql: "PRAGMA synchronous")
    guard level == (isRelaxed ? 1 : 2) else {
      throw JobStoreError(
        .other, store: db.description, detail: "the database does not take the durability it is given")
    }
  }
}
#endif
