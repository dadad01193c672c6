#if Durable
import GRDB

/// A job that the file cannot give, or about which nothing can be written: it lies on a damaged page, or what belongs to it does, or
/// one of its values means nothing.
///
/// The transaction that has met it is over, as SQLite writes nothing more in it. It is done again without the job.
struct UnreadableJob: Error {
  let id: Int64
  let error: DatabaseError
}

/// A row that is about no job lacks a value. No page is damaged: to go on with more care, from job to job, would be of no use.
struct UnreadableRow: Error {
  let error: DatabaseError
}

extension CommonTable {
  /// What is thrown for a row that has no value where one always is.
  func failure(_ row: String) -> any Error {
    let error = DatabaseError.damage(damage(row))
    // A job is left alone whose name cannot be read.
    return self == .name ? error : UnreadableRow(error: error)
  }
}

extension SQLiteTransaction {
  /// Whether a job is left alone, since the file cannot give it.
  func isPassedBy(_ id: Int64) -> Bool { caches.unreadable.contains(id) }

  /// Does something about one job, which is passed by from then on where that meets a damaged page.
  func about<Value>(_ id: JobID, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as DatabaseError
      where caches.isDamaged && error.resultCode == .SQLITE_CORRUPT
    {
      throw UnreadableJob(id: id.rawValue, error: error)
    }
  }

  /// - Returns: nil where there is none, or the file cannot give it.
  func soundJob(_ id: JobID) throws -> SQLiteJob? {
    isPassedBy(id.rawValue) ? nil : try about(id) { try job(id) }
  }

  /// Whether there is a job, be it one that the file cannot give. Where a file was saved from a damaged one, rows may be left that
  /// are about none: whoever meets them deletes them, and goes on as if they had not been there.
  func isThere(_ id: JobID) throws -> Bool {
    if isPassedBy(id.rawValue) { return true }
    return try about(id) { try db.first("SELECT 1 FROM taskkit_job WHERE id = ?", id.rawValue) { _ in true } ?? false }
  }

  /// The jobs for which others wait, and of which nothing else is left.
  static func lostParents(_ db: Database) throws -> [JobID] {
    try db.list(
      """
      SELECT DISTINCT e.parent FROM taskkit_edge e INDEXED BY taskkit_edge_open
      WHERE e.is_open AND NOT EXISTS (SELECT 1 FROM taskkit_job j WHERE j.id = e.parent) ORDER BY e.parent
      """
    ) { JobID(rawValue: $0[0]) }
  }

  /// Whether an error comes from a damaged page, or from a value that means nothing.
  static func isDamage(_ error: any Error) -> Bool {
    error is UnreadableJob || (error as? DatabaseError)?.resultCode == .SQLITE_CORRUPT
  }
}

extension DatabaseError {
  /// What the file gives means nothing: nobody can go on with it, as with a page that it cannot give.
  ///
  /// - Parameter text: with whose it is.
  static func damage(_ text: String) -> DatabaseError { DatabaseError(resultCode: .SQLITE_CORRUPT, message: text) }
}

extension Row {
  /// A value that is always there. Asked for by its place alone, one that is not would end the process.
  ///
  /// - Parameter subject: what it belongs to.
  func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    _ column: Int, of subject: @autoclosure () -> String
  ) throws -> Value {
    do { return try decode(Value.self, atIndex: column) } catch {
      throw DatabaseError.damage("\(subject()) cannot be read: a value is missing")
    }
  }

  /// The same for a row that is about no job.
  ///
  /// - Parameter row: which one it is.
  func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    _ column: Int, of table: CommonTable, _ row: @autoclosure () -> String
  ) throws -> Value {
    do { return try decode(Value.self, atIndex: column) } catch { throw table.failure(row()) }
  }
}

extension StepRow {
  /// A value that is always there: one that is not would be taken for nought.
  ///
  /// - Parameter row: which one it is.
  func integer(_ column: Int32, of table: CommonTable, _ row: @autoclosure () -> String) throws -> Int64 {
    guard !isNull(column) else { throw table.failure(row()) }
    return integer(column)
  }
}

extension Array {
  /// What a number stands for that is written down in place of one of these.
  ///
  /// - Parameter subject: what it says.
  func meaning(of number: Int, _ subject: @autoclosure () -> String) throws -> Element {
    guard indices.contains(number) else { throw DatabaseError.damage("\(subject()) cannot be read: \(number)") }
    return self[number]
  }
}
#endif
