#if Durable
import Foundation
import Measuring
import TaskKitDurable

/// The store in an SQLite file, without a center.
final class StoreEngine: DurableEngine {
  static let name = "SQLiteStore"
  let share = 1.0
  let store: SQLiteStore

  init(at file: URL) async throws {
    store = SQLiteStore(at: file)
    _ = try await store.open(StoreEnvironment(owner: "benchmark"))
  }

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

  /// In one transaction.
  func enqueue(_ count: Int) async throws {
    _ = try await store.enqueue(Array(repeating: .benchmark, count: count))
  }

  func work(batch: Int) async throws -> Double {
    let start = Stopwatch.time
    var ends: [(AttemptKey, JobExchange.End)] = []
    repeat { ends = try await exchange(ends, batch: batch) } while !ends.isEmpty
    return Double(Stopwatch.time - start)
  }

  /// Finishes jobs and claims others.
  ///
  /// - Returns: how those that were claimed end.
  func exchange(
    _ ends: [(AttemptKey, JobExchange.End)], batch: Int
  ) async throws -> [(AttemptKey, JobExchange.End)] {
    let claim = JobExchange.Claim(
      queue: NewJob.benchmark.queue, limit: batch, kinds: [.init(NewJob.benchmark.kind, limit: batch)])
    let answer = try await store.exchange(JobExchange(ends: ends, claims: [claim]))
    precondition(answer.ends.allSatisfy { $0 }, "an attempt was refused")
    return answer.claimed.map { (AttemptKey(job: $0.id, token: $0.token), .succeeded(result: nil)) }
  }

  func waiting() async throws -> Int { try await store.counts().reduce(0) { $0 + $1.count } }

  func close() async { await store.close() }
}
#endif
