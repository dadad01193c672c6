import Foundation
import Synchronization
import TaskKit
import TaskKitDurable
@testable import TaskKitPostgres
import Testing

/// Who counts as dead where nobody could give a sign of life.
@Suite(.serialized, .timeLimit(.minutes(15))) struct OutageTests {
  private let new = NewJob(kind: "Upload", payload: JobPayload(bytes: Data("{}".utf8)))
  private let claim = JobExchange(claims: [.init(queue: "default", limit: 1, kinds: [.init("Upload", limit: 1)])])

  private func open(_ count: Int, _ fixture: PostgresFixture, lease: Duration) async throws -> [PostgresStore] {
    var stores: [PostgresStore] = []
    for place in 0..<count {
      let store = PostgresStore(at: fixture.address, schema: fixture.schema, lease: lease)
      _ = try await store.open(StoreEnvironment(owner: "owner \(place)"))
      stores.append(store)
    }
    return stores
  }

  /// Gives each store a job that it holds from now on.
  private func hold(_ stores: [PostgresStore]) async throws -> [AttemptKey] {
    var held: [AttemptKey] = []
    for store in stores {
      _ = try await store.enqueue([new])
      let claimed = try #require(try await store.exchange(claim).claimed.first)
      held.append(AttemptKey(job: claimed.id, token: claimed.token))
    }
    return held
  }

  @Test func `after an outage that is longer than the lease nobody who lives counts as dead, and who is dead does`()
    async throws
  {
    let server = try await PrivateServer.start()
    try await PostgresFixture.with(address: server.address) { fixture in
      let stores = try await open(4, fixture, lease: .seconds(600))
      let held = try await hold(stores)
      await stores[3].die()
      try await server.restart()
      // It was away for so long, as far as anybody can see.
      try await pass(.seconds(700), fixture)
      for (store, key) in zip(stores, held).prefix(3) {
        let answer = try await store.exchange(JobExchange(ends: [(key, .interrupted)], claims: claim.claims))
        #expect(answer.ends == [true])
        #expect(answer.claimed.map(\.id) == [key.job])
        #expect(answer.toCancel.isEmpty)
        #expect(answer.rescued.isEmpty)
      }
      // Who is dead is found by one that has nothing to do, when it has not come back in the time of a lease.
      for _ in 0..<2 {
        try await pass(.seconds(250), fixture)
        for store in stores.prefix(3) {
          _ = try await store.enqueue([new])
          #expect(try await store.exchange(JobExchange()).rescued.isEmpty)
        }
      }
      try await pass(.seconds(101), fixture)
      var changes = stores[0].changes().makeAsyncIterator()
      var rescued: [RescuedJob] = []
      while rescued.isEmpty {
        _ = await changes.next()
        rescued = try await stores[0].exchange(JobExchange()).rescued
      }
      #expect(rescued.map(\.id) == [held[3].job])
      for store in stores { await store.close() }
    }
  }

  /// Lets time pass in which nobody can reach the server.
  private func pass(_ time: Duration, _ fixture: PostgresFixture) async throws {
    try await fixture.query(
      """
      WITH doubts AS (UPDATE \(fixture.quoted).taskkit_doubt SET until = until - $1, at = at - $1)
      UPDATE \(fixture.quoted).taskkit_owner SET
        lease_until = lease_until - $1, since = since - $1, doubted = doubted - $1
      """, [.integer(time.microseconds)])
  }

  @Test func `whoever was cut off judges nobody before the time of a lease has passed`() async throws {
    try await PostgresFixture.with { fixture in
      let stores = try await open(3, fixture, lease: .seconds(600))
      let held = try await hold(stores)
      await stores[2].die()
      try await pass(.seconds(700), fixture)
      #expect(try await stores[0].exchange(JobExchange()).rescued.isEmpty)
      // Who comes then has seen no more than that.
      let late = try await open(1, fixture, lease: .seconds(600))[0]
      #expect(try await late.exchange(JobExchange()).rescued.isEmpty)
      #expect(try await stores[1].exchange(JobExchange(ends: [(held[1], .succeeded(result: nil))])).ends == [true])
      // Another outage takes no time from those who have not come back yet.
      try await pass(.seconds(599), fixture)
      #expect(try await stores[1].exchange(JobExchange()).rescued.isEmpty)
      try await pass(.seconds(599), fixture)
      #expect(try await stores[0].exchange(JobExchange()).rescued.isEmpty)
      // Now all but the dead one have been there for as long as a lease, in which they gave signs of life.
      for _ in 0..<4 {
        try await pass(.seconds(250), fixture)
        for store in stores.prefix(2) + [late] {
          _ = try await store.enqueue([new])
          let found = try await store.exchange(JobExchange()).rescued
          if !found.isEmpty { #expect(found.map(\.id) == [held[2].job]) }
        }
      }
      #expect(try await stores[0].jobs(JobSelection(ids: [held[2].job]), after: nil, limit: 1).map(\.crashes) == [1])
      #expect(try await stores[0].jobs(JobSelection(ids: [held[0].job]), after: nil, limit: 1).map(\.crashes) == [0])
      for store in stores + [late] { await store.close() }
    }
  }

  @Test func `whoever has just started finds a dead one that another, which is gone, has noted a lease before`()
    async throws
  {
    try await PostgresFixture.with { fixture in
      let stores = try await open(2, fixture, lease: .seconds(600))
      let held = try await hold([stores[1]])
      await stores[1].die()
      try await pass(.seconds(700), fixture)
      // As programs do that run for a moment, now and then.
      #expect(try await stores[0].exchange(JobExchange()).rescued.isEmpty)
      await stores[0].close()
      let looks: [(time: Int, found: [JobID])] = [(500, []), (101, [held[0].job])]
      for (time, found) in looks {
        try await pass(.seconds(time), fixture)
        let store = PostgresStore(at: fixture.address, schema: fixture.schema, lease: .seconds(600))
        #expect(try await store.open(StoreEnvironment(owner: "late")).rescued.map(\.id) == found)
        await store.close()
      }
    }
  }

  @Test func `who was there all the time finds the jobs of a dead one when its lease has passed`() async throws {
    try await PostgresFixture.with { fixture in
      let stores = try await open(2, fixture, lease: .seconds(600))
      let held = try await hold(stores)
      await stores[1].die()
      for _ in 0..<2 {
        try await pass(.seconds(250), fixture)
        _ = try await stores[0].enqueue([new])
        #expect(try await stores[0].exchange(JobExchange()).rescued.isEmpty)
      }
      try await pass(.seconds(101), fixture)
      #expect(try await stores[0].exchange(JobExchange()).rescued.map(\.id) == [held[1].job])
      for store in stores { await store.close() }
    }
  }

  @Test func `who gives signs of life only by the connection for writing finds the jobs of a dead one`() async throws {
    try await PostgresFixture.with { fixture in
      let stores = try await open(2, fixture, lease: .seconds(600))
      let held = try await hold([stores[1]])
      await stores[1].die()
      // Less than half of the lease each time, as it comes to while the connection that watches fails.
      for _ in 0..<3 {
        try await pass(.seconds(151), fixture)
        try await stores[0].beat()
        #expect(try await stores[0].exchange(JobExchange()).rescued.isEmpty)
      }
      try await pass(.seconds(151), fixture)
      try await stores[0].beat()
      #expect(try await stores[0].exchange(JobExchange()).rescued.map(\.id) == [held[0].job])
      await stores[0].close()
    }
  }

  /// What an exchange has to do with a process that has no lease.
  enum Concern: CaseIterable {
    /// It was cut off as well.
    case shares
    /// It cannot tell whether that one lives.
    case doubts
    /// It was there all the time.
    case judges
  }

  @Test(arguments: Concern.allCases)
  func `who comes back waits for no exchange that waits for jobs, and is not taken for dead by it`(
    concern: Concern
  ) async throws {
    try await PostgresFixture.with { fixture in
      let store = try await open(1, fixture, lease: .seconds(600))[0]
      let held = try await hold([store])[0]
      // Nobody gives signs of life for it.
      let opened = try await fixture.query("SELECT owner FROM \(fixture.quoted).taskkit_open('other', 600000000)")
      let other = try #require(opened.first?.integer(0))
      if concern == .shares {
        try await pass(.seconds(700), fixture)
      } else {
        try await fixture.query(
          """
          UPDATE \(fixture.quoted).taskkit_owner SET
            lease_until = CASE id WHEN $1 THEN \(fixture.quoted).taskkit_clock() - 1 ELSE lease_until END,
            since = since - $2
          """, [.integer(other), .integer(concern == .judges ? 600_000_000 : 0)])
      }
      try await fixture.withTransactions(2) { transactions in
        _ = try await transactions[0].query(
          "SELECT 1 FROM taskkit_state WHERE id = $1 FOR UPDATE", [.integer(held.job.rawValue)])
        let exchange = JobExchange(ends: [(held, .succeeded(result: nil))])
        let exchanging = OngoingCall { try await store.exchange(exchange) }
        try await waitUntil { try await fixture.waiting("taskkit_exchange") == 1 }
        // Where it has to wait, it fails.
        try await transactions[1].run("SET LOCAL lock_timeout = '10s'")
        let beaten = try await transactions[1].query("SELECT taskkit_beat($1)", [.integer(other)])
        #expect(beaten.first?.flag(0) == true)
        try await transactions[1].run("COMMIT")
        #expect(!exchanging.hasEnded)
        try await transactions[0].run("ROLLBACK")
        let answer = try await exchanging.value
        #expect(answer.ends == [true])
        #expect(answer.rescued.isEmpty)
      }
      let left = try await fixture.query(
        "SELECT 1 FROM \(fixture.quoted).taskkit_owner WHERE id = $1", [.integer(other)])
      #expect(left.count == 1)
      await store.close()
    }
  }

  @Test func `whoever has waited at the server for half of its lease judges nobody: maybe it was cut off meanwhile`()
    async throws
  {
    try await PostgresFixture.with { fixture in
      let clock = try await StoppedClock(fixture)
      let store = try await open(1, fixture, lease: .seconds(600))[0]
      let held = try await hold([store])[0]
      // Nobody gives signs of life for it.
      let opened = try await fixture.query("SELECT owner FROM \(fixture.quoted).taskkit_open('other', 600000000)")
      let other = try #require(opened.first?.integer(0))
      try await fixture.withTransactions(1) { transactions in
        _ = try await transactions[0].query(
          "SELECT 1 FROM taskkit_state WHERE id = $1 FOR UPDATE", [.integer(held.job.rawValue)])
        let exchange = JobExchange(ends: [(held, .succeeded(result: nil))])
        let exchanging = OngoingCall { try await store.exchange(exchange) }
        try await waitUntil { try await fixture.waiting("taskkit_exchange") == 1 }
        try await clock.pass(.seconds(301))
        // The lease of the other one passes meanwhile.
        try await fixture.query(
          "UPDATE \(fixture.quoted).taskkit_owner SET lease_until = \(fixture.quoted).taskkit_clock() - 1 WHERE id = $1",
          [.integer(other)])
        try await transactions[0].run("ROLLBACK")
        #expect(try await exchanging.value.ends == [true])
      }
      _ = try await store.exchange(JobExchange())
      let left = try await fixture.query(
        "SELECT 1 FROM \(fixture.quoted).taskkit_owner WHERE id = $1", [.integer(other)])
      #expect(left.count == 1)
      await store.close()
    }
  }

  @Test func `while one exchange waits for a job of a dead process, those of others pass it by`() async throws {
    try await PostgresFixture.with { fixture in
      let stores = try await open(3, fixture, lease: .seconds(600))
      let held = try await hold(stores)
      let dead = try #require(await stores[2].owner)
      await stores[2].die()
      try await fixture.withTransactions(1) { transactions in
        _ = try await transactions[0].query(
          "SELECT 1 FROM taskkit_state WHERE id = $1 FOR UPDATE", [.integer(held[2].job.rawValue)])
        try await fixture.expireLease(of: dead)
        let rescuing = OngoingCall { try await stores[0].exchange(JobExchange()).rescued }
        try await waitUntil { try await fixture.waiting("taskkit_exchange") == 1 }
        #expect(try await stores[1].exchange(JobExchange()).rescued.isEmpty)
        try await transactions[0].run("ROLLBACK")
        #expect(try await rescuing.value.map(\.id) == [held[2].job])
      }
      for store in stores { await store.close() }
    }
  }

  @Test(arguments: ["SELECT 1 FROM taskkit_dead($1, false)", "SELECT taskkit_beat($1)"])
  func `a dead process is found at once while others only look at it, and write down that they doubt it`(
    look: String
  ) async throws {
    try await PostgresFixture.with { fixture in
      let stores = try await open(2, fixture, lease: .seconds(600))
      let held = try await hold([stores[1]])[0]
      let dead = try #require(await stores[1].owner)
      await stores[1].die()
      var others: [Int64] = []
      for _ in 0..<2 {
        let opened = try await fixture.query("SELECT owner FROM \(fixture.quoted).taskkit_open('late', 600000000)")
        others.append(try #require(opened.first?.integer(0)))
      }
      // The first one was there all the time. The late ones were not, nor have they given a sign of life for half of a lease.
      try await fixture.query(
        """
        UPDATE \(fixture.quoted).taskkit_owner SET
          lease_until = CASE name
            WHEN 'owner 1' THEN \(fixture.quoted).taskkit_clock() - 1
            WHEN 'late' THEN \(fixture.quoted).taskkit_clock() + 299000000 ELSE lease_until END,
          since = since - CASE name WHEN 'owner 0' THEN 600000000 ELSE 0 END
        """)
      try await fixture.withTransactions(2) { transactions in
        for (transaction, other) in zip(transactions, others) {
          // Where it has to wait for the one before, it fails.
          try await transaction.run("SET LOCAL lock_timeout = '10s'")
          _ = try await transaction.query(look, [.integer(other)])
          let doubts = try await transaction.query(
            """
            SELECT 1 FROM taskkit_doubt WHERE owner = $1 AND by = $2
            UNION ALL SELECT 1 FROM taskkit_owner WHERE id = $2 AND doubted IS NOT NULL
            """, [.integer(dead), .integer(other)])
          #expect(doubts.count == 1)
        }
        #expect(try await stores[0].exchange(JobExchange()).rescued.map(\.id) == [held.job])
      }
      await stores[0].close()
    }
  }

  @Test func `whoever sweeps forgets that somebody was doubted who has come back, or is gone`() async throws {
    try await PostgresFixture.with { fixture in
      let store = try await open(1, fixture, lease: .seconds(600))[0]
      // Nobody else gives signs of life for them.
      var others: [Int64] = []
      for _ in 0..<2 {
        let opened = try await fixture.query("SELECT owner FROM \(fixture.quoted).taskkit_open('other', 600000000)")
        others.append(try #require(opened.first?.integer(0)))
      }
      func doubted() async throws -> [Int64] {
        _ = try await store.exchange(JobExchange())
        _ = try await store.sweep(limit: 9)
        let rows = try await fixture.query(
          "SELECT DISTINCT owner FROM \(fixture.quoted).taskkit_doubt ORDER BY owner")
        return rows.compactMap { $0.integer(0) }
      }
      try await pass(.seconds(700), fixture)
      #expect(try await doubted() == others)
      try await fixture.query("SELECT \(fixture.quoted).taskkit_beat($1)", [.integer(others[0])])
      #expect(try await doubted() == [others[1]])
      try await fixture.query("DELETE FROM \(fixture.quoted).taskkit_owner WHERE id = $1", [.integer(others[1])])
      #expect(try await doubted().isEmpty)
      await store.close()
    }
  }

  /// Leaves 150 processes that are dead.
  private func leaveDead(_ fixture: PostgresFixture) async throws {
    try await fixture.query(
      """
      INSERT INTO \(fixture.quoted).taskkit_owner (id, name, lease, lease_until, since, op)
      SELECT 1000 + n, 'dead', -1, 0, 0, 0 FROM generate_series(1, 150) n
      """)
  }

  /// How many of those nobody has found yet.
  private func left(_ fixture: PostgresFixture) async throws -> Int {
    try await fixture.query("SELECT 1 FROM \(fixture.quoted).taskkit_owner WHERE id > 1000").count
  }

  @Test func `of very many dead processes an exchange gives back the jobs of some, and says that there are more`()
    async throws
  {
    try await PostgresFixture.with { fixture in
      let store = try await open(1, fixture, lease: .seconds(600))[0]
      try await leaveDead(fixture)
      let due = try #require(try await store.exchange(JobExchange()).nextDue)
      #expect(due < .seconds(1))
      #expect(try await left(fixture) == 50)
      #expect(try await store.exchange(JobExchange()).nextDue == nil)
      #expect(try await left(fixture) == 0)
      await store.close()
    }
  }

  @Test func `of very many dead processes those that somebody holds keep no exchange from finding others`() async throws
  {
    try await PostgresFixture.with { fixture in
      let store = try await open(1, fixture, lease: .seconds(600))[0]
      try await leaveDead(fixture)
      try await fixture.withTransactions(1) { transactions in
        // As what it has sent before it died does where that waits for a job.
        _ = try await transactions[0].query("SELECT 1 FROM taskkit_owner WHERE id = 1001 FOR NO KEY UPDATE")
        let due = try #require(try await store.exchange(JobExchange()).nextDue)
        #expect(due < .seconds(1))
        #expect(try await left(fixture) == 50)
        #expect(try await store.exchange(JobExchange()).nextDue == nil)
        #expect(try await left(fixture) == 1)
      }
      _ = try await store.exchange(JobExchange())
      #expect(try await left(fixture) == 0)
      await store.close()
    }
  }

  @Test func `whoever comes and goes keeps nobody else from finding a dead one that it doubts`() async throws {
    try await PostgresFixture.with { fixture in
      let stores = try await open(3, fixture, lease: .seconds(600))
      let held = try await hold([stores[2]])
      let flapping = try #require(await stores[1].owner)
      await stores[2].die()
      try await pass(.seconds(700), fixture)
      #expect(try await stores[0].exchange(JobExchange()).rescued.isEmpty)
      for _ in 0..<2 {
        try await pass(.seconds(299), fixture)
        _ = try await stores[0].enqueue([new])
        #expect(try await stores[0].exchange(JobExchange()).rescued.isEmpty)
        try await fixture.query(
          "UPDATE \(fixture.quoted).taskkit_owner SET lease_until = \(fixture.quoted).taskkit_clock() WHERE id = $1",
          [.integer(flapping)])
        #expect(try await stores[1].exchange(JobExchange()).rescued.isEmpty)
      }
      try await pass(.seconds(3), fixture)
      #expect(try await stores[1].exchange(JobExchange()).rescued.isEmpty)
      #expect(try await stores[0].exchange(JobExchange()).rescued.map(\.id) == [held[0].job])
      for store in stores.prefix(2) { await store.close() }
    }
  }

  @Test func `when the server's clock was set back, only a dead one's jobs are found, in the time of a lease`()
    async throws
  {
    try await PostgresFixture.with { fixture in
      let stores = try await open(3, fixture, lease: .seconds(600))
      let held = try await hold(stores)
      await stores[2].die()
      // That is how everything looks that was written before.
      try await pass(.seconds(-3600), fixture)
      #expect(try await stores[0].exchange(JobExchange()).rescued.isEmpty)
      for _ in 0..<2 {
        try await pass(.seconds(250), fixture)
        for store in stores.prefix(2) {
          _ = try await store.enqueue([new])
          #expect(try await store.exchange(JobExchange()).rescued.isEmpty)
        }
      }
      try await pass(.seconds(101), fixture)
      #expect(try await stores[0].exchange(JobExchange()).rescued.map(\.id) == [held[2].job])
      for (store, key) in zip(stores, held).prefix(2) {
        #expect(try await store.exchange(JobExchange(ends: [(key, .succeeded(result: nil))])).ends == [true])
      }
      for store in stores { await store.close() }
    }
  }

  @Test func `a lease is prolonged from when a sign of life gets through, and not from when it began to wait`()
    async throws
  {
    try await PostgresFixture.with { fixture in
      let store = try await open(1, fixture, lease: .seconds(600))[0]
      // Nobody else gives signs of life for it.
      let opened = try await fixture.query("SELECT owner FROM \(fixture.quoted).taskkit_open('other', 600000000)")
      let other = try #require(opened.first?.integer(0))
      try await fixture.withTransactions(1) { transactions in
        _ = try await transactions[0].query(
          "SELECT 1 FROM taskkit_owner WHERE id = $1 FOR NO KEY UPDATE", [.integer(other)])
        let beating = OngoingCall {
          try await fixture.query("SELECT \(fixture.quoted).taskkit_beat($1)", [.integer(other)]).first?.flag(0)
        }
        try await waitUntil { try await fixture.waiting("taskkit_beat") == 1 }
        let now = try #require(
          try await transactions[0].query("SELECT taskkit_clock()").first?.integer(0))
        try await transactions[0].run("COMMIT")
        #expect(try await beating.value == true)
        let until = try await fixture.query(
          "SELECT lease_until FROM \(fixture.quoted).taskkit_owner WHERE id = $1", [.integer(other)])
        #expect(try #require(until.first?.integer(0)) >= now + 600_000_000)
      }
      await store.close()
    }
  }

  @Test func `ends are kept while the server has no connection for the one that writes, and written when it has`()
    async throws
  {
    try await PostgresFixture.with { fixture in
      let role = "few_\(UUID().uuidString.prefix(8).lowercased())"
      try await fixture.query("CREATE ROLE \(role) LOGIN")
      try await fixture.query("CREATE SCHEMA \(fixture.quoted) AUTHORIZATION \(role)")
      let address = fixture.address.replacingOccurrences(of: "user=taskkit", with: "user=\(role)")
      // No patience: what cannot be written at once is told.
      let store = PostgresStore(at: address, schema: fixture.schema, lease: .seconds(600), patience: .zero)
      let center = try TaskCenter(
        registry: TaskRegistry().adding(Slow.self), stores: [DurableStore("jobs", store)],
        jobs: JobConfiguration(monitors: []))
      let door = Door()
      center[Door.Key.self] = door
      var events = center.jobs.events().makeAsyncIterator()
      try await center.enqueue([Slow(), Slow()])
      center.start()
      try await waitUntil { door.arrivals == 2 }
      // Those that it has stay, no other one gets in, and what is freed is free for nobody.
      try await fixture.query("ALTER ROLE \(role) CONNECTION LIMIT 0")
      let ended = try await fixture.query(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE usename = $1 AND (query LIKE '%taskkit_exchange%' OR query LIKE '%taskkit_do%')
        """, [.text(role)])
      #expect(ended.count == 1)
      door.open()
      var failures = 0
      while failures < 3, let event = await events.next() {
        switch event.kind {
        case .storeFailed(let text, _):
          if text.contains("too many connections for role") { failures += 1 }
        case .endsLost, .failed, .gaveUp, .rescued: Issue.record("\(event.kind)")
        default: break
        }
      }
      let running = try await fixture.query(
        "SELECT 1 FROM \(fixture.quoted).taskkit_state WHERE state = 3")
      #expect(running.count == 2)
      try await fixture.query("ALTER ROLE \(role) CONNECTION LIMIT -1")
      await center.jobs.idle()
      #expect(try await center.jobs.count() == 0)
      #expect(door.arrivals == 2)
      await center.terminate()
      await fixture.remove()
      try await fixture.query("DROP ROLE \(role)")
    }
  }

  @Test func `the connection for writing keeps the lease while the one that watches fails, which is told`() async throws
  {
    try await PostgresFixture.with { fixture in
      let role = "few_\(UUID().uuidString.prefix(8).lowercased())"
      try await fixture.query("CREATE ROLE \(role) LOGIN")
      try await fixture.query("CREATE SCHEMA \(fixture.quoted) AUTHORIZATION \(role)")
      let address = fixture.address.replacingOccurrences(of: "user=taskkit", with: "user=\(role)")
      let lease = Duration.seconds(4)
      let store = PostgresStore(at: address, schema: fixture.schema, lease: lease)
      _ = try await store.open(StoreEnvironment(owner: "test"))
      let owner = try #require(await store.owner)
      let held = try await hold([store])
      #expect(try await store.health().watch == nil)
      // One for writing, one for reading; no other gets in.
      try await fixture.query("ALTER ROLE \(role) CONNECTION LIMIT 2")
      var watch: PostgresHealth.Watch?
      while watch == nil {
        // What it has asked last may be something else for a moment.
        try await fixture.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1 AND query LIKE '%taskkit_dead%'",
          [.text(role)])
        watch = try await store.health().watch
      }
      #expect(watch?.reason.contains("too many connections for role") == true)
      #expect(try await store.health().problems.first?.hasPrefix("the connection that watches has failed") == true)
      func until() async throws -> (until: Int64, left: Int64) {
        let row = try #require(
          try await fixture.query(
            """
            SELECT lease_until, lease_until - \(fixture.quoted).taskkit_clock() FROM \(fixture.quoted).taskkit_owner
            WHERE id = $1
            """, [.integer(owner)]
          ).first)
        return (row.integer(0) ?? 0, row.integer(1) ?? 0)
      }
      let first = try await until()
      var next = first
      while next.until == first.until, next.left > 0 { next = try await until() }
      #expect(next.until > first.until)
      #expect(await store.owner == owner)
      #expect(try await store.exchange(JobExchange(ends: [(held[0], .succeeded(result: nil))])).ends == [true])
      try await fixture.query("ALTER ROLE \(role) CONNECTION LIMIT -1")
      while try await store.health().watch != nil {}
      await store.close()
      await fixture.remove()
      try await fixture.query("DROP ROLE \(role)")
    }
  }
}

/// Where bodies of jobs wait.
private final class Door: Sendable {
  enum Key: SharedKey { typealias Value = Door }

  private let state = Mutex((arrivals: 0, isOpen: false))

  var arrivals: Int { state.withLock { $0.arrivals } }

  func open() { state.withLock { $0.isOpen = true } }

  func pass() async throws {
    state.withLock { $0.arrivals += 1 }
    try await waitUntil { state.withLock { $0.isOpen } }
  }
}

private struct Slow: DurableTask {
  static var registration: DurableRegistration {
    DurableRegistration(
      __kind: "slow", type: Self.self, collected: (), at: ("Tests/Slow.swift", 1, 1), options: JobOptions(),
      run: { _, context in try await context.center[Door.Key.self]?.pass() })
  }
}
