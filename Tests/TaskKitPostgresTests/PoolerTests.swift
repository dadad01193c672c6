import TaskKitDurable
import TaskKitDurableTesting
import Testing

/// A server behind a PgBouncer that gives each transaction another of a few connections: nothing that a session would keep
/// is there for the next statement.
@Suite(.serialized, .timeLimit(.minutes(10))) struct PoolerTests {
  /// Ends with the process.
  private static let server = Task {
    let server = try await PrivateServer.start()
    return (server: server, pooler: try await server.startPooler())
  }

  private func withFixture(_ body: (PostgresFixture) async throws -> Void) async throws {
    let (server, pooler) = try await Self.server.value
    try await PostgresFixture.with(address: server.address) { fixture in
      var fixture = fixture
      fixture.pooler = pooler
      try await body(fixture)
    }
  }

  @Test(arguments: JobStoreConformance.all)
  func `a store behind a pooler keeps the rules`(_ check: JobStoreConformance.Check) async throws {
    try await withFixture { fixture in try await JobStoreConformance.run(check) { fixture } }
  }

  @Test(arguments: 21...22 as ClosedRange<UInt64>)
  func `a store behind a pooler does what the ledger in memory does`(seed: UInt64) async throws {
    try await withFixture { fixture in
      try await JobStoreComparison(seed: seed, operations: 300).run { fixture.makeStore() }
    }
  }

  @Test func `four owners behind a pooler with four connections do every job of a queue once`() async throws {
    try await withFixture { fixture in
      let stores = (0..<4).map { _ in fixture.makeStore() }
      for (place, store) in stores.enumerated() {
        _ = try await store.open(StoreEnvironment(owner: "owner \(place)"))
      }
      let workload = Workload(total: 100)
      try await workload.run(stores)
      #expect(workload.problems() == [])
      #expect(workload.acknowledged == 400)
      for store in stores { await store.close() }
    }
  }
}
