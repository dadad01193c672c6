import Foundation
import Synchronization
import TaskKitDurable
@testable import TaskKitPostgres
import Testing

/// Many owners that change the same jobs in every order.
@Suite(.serialized) struct DeadlockTests {
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

  /// How often the server has found that two wait for each other.
  private func deadlocks(_ fixture: PostgresFixture) async throws -> Int64? {
    try await fixture.query("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()").first?.integer(
      0)
  }

  @Test func `owners that change the same jobs in every order never wait for each other`() async throws {
    let server = try await PrivateServer.start()
    // Where somebody waits for somebody who waits for him, it is found soon.
    let address = server.address + " options='-c deadlock_timeout=20ms'"
    try await PostgresFixture.with(address: address) { fixture in
      let known = Known()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 1...6 as ClosedRange<UInt64> {
          group.addTask {
            try await work(PostgresStore(at: address, schema: fixture.schema, notifies: false), number, known)
          }
        }
        try await group.waitForAll()
      }
      #expect(try await deadlocks(fixture) == 0)
      // Nobody runs any more, so no place of a limit is taken.
      #expect(try await fixture.query("SELECT key FROM \(fixture.quoted).taskkit_permit").isEmpty)
    }
  }

  @Test func `who waits for a job takes the children that it got meanwhile in their turn`() async throws {
    let server = try await PrivateServer.start()
    try await PostgresFixture.with(address: server.address) { fixture in
      let store = PostgresStore(at: server.address, schema: fixture.schema, notifies: false)
      _ = try await store.open(StoreEnvironment(owner: "test"))
      let empty = JobPayload(bytes: Data())
      let jobs = try await store.enqueue([
        NewJob(kind: "parent", payload: empty),
        NewJob(kind: "child", payload: empty, parents: [.inBatch(0)], parentFailure: .hold),
        NewJob(kind: "other", payload: empty),
      ]).map(\.id)
      // From here on nobody waits for the parent.
      _ = try await store.change(JobSelection(ids: [jobs[0]]), .cancel)
      let retrying = try await PostgresConnection.open(server.address)
      try await retrying.run("BEGIN; SET LOCAL search_path = \(fixture.quoted)")
      let retry = #"{"what": "retry", "selection": {"ids": [\#(jobs[0])]}}"#
      _ = try await retrying.query("SELECT taskkit_change(NULL, 0, $1::jsonb)", [.text(retry)])
      async let deleting = store.change(JobSelection(ids: [jobs[0], jobs[2]]), .delete)
      let locking = try await PostgresConnection.open(server.address)
      async let locked: Void = locking.inTransaction {
        for job in jobs[1...] {
          _ = try await locking.query(
            "SELECT 1 FROM \(fixture.quoted).taskkit_state WHERE id = $1 FOR UPDATE", [.integer(job.rawValue)])
        }
      }
      while try await fixture.waiting("") < 2 {}
      // Now the child waits for it again.
      try await retrying.run("COMMIT")
      try await locked
      #expect(try await deleting.count == 2)
      #expect(try await deadlocks(fixture) == 0)
      await store.close()
    }
  }
}
