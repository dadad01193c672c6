import Foundation
import TaskKitDurable
@testable import TaskKitPostgres
import Testing

/// What is written down by who has waited has the time that it was when the wait was over.
@Suite(.timeLimit(.minutes(5))) struct WaitTests {
  private let new = NewJob(kind: "Upload", payload: JobPayload(bytes: Data("{}".utf8)))
  private let claim = JobExchange.Claim(queue: "default", limit: 1, kinds: [.init("Upload", limit: 1)])

  private func open(_ fixture: PostgresFixture) async throws -> PostgresStore {
    let store = PostgresStore(at: fixture.address, schema: fixture.schema, lease: .seconds(600))
    _ = try await store.open(StoreEnvironment(owner: "test"))
    return store
  }

  private func begin(_ store: PostgresStore) async throws -> ClaimedJob {
    _ = try await store.enqueue([new])
    return try #require(try await store.exchange(JobExchange(claims: [claim])).claimed.first)
  }

  private func number(_ sql: String, _ fixture: PostgresFixture) async throws -> Int64 {
    try #require(try await fixture.query(sql).first?.integer(0))
  }

  @Test(arguments: [false, true]) func `what starts after a wait counts for its rate from then on`(
    waitsForRate: Bool
  ) async throws {
    try await PostgresFixture.with { fixture in
      let store = try await open(fixture)
      let running = try await begin(store)
      try await store.setRate(RateLimit(10, per: .seconds(3600)), ofQueue: "default")
      _ = try await store.enqueue([new])
      try await fixture.withTransactions(1) { transactions in
        var exchange = JobExchange(claims: [claim])
        if waitsForRate {
          _ = try await transactions[0].query("SELECT 1 FROM taskkit_rate FOR UPDATE")
        } else {
          _ = try await transactions[0].query("SELECT taskkit_once(\(running.id), \(running.token.rawValue), 'book')")
          exchange.notes = [(AttemptKey(job: running.id, token: running.token), .progress(JobProgress(completed: 1)))]
        }
        let claiming = OngoingCall { [exchange] in try await store.exchange(exchange).claimed }
        try await waitUntil { try await fixture.waiting("taskkit_exchange") == 1 }
        let now = try await number("SELECT \(fixture.quoted).taskkit_clock()", fixture)
        try await transactions[0].run("COMMIT")
        let id = try #require(try await claiming.value.first?.id)
        #expect(try await number("SELECT max(at) FROM \(fixture.quoted).taskkit_start", fixture) > now)
        #expect(try await number("SELECT began FROM \(fixture.quoted).taskkit_state WHERE id = \(id)", fixture) > now)
      }
      await store.close()
    }
  }

  @Test(arguments: [false, true]) func `what is enqueued or ended after a wait is so from then on`(
    enqueues: Bool
  ) async throws {
    try await PostgresFixture.with { fixture in
      let store = try await open(fixture)
      let running = try await begin(store)
      try await fixture.withTransactions(1) { transactions in
        _ = try await transactions[0].query("SELECT taskkit_once(\(running.id), \(running.token.rawValue), 'book')")
        var child = new
        child.parents = [.job(running.id)]
        let jobs = [child]
        let waiting = OngoingCall {
          if enqueues { return try await store.enqueue(jobs)[0].id }
          _ = try await store.change(.all, .cancel)
          return running.id
        }
        try await waitUntil { try await fixture.waiting("taskkit_do") == 1 }
        let now = try await number("SELECT \(fixture.quoted).taskkit_clock()", fixture)
        try await transactions[0].run("COMMIT")
        let id = try await waiting.value
        let time = enqueues ? "since" : "ended"
        #expect(try await number("SELECT \(time) FROM \(fixture.quoted).taskkit_state WHERE id = \(id)", fixture) > now)
      }
      await store.close()
    }
  }
}
