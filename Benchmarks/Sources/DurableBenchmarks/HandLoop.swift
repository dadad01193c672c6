#if Durable
import Foundation
import Measuring
import SQLiteLoop
import TaskKitDurable

/// A loop over SQLite's C API, which commits as many jobs at a time as there are callers.
final class HandLoop: DurableEngine {
  static let name = "C API"
  let share = 1.0
  let file: URL
  private let loop: OpaquePointer
  private let payload = [UInt8](HandLoop.payload)

  /// Lets a store make the file, and takes it over.
  init(at file: URL) async throws {
    self.file = file
    let store = SQLiteStore(at: file)
    _ = try await store.open(StoreEnvironment(owner: "benchmark"))
    _ = try await store.enqueue([.benchmark])
    await store.close()
    loop = sqlite_loop_open(file.path(percentEncoded: false), NewJob.benchmark.queue, NewJob.benchmark.kind)
    _ = work(batch: 1)
  }

  deinit { sqlite_loop_close(loop) }

  func enqueue(_ count: Int, due: Date? = nil) {
    let microseconds = due.map { Int64($0.timeIntervalSince1970 * 1_000_000) } ?? 0
    sqlite_loop_enqueue(loop, Int32(count), payload, Int32(payload.count), microseconds)
  }

  func enqueueInTurn(_ count: Int) -> [Double] {
    (0..<count).map { _ in
      let start = Stopwatch.time
      enqueue(1)
      return Double(Stopwatch.time - start)
    }
  }

  func enqueue(callers: Int, each: Int) -> Double {
    let start = Stopwatch.time
    for _ in 0..<each { enqueue(callers) }
    return Double(Stopwatch.time - start)
  }

  func work(batch: Int) -> Double {
    let start = Stopwatch.time
    while sqlite_loop_exchange(loop, Int32(batch)) > 0 {}
    return Double(Stopwatch.time - start)
  }

  func exchange(batch: Int) -> Int { Int(sqlite_loop_exchange(loop, Int32(batch))) }

  func waiting() -> Int { Int(sqlite_loop_jobs(loop)) }

  func checkpoint() { sqlite_loop_checkpoint(loop) }

  func close() {}
}

extension NewJob {
  /// What every engine writes down.
  static let benchmark = NewJob(kind: "benchmark", payload: JobPayload(bytes: HandLoop.payload))
}
#endif
