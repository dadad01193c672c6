import Foundation
import TaskKitDurable
@testable import TaskKitPostgres
import Testing

@Suite(.serialized, .timeLimit(.minutes(15))) struct HealthTests {
  @Test func `a transaction that keeps the server from tidying up is found, with whose it is`() async throws {
    let server = try await PrivateServer.start()
    try await PostgresFixture.with(address: server.address) { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema)
      _ = try await store.open(StoreEnvironment(owner: "test"))
      let before = try await store.health()
      #expect(before.oldestSnapshot?.name != "report")
      #expect(before.serverVersion >= 130_000)
      #expect(before.owners == 1)
      #expect(before.problems.isEmpty)
      let report = try await PostgresConnection.open(fixture.address + " application_name=report")
      try await report.run("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1")
      let pid = try await report.query("SELECT pg_backend_pid()::bigint").first?.integer(0)
      var after = try await store.health()
      // The store's own statements are transactions, too, though short ones.
      while after.oldestSnapshot?.name == "taskkit" { after = try await store.health() }
      #expect(after.oldestSnapshot?.name == "report")
      #expect(after.oldestSnapshot?.process == pid.map(Int.init))
      #expect(try #require(after.oldestSnapshot?.age) > .zero)
      try await report.run("ROLLBACK")
      #expect(try await store.health().oldestSnapshot?.name != "report")
      await report.end()
      await store.close()
    }
  }

  @Test func `rows of jobs that are gone are removed when there are many, without waiting for the server`() async throws
  {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(testing: fixture.address, schema: fixture.schema, mostDeadRows: 100)
      _ = try await store.open(StoreEnvironment(owner: "test"))
      let claim = JobExchange.Claim(queue: "default", limit: 400, kinds: [.init("Upload", limit: 400)])
      var exchange = JobExchange(claims: [claim])
      // What the server removes by itself is counted apart.
      try await waitUntil {
        _ = try await store.enqueue(
          Array(repeating: NewJob(kind: "Upload", payload: JobPayload(bytes: Data())), count: 400))
        let claimed = try await store.exchange(exchange).claimed
        exchange.ends = claimed.map { (AttemptKey(job: $0.id, token: $0.token), .succeeded(result: nil)) }
        let counts = try await fixture.query(
          "SELECT relname, vacuum_count FROM pg_stat_user_tables WHERE schemaname = $1 AND vacuum_count > 0",
          [.text(fixture.schema)])
        return Set(counts.map { $0.text(0) }) == ["taskkit_state", "taskkit_job"]
      }
      #expect(try await store.health().lastVacuum != nil)
      await store.close()
    }
  }

  @Test
  func `what keeps the connection that watches from its work is told by name, and what keeps a store from opening`()
    async throws
  {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema, pollInterval: .milliseconds(10))
      _ = try await store.open(StoreEnvironment(owner: "test"))
      try await fixture.query("ALTER TABLE \(fixture.quoted).taskkit_count RENAME TO elsewhere")
      var watch: PostgresHealth.Watch?
      try await waitUntil {
        watch = try await store.health().watch
        return watch != nil
      }
      #expect(watch?.reason.contains("taskkit_count\" does not exist") == true)
      let next = PostgresStore(at: fixture.address, schema: fixture.schema)
      let error = await #expect(throws: JobStoreError.self) { try await next.open(StoreEnvironment(owner: "next")) }
      #expect(error?.detail.contains("taskkit_count\" does not exist") == true)
      await store.close()
    }
  }

  @Test(
    arguments: [
      (100, 100_000, nil, "autovacuum"), (100, 100_000, 3600, "pg_terminate_backend(7)"), (200_000, 100_000, 3600, nil),
      (100, 9000, 3600, nil), (100, 100_000, 5, "autovacuum"),
    ] as [(Int, Int, Int?, String?)])
  func `what is wrong is said with what to do about it`(live: Int, dead: Int, age: Int?, text: String?) {
    let snapshot = age.map { PostgresHealth.Snapshot(age: .seconds($0), name: "report", process: 7) }
    let health = PostgresHealth(
      serverVersion: 150_004, oldestSnapshot: snapshot, liveRows: live, deadRows: dead, owners: 1)
    #expect(health.problems.count == (text == nil ? 0 : 1))
    if let text { #expect(health.problems.first?.contains(text) == true) }
  }
}
