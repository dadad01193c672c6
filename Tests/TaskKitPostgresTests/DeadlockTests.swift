import Foundation
import Synchronization
import TaskKitDurable
@testable import TaskKitPostgres
import Testing

/// Many owners that change the same jobs in every order.
@Suite(.serialized) struct DeadlockTests {
  private func selection(_ known: Int, _ chance: inout Chance) -> JobSelection {
    switch Int.random(in: 0..<4, using: &chance) {
    case 0: JobSelection(kinds: [["a", "b"].randomElement(using: &chance)!])
    case 1: JobSelection(queues: [["left", "right"].randomElement(using: &chance)!])
    default:
      JobSelection(
        ids: (0..<8).map { _ in JobID(rawValue: Int64.random(in: 1...Int64(max(1, known)), using: &chance)) })
    }
  }

  private func jobs(_ known: Int, _ chance: inout Chance) -> [NewJob] {
    (0..<Int.random(in: 1..<6, using: &chance)).map { place in
      var job = NewJob(
        kind: ["a", "b"].randomElement(using: &chance)!, payload: JobPayload(bytes: Data()), maximumAttempts: 3)
      job.queue = ["left", "right"].randomElement(using: &chance)!
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

  private func exchange(_ held: inout [ClaimedJob], _ chance: inout Chance) -> JobExchange {
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
      JobExchange.Claim(queue: queue, limit: 6, kinds: ["a", "b"].map { .init($0, limit: 4) })
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
        let exchange = exchange(&held, &chance)
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
      let rows = try await fixture.query(
        "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
      #expect(rows.first?.integer(0) == 0)
      // Nobody runs any more, so no place of a limit is taken.
      #expect(try await fixture.query("SELECT key FROM \(fixture.quoted).taskkit_permit").isEmpty)
    }
  }
}
