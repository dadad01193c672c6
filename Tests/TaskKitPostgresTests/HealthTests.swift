import Foundation
import TaskKitDurable
@testable import TaskKitPostgres
import Testing

@Suite(.serialized, .timeLimit(.minutes(15))) struct HealthTests {
  /// One that goes on reading what it sees at its first statement, and one that has written something: between its statements the
  /// server looks at nothing for it.
  @Test(arguments: ["BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1", "BEGIN; SELECT pg_current_xact_id()"])
  func `a transaction that keeps the server from tidying up is found, with whose it is`(beginning: String) async throws
  {
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
      try await report.run(beginning)
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

  /// Jobs that are there and others that are gone, of whose rows nobody has removed any.
  private func fill(_ fixture: PostgresFixture, count: Int = 3000) async throws {
    let store = PostgresStore(testing: fixture.address, schema: fixture.schema)
    _ = try await store.open(StoreEnvironment(owner: "test"))
    _ = try await store.enqueue(
      Array(repeating: NewJob(kind: "Upload", payload: JobPayload(bytes: Data())), count: count))
    await store.close()
    // What the server does by itself would be in the way.
    for table in ["state", "job"] {
      try await fixture.query("ALTER TABLE \(fixture.quoted).taskkit_\(table) SET (autovacuum_enabled = off)")
    }
  }

  /// Lets rows die, and returns when the server has counted them.
  private func kill(_ ids: ClosedRange<Int>, _ fixture: PostgresFixture, dead: Int) async throws {
    try await fixture.query(
      "DELETE FROM \(fixture.quoted).taskkit_state WHERE id BETWEEN $1 AND $2",
      [.integer(Int64(ids.lowerBound)), .integer(Int64(ids.upperBound))])
    try await waitUntil { try await counted(fixture).dead >= dead }
  }

  private func counted(_ fixture: PostgresFixture) async throws -> (dead: Int, cleanings: Int) {
    let row = try await fixture.query(
      "SELECT n_dead_tup, vacuum_count FROM pg_stat_user_tables WHERE relid = to_regclass($1)",
      [.text("\(fixture.quoted).taskkit_state")]
    ).first
    return (Int(row?.integer(0) ?? 0), Int(row?.integer(1) ?? 0))
  }

  private func cleaner(_ fixture: PostgresFixture, address: String? = nil) -> PostgresCleaner {
    PostgresCleaner(
      PostgresSettings(
        address: address ?? fixture.address, name: "test", schemaName: fixture.schema, schema: fixture.quoted,
        lease: .seconds(600), connections: 1, notifies: false, patience: .zero, pollInterval: .seconds(1),
        mostDeadRows: 100, usesEnvironmentClock: true))
  }

  private func wants(_ cleaner: PostgresCleaner, _ fixture: PostgresFixture) async throws -> Bool {
    let question = await cleaner.question
    return try await fixture.query(question.sql, question.values).first?.flag(0) == true
  }

  @Test func `tidying up is of use though as many rows die meanwhile as make it worth while`() async throws {
    let server = try await PrivateServer.start()
    try await PostgresFixture.with(address: server.address) { fixture in
      try await fill(fixture)
      let cleaner = cleaner(fixture)
      try await fixture.withTransactions(1) { transactions in
        // Those that die before it looks can be removed, and no others.
        try await kill(1...1500, fixture, dead: 1500)
        try await transactions[0].run("ROLLBACK; BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1")
        try await kill(1501...1900, fixture, dead: 1900)
        await cleaner.clean()
        #expect(try await counted(fixture).dead > 100)
        #expect(await cleaner.interval == PostgresCleaner.shortestInterval)
      }
    }
  }

  @Test func `whoever has found that nothing can be removed begins nothing where another one has just tried`()
    async throws
  {
    let server = try await PrivateServer.start()
    try await PostgresFixture.with(address: server.address) { fixture in
      try await fill(fixture)
      let (worn, fresh) = (cleaner(fixture), cleaner(fixture))
      try await fixture.withTransactions(1) { transactions in
        try await transactions[0].run("ROLLBACK; BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1")
        try await kill(1...1500, fixture, dead: 1500)
        #expect(try await wants(worn, fixture))
        for _ in 0..<6 { await worn.clean() }
        #expect(await worn.interval == .seconds(60))
        // A second later one that knows nothing of that would.
        try await waitUntil { try await wants(fresh, fixture) }
        #expect(try await wants(worn, fixture) == false)
        #expect(try await counted(fixture).cleanings == 6)
      }
    }
  }

  @Test func `whoever is let pass by has not tried whether tidying up is of use`() async throws {
    try await PostgresFixture.with { fixture in
      try await fill(fixture)
      try await kill(1...1500, fixture, dead: 1500)
      let cleaner = cleaner(fixture)
      try await fixture.withTransactions(1) { transactions in
        try await transactions[0].run("LOCK TABLE taskkit_state IN SHARE UPDATE EXCLUSIVE MODE")
        await cleaner.clean()
      }
      #expect(try await counted(fixture).cleanings == 0)
      #expect(await cleaner.interval == PostgresCleaner.shortestInterval)
    }
  }

  @Test func `whoever has no right to tidy up does not try, and waits ever longer`() async throws {
    try await PostgresFixture.with { fixture in
      try await fill(fixture)
      try await kill(1...1500, fixture, dead: 1500)
      let role = "guest_\(UUID().uuidString.prefix(8).lowercased())"
      try await fixture.query("CREATE ROLE \(role) LOGIN")
      try await fixture.query("GRANT USAGE ON SCHEMA \(fixture.quoted) TO \(role)")
      let cleaner = cleaner(
        fixture, address: fixture.address.replacingOccurrences(of: "user=taskkit", with: "user=\(role)"))
      for _ in 0..<2 { await cleaner.clean() }
      #expect(await cleaner.interval == .seconds(4))
      #expect(try await counted(fixture).cleanings == 0)
      await fixture.remove()
      try await fixture.query("DROP ROLE \(role)")
    }
  }

  @Test func `a few rows of jobs that are gone are left to the server`() async throws {
    try await PostgresFixture.with { fixture in
      try await fill(fixture, count: 1000)
      let cleaner = cleaner(fixture)
      try await kill(1...150, fixture, dead: 150)
      // More than a hundred, and less than that and a tenth of the others.
      #expect(try await wants(cleaner, fixture) == false)
      try await kill(151...300, fixture, dead: 300)
      #expect(try await wants(cleaner, fixture))
    }
  }

  @Test func `what tidies up is not taken for a transaction that keeps from it`() async throws {
    let server = try await PrivateServer.start()
    try await PostgresFixture.with(address: server.address) { fixture in
      try await fill(fixture)
      try await kill(1...1500, fixture, dead: 1500)
      let store = PostgresStore(testing: fixture.address, schema: fixture.schema)
      _ = try await store.open(StoreEnvironment(owner: "test"))
      let tidying = try await PostgresConnection.open(fixture.address + " application_name=tidying")
      // As slowly as it can be.
      for setting in ["vacuum_cost_delay = 100", "vacuum_cost_limit = 1"] { try await tidying.run("SET \(setting)") }
      let table = "\(fixture.quoted).taskkit_state"
      let call = OngoingCall { try await tidying.run("VACUUM \(table)") }
      func isGoing() async throws -> Bool {
        try await !fixture.query("SELECT 1 FROM pg_stat_progress_vacuum WHERE relid = to_regclass($1)", [.text(table)])
          .isEmpty
      }
      try await waitUntil { try await isGoing() }
      let oldest = try await store.health().oldestSnapshot?.name
      #expect(try await isGoing())
      #expect(!call.hasEnded)
      #expect(oldest != "tidying")
      // Nobody waits for it any more.
      try await fixture.query("SELECT pg_terminate_backend(pid) FROM pg_stat_progress_vacuum")
      await tidying.end()
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
