import Foundation
import Synchronization
import TaskKit
import TaskKitDurable
import TaskKitTesting

/// Where a check works: the stores of a fixture, and a calendar that stands still.
final class StoreBench: Sendable {
  private let fixture: any JobStoreFixture
  private let date = Mutex(Date(timeIntervalSince1970: 1_767_225_600))
  /// The stores that are open, by the numbers of their owners: a store may be a value.
  private let opened = Mutex<(last: Int, stores: [Int: any JobStore])>((0, [:]))

  init(_ fixture: any JobStoreFixture) { self.fixture = fixture }

  var now: Date { date.withLock { $0 } }

  func advance(by duration: Duration) {
    date.withLock { $0.addTimeInterval(duration / .seconds(1)) }
  }

  /// Another owner of the jobs.
  func open(_ name: String = "owner") async throws -> StoreOwner {
    let store = try await fixture.makeStore()
    let opening = try await store.open(StoreEnvironment(now: { self.now }, owner: name))
    let number = opened.withLock { opened in
      opened.last += 1
      opened.stores[opened.last] = store
      return opened.last
    }
    return StoreOwner(store: store, opening: opening, number: number)
  }

  /// Asks a center for something whose store is another owner of the jobs. Its workers do not run.
  func ask(_ body: (JobOperations) async throws -> Void) async throws {
    let center = try TaskCenter(
      time: VirtualTime().source, stores: [DurableStore("jobs", try await fixture.makeStore())],
      jobs: JobConfiguration(monitors: []))
    do { try await body(center.jobs) } catch {
      await center.terminate()
      throw error
    }
    await center.terminate()
  }

  func kill(_ owner: StoreOwner) async throws {
    _ = opened.withLock { $0.stores.removeValue(forKey: owner.number) }
    try await fixture.kill(owner.store)
  }

  func close(_ owner: StoreOwner) async {
    _ = opened.withLock { $0.stores.removeValue(forKey: owner.number) }
    await owner.store.close()
  }

  func closeAll() async {
    for store in opened.withLock({ $0.stores.values.map { $0 } }) { await store.close() }
  }
}

/// An open store with short words for what checks do with it.
struct StoreOwner: Sendable {
  let store: any JobStore
  let opening: StoreOpening
  /// That of the owner among those of its bench.
  let number: Int

  @discardableResult
  func add(_ jobs: NewJob...) async throws -> [JobID] { try await store.enqueue(jobs).map(\.id) }

  func claim(
    _ limit: Int = 100, queue: String = "default", kinds: [String] = ["Upload", "Other"], perKind: Int = 100,
    satisfied: Set<String> = [], unreadable: Set<Int> = [], aging: Duration? = nil
  ) async throws -> [ClaimedJob] {
    let claim = JobExchange.Claim(
      queue: queue, limit: limit, kinds: kinds.map { .init($0, limit: perKind, unreadable: unreadable) },
      satisfied: satisfied, aging: aging)
    return try await store.exchange(JobExchange(claims: [claim])).claimed
  }

  func ids(_ claimed: [ClaimedJob]) -> [JobID] { claimed.map(\.id) }

  /// Claims the only job there is, or with a limit of 1 the first.
  func claimOne(limit: Int = 100, _ file: String = #fileID, _ line: Int = #line) async throws -> ClaimedJob {
    let claimed = try await claim(limit)
    try expect(claimed.count, 1, "jobs claimed", file, line)
    return claimed[0]
  }

  @discardableResult
  func end(_ job: ClaimedJob, _ end: JobExchange.End) async throws -> Bool {
    try await store.exchange(JobExchange(ends: [(job.key, end)])).ends == [true]
  }

  @discardableResult
  func note(_ job: ClaimedJob, _ note: JobExchange.Note) async throws -> Bool {
    try await store.exchange(JobExchange(notes: [(job.key, note)])).notes == [true]
  }

  /// An exchange that neither says nor wants anything.
  func look() async throws -> JobExchange.Answer { try await store.exchange(JobExchange()) }

  func job(_ id: JobID) async throws -> JobSnapshot? {
    try await store.jobs(JobSelection(ids: [id]), after: nil, limit: 1).first
  }

  func state(_ id: JobID) async throws -> JobState? { try await job(id)?.state }

  @discardableResult
  func change(_ change: JobChange, _ ids: JobID...) async throws -> JobChangeAnswer {
    try await store.change(JobSelection(ids: ids), change)
  }
}

extension ClaimedJob {
  var key: AttemptKey { AttemptKey(job: id, token: token) }
}

/// A job of a kind that every check knows.
func job(_ kind: String = "Upload", _ change: (inout NewJob) -> Void = { _ in }) -> NewJob {
  var job = NewJob(kind: kind, payload: JobPayload(bytes: Data("payload".utf8)))
  change(&job)
  return job
}

/// Fails unless two values are the same.
func expect<Value: Equatable>(
  _ actual: Value, _ expected: Value, _ what: String, _ file: String = #fileID, _ line: Int = #line
) throws {
  guard actual != expected else { return }
  throw ConformanceFailure(text: "\(what): expected \(expected), got \(actual)", file: file, line: line)
}

/// Fails unless an error of a reason comes.
func expectError(
  _ reason: JobStoreError.Reason, _ what: String, _ file: String = #fileID, _ line: Int = #line,
  _ body: () async throws -> Void
) async throws {
  do {
    try await body()
  } catch let error as JobStoreError {
    return try expect(error.reason, reason, what, file, line)
  }
  throw ConformanceFailure(text: "\(what): expected the error \(reason), got none", file: file, line: line)
}
