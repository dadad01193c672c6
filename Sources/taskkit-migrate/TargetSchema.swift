#if Durable && Postgres
import Foundation
import TaskKitPostgres

/// The schema that the jobs go to, which is the search path of the transaction.
struct TargetSchema {
  let connection: PostgresConnection
  let name: String
  /// The name, with what the server says which database it is: the address may mean another one to whoever gives it next, as
  /// with a service, or where the environment says the rest.
  let mark: String
  /// How a mark begins and ends that means this one, however the server was called.
  private let ends: (String, String)

  init(_ schema: String, at connection: PostgresConnection, of server: String) async throws {
    let database: String?
    do {
      database = try await connection.query(
        """
        SELECT concat('database ', d.oid, ' of system ', s.system_identifier) FROM pg_database d, pg_control_system() s
        WHERE d.datname = current_database()
        """
      ).first?.text(0)
    } catch PostgresFailure.server(let code, _) where ["42501", "42883", "0A000"].contains(code) {
      // Some roles are not told, and some servers tell nobody: there the name is all that is known.
      database = nil
    }
    let beginning = "schema '\(schema)' of "
    let name = beginning + server
    let end = database.map { " (\($0))" }
    self.connection = connection
    self.name = name
    mark = name + (end ?? "")
    ends = (beginning, end ?? name)
  }

  /// Whether an earlier run has meant this schema by its mark. One of an older build has written the name alone.
  func isMeant(by mark: String) -> Bool { mark == name || mark.hasPrefix(ends.0) && mark.hasSuffix(ends.1) }

  /// Whether the jobs of the file of that identity are there.
  func has(_ identity: String) async throws -> Bool {
    try await !connection.query("SELECT 1 FROM taskkit_format WHERE identity = $1::uuid", [.text(identity)]).isEmpty
  }

  /// Holds the tables, so that no process can begin with them meanwhile.
  func checkEmpty() async throws {
    try await connection.run("LOCK TABLE taskkit_owner, taskkit_job, taskkit_format IN EXCLUSIVE MODE")
    // Who has died may have left its row. Where there are no jobs it holds none.
    try await connection.run("DELETE FROM taskkit_owner WHERE lease_until <= taskkit_clock()")
    let owners = try await connection.query("SELECT name FROM taskkit_owner ORDER BY id").compactMap { $0.text(0) }
    guard owners.isEmpty else {
      throw MoveError(
        description: "\(name) is in use by \(owners.joined(separator: ", ")): stop it, then move the jobs")
    }
    let used = try await connection.query(
      """
      SELECT 1 FROM taskkit_job_id WHERE is_called OR last_value > 1
      UNION ALL SELECT 1 FROM taskkit_job UNION ALL SELECT 1 FROM taskkit_occurrence
      UNION ALL SELECT 1 FROM taskkit_schedule LIMIT 1
      """)
    guard used.isEmpty else {
      throw MoveError(description: "\(name) has had jobs of its own: choose one that has not")
    }
  }

  func write(_ rows: [[CopyValue]], _ step: CopyStep) async throws {
    let values = step.types.indices.map { column in
      switch step.types[column] {
      case .integers:
        PostgresValue.integers(rows.map { if case .integer(let value) = $0[column] { value } else { nil } })
      case .texts: PostgresValue.texts(rows.map { if case .text(let value) = $0[column] { value } else { nil } })
      case .blobs: PostgresValue.blobs(rows.map { if case .blob(let value) = $0[column] { value } else { nil } })
      }
    }
    for insert in step.inserts { _ = try await connection.query(insert, values) }
  }

  func finish(next: (job: Int64, token: Int64), identity: String) async throws {
    // Unlike setval, this is taken back with the transaction.
    try await connection.run(
      "ALTER SEQUENCE taskkit_job_id RESTART WITH \(next.job); ALTER SEQUENCE taskkit_token RESTART WITH \(next.token)")
    _ = try await connection.query("UPDATE taskkit_format SET identity = $1::uuid", [.text(identity)])
  }

  func jobs() async throws -> [String: Int] {
    let rows = try await connection.query(
      """
      SELECT j.queue || ' ' || j.kind || ' ' || s.state, count(*) FROM taskkit_job j JOIN taskkit_state s ON s.id = j.id
      GROUP BY 1
      """)
    return Dictionary(rows.map { ($0.text(0) ?? "", Int($0.integer(1) ?? 0)) }, uniquingKeysWith: +)
  }

  func count(_ table: String) async throws -> Int {
    Int(try await connection.query("SELECT count(*) FROM \(table)").first?.integer(0) ?? 0)
  }
}
#endif
