#if Durable
import GRDB

/// The statements of ``SQLiteTransaction/Step`` that one connection has compiled, by their numbers.
// Used by what runs on the connection's own queue alone, as the connection itself is.
final class StepStatements: @unchecked Sendable {
  private var handles = [SQLiteStatement?](repeating: nil, count: SQLiteTransaction.Step.allCases.count)
  /// What the handles belong to.
  private var statements: [Statement] = []

  /// A statement that is ready to be given values. One at a time is used of each kind.
  func statement(_ step: SQLiteTransaction.Step, _ db: Database) throws -> StepStatement {
    if let known = handles[step.rawValue] { return StepStatement(handle: known) }
    let statement = try db.cachedStatement(sql: step.sql)
    statements.append(statement)
    handles[step.rawValue] = statement.sqliteStatement
    return StepStatement(handle: statement.sqliteStatement)
  }

  /// What changes when another connection has written.
  func dataVersion(_ db: Database) throws -> Int {
    try statement(.dataVersion, db).first { Int($0.integer(0)) }!
  }

  /// To be called before the connection is closed, which statements would keep open.
  func forget() {
    handles = handles.map { _ in nil }
    statements = []
  }
}
#endif
