import Foundation
import Synchronization
@testable import TaskKitDurable
import Testing

@Suite struct MemoryStoreTests {
  @Test func `a job is claimed, fails, is claimed again and is gone when it succeeded`() async throws {
    let store = MemoryStore()
    _ = try await store.open(StoreEnvironment(owner: "test"))
    let job = try await store.enqueue([NewJob(kind: "Upload", payload: JobPayload(bytes: Data("a".utf8)))])[0]
    let claim = JobExchange.Claim(queue: "default", limit: 4, kinds: [.init("Upload", limit: 4)])
    let first = try #require(try await store.exchange(JobExchange(claims: [claim])).claimed.first)
    #expect(first.id == job.id)
    #expect(first.attempt == 1)
    let key = AttemptKey(job: first.id, token: first.token)
    let answer = try await store.exchange(
      JobExchange(ends: [(key, .failed(.error, "no network", retryAfter: .zero))], claims: [claim]))
    #expect(answer.ends == [true])
    let second = try #require(answer.claimed.first)
    #expect(second.attempt == 2)
    let last = try await store.exchange(
      JobExchange(ends: [
        (key, .succeeded(result: nil)), (AttemptKey(job: job.id, token: second.token), .succeeded(result: nil)),
      ]))
    #expect(last.ends == [false, true])
    #expect(try await store.counts().isEmpty)
  }

  @Test func `keys that are free take no room`() {
    var ledger = JobLedger(identity: UUID())
    let owner = ledger.addOwner()
    func now(_ seconds: Int64) -> StoreTime { StoreTime(microseconds: seconds * 1_000_000) }
    let jobs = (0..<100).map { place in
      NewJob(
        kind: "Upload", payload: JobPayload(bytes: Data()),
        unique: UniqueKey("event-\(place)", period: .seconds(place < 50 ? 10 : 20)))
    }
    _ = ledger.enqueue(jobs, owner: owner, now: now(0))
    let open = NewJob(kind: "Upload", payload: JobPayload(bytes: Data()), unique: UniqueKey("open"))
    _ = ledger.enqueue([open], owner: owner, now: now(0))
    let ids = (1...100).map { JobID(rawValue: $0) }
    for id in ids { ledger.end(id, .finished, now: now(1)) }
    #expect(ledger.claims.count == 101)
    _ = ledger.sweep(limit: 1, now: now(10))
    #expect(ledger.claims.count == 51)
    _ = ledger.sweep(limit: 1, now: now(20))
    #expect(Array(ledger.claims.keys) == ["open"])
  }

  @Test func `what is asked of a store that is not open is refused`() async throws {
    let store = MemoryStore()
    await #expect(throws: JobStoreError.self) { try await store.counts() }
    _ = try await store.open(StoreEnvironment(owner: "test"))
    await store.close()
    await #expect(throws: JobStoreError.self) { try await store.counts() }
  }

  @Test func `a store that dies beside a call gives that one nothing`() async throws {
    let store = MemoryStore()
    let other = MemoryStore(sharing: store)
    // The clock is asked between the look whether the store is open and the call itself.
    let mustDie = Mutex(false)
    let now: @Sendable () -> Date = {
      let isTime = mustDie.withLock { mustDie in
        defer { mustDie = false }
        return mustDie
      }
      if isTime { store.die() }
      return Date(timeIntervalSince1970: 1)
    }
    _ = try await store.open(StoreEnvironment(now: now, owner: "test"))
    _ = try await other.open(StoreEnvironment(owner: "other"))
    let id = try await store.enqueue([NewJob(kind: "Upload", payload: JobPayload(bytes: Data()))])[0].id
    let claim = JobExchange.Claim(queue: "default", limit: 1, kinds: [.init("Upload", limit: 1)])
    mustDie.withLock { $0 = true }
    let error = await #expect(throws: JobStoreError.self) {
      try await store.exchange(JobExchange(claims: [claim]))
    }
    #expect(error?.reason == .closed)
    #expect(try await other.exchange(JobExchange(claims: [claim])).claimed.map(\.id) == [id])
  }
}
