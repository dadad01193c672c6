#if Durable && !os(Windows)
import GRDBSQLite

/// A statement that a connection of SQLite keeps.
public struct PreparedStatement: Sendable {
  /// What no other one of the connection has while it is kept.
  public let identity: UInt
  public let sql: String
  /// How often it was executed.
  public let runs: Int
  /// How many instructions of SQLite's machine it took in all of them.
  public let steps: Int

  /// All that a connection has prepared and not given up.
  public static func all(of connection: OpaquePointer) -> [PreparedStatement] {
    var found: [PreparedStatement] = []
    var next = sqlite3_next_stmt(connection, nil)
    while let statement = next {
      found.append(
        PreparedStatement(
          identity: UInt(bitPattern: statement), sql: sqlite3_sql(statement).map { String(cString: $0) } ?? "",
          runs: Int(sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_RUN, 0)),
          steps: Int(sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 0))))
      next = sqlite3_next_stmt(connection, statement)
    }
    return found
  }
}
#endif
