import Foundation
import Synchronization
import TaskKitDurable
@testable import TaskKitPostgres
import Testing

/// What is written down by who has waited has the time that it was when the wait was over, and what nobody waited for is found
/// afterwards.
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

  /// In which way a job is found among those that are ready.
  enum Way: CaseIterable {
    case first, amongKinds, withLimit, withAging
  }

  @Test(arguments: Way.allCases)
  func `a ready job that was passed by for a transaction is asked for again, also where that is taken back`(
    way: Way
  ) async throws {
    try await PostgresFixture.with { fixture in
      let store = try await open(fixture)
      var (job, claim) = (new, claim)
      claim.limit = 2
      claim.kinds = [.init("Upload", limit: 2), .init("Mail", limit: 2)]
      if way == .withLimit { job.limit = KeyLimit("account", count: 9) }
      if way == .withAging { claim.aging = .seconds(60) }
      if way == .amongKinds { try await fixture.makeShelf(of: "Mail") }
      let id = try await store.enqueue([job])[0].id
      let exchange = JobExchange(claims: [claim])
      try await fixture.withTransactions(1) { transactions in
        _ = try await transactions[0].query(
          "SELECT taskkit_enqueue('Child', '{}', parents => ARRAY[$1::bigint])", [.integer(id.rawValue)])
        let passed = try await store.exchange(exchange)
        #expect(passed.claimed.isEmpty)
        #expect(passed.nextDue == .milliseconds(20))
        try await transactions[0].run("ROLLBACK")
      }
      #expect(try await store.exchange(exchange).claimed.map(\.id) == [id])
      // Where nobody holds anything, nobody asks.
      #expect(try await store.exchange(exchange).nextDue == nil)
      await store.close()
    }
  }

  @Test(arguments: [false, true])
  func `what is due while a transaction holds it is asked for again soon, and nothing else comes late for it`(
    isRelaxed: Bool
  ) async throws {
    try await PostgresFixture.with { fixture in
      let date = Mutex(Date(timeIntervalSince1970: 1_767_225_600))
      let store = PostgresStore(testing: fixture.address, schema: fixture.schema)
      _ = try await store.open(StoreEnvironment(now: { date.withLock { $0 } }, owner: "test"))
      var (first, later) = (new, new)
      if isRelaxed {
        (first.constraints, first.constraintsUntil) = (["network"], .after(.seconds(60)))
      } else {
        first.start = .after(.seconds(60))
      }
      later.start = .after(.seconds(90))
      let ids = try await store.enqueue([first, later]).map(\.id)
      #expect(try await store.exchange(JobExchange(claims: [claim])).nextDue == .seconds(60))
      try await fixture.withTransactions(1) { transactions in
        _ = try await transactions[0].query(
          "SELECT taskkit_enqueue('Child', '{}', parents => ARRAY[$1::bigint])", [.integer(ids[0].rawValue)])
        date.withLock { $0 += 60 }
        let passed = try await store.exchange(JobExchange(claims: [claim]))
        #expect(passed.claimed.isEmpty)
        #expect(passed.nextDue == .milliseconds(20))
        // As exact a number as times are.
        date.withLock { $0 += 30 - 1 / 64 }
        #expect(try await store.exchange(JobExchange(claims: [claim])).nextDue == .microseconds(15_625))
        try await transactions[0].run("ROLLBACK")
      }
      let free = try await store.exchange(JobExchange(claims: [claim]))
      #expect(free.claimed.map(\.id) == [ids[0]])
      #expect(free.nextDue == .microseconds(15_625))
      await store.close()
    }
  }
}
