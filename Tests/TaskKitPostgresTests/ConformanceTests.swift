import TaskKitDurable
import TaskKitDurableTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct ConformanceTests {
  // One after the other: each store has several connections, of which a server has few.
  @Test(.serialized, arguments: JobStoreConformance.all)
  func `a store on a PostgreSQL server keeps the rules`(_ check: JobStoreConformance.Check) async throws {
    try await PostgresFixture.with { fixture in try await JobStoreConformance.run(check) { fixture } }
  }

  @Test(.serialized, arguments: 1...12 as ClosedRange<UInt64>)
  func `a store on a PostgreSQL server does what the ledger in memory does`(seed: UInt64) async throws {
    try await PostgresFixture.with { fixture in
      try await JobStoreComparison(seed: seed, operations: 300).run { fixture.makeStore() }
    }
  }

  @Test(.serialized, arguments: 1...3 as ClosedRange<UInt64>)
  func `owners of a server that work beside each other, and die, do what they do in memory`(seed: UInt64) async throws {
    try await PostgresFixture.with { fixture in
      try await JobStoreComparison(seed: seed, operations: 120).run(sharing: fixture)
    }
  }
}
