import Foundation
import TaskKitDurable
@testable import TaskKitPostgres
import Testing

/// What a store does with much at once: what it costs, and how much may go together.
@Suite(.serialized, .timeLimit(.minutes(15))) struct SizeTests {
  private let environment = StoreEnvironment(owner: "test")

  private func new(_ bytes: Int) -> NewJob {
    NewJob(kind: "Upload", payload: JobPayload(bytes: Data(repeating: 7, count: bytes)))
  }

  /// How long something takes.
  private func time(_ body: () async throws -> Void) async throws -> Duration {
    let start = ContinuousClock.now
    try await body()
    return .now - start
  }

  @Test func `a batch of jobs with keys costs no more for each because their payloads are large`() async throws {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema, lease: .seconds(600))
      _ = try await store.open(environment)
      try await fixture.makeShelf()
      /// How long it takes to enqueue so many that each have a key and so large a payload.
      func enqueue(_ count: Int, _ bytes: Int) async throws -> Duration {
        let jobs = (0..<count).map { place in
          var job = new(bytes)
          job.unique = UniqueKey("\(bytes) \(place)")
          return job
        }
        return try await time {
          let enqueued = try await store.enqueue(jobs)
          #expect(enqueued.count == count)
        }
      }
      let small = try await enqueue(2000, 10)
      let large = try await enqueue(2000, 20_000)
      // To copy all payloads for each of the jobs would take some forty times as long.
      #expect(large < small * 5)
      #expect(try await store.counts().map(\.count) == [4000])
      await store.close()
    }
  }
}
