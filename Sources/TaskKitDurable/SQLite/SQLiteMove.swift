#if Durable && !os(Windows)
import Foundation
package import GRDB

/// What it takes to bring the jobs of a file elsewhere, in transactions of whoever does that.
package enum SQLiteMove {
  /// Who has a file open, as far as anybody can tell.
  package struct Owners: Sendable {
    /// What those are called that live.
    package fileprivate(set) var living: [String] = []
    /// What those are called, by their locks, whose lock is not there: one that lives puts it back.
    package fileprivate(set) var away: [String: String] = [:]
  }

  /// Changes nothing, and is heard by all who have the file open. Twice, since SQLite does not write what it has already.
  package static let touch = """
    BEGIN IMMEDIATE;
    UPDATE taskkit_format SET version = -version;
    UPDATE taskkit_format SET version = -version;
    COMMIT;
    """

  /// For how long a lock has to be away before its owner counts as dead.
  package static var grace: Duration { SQLiteCompany.grace }

  /// Brings the tables up to date, gives back what owners held that are gone, and lets nobody wait for jobs that are lost.
  ///
  /// - Parameters:
  ///   - path: the file's name without links.
  ///   - away: the locks that have not been there for ``grace``.
  /// - Returns: the other owners.
  package static func settle(_ db: Database, at path: String, away: Set<String> = []) throws -> Owners {
    _ = try SQLiteSchema.migrate(db, store: path)
    guard let file = FileIdentity(at: path) else {
      throw JobStoreError(.missing, store: path, detail: "the file was moved or deleted")
    }
    let transaction = try SQLiteTransaction(db, now: StoreTime(Date()), owner: 0, caches: SQLiteCaches())
    let owners = try db.list("SELECT id, lock, name FROM taskkit_owner ORDER BY id") {
      let id: Int64 = $0[0]
      return try (
        id: id, lock: $0.value(1, of: .owner, "\(id)") as String, name: $0.value(2, of: .owner, "\(id)") as String
      )
    }
    var others = Owners()
    for owner in owners {
      switch OwnerLocks.sign(of: owner.lock, in: OwnerLocks.folder(forDatabaseAt: path), file: file) {
      case .lives: others.living.append(owner.name)
      case .none where !away.contains(owner.lock): others.away[owner.lock] = owner.name
      case .none: _ = try transaction.release(owner: owner.id, isCrash: true)
      case .died: _ = try transaction.release(owner: owner.id, isCrash: true)
      case .left: _ = try transaction.release(owner: owner.id, isCrash: false)
      }
    }
    _ = try transaction.releaseStrangers()
    for parent in try SQLiteTransaction.lostParents(db).reversed() { try transaction.endLost(parent) }
    try transaction.finish()
    return others
  }

  /// Where the jobs of a file go to, or are; nil for a file that is in use as any other.
  package static func target(_ db: Database) throws -> String? { try SQLiteSchema.target(db) }

  /// Keeps everybody from opening the file, builds that do not know of moves among them.
  package static func mark(_ db: Database, target: String) throws {
    try db.execute(sql: "CREATE TABLE taskkit_moved (target TEXT NOT NULL, version INTEGER NOT NULL)")
    try db.execute(
      sql: "INSERT INTO taskkit_moved SELECT ?, version FROM taskkit_format; UPDATE taskkit_format SET version = ?",
      arguments: [target, SQLiteSchema.movedVersion])
  }

  /// Takes the mark away, if there is one.
  package static func unmark(_ db: Database) throws {
    guard try target(db) != nil else { return }
    try db.execute(
      sql: "UPDATE taskkit_format SET version = (SELECT version FROM taskkit_moved); DROP TABLE taskkit_moved")
  }
}
#endif
