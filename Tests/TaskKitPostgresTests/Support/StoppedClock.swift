import Foundation
import TaskKitDurable
@testable import TaskKitPostgres

/// A server's clock that stands still until a test moves it.
struct StoppedClock {
  private let fixture: PostgresFixture
  private let table: String

  /// Puts it in the place of the real one, of which all functions of a store ask.
  init(_ fixture: PostgresFixture) async throws {
    (self.fixture, table) = (fixture, "\(fixture.quoted).test_clock")
    let store = PostgresStore(at: fixture.address, schema: fixture.schema)
    _ = try await store.open(StoreEnvironment(owner: "test"))
    await store.close()
    try await fixture.query("CREATE TABLE \(table) AS SELECT 1767225600000000::bigint AS time")
    try await fixture.query(
      """
      CREATE OR REPLACE FUNCTION \(fixture.quoted).taskkit_clock() RETURNS bigint LANGUAGE sql VOLATILE
      AS $$ SELECT time FROM \(table) $$
      """)
  }

  var time: Date {
    get async throws {
      StoreTime(microseconds: try await fixture.query("SELECT time FROM \(table)").first?.integer(0) ?? 0).date
    }
  }

  func pass(_ time: Duration) async throws {
    try await fixture.query("UPDATE \(table) SET time = time + $1", [.integer(time.microseconds)])
  }
}
