#if Postgres
import Foundation
import TaskKitDurable

/// The tables and functions of a store in a PostgreSQL schema, and how older ones become the present ones.
///
/// The rules live on the server, as functions: each thing that a client asks for is one statement in one transaction,
/// whatever the distance, and whoever can send SQL can enqueue. Only what the first job of a sort lies on is made before, in a
/// transaction of its own.
package enum PostgresSchema {
  /// The format that this build writes. Raised with every change that an older build could not use.
  package static let version = migrations.count

  /// Step n makes format n + 1 of format n. Never changed once released.
  private static let migrations = [
    [
      tables, rules, attempts, steps, rates, claiming, owners, enqueuing, transactions, changing, exchanging, telling,
      operations,
      reading,
    ].joined(separator: "\n")
  ]

  /// Makes the tables, or brings them up to date. Whoever comes second waits for the first.
  package static func migrate(_ connection: PostgresConnection, schema: String, store: String) async throws {
    if try await version(connection, schema: schema) == version { return }
    try await connection.inTransaction { try await migrateHere(connection, schema: schema, store: store) }
  }

  /// The same, in the transaction that is going.
  package static func migrateHere(_ connection: PostgresConnection, schema: String, store: String) async throws {
    let name = PostgresValue.quoted(schema)
    // Held until the transaction ends.
    _ = try await connection.query("SELECT pg_advisory_xact_lock(1413567308, hashtext($1))", [.text(schema)])
    // Where it is there, the right to make one may be missing.
    if try await connection.query("SELECT 1 FROM pg_namespace WHERE nspname = $1", [.text(schema)]).isEmpty {
      try await connection.run("CREATE SCHEMA \(name)")
    }
    try await connection.run("SET LOCAL search_path = \(name), pg_temp")
    let found = try await version(connection, schema: schema)
    guard found <= version else {
      throw JobStoreError(
        .newer(version: found, known: version), store: store, detail: "the format of schema \(schema) is newer")
    }
    guard found < version else { return }
    // Nothing of an older build is on its way meanwhile, and what comes later finds the new format.
    if found > 0 { try await connection.run("LOCK TABLE taskkit_owner IN EXCLUSIVE MODE") }
    if found == 0 {
      try await connection.run("CREATE TABLE taskkit_format (version integer NOT NULL, identity uuid NOT NULL)")
    }
    for step in migrations[found...] {
      try await connection.run(step.replacingOccurrences(of: "@schema@", with: name))
    }
    if found == 0 {
      _ = try await connection.query(
        "INSERT INTO taskkit_format VALUES ($1, $2::uuid)", [.integer(Int64(version)), .text(UUID().uuidString)])
    } else {
      _ = try await connection.query("UPDATE taskkit_format SET version = $1", [.integer(Int64(version))])
    }
  }

  /// The format of the schema; 0 where there is none.
  ///
  /// - Throws: for one that is newer than this build, too.
  private static func version(_ connection: PostgresConnection, schema: String) async throws -> Int {
    let table = "\(PostgresValue.quoted(schema)).taskkit_format"
    guard try await connection.query("SELECT 1 WHERE to_regclass($1) IS NOT NULL", [.text(table)]).isEmpty == false
    else { return 0 }
    return Int(try await connection.query("SELECT version::bigint FROM \(table)").first?.integer(0) ?? 0)
  }
}
#endif
