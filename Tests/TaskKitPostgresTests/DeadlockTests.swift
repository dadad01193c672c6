import Foundation
import Synchronization
import TaskKitDurable
@testable import TaskKitPostgres
import Testing

/// Many owners that change the same jobs in every order.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DeadlockTests {
  /// New ones come all the time, so that several owners meet each for the first time.
  private func kinds(_ known: Int) -> [String] { ["a\(known / 50)", "b\(known / 50)"] }

  private func selection(_ known: Int, _ chance: inout Chance) -> JobSelection {
    switch Int.random(in: 0..<4, using: &chance) {
    case 0: JobSelection(kinds: [kinds(known).randomElement(using: &chance)!])
    case 1: JobSelection(queues: [["left", "right"].randomElement(using: &chance)!])
    default:
      JobSelection(
        ids: (0..<8).map { _ in JobID(rawValue: Int64.random(in: 1...Int64(max(1, known)), using: &chance)) })
    }
  }

  private func jobs(_ known: Int, _ chance: inout Chance) -> [NewJob] {
    (0..<Int.random(in: 1..<6, using: &chance)).map { place in
      var job = NewJob(
        kind: kinds(known).randomElement(using: &chance)!, payload: JobPayload(bytes: Data()), maximumAttempts: 3)
      job.queue = ["left", "right"].randomElement(using: &chance)!
      if Bool.random(using: &chance) {
        job.constraints = ["network"]
        job.constraintsUntil = .after(.milliseconds(Int.random(in: 0..<50, using: &chance)))
      }
      job.limit = [nil, KeyLimit("x", count: 3), KeyLimit("y", count: 3), KeyLimit("z", count: 9)].randomElement(
        using: &chance)!
      switch Int.random(in: 0..<4, using: &chance) {
      case 0:
        job.unique = UniqueKey(
          ["1", "2", "3"].randomElement(using: &chance)!,
          [.keep, .replace, .append].randomElement(using: &chance)!)
      case 1 where known > 10:
        job.parents = (0..<3).map { _ in .job(JobID(rawValue: Int64.random(in: 1...Int64(known), using: &chance))) }
      case 2 where place > 0: job.parents = [.inBatch(0)]
      default: break
      }
      return job
    }
  }

  private func exchange(_ held: inout [ClaimedJob], _ known: Int, _ chance: inout Chance) -> JobExchange {
    var exchange = JobExchange()
    held.shuffle(using: &chance)
    let ending = held.suffix(Int.random(in: 0...held.count, using: &chance))
    held.removeLast(ending.count)
    for job in ending {
      let end: JobExchange.End = [
        .succeeded(result: nil), .succeeded(result: Data([1])), .failed(.error, "", retryAfter: .zero),
        .gaveUp(.error, ""), .interrupted, .cancelled, .held(.asked("")),
      ].randomElement(using: &chance)!
      exchange.ends.append((AttemptKey(job: job.id, token: job.token), end))
    }
    for job in held.prefix(3) {
      exchange.notes.append((AttemptKey(job: job.id, token: job.token), .checkpoint(Data([1]))))
    }
    exchange.claims = ["left", "right"].shuffled(using: &chance).map { queue in
      JobExchange.Claim(
        queue: queue, limit: 6,
        kinds: stride(from: 0, through: known, by: 50).flatMap(kinds).map { .init($0, limit: 4) })
    }
    return exchange
  }

  /// The highest id that anybody has seen.
  private final class Known: Sendable {
    let id = Mutex(0)
  }

  private func work(_ store: PostgresStore, _ number: UInt64, _ known: Known) async throws {
    _ = try await store.open(StoreEnvironment(owner: "owner \(number)"))
    if number == 1 {
      try await store.setRate(RateLimit(1000, per: .seconds(1)), ofQueue: "left")
      try await store.setRate(RateLimit(1000, per: .seconds(1)), ofKey: "z")
    }
    var chance = Chance(state: number &* 0x9E37_79B9_7F4A_7C15 | 1)
    var held: [ClaimedJob] = []
    for _ in 0..<150 {
      let id = known.id.withLock { $0 }
      switch Int.random(in: 0..<10, using: &chance) {
      case 0..<4:
        let ids = try await store.enqueue(jobs(id, &chance)).map { Int($0.id.rawValue) }
        known.id.withLock { $0 = max($0, ids.max() ?? 0) }
      case 4..<8:
        let exchange = exchange(&held, id, &chance)
        held += try await store.exchange(exchange).claimed
      case 8:
        let change: JobChange = [
          .cancel, .delete, .hold(""), .release, .retry, .prioritise(JobPriority(major: 3)), .reschedule(.now),
        ].randomElement(using: &chance)!
        _ = try await store.change(selection(id, &chance), change)
      default: _ = try await store.sweep(limit: 10)
      }
    }
    await store.close()
  }

  /// Does something with a server of its own, on which nobody ever waits for somebody who waits for him.
  private func withServer(_ body: (PostgresFixture) async throws -> Void) async throws {
    let server = try await PrivateServer.start()
    // Where somebody does, it is found soon.
    let address = server.address + " options='-c deadlock_timeout=20ms'"
    try await PostgresFixture.with(address: address) { try await body($0) }
    let connection = try await PostgresConnection.open(server.address)
    // A session counts at the latest when it ends.
    try await waitUntil {
      try await connection.query(
        "SELECT 1 FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
      ).isEmpty
    }
    let rows = try await connection.query(
      "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
    #expect(rows.first?.integer(0) == 0)
  }

  private func open(_ fixture: PostgresFixture) async throws -> PostgresStore {
    let store = PostgresStore(at: fixture.address, schema: fixture.schema, lease: .seconds(600), notifies: false)
    _ = try await store.open(StoreEnvironment(owner: "test"))
    return store
  }

  private func job(_ kind: String = "Upload") -> NewJob {
    NewJob(kind: kind, payload: JobPayload(bytes: Data("{}".utf8)))
  }

  /// Begins attempts of all jobs that are ready.
  private func claim(_ store: PostgresStore) async throws -> [ClaimedJob] {
    let claim = JobExchange.Claim(queue: "default", limit: 9, kinds: [.init("Upload", limit: 9)])
    return try await store.exchange(JobExchange(claims: [claim])).claimed
  }

  private func once(_ job: ClaimedJob) -> String { "SELECT taskkit_once(\(job.id), \(job.token.rawValue), 'book')" }
  private func lock(_ id: JobID) -> String { "SELECT 1 FROM taskkit_state WHERE id = \(id) FOR UPDATE" }

  @Test func `owners that change the same jobs in every order never wait for each other`() async throws {
    try await withServer { fixture in
      let known = Known()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 1...6 as ClosedRange<UInt64> {
          group.addTask {
            try await work(PostgresStore(at: fixture.address, schema: fixture.schema, notifies: false), number, known)
          }
        }
        try await group.waitForAll()
      }
      // Nobody runs any more, so no place of a limit is taken.
      #expect(try await fixture.query("SELECT key FROM \(fixture.quoted).taskkit_permit").isEmpty)
    }
  }

  @Test func `who waits for a job takes the children that it got meanwhile in their turn`() async throws {
    try await withServer { fixture in
      let store = try await open(fixture)
      var child = job()
      child.parents = [.inBatch(0)]
      child.parentFailure = .hold
      let jobs = try await store.enqueue([job(), child, job()]).map(\.id)
      // From here on nobody waits for the parent.
      _ = try await store.change(JobSelection(ids: [jobs[0]]), .cancel)
      try await fixture.withTransactions(2) { transactions in
        let (retrying, locking) = (transactions[0], transactions[1])
        let retry = #"{"what": "retry", "selection": {"ids": [\#(jobs[0])]}}"#
        _ = try await retrying.query("SELECT taskkit_change(NULL, 0, $1::jsonb)", [.text(retry)])
        let deleting = OngoingCall { try await store.change(JobSelection(ids: [jobs[0], jobs[2]]), .delete) }
        try await waitUntil { try await fixture.waiting("taskkit_do", for: "taskkit_change") == 1 }
        let statements = jobs[1...].map(lock)
        let locked = OngoingCall {
          for statement in statements { _ = try await locking.query(statement) }
          try await locking.run("COMMIT")
        }
        try await waitUntil { try await fixture.waiting(statements[0], for: "taskkit_change") == 1 }
        // Now the child waits for it again.
        try await retrying.run("COMMIT")
        try await locked.value
        #expect(try await deleting.value.count == 2)
      }
      await store.close()
    }
  }

  @Test func `who enqueues in a transaction waits for a child that a job of its key has got meanwhile`() async throws {
    try await withServer { fixture in
      let store = try await open(fixture)
      var chained = job()
      chained.unique = UniqueKey("chain", .append)
      let chain = try await store.enqueue([chained, chained]).map(\.id)
      try await fixture.withTransactions(4) { transactions in
        let (adding, second, third, replacing) = (transactions[0], transactions[1], transactions[2], transactions[3])
        let rows = try await adding.query("SELECT taskkit_enqueue('child', '{}', parents => '{\(chain[0])}')")
        let child = JobID(rawValue: try #require(rows.first?.integer(0)))
        _ = try await second.query(lock(chain[1]))
        let replaced = OngoingCall {
          _ = try await replacing.query(
            "SELECT taskkit_enqueue('Upload', '{}', unique_key => 'chain', conflict => 'replace')")
          try await replacing.run("COMMIT")
        }
        try await waitUntil { try await fixture.waiting("'replace'", for: "'child'") == 1 }
        try await adding.run("COMMIT")
        try await waitUntil { try await fixture.waiting("'replace'", for: lock(chain[1])) == 1 }
        let holding = lock(child)
        _ = try await third.query(holding)
        try await second.run("COMMIT")
        try await waitUntil {
          if replaced.hasEnded { return true }
          return try await fixture.waiting("'replace'", for: holding) == 1
        }
        try await third.run("COMMIT")
        try await replaced.value
        // What is replaced goes as if it were done.
        let left = try await store.jobs(JobSelection(ids: chain + [child]), after: nil, limit: 9)
        #expect(left.map(\.id) == [child])
        #expect(left.map(\.state) == [.cancelled])
      }
      await store.close()
    }
  }

  @Test func `who enqueues after a step does not wait for an owner that enqueues the first job of that kind`()
    async throws
  {
    try await withServer { fixture in
      let store = try await open(fixture)
      _ = try await store.enqueue([job()])
      let running = try #require(try await claim(store).first)
      try await fixture.withTransactions(1) { transactions in
        _ = try await transactions[0].query(once(running))
        var next = job("next")
        next.parents = [.job(running.id)]
        let jobs = [next]
        let enqueued = OngoingCall { try await store.enqueue(jobs) }
        try await waitUntil { try await fixture.waiting("taskkit_do", for: "taskkit_once") == 1 }
        _ = try await transactions[0].query("SELECT taskkit_enqueue('next', '{}')")
        try await transactions[0].run("COMMIT")
        #expect(try await enqueued.value.count == 1)
      }
      await store.close()
    }
  }

  @Test func `who ends jobs holds none of them while it waits for a child that one of them has got meanwhile`()
    async throws
  {
    try await withServer { fixture in
      let (store, other) = (try await open(fixture), try await open(fixture))
      _ = try await store.enqueue([job(), job()])
      var running = try await claim(store)
      try await fixture.withTransactions(3) { transactions in
        let (adding, stepping, locking) = (transactions[0], transactions[1], transactions[2])
        let rows = try await adding.query("SELECT taskkit_enqueue('child', '{}', parents => '{\(running[0].id)}')")
        let child = JobID(rawValue: try #require(rows.first?.integer(0)))
        let apart = try await store.enqueue([job("other"), job()])[0].id
        running += try await claim(store)
        _ = try await stepping.query(once(running[1]))
        let exchange = JobExchange(
          ends: running.map { (AttemptKey(job: $0.id, token: $0.token), .succeeded(result: nil)) })
        let ended = OngoingCall { try await store.exchange(exchange).ends }
        try await waitUntil { try await fixture.waiting("taskkit_exchange", for: "'child'") == 1 }
        try await adding.run("COMMIT")
        try await waitUntil { try await fixture.waiting("taskkit_exchange", for: "taskkit_once") == 1 }
        _ = try await locking.query(lock(apart))
        let selection = JobSelection(ids: [child, apart, running[2].id])
        let cancelled = OngoingCall { try await other.change(selection, .cancel) }
        try await waitUntil { try await fixture.waiting("taskkit_do", for: lock(apart)) == 1 }
        try await stepping.run("COMMIT")
        try await waitUntil { try await fixture.waiting("taskkit_exchange", for: "taskkit_do") == 1 }
        try await locking.run("COMMIT")
        #expect(try await cancelled.value.count == 3)
        #expect(try await ended.value == [true, true, false])
      }
      await store.close()
      await other.close()
    }
  }
}
