import Foundation
import TaskKitDurable
@testable import TaskKitPostgres
import Testing

/// How long a store waits before it asks a server again that is away.
@Suite(.timeLimit(.minutes(15))) struct BackoffTests {
  private static let longest = [0, 20, 40, 80, 160, 320, 640, 1280, 2000, 2000].map { Duration.milliseconds($0) }

  @Test func `the first try is made at once, and each later one after twice as long as before, up to the longest`() {
    for seed in 1...20 as ClosedRange<UInt64> {
      var (backoff, chance) = (Backoff(), Chance(state: seed &* 0x9E37_79B9_7F4A_7C15 | 1))
      for longest in Self.longest {
        let delay = backoff.next(using: &chance)
        #expect((longest / 2...longest).contains(delay), "seed \(seed)")
      }
    }
    var short = Backoff(longest: .milliseconds(50))
    let delays = (0..<10).map { _ in short.next() }
    #expect(delays.allSatisfy { $0 <= .milliseconds(50) })
    #expect(delays.suffix(7).allSatisfy { $0 >= .milliseconds(25) })
  }

  @Test func `those who wait for one server do not come back at once`() {
    var delays: [[Duration]] = []
    for seed in 1...20 as ClosedRange<UInt64> {
      var (backoff, chance) = (Backoff(), Chance(state: seed &* 0x9E37_79B9_7F4A_7C15 | 1))
      delays.append(Self.longest.map { _ in backoff.next(using: &chance) })
    }
    for place in Self.longest.indices.dropFirst() { #expect(Set(delays.map { $0[place] }).count == delays.count) }
  }

  @Test func `a store asks a server that lets nobody in again and again, but no more often than its pauses say`()
    async throws
  {
    try await PostgresFixture.with { fixture in
      let proxy = try FaultyProxy(to: fixture.address)
      let store = PostgresStore(
        at: proxy.address, schema: fixture.schema, lease: .seconds(600), patience: .milliseconds(500))
      _ = try await store.open(StoreEnvironment(owner: "test"))
      let job = NewJob(kind: "Upload", payload: JobPayload(bytes: Data()))
      _ = try await store.enqueue([job])
      proxy.closeDoor()
      proxy.breakNext(.before)
      let start = ContinuousClock.now
      let error = await #expect(throws: JobStoreError.self) { _ = try await store.enqueue([job]) }
      let time = ContinuousClock.now - start
      #expect(error?.reason == .unreachable)
      // However slow the machine is: each pause is half of its longest at least.
      var (most, pauses) = (0, Duration.zero)
      for longest in Self.longest where pauses <= time {
        pauses += longest / 2
        if pauses <= time { most += 1 }
      }
      #expect((1...most).contains(proxy.refusals))
      await store.die()
      proxy.end()
    }
  }
}
