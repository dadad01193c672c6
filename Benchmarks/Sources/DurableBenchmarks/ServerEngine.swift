#if Durable && Postgres
import Foundation
import Measuring
import PostgresLoop
import Synchronization
import TaskKit
import TaskKitDurable
import TaskKitPostgres

/// A way to keep jobs on a server and to do them, in a process that shares them with others.
protocol ServerEngine: AnyObject {
  /// Writes jobs down, as fast as it can.
  func fill(_ count: Int) async throws

  /// Writes jobs down one after the other, each when the one before is on the disk.
  ///
  /// - Returns: nanoseconds of each.
  func enqueueInTurn(_ count: Int) async throws -> [Double]

  /// Writes jobs down from so many callers at once, each of whom waits for its own before the next.
  ///
  /// - Returns: nanoseconds of all.
  func enqueue(callers: Int, each: Int) async throws -> Double

  /// Does jobs, which do nothing, until none is left that nobody else has.
  ///
  /// - Returns: their ids.
  func work() async throws -> [Int64]

  /// How many jobs there are.
  func waiting() async throws -> Int
  func close() async
}

/// Which engine, as the program's arguments name it.
enum ServerEngineKind: String, CaseIterable {
  case ownTable, storeTables, store, center

  var name: String {
    switch self {
    case .ownTable: "libpq, a table of its own"
    case .storeTables: "libpq, TaskKit's tables"
    case .store: "PostgresStore"
    case .center: "TaskCenter"
    }
  }

  /// How many jobs a turn has: fewer where each is a transaction.
  var share: Double {
    switch self {
    case .ownTable, .storeTables: 0.08
    case .store, .center: 1
    }
  }

  /// - Parameter schema: of a store's tables.
  func make(_ address: String, schema: String) async throws -> any ServerEngine {
    switch self {
    case .ownTable: LibpqEngine(address, schema: nil)
    case .storeTables: LibpqEngine(address, schema: schema)
    case .store: try await PostgresStoreEngine(PostgresStore(at: address, schema: schema))
    case .center: try PostgresCenterEngine(PostgresStore(at: address, schema: schema))
    }
  }
}

/// A transaction for each job, by hand.
final class LibpqEngine: ServerEngine {
  private let loop: OpaquePointer
  private let payload = String(decoding: HandLoop.payload, as: UTF8.self)

  init(_ address: String, schema: String?) { loop = postgres_loop_open(address, schema, NewJob.benchmark.kind) }

  func fill(_ count: Int) { for _ in 0..<count { postgres_loop_enqueue(loop, payload) } }

  func enqueueInTurn(_ count: Int) -> [Double] {
    (0..<count).map { _ in
      let start = Stopwatch.time
      fill(1)
      return Double(Stopwatch.time - start)
    }
  }

  func enqueue(callers: Int, each: Int) -> Double {
    let start = Stopwatch.time
    fill(callers * each)
    return Double(Stopwatch.time - start)
  }

  func work() -> [Int64] {
    var ids: [Int64] = []
    while case let id = postgres_loop_work(loop), id != 0 { ids.append(id) }
    return ids
  }

  func waiting() -> Int { Int(postgres_loop_jobs(loop)) }
  func close() { postgres_loop_close(loop) }
}

/// The store without a center: one loop that ends jobs and claims the next ones in one exchange.
final class PostgresStoreEngine: ServerEngine {
  private let store: PostgresStore

  init(_ store: PostgresStore) async throws {
    self.store = store
    _ = try await store.open(StoreEnvironment(owner: "benchmark"))
  }

  func fill(_ count: Int) async throws { _ = try await store.enqueue(Array(repeating: .benchmark, count: count)) }

  func enqueueInTurn(_ count: Int) async throws -> [Double] {
    var times: [Double] = []
    for _ in 0..<count {
      let start = Stopwatch.time
      _ = try await store.enqueue([.benchmark])
      times.append(Double(Stopwatch.time - start))
    }
    return times
  }

  func enqueue(callers: Int, each: Int) async throws -> Double {
    let start = Stopwatch.time
    try await withThrowingDiscardingTaskGroup { [store] group in
      for _ in 0..<callers {
        group.addTask { for _ in 0..<each { _ = try await store.enqueue([.benchmark]) } }
      }
    }
    return Double(Stopwatch.time - start)
  }

  func work() async throws -> [Int64] {
    let claim = JobExchange.Claim(
      queue: NewJob.benchmark.queue, limit: Suite.batch, kinds: [.init(NewJob.benchmark.kind, limit: Suite.batch)])
    var ids: [Int64] = []
    var ends: [(AttemptKey, JobExchange.End)] = []
    repeat {
      let answer = try await store.exchange(JobExchange(ends: ends, claims: [claim]))
      precondition(answer.ends.allSatisfy { $0 }, "an attempt was refused")
      ends = answer.claimed.map { (AttemptKey(job: $0.id, token: $0.token), .succeeded(result: nil)) }
      ids += answer.claimed.map(\.id.rawValue)
    } while !ends.isEmpty
    return ids
  }

  func waiting() async throws -> Int { try await store.counts().reduce(0) { $0 + $1.count } }
  func close() async { await store.close() }
}

/// All of TaskKit: values that are encoded, workers, attempts, events.
final class PostgresCenterEngine: ServerEngine {
  private let store: PostgresStore
  private let center: TaskCenter
  private let done = DoneJobs()
  private let job = CountedJob(text: String(repeating: "a", count: 189))

  init(_ store: PostgresStore) throws {
    self.store = store
    center = try TaskCenter(
      registry: TaskRegistry().adding(CountedJob.self), stores: [DurableStore("jobs", store)],
      jobs: JobConfiguration(defaultQueue: QueueOptions(workers: Suite.batch), monitors: []))
    center[DoneJobs.Key.self] = done
  }

  func fill(_ count: Int) async throws { _ = try await center.enqueue(Array(repeating: job, count: count)) }

  func enqueueInTurn(_ count: Int) async throws -> [Double] {
    var times: [Double] = []
    for _ in 0..<count {
      let start = Stopwatch.time
      try await center.enqueue(job)
      times.append(Double(Stopwatch.time - start))
    }
    return times
  }

  func enqueue(callers: Int, each: Int) async throws -> Double {
    let start = Stopwatch.time
    try await withThrowingDiscardingTaskGroup { [center, job] group in
      for _ in 0..<callers {
        group.addTask { for _ in 0..<each { try await center.enqueue(job) } }
      }
    }
    return Double(Stopwatch.time - start)
  }

  func work() async throws -> [Int64] {
    center.jobs.resume()
    await center.jobs.idle()
    await center.jobs.stop()
    return done.take()
  }

  func waiting() async throws -> Int { try await center.jobs.counts().reduce(0) { $0 + $1.count } }

  func close() async {
    await center.jobs.stop()
    await store.close()
  }
}

/// The ids of the jobs whose bodies have run.
final class DoneJobs: Sendable {
  enum Key: SharedKey { typealias Value = DoneJobs }

  private let ids = Mutex<[Int64]>([])

  func add(_ id: JobID) { ids.withLock { $0.append(id.rawValue) } }

  func take() -> [Int64] {
    ids.withLock { ids in
      defer { ids = [] }
      return ids
    }
  }
}

/// Says that it has run, and nothing else.
struct CountedJob: DurableTask {
  var text: String

  // As the macro writes it: what is measured is the library, not its build.
  static var registration: DurableRegistration {
    DurableRegistration(
      __kind: NewJob.benchmark.kind, type: CountedJob.self, collected: (), at: (#fileID, #line, #column),
      run: { job, context in context.center[DoneJobs.Key.self]?.add(context.id) })
  }
}
#endif
