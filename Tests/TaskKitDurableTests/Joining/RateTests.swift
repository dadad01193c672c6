import Foundation
import Synchronization
import TaskKit
import TaskKitDurable
import TaskKitDurableTesting
import TaskKitTesting
import Testing

@Suite struct RateTests {
  @Test func `a queue's rate holds up its jobs, and says until when`() async throws {
    let bench = try JobBench(Work.self)
    try await bench.center.jobs.setRate(RateLimit(2, per: .seconds(60)), ofQueue: "default")
    let ids = try await bench.center.enqueue([Work("a"), Work("b"), Work("c")])
    await bench.run()
    #expect(Set(bench.probe.notes) == ["a", "b"])
    #expect(
      try await bench.center.jobs.why(ids[2])
        == """
        job 3 of kind 'work', attempt 1 of 3: 2 of queue 'default' start in 60.0 seconds, as many as its rate allows; \
        the next may at 2026-01-01T00:01:00Z
        """)
    await bench.time.advance(by: .seconds(60), driving: bench.center)
    #expect(bench.probe.notes.last == "c")
  }

  @Test func `a key's rate holds up its jobs in all queues, and lets others pass`() async throws {
    let bench = try JobBench(Call.self, Work.self)
    try await bench.center.jobs.setRate(RateLimit(1, per: .seconds(10)), ofKey: "call/ada")
    let first = try await bench.center.enqueue(Call(account: "ada"))
    let second = try await bench.center.enqueue(Call(account: "ada"), EnqueueOptions(queue: "other"))
    try await bench.center.enqueue(Call(account: "bob"))
    await bench.run()
    #expect(bench.probe.notes.sorted() == ["ada", "bob"])
    var why = try await bench.center.jobs.why(second)
    if why.contains("no job") { why = try await bench.center.jobs.why(first) }
    #expect(why.contains("1 of key 'call/ada' start in 10.0 seconds, as many as its rate allows"))
    #expect(try await bench.center.jobs.rates().map(\.free) == [0])
    await bench.time.advance(by: .seconds(10), driving: bench.center)
    #expect(bench.probe.notes.sorted() == ["ada", "ada", "bob"])
    try await bench.center.jobs.setRate(nil, ofKey: "call/ada")
    #expect(try await bench.center.jobs.rates() == [])
  }

  @Test(arguments: [false, true])
  func `what a clock has started that was far ahead holds up no others`(onDisk: Bool) async throws {
    let fixture = onDisk ? try SQLiteFixture() : nil
    let store: any JobStore = fixture?.makeStore() ?? MemoryStore()
    let start = Date(timeIntervalSince1970: 1_767_225_600)
    let date = Mutex(start + 4 * 365 * 86_400)
    _ = try await store.open(StoreEnvironment(now: { date.withLock { $0 } }, owner: "test"))
    let rate = RateLimit(1, per: .seconds(10))
    try await store.setRate(rate, ofQueue: "default")
    try await store.setRate(rate, ofKey: "key")
    var new = NewJob(kind: "Upload", payload: JobPayload(bytes: Data()))
    new.limit = KeyLimit("key", count: 9)
    _ = try await store.enqueue([new, new, new, new])
    func claimed() async throws -> Int {
      let claim = JobExchange.Claim(queue: "default", limit: 9, kinds: [.init("Upload", limit: 9)])
      return try await store.exchange(JobExchange(claims: [claim])).claimed.count
    }
    #expect(try await claimed() == 1)
    // The clock is set right.
    date.withLock { $0 = start }
    #expect(try await store.rates().map(\.free) == [1, 1])
    #expect(try await claimed() == 1)
    #expect(try await claimed() == 0)
    // Set back by less than the rate's time it keeps to the rate.
    date.withLock { $0 = start - 5 }
    #expect(try await claimed() == 0)
    #expect(try await store.rates().map(\.wait) == [.seconds(15), .seconds(15)])
    date.withLock { $0 = start + 10 }
    #expect(try await claimed() == 1)
    await store.close()
  }

  @Test func `a store that knows no rates by key says so`() async throws {
    let bench = try JobBench(Work.self, wrapping: { PlainStore(base: $0) })
    let error = await #expect(throws: JobStoreError.self) {
      try await bench.center.jobs.setRate(RateLimit(1, per: .seconds(1)), ofKey: "key")
    }
    #expect(error?.reason == .invalid)
    try await bench.center.enqueue(Work("a"))
    await bench.run()
    #expect(bench.probe.notes == ["a"])
  }
}

/// A job of an account, at most five at a time.
private struct Call: DurableTask {
  var account: String

  static var registration: DurableRegistration {
    DurableRegistration(
      __kind: "call", type: Self.self, collected: (), at: ("Tests/Call.swift", 1, 1),
      options: JobOptions(keyLimit: .by(\.account, count: 5)),
      run: { job, context in context.center[Probe.Key.self]?.note(job.account) })
  }
}

/// A store that has no more than every store has to have.
private struct PlainStore: ForwardingStore {
  let base: any JobStore
  var name: String { "plain" }
}
