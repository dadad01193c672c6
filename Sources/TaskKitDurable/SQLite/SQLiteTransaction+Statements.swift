#if Durable
import Foundation
import GRDB

extension SQLiteTransaction {
  /// What every job goes through, on SQLite's C interface: the values of GRDB's rows and arguments would cost as much as
  /// the work itself. The statements are GRDB's, which keeps them compiled and closes them with the connection; observers
  /// of the database's owner do not hear of them. No text may be used elsewhere: GRDB remembers which values it gave.
  enum Step: Int, CaseIterable {
    case insertJob
    case insertReady
    case shelve
    case deleteReady
    case takeReady
    case insertRunning
    case claimed
    case claimedOne
    case ending
    case endingAmongEdges
    case deleteRunning
    case endRunning
    case deleteJob
    case endJobs
    case shelf
    case next
    case setNext
    case count
    case lastShelf
    case dataVersion
    case anyEdge
    case cancelled
    case due
    case nextDue
    case paused
    case rate
    case rates
    case begin
    case commit

    var sql: String {
      switch self {
      case .insertJob:
        """
        INSERT INTO taskkit_job VALUES \
        (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
      case .insertReady: "INSERT INTO taskkit_ready VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
      case .shelve:
        """
        INSERT INTO taskkit_ready
        SELECT shelf, ~major, ~minor, 0, id, created, limit_key, limit_count FROM taskkit_job WHERE id BETWEEN ? AND ?
        """
      case .deleteReady:
        "DELETE FROM taskkit_ready WHERE shelf = ? AND major = ? AND minor = ? AND attempts = ? AND id = ?"
      case .takeReady:
        """
        DELETE FROM taskkit_ready
        WHERE shelf = ? AND major = ? AND minor = ? AND attempts = ? AND id BETWEEN ? AND ?
        """
      case .insertRunning:
        """
        INSERT INTO taskkit_running (id, token, owner, attempt, began)
        SELECT id, ?3 + id - ?1, ?4, ?5, ?6 FROM taskkit_job WHERE id BETWEEN ?1 AND ?2
        """
      case .claimed: Self.claimed("BETWEEN ? AND ? ORDER BY j.id")
      case .claimedOne: Self.claimed("= ?")
      case .ending: Self.ending()
      case .endingAmongEdges:
        Self.ending(or: "EXISTS (SELECT 1 FROM taskkit_edge e WHERE e.parent = r.id AND e.is_open)")
      case .deleteRunning: "DELETE FROM taskkit_running WHERE id = ?"
      case .endRunning: "DELETE FROM taskkit_running WHERE id BETWEEN ? AND ?"
      case .deleteJob: "DELETE FROM taskkit_job WHERE id = ?"
      case .endJobs: "DELETE FROM taskkit_job WHERE id BETWEEN ? AND ?"
      case .shelf:
        """
        SELECT \(Candidate.columns) FROM taskkit_ready WHERE shelf = ? ORDER BY major, minor, attempts, id LIMIT ?
        """
      case .next: "SELECT next FROM taskkit_sequence WHERE name = ?"
      case .setNext: "UPDATE taskkit_sequence SET next = ? WHERE name = ?"
      case .count:
        """
        INSERT INTO taskkit_count (queue, kind, state, count) VALUES (?, ?, ?, ?) \
        ON CONFLICT DO UPDATE SET count = count + excluded.count
        """
      case .lastShelf: "SELECT max(id) FROM taskkit_shelf"
      case .dataVersion: "PRAGMA data_version"
      case .anyEdge: "SELECT 1 FROM taskkit_edge INDEXED BY taskkit_edge_open WHERE is_open LIMIT 1"
      case .cancelled: "SELECT token FROM taskkit_cancel WHERE owner = ? ORDER BY token"
      case .due: "SELECT at, id, what FROM taskkit_due WHERE at <= ? ORDER BY at, id LIMIT ?"
      case .nextDue: "SELECT at FROM taskkit_due ORDER BY at LIMIT 1"
      case .paused: "SELECT subject, name FROM taskkit_pause"
      case .rate: "SELECT count, period, used FROM taskkit_rate WHERE is_key = ? AND name = ?"
      case .rates: "SELECT is_key, name, count, period, used FROM taskkit_rate ORDER BY is_key, name"
      case .begin: "BEGIN IMMEDIATE TRANSACTION"
      case .commit: "COMMIT TRANSACTION"
      }
    }

    private static func claimed(_ ids: String) -> String {
      """
      SELECT j.id, j.version, j.payload, j.maximum_attempts, j.deadline, j.needs, j.tags, j.schedule, j.occurrence, \
      j.needs_until, j.shelf, coalesce(s.flags, j.flags)
      FROM taskkit_job j LEFT JOIN taskkit_state s ON s.id = j.id WHERE j.id \(ids)
      """
    }

    /// - Parameter reason: another one why more is to be done than to delete what there is of a job.
    private static func ending(or reason: String = "0") -> String {
      """
      SELECT r.id, r.token, j.queue, j.kind, j.keep_finished, j.unique_key IS NOT NULL OR j.limit_key IS NOT NULL \
      OR s.id IS NOT NULL OR j.flags <> 0 OR \(reason)
      FROM taskkit_running r JOIN taskkit_job j ON j.id = r.id LEFT JOIN taskkit_state s ON s.id = r.id
      WHERE r.id BETWEEN ? AND ? ORDER BY r.id
      """
    }
  }

  func insertReady(
    shelf: Int64, _ priority: JobPriority, attempts: Int, id: Int64, since: StoreTime, _ limit: KeyLimit?
  ) throws {
    var insert = try step(.insertReady)
    insert.bind(shelf)
    insert.bind(~priority.major)
    insert.bind(~priority.minor)
    insert.bind(attempts)
    insert.bind(id)
    insert.bind(since.microseconds)
    insert.bind(limit?.key)
    insert.bind(limit?.count)
    try insert.run()
  }

  /// - Parameters:
  ///   - major: the complement, as it is stored; so is the minor one.
  func deleteReady(shelf: Int64, major: Int, minor: Int, attempts: Int, id: Int64) throws {
    var delete = try step(.deleteReady)
    delete.bind(shelf)
    delete.bind(major)
    delete.bind(minor)
    delete.bind(attempts)
    delete.bind(id)
    try delete.run()
  }

  /// The first jobs of a shelf.
  func candidates(on shelf: Int64, limit: Int) throws -> [Candidate] {
    var select = try step(.shelf)
    select.bind(shelf)
    select.bind(limit)
    return try select.list(Candidate.init)
  }

  /// The number that a sequence gives next.
  func next(_ sequence: String) throws -> Int64 {
    var select = try step(.next)
    select.bind(sequence)
    let next = try select.first { try $0.integer(0, of: .sequence, "'\(sequence)'") }
    guard let next else { throw CommonTable.sequence.failure("'\(sequence)'") }
    return next
  }

  func setNext(_ next: Int64, _ sequence: String) throws {
    var update = try step(.setNext)
    update.bind(next)
    update.bind(sequence)
    try update.run()
  }

  func count(_ key: CountKey, _ difference: Int) throws {
    var insert = try step(.count)
    insert.bind(key.queue)
    insert.bind(key.kind)
    insert.bind(key.state)
    insert.bind(difference)
    try insert.run()
  }

  /// Runs a statement that needs nothing but the id of a job.
  func run(_ step: Step, _ id: Int64) throws {
    var statement = try self.step(step)
    statement.bind(id)
    try statement.run()
  }

  /// The same for jobs whose ids follow each other.
  func run(_ step: Step, _ ids: ClosedRange<Int64>) throws {
    var statement = try self.step(step)
    statement.bind(ids)
    try statement.run()
  }

  /// A statement that is ready to be given values. One at a time is used of each kind.
  func step(_ step: Step) throws -> StepStatement { try statements.statement(step, db) }
}
#endif
