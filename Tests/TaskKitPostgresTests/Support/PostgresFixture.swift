import Foundation
import TaskKitDurable
import TaskKitDurableTesting
@testable import TaskKitPostgres
import Testing

/// Stores in a schema of their own on a server; the schema goes with `remove`.
struct PostgresFixture: JobStoreFixture {
  let address: String
  /// The address of a pooler before the server, through which stores go.
  var pooler: String?
  /// One that has to be quoted.
  let schema = "S-\(UUID().uuidString)"

  /// - Parameter address: of a server; nil for the one that all tests share.
  init(address: String? = nil) throws { self.address = try address ?? TestServer.shared() }

  /// The schema as it stands in statements.
  var quoted: String { PostgresValue.quoted(schema) }

  func makeStore() -> any JobStore {
    PostgresStore(testing: pooler ?? address, schema: schema, notifies: pooler == nil)
  }

  /// The process dies, and its lease passes.
  func kill(_ store: any JobStore) async throws {
    guard let store = store as? PostgresStore, let owner = await store.owner else { return }
    await store.die()
    // Nor does what the server does for it from now on prolong its lease: a pooler may still have something of it. With such
    // a lease it is dead as soon as somebody doubts it.
    _ = try await query(
      "UPDATE \(quoted).taskkit_owner SET lease_until = 0, lease = -1 WHERE id = $1", [.integer(owner)])
  }

  /// Lets the time of a lease pass, and that in which its owner might have come back. For all others that nobody is at it has
  /// passed since they have come back themselves.
  func expireLease(of owner: Int64) async throws { try await query(expiry(of: "id = $1"), [.integer(owner)]) }

  /// What does that, and gives the ids of those owners.
  ///
  /// - Parameter owners: what is true for them.
  func expiry(of owners: String) -> String {
    """
    WITH expired AS (UPDATE \(quoted).taskkit_owner SET lease_until = 0 WHERE \(owners) RETURNING id), doubted AS (
      INSERT INTO \(quoted).taskkit_doubt SELECT id, id, 0, 0 FROM expired
      ON CONFLICT (owner, by) DO UPDATE SET until = 0, at = 0), present AS (
      UPDATE \(quoted).taskkit_owner SET doubted = NULL WHERE id IN (
        SELECT id FROM \(quoted).taskkit_owner WHERE doubted IS NOT NULL AND NOT (\(owners)) FOR UPDATE SKIP LOCKED))
    SELECT id FROM expired
    """
  }

  /// Lets the lease of a store pass that lives, and somebody find that at once, at a date: all of it before its next sign of
  /// life, which would prolong the lease.
  func expire(_ store: any JobStore, at date: Date) async throws {
    guard let owner = await (store as? PostgresStore)?.owner else { return }
    let connection = try await PostgresConnection.open(address)
    try await connection.inTransaction {
      let judges = try await connection.query("SELECT owner FROM \(quoted).taskkit_open('judge', 600000000)")
      _ = try await connection.query(expiry(of: "id = $1"), [.integer(owner)])
      let calls = [try PostgresCall(JobExchange()), try PostgresCall("close", [String: String]())]
      for (place, call) in calls.enumerated() {
        let setting = PostgresCall.Setting(
          owner: judges.first?.integer(0) ?? 0, operation: Int64(place) + 1, time: StoreTime(date).microseconds,
          isRelaxed: false)
        let statement = call.statement(schema: quoted, setting)
        _ = try await connection.query(statement.sql, statement.values)
      }
    }
    await connection.end()
  }

  @discardableResult
  func query(_ sql: String, _ values: [PostgresValue] = []) async throws -> [PostgresRow] {
    let connection = try await PostgresConnection.open(address)
    let rows = try await connection.query(sql, values)
    await connection.end()
    return rows
  }

  /// Calls the server as a store would, in a session of its own, and looks at what that has done while it is not over.
  ///
  /// - Parameters:
  ///   - isKept: whether it is committed then; otherwise it is taken back.
  ///   - look: gets the session, and what was answered.
  func call<Value>(
    _ call: PostgresCall, isKept: Bool = false, _ look: (PostgresConnection, [PostgresRow]) async throws -> Value
  ) async throws -> Value {
    let connection = try await PostgresConnection.open(address)
    let opened = try await connection.query("SELECT owner FROM \(quoted).taskkit_open('by hand', 60000000)")
    let setting = PostgresCall.Setting(
      owner: try #require(opened.first?.integer(0)), operation: 1, time: nil, isRelaxed: false)
    try await connection.run("BEGIN")
    let statement = call.statement(schema: quoted, setting)
    let answer = try await connection.query(statement.sql, statement.values)
    let value = try await look(connection, answer)
    try await connection.run(isKept ? "COMMIT" : "ROLLBACK")
    await connection.end()
    return value
  }

  /// Makes the shelf of a kind, as its first job would, which takes a store round trips of its own.
  func makeShelf(of kind: String = "Upload") async throws {
    try await query("SELECT \(quoted).taskkit_make_shelves($1)", [.json("[{\"kind\": \"\(kind)\"}]")])
  }

  /// Does something beside open transactions, in which names without a schema are those of the store. Where they are still
  /// open afterwards, or it fails, they are taken back, so that nobody waits for them any more.
  func withTransactions(_ count: Int, _ body: ([PostgresConnection]) async throws -> Void) async throws {
    var connections: [PostgresConnection] = []
    for _ in 0..<count {
      connections.append(try await PostgresConnection.open(address))
      try await connections.last?.run("BEGIN; SET LOCAL search_path = \(quoted), pg_temp")
    }
    let outcome: Result<Void, any Error>
    do { outcome = .success(try await body(connections)) } catch { outcome = .failure(error) }
    for connection in connections {
      // One that is broken has been taken back by itself.
      try? await connection.run("ROLLBACK")
      await connection.end()
    }
    try outcome.get()
  }

  /// How many statements that name a text wait for a lock of a session whose last statement names another one.
  func waiting(_ text: String, for holder: String) async throws -> Int {
    try await query(
      """
      SELECT 1 FROM pg_stat_activity a WHERE a.query LIKE $1 AND EXISTS (
        SELECT 1 FROM pg_stat_activity b WHERE b.pid = ANY (pg_blocking_pids(a.pid)) AND b.query LIKE $2)
      """, [.text("%\(text)%"), .text("%\(holder)%")]
    ).count
  }

  /// How many statements that name the schema and a text wait for a lock of somebody else.
  func waiting(_ text: String) async throws -> Int {
    try await query(
      "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1",
      [.text("%\(schema)%\(text)%")]
    ).count
  }

  func remove() async { _ = try? await query("DROP SCHEMA IF EXISTS \(quoted) CASCADE") }

  /// Runs something with a schema that is gone afterwards.
  static func with<Value>(
    address: String? = nil, _ body: (PostgresFixture) async throws -> Value
  ) async throws -> Value {
    let fixture = try PostgresFixture(address: address)
    do {
      let value = try await body(fixture)
      await fixture.remove()
      return value
    } catch {
      await fixture.remove()
      throw error
    }
  }
}
