#if Durable
import Foundation
import TaskKitDurable

/// Something that is done to many jobs in one call, or to one beside many.
struct GrowthCase: Sendable {
  let title: String
  /// How much there is of what grows, and how much in the end.
  let few: Int
  let many: Int
  /// How many times as much each may cost then.
  let limit: Double
  /// Fills a store with so much, and gives what is measured.
  let prepare: @Sendable (any JobStore, Int) async throws -> Step

  /// What is measured.
  struct Step: Sendable {
    /// How many it is about.
    let count: Int
    let body: @Sendable () async throws -> Void
  }
}

extension GrowthCase {
  static let inMemory = [parents(20_000, limit: 3), starts]
  static let inFile = [parents(20_000, limit: 3)]
  static let onServer = [parents(40_000, limit: 2), children, payloads, queues]

  private static func parents(_ many: Int, limit: Double) -> GrowthCase {
    GrowthCase(title: "one of the parents of a new job", few: 2000, many: many, limit: limit) { store, count in
      let others = try await store.enqueue(Array(repeating: .benchmark, count: count))
      var job = NewJob.benchmark
      job.parents = others.map { .job($0.id) }
      let jobs = [job]
      return Step(count: count) {
        let enqueued = try await store.enqueue(jobs).count
        precondition(enqueued == 1, "\(enqueued) jobs were enqueued instead of one")
      }
    }
  }

  private static let children = GrowthCase(
    title: "one of the children of a job that is cancelled", few: 2000, many: 40_000, limit: 1.75
  ) { store, count in
    let parent = try await store.enqueue([.benchmark])[0].id
    var child = NewJob.benchmark
    child.parents = [.job(parent)]
    _ = try await store.enqueue(Array(repeating: child, count: count))
    return Step(count: count) {
      let changed = try await store.change(JobSelection(ids: [parent]), .cancel).count
      precondition(changed == 1, "\(changed) jobs were cancelled instead of one")
    }
  }

  private static let payloads = GrowthCase(
    title: "one of 2000 new jobs with keys, by the bytes of a payload", few: 10, many: 20_000, limit: 5
  ) { store, bytes in
    let payload = JobPayload(bytes: Data(repeating: 7, count: bytes))
    let jobs = (0..<2000).map { NewJob(kind: NewJob.benchmark.kind, payload: payload, unique: UniqueKey("\($0)")) }
    return Step(count: jobs.count) {
      let enqueued = try await store.enqueue(jobs).count
      precondition(enqueued == jobs.count, "\(enqueued) of \(jobs.count) jobs were enqueued")
    }
  }

  private static let queues = GrowthCase(
    title: "one of 1000 jobs that are changed, by the queues in which they lie", few: 1, many: 1000, limit: 10
  ) { store, queues in
    let jobs = (0..<1000).map { place in
      NewJob(kind: NewJob.benchmark.kind, queue: "\(place % queues)", payload: NewJob.benchmark.payload)
    }
    _ = try await store.enqueue(jobs)
    let changes: [JobChange] = [.hold(""), .release, .cancel]
    return Step(count: changes.count * jobs.count) {
      for change in changes {
        let changed = try await store.change(.all, change).count
        precondition(changed == jobs.count, "\(changed) of \(jobs.count) jobs were changed")
      }
    }
  }

  private static let starts = GrowthCase(
    title: "an exchange, by the starts that count for a rate", few: 10, many: 5000, limit: 10
  ) { store, starts in
    let rate = RateLimit(starts, per: .seconds(86_400))
    try await store.setRate(rate, ofQueue: NewJob.benchmark.queue)
    try await store.setRate(rate, ofKey: "key")
    var job = NewJob.benchmark
    job.limit = KeyLimit("key", count: 1_000_000)
    _ = try await store.enqueue(Array(repeating: job, count: starts + 1))
    let claimed = try await claim(starts, store)
    precondition(claimed == starts, "\(claimed) of \(starts) jobs have started")
    return Step(count: 100) {
      for _ in 0..<100 {
        let claimed = try await claim(9, store)
        precondition(claimed == 0, "\(claimed) more have started than the rate lets")
      }
    }
  }

  /// - Returns: how many jobs a store gives out of so many that are wanted.
  private static func claim(_ limit: Int, _ store: any JobStore) async throws -> Int {
    let benchmark = NewJob.benchmark
    let claim = JobExchange.Claim(
      queue: benchmark.queue, limit: limit, kinds: [.init(benchmark.kind, limit: limit)])
    return try await store.exchange(JobExchange(claims: [claim])).claimed.count
  }
}
#endif
