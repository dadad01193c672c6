#if Durable && !os(Windows)
import Foundation
import TaskKitDurable
import TaskKitTesting
import Testing

/// Which jobs a file gives out where many have limits, against a store in memory, which looks at each.
@Suite struct LaneOrderTests {
  private static let names = (0..<3).map { "kind \($0)" }

  private static func jobs(_ count: Int, keys: Int, _ random: inout Chance) -> [NewJob] {
    (0..<count).map { _ in
      var job = NewJob(kind: names.randomElement(using: &random)!, payload: JobPayload(bytes: Data()))
      job.priority = JobPriority(major: .random(in: 9...11, using: &random))
      job.retention = JobRetention(finished: .zero, failed: .zero)
      if Int.random(in: 0..<8, using: &random) > 0 {
        let key = Int.random(in: 0..<keys, using: &random)
        // Most jobs of a key say the same of it.
        let count = Int.random(in: 0..<20, using: &random) > 0 ? [1, 2, .max][key % 3] : 3
        job.limit = KeyLimit("key \(key)", count: count)
      }
      return job
    }
  }

  @Test(arguments: [2, 30, 300])
  func `whatever limits jobs have, the same ones are given out as by a store in memory`(keys: Int) async throws {
    let fixture = try SQLiteFixture(isFast: true)
    let stores: [any JobStore] = [MemoryStore(), fixture.makeStore()]
    let start = Date(timeIntervalSince1970: 1_767_225_600)
    for store in stores { _ = try await store.open(StoreEnvironment(now: { start }, owner: "test")) }
    var random = Chance(state: UInt64(keys))
    var running: [[AttemptKey]] = [[], []]
    var isPaused = false
    for round in 0..<60 {
      let new = Self.jobs(round < 20 ? 80 : 8, keys: keys, &random)
      let change = Int.random(in: 0..<6, using: &random)
      let ends = running[0].indices.filter { _ in Bool.random(using: &random) }
      let fails = Int.random(in: 0..<4, using: &random) == 0
      let claim = JobExchange.Claim(
        queue: "default", limit: .random(in: 1...12, using: &random), kinds: Self.names.map { .init($0, limit: 6) })
      if change == 0 { isPaused.toggle() }
      var claimed: [[JobID]] = []
      for (place, store) in stores.enumerated() {
        _ = try await store.enqueue(new)
        if change == 0 { try await store.setPaused(isPaused, .key("key 1"), by: "test") }
        if change == 1 { try await store.setRate(RateLimit(5, per: .seconds(1_000_000)), ofKey: "key 0") }
        if change == 2 { try await store.setRate(nil, ofKey: "key 0") }
        let end: JobExchange.End = fails ? .failed(.error, "again", retryAfter: .zero) : .succeeded(result: nil)
        let answer = try await store.exchange(
          JobExchange(ends: ends.map { (running[place][$0], end) }, claims: [claim]))
        for index in ends.reversed() { running[place].remove(at: index) }
        running[place] += answer.claimed.map { AttemptKey(job: $0.id, token: $0.token) }
        claimed.append(answer.claimed.map(\.id))
      }
      try #require(claimed[0] == claimed[1], "round \(round)")
    }
    #expect(running[0].count > 0)
    for store in stores { await store.close() }
  }

  /// So many that those behind are looked for by limit after some pieces, or after none.
  @Test(arguments: [600, 1_500])
  func `behind thousands of jobs of limits that are used up the order is that of a store in memory`(
    limits: Int
  ) async throws {
    let fixture = try SQLiteFixture(isFast: true)
    let stores: [any JobStore] = [MemoryStore(), fixture.makeStore()]
    var random = Chance(state: UInt64(limits))
    func jobs(_ count: Int, major: ClosedRange<Int>, key: (Int) -> String) -> [NewJob] {
      (0..<count).map { number in
        var job = NewJob(kind: "Upload", payload: JobPayload(bytes: Data()))
        job.priority = JobPriority(major: .random(in: major, using: &random))
        job.retention = JobRetention(finished: .zero, failed: .zero)
        job.limit = KeyLimit(key(number), count: 1)
        return job
      }
    }
    let blocked = jobs(4_500, major: 11...11) { ["busy", "paused", "rated"][$0 % 3] }
    let others = jobs(limits * 2, major: 9...11) { "account \($0 % limits)" }
    for store in stores {
      _ = try await store.open(StoreEnvironment(owner: "test"))
      try await store.setPaused(true, .key("paused"), by: "test")
      try await store.setRate(RateLimit(2, per: .seconds(1_000_000)), ofKey: "rated")
      _ = try await store.enqueue(blocked)
      _ = try await store.enqueue(others)
    }
    var running: [[AttemptKey]] = [[], []]
    for round in 0..<24 {
      let ends = running[0].indices.filter { _ in Bool.random(using: &random) }
      let limit = Int.random(in: 1...12, using: &random)
      let claim = JobExchange.Claim(queue: "default", limit: limit, kinds: [.init("Upload", limit: limit)])
      var claimed: [[JobID]] = []
      for (place, store) in stores.enumerated() {
        let answer = try await store.exchange(
          JobExchange(ends: ends.map { (running[place][$0], .succeeded(result: nil)) }, claims: [claim]))
        for index in ends.reversed() { running[place].remove(at: index) }
        running[place] += answer.claimed.map { AttemptKey(job: $0.id, token: $0.token) }
        claimed.append(answer.claimed.map(\.id))
      }
      try #require(claimed[0] == claimed[1], "round \(round)")
      #expect(claimed[0].count == limit)
    }
    for store in stores { await store.close() }
  }
}
#endif
