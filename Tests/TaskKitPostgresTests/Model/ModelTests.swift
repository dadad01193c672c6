import Testing

/// The model of claims, ends, snoozes, cancellations, deaths, leases and rescues, whose every state is looked at for the stores in
/// memory and in a file: here along random walks.
@Suite(.timeLimit(.minutes(10))) struct ModelTests {
  @Test func `two stores of one server do what the model does`() async throws {
    var kinds: Set<String> = []
    for seed in 8...11 as ClosedRange<UInt64> {
      let done = try await PostgresFixture.with { fixture in
        try await ModelWalk(jobs: 3, fixture) { try await fixture.expire($0, at: $1) }.run(steps: 150, seed: seed)
      }
      kinds.formUnion(done)
    }
    #expect(kinds == JobModel(allowsExpiry: true).kinds)
  }
}
