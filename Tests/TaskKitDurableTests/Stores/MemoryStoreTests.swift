import Foundation
import TaskKitDurable
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

  @Test func `what is asked of a store that is not open is refused`() async throws {
    let store = MemoryStore()
    await #expect(throws: JobStoreError.self) { try await store.counts() }
    _ = try await store.open(StoreEnvironment(owner: "test"))
    await store.close()
    await #expect(throws: JobStoreError.self) { try await store.counts() }
  }
}
