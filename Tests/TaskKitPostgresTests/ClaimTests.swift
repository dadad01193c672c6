import Foundation
import Synchronization
import TaskKitDurable
@testable import TaskKitPostgres
import Testing

/// What a claim costs, and what it finds behind many jobs that may not start.
@Suite(.serialized, .timeLimit(.minutes(15))) struct ClaimTests {
  private let environment = StoreEnvironment(owner: "test")

  private func job(_ kind: String, _ limit: KeyLimit? = nil, _ priority: JobPriority = .default) -> NewJob {
    var job = NewJob(kind: kind, payload: JobPayload(bytes: Data()))
    (job.limit, job.priority) = (limit, priority)
    return job
  }

  private func claim(_ limit: Int, full: Int = 9) -> JobExchange {
    JobExchange(claims: [
      .init(queue: "default", limit: limit, kinds: [.init("Full", limit: full), .init("Free", limit: 9)])
    ])
  }

  /// Why jobs may not start.
  enum Reason: CaseIterable {
    case kind
    case key
    case rate
  }

  @Test func `what a clock has started that was far ahead holds up no others`() async throws {
    try await PostgresFixture.with { fixture in
      let start = Date(timeIntervalSince1970: 1_767_225_600)
      let date = Mutex(start + 4 * 365 * 86_400)
      let store = PostgresStore(testing: fixture.address, schema: fixture.schema)
      _ = try await store.open(StoreEnvironment(now: { date.withLock { $0 } }, owner: "test"))
      let rate = RateLimit(1, per: .seconds(10))
      try await store.setRate(rate, ofQueue: "default")
      try await store.setRate(rate, ofKey: "key")
      _ = try await store.enqueue((0..<4).map { _ in job("Free", KeyLimit("key", count: 9)) })
      #expect(try await store.exchange(claim(9)).claimed.count == 1)
      // The clock is set right.
      date.withLock { $0 = start }
      #expect(try await store.rates().map(\.free) == [1, 1])
      #expect(try await store.exchange(claim(9)).claimed.count == 1)
      #expect(try await store.exchange(claim(9)).claimed.isEmpty)
      // Set back by less than the rate's time it keeps to the rate.
      date.withLock { $0 = start - 5 }
      #expect(try await store.exchange(claim(9)).claimed.isEmpty)
      #expect(try await store.rates().map(\.wait) == [.seconds(15), .seconds(15)])
      date.withLock { $0 = start + 10 }
      #expect(try await store.exchange(claim(9)).claimed.count == 1)
      await store.close()
    }
  }

  @Test func `of a list of jobs those are given out that are ready still, as many as are wanted`() async throws {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema)
      _ = try await store.open(environment)
      let ids = try await store.enqueue(Array(repeating: job("Free"), count: 4)).map(\.id)
      // Since the list was made.
      _ = try await store.change(JobSelection(ids: [ids[0]]), .hold("for a moment"))
      try await fixture.withTransactions(2) { transactions in
        let (other, claiming) = (transactions[0], transactions[1])
        _ = try await other.query("SELECT 1 FROM taskkit_state WHERE id = $1 FOR UPDATE", [.integer(ids[1].rawValue)])
        let opened = try await claiming.query("SELECT owner FROM taskkit_open('by hand', 60000000)")
        let taken = try await claiming.query(
          "SELECT unnest(ids) FROM taskkit_take($1, 0, $2, 1)",
          [.integer(try #require(opened.first?.integer(0))), .integers(ids.map { $0.rawValue })])
        #expect(taken.map { $0.integer(0) } == [ids[2].rawValue])
      }
      #expect(try await store.jobs(JobSelection(ids: [ids[0]]), after: nil, limit: 1).map(\.state) == [.held])
      await store.close()
    }
  }

  /// What a claim does that is taken back afterwards.
  private struct Cost {
    var claimed: [JobID]
    var rowsRead: Int64
    var rowsLocked: Int64
  }

  private func cost(of exchange: JobExchange, _ fixture: PostgresFixture) async throws -> Cost {
    try await fixture.call(PostgresCall(exchange)) { connection, answer in
      let claimed = try JobExchange.Answer(answer).claimed
      let read = try await rowsRead(connection, fixture)
      let locked = try await connection.query(
        "SELECT count(*) FROM \(fixture.quoted).taskkit_state WHERE xmax = pg_current_xact_id()::xid")
      return Cost(claimed: claimed.map(\.id), rowsRead: read, rowsLocked: try #require(locked.first?.integer(0)))
    }
  }

  /// How many rows of the store's tables a session has read in its transaction.
  private func rowsRead(_ connection: PostgresConnection, _ fixture: PostgresFixture) async throws -> Int64 {
    let read = try await connection.query(
      "SELECT sum(seq_tup_read + idx_tup_fetch)::bigint FROM pg_stat_xact_user_tables WHERE schemaname = $1",
      [.text(fixture.schema)])
    return try #require(read.first?.integer(0))
  }

  @Test(arguments: Reason.allCases)
  func `a claim costs no more for many jobs that may not start, and finds what is behind them`(
    reason: Reason
  ) async throws {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema)
      _ = try await store.open(environment)
      if reason == .rate { try await store.setRate(RateLimit(1, per: .seconds(3600)), ofKey: "k") }
      let limit = reason == .kind ? nil : KeyLimit("k", count: reason == .key ? 1 : 1000)
      let full = job("Full", limit)
      _ = try await store.enqueue([full])
      #expect(try await store.exchange(claim(1)).claimed.count == 1)
      for _ in 0..<20 { _ = try await store.enqueue(Array(repeating: full, count: 1000)) }
      let behind = try await store.enqueue([job("Free"), job("Free", KeyLimit("other"))]).map(\.id)
      let cost = try await cost(of: claim(4, full: reason == .kind ? 1 : 9), fixture)
      #expect(cost.claimed.suffix(2) == behind)
      #expect(cost.claimed.count == (reason == .kind ? 3 : 2))
      // 20,000 of them wait.
      #expect(cost.rowsRead < 4000)
      #expect(cost.rowsLocked < 10)
      await store.close()
    }
  }

  @Test func `what is done to one job reads no others where all of them have come since the server has counted none`()
    async throws
  {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema, lease: .seconds(600))
      _ = try await store.open(environment)
      func take(_ kind: String, _ count: Int) async throws -> [AttemptKey] {
        let claim = JobExchange.Claim(queue: "default", limit: count, kinds: [.init(kind, limit: count)])
        let claimed = try await store.exchange(JobExchange(claims: [claim])).claimed
        return claimed.map { AttemptKey(job: $0.id, token: $0.token) }
      }
      func keyed(_ key: String) -> NewJob {
        var new = job("Keyed")
        new.unique = UniqueKey(key)
        return new
      }
      func child(of parent: NewJob.Parent) -> NewJob {
        var new = job("Child")
        new.parents = [parent]
        return new
      }
      /// Jobs of a limit that run, parents with a child each, and jobs with keys. Gives an attempt, and the parents.
      func fill(_ count: Int) async throws -> (attempt: AttemptKey, parents: [JobID]) {
        _ = try await store.enqueue((0..<count).map { _ in job("Free", KeyLimit("k", count: 1_000_000)) })
        let attempts = try await take("Free", count)
        #expect(attempts.count == count)
        _ = try await store.enqueue((0..<count).map { place in keyed("\(count) \(place)") })
        let pairs = try await store.enqueue(
          (0..<count).flatMap { place in [job("Parent"), child(of: .inBatch(place * 2))] })
        return (try #require(attempts.last), pairs.indices.filter { $0 % 2 == 0 }.map { pairs[$0].id })
      }
      _ = try await fill(100)
      _ = try await store.enqueue([job("Plain")])
      _ = try await store.change(.all, .delete)
      let connection = try await PostgresConnection.open(fixture.address)
      for name in ["state", "job", "edge", "key", "permit"] {
        let table = "\(fixture.quoted).taskkit_\(name)"
        // The server would count again by itself.
        try await connection.run("ALTER TABLE \(table) SET (autovacuum_enabled = off)")
        // As whoever tidies up does it.
        try await connection.run("VACUUM (TRUNCATE FALSE) \(table)")
      }
      await connection.end()
      let (limited, parents) = try await fill(2000)
      let parent = try #require(try await take("Parent", 1).first)
      _ = try await store.enqueue([job("Plain")])
      let plain = try #require(try await take("Plain", 1).first)
      let step = JobExchange(
        notes: [(limited, .step("step", Data()))], ends: [(limited, .failed(.error, "no", retryAfter: .zero))])
      let calls = [
        "a plain end": try PostgresCall(JobExchange(ends: [(plain, .succeeded(result: nil))])),
        "the end of a parent": try PostgresCall(JobExchange(ends: [(parent, .succeeded(result: nil))])),
        "a failure of a limited one": try PostgresCall(step), "a new key": try PostgresCall([keyed("new")]),
        "a new child": try PostgresCall([child(of: .job(parents[9]))]),
        "a cancellation": try PostgresCall(JobSelection(ids: [parents[9]]), .cancel),
        "nothing": try PostgresCall(JobExchange()),
      ]
      for (name, call) in calls {
        let read = try await fixture.call(call) { connection, _ in try await rowsRead(connection, fixture) }
        #expect(read < 400, "\(name)")
      }
      await store.close()
    }
  }

  /// Sets the rate of a queue, or of a key: so many in a day.
  private func setRate(_ count: Int, isKey: Bool, _ store: PostgresStore) async throws {
    let rate = RateLimit(count, per: .seconds(86_400))
    if isKey { try await store.setRate(rate, ofKey: "k") } else { try await store.setRate(rate, ofQueue: "default") }
  }

  /// Lets 20,000 jobs have started by that rate, the last one a second ago and each other one a second before the next, and
  /// another one wait for it.
  private func start(isKey: Bool, _ store: PostgresStore, _ fixture: PostgresFixture) async throws {
    // As many claims of one job each leave it.
    try await fixture.query(
      """
      INSERT INTO \(fixture.quoted).taskkit_start
      SELECT $1, $2, \(fixture.quoted).taskkit_clock() - n::bigint * 1000000, 1 FROM generate_series(1, 20000) n
      """, [.flag(isKey), .text(isKey ? "k" : "default")])
    try await fixture.query("UPDATE \(fixture.quoted).taskkit_rate SET used = 20000")
    _ = try await store.enqueue([job("Free", KeyLimit("k", count: 9))])
  }

  @Test(arguments: [false, true])
  func `an exchange costs no more for many starts that count for a rate`(isKey: Bool) async throws {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema)
      _ = try await store.open(environment)
      try await setRate(20_000, isKey: isKey, store)
      try await start(isKey: isKey, store, fixture)
      #expect(try await store.rates().map(\.free) == [0])
      for exchange in [claim(9), JobExchange()] {
        let cost = try await cost(of: exchange, fixture)
        #expect(cost.claimed.isEmpty)
        #expect(cost.rowsRead < 400)
      }
      try await setRate(20_001, isKey: isKey, store)
      let cost = try await cost(of: claim(9), fixture)
      #expect(cost.claimed.count == 1)
      #expect(cost.rowsRead < 400)
      await store.close()
    }
  }

  @Test(arguments: [false, true])
  func `an exchange costs no more for many starts that count no more for a rate by which nobody claims`(
    isKey: Bool
  ) async throws {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema)
      _ = try await store.open(environment)
      try await setRate(20_000, isKey: isKey, store)
      try await start(isKey: isKey, store, fixture)
      try await fixture.query("UPDATE \(fixture.quoted).taskkit_start SET at = at - 86400000000")
      #expect(try await cost(of: JobExchange(), fixture).rowsRead < 400)
      await store.close()
    }
  }

  /// How many may start in a day, and how many days later than they have started all have.
  @Test(arguments: [5, 20_000], [-1, 3])
  func `an exchange costs no more for what has started above a rate, and counts no more, where nobody claims by it`(
    count: Int, days: Int64
  ) async throws {
    for isKey in [false, true] {
      try await PostgresFixture.with { fixture in
        let store = PostgresStore(at: fixture.address, schema: fixture.schema)
        _ = try await store.open(environment)
        try await setRate(count, isKey: isKey, store)
        try await start(isKey: isKey, store, fixture)
        // What has passed, and what a clock has started that was far ahead.
        try await fixture.query(
          "UPDATE \(fixture.quoted).taskkit_start SET at = at + $1", [.integer(days * 86_400_000_000)])
        // It is removed once.
        _ = try await store.exchange(JobExchange())
        #expect(try await cost(of: JobExchange(), fixture).rowsRead < 400)
        #expect(try await store.rates().map(\.free) == [count])
        await store.close()
      }
    }
  }

  @Test(arguments: [false, true])
  func `an exchange costs no more where very many more have started than a rate lets start now`(
    isKey: Bool
  ) async throws {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema)
      _ = try await store.open(environment)
      try await setRate(5, isKey: isKey, store)
      try await start(isKey: isKey, store, fixture)
      for exchange in [claim(9), JobExchange()] {
        let cost = try await cost(of: exchange, fixture)
        #expect(cost.claimed.isEmpty)
        #expect(cost.rowsRead < 400)
      }
      // All but four have to leave. An exchange is told when to look again, and whoever asks for the rate, when that will be.
      let wait = try #require(try await store.rates().first?.wait)
      #expect(wait > .seconds(86_000))
      let due = try #require(try await store.exchange(claim(9)).nextDue)
      #expect(due > .zero)
      #expect(due < wait)
      await store.close()
    }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `whatever starts, and whenever, what is left of a rate is its count less what has started in its time`(
    seed: UInt64
  ) async throws {
    try await PostgresFixture.with { fixture in
      let start = Date(timeIntervalSince1970: 1_767_225_600)
      let date = Mutex(start)
      let store = PostgresStore(testing: fixture.address, schema: fixture.schema)
      _ = try await store.open(StoreEnvironment(now: { date.withLock { $0 } }, owner: "test"))
      var chance = Chance(state: seed &* 0x9E37_79B9_7F4A_7C15 | 1)
      var rate = RateLimit(5, per: .seconds(60))
      // The longest time that any rate had: what has passed then counts for none.
      try await store.setRate(rate, ofQueue: "default")
      try await store.setRate(rate, ofKey: "k")
      var (seconds, starts) = (0, [Int]())
      for _ in 0..<60 {
        seconds += Int.random(in: 0..<15, using: &chance)
        date.withLock { $0 = start + Double(seconds) }
        if Int.random(in: 0..<8, using: &chance) == 0 {
          // Less time, or another count: what was forgotten would count again in a longer one.
          rate = RateLimit(Int.random(in: 1..<7, using: &chance), per: rate.period * 9 / 10)
          try await store.setRate(rate, ofQueue: "default")
          try await store.setRate(rate, ofKey: "k")
        }
        let period = Double(rate.period.components.seconds) + Double(rate.period.components.attoseconds) / 1e18
        func within() -> [Int] { starts.filter { Double($0) + period > Double(seconds) } }
        _ = try await store.enqueue(
          (0..<Int.random(in: 0..<4, using: &chance)).map { _ in job("Free", KeyLimit("k", count: 900)) })
        let free = max(0, rate.count - within().count)
        #expect(try await store.rates().map(\.free) == [free, free])
        let ready = try await store.counts().first { $0.state == .ready }?.count ?? 0
        let wanted = Int.random(in: 1..<5, using: &chance)
        let answer = try await store.exchange(
          JobExchange(claims: [.init(queue: "default", limit: wanted, kinds: [.init("Free", limit: 999)])]))
        #expect(answer.claimed.count == min(free, ready, wanted))
        starts += answer.claimed.map { _ in seconds }
        let left = within()
        let wait = left.count < rate.count ? nil : Double(left[left.count - rate.count]) + period - Double(seconds)
        for found in try await store.rates() {
          #expect(found.free == max(0, rate.count - left.count))
          #expect(found.wait.map { abs($0 / .seconds(1) - (wait ?? -1)) < 0.001 } ?? (wait == nil))
        }
      }
      await store.close()
    }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `behind many jobs that may not start the order is the same`(seed: UInt64) async throws {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema)
      _ = try await store.open(environment)
      var chance = Chance(state: seed &* 0x9E37_79B9_7F4A_7C15 | 1)
      let full = job("Full", KeyLimit("k"), JobPriority(major: 90))
      _ = try await store.enqueue([full])
      #expect(try await store.exchange(claim(1)).claimed.count == 1)
      var jobs = Array(repeating: full, count: 3000)
      for _ in 0..<300 {
        let key = Int.random(in: 0..<60, using: &chance)
        let limit = key < 5 ? nil : KeyLimit("\(key)", count: key % 3 + 1)
        jobs.append(job("Free", limit, JobPriority(major: Int.random(in: 0..<95, using: &chance))))
      }
      jobs.shuffle(using: &chance)
      let ids = try await store.enqueue(jobs).map(\.id)
      var used: [KeyLimit: Int] = [KeyLimit("k"): 1]
      var expected: [JobID] = []
      for (id, job) in zip(ids, jobs).sorted(by: { ($1.1.priority.major, $0.0) < ($0.1.priority.major, $1.0) }) {
        guard expected.count < 120 else { break }
        if let limit = job.limit {
          guard used[limit, default: 0] < limit.count else { continue }
          used[limit, default: 0] += 1
        }
        expected.append(id)
      }
      let claimed = try await store.exchange(
        JobExchange(claims: [
          .init(queue: "default", limit: 120, kinds: [.init("Full", limit: 120), .init("Free", limit: 120)])
        ])
      ).claimed
      #expect(claimed.map(\.id) == expected)
      await store.close()
    }
  }

  @Test func `where very many jobs wait no longer for their constraints, an exchange does some of them`() async throws {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(testing: fixture.address, schema: fixture.schema)
      let now = Mutex(Date(timeIntervalSince1970: 1_767_225_600))
      _ = try await store.open(StoreEnvironment(now: { now.withLock { $0 } }, owner: "test"))
      var picky = job("Free")
      (picky.constraints, picky.constraintsUntil) = (["network"], .after(.seconds(60)))
      for _ in 0..<3 { _ = try await store.enqueue(Array(repeating: picky, count: 900)) }
      now.withLock { $0 += 61 }
      for left in [1700, 700, 0] {
        let answer = try await store.exchange(JobExchange())
        let rows = try await fixture.query(
          "SELECT count(*) FROM \(fixture.quoted).taskkit_state WHERE relax_at IS NOT NULL")
        #expect(rows.first?.integer(0) == Int64(left))
        #expect(answer.nextDue == (left > 0 ? .zero : nil))
      }
      await store.close()
    }
  }
}
