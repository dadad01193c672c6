import Testing

/// The model of claims, ends, snoozes, cancellations, deaths and rescues, whose every state is looked at for the stores in
/// memory and in a file: here along random walks.
@Suite struct ModelTests {
  @Test(.serialized, arguments: 1...12 as ClosedRange<UInt64>)
  func `two stores of one server do what the model does`(seed: UInt64) async throws {
    try await PostgresFixture.with { fixture in
      try await ModelWalk(jobs: 3, fixture).run(steps: 150, seed: seed)
    }
  }
}
