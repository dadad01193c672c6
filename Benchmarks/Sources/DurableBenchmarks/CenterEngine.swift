#if Durable
import Foundation
import Measuring
import TaskKit
import TaskKitDurable

/// A whole center: values that are encoded, workers, attempts, events.
final class CenterEngine: DurableEngine {
  static let name = "TaskCenter"
  let share = 1.0
  private let center: TaskCenter
  private let job = EmptyJob(text: String(repeating: "a", count: 189))

  init(at file: URL, workers: Int) async throws {
    center = try TaskCenter(
      registry: TaskRegistry().adding(EmptyJob.self),
      stores: [DurableStore("jobs", SQLiteStore(at: file))],
      jobs: JobConfiguration(defaultQueue: QueueOptions(workers: workers), monitors: []))
    center.start()
    await center.jobs.stop()
  }

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

  func work(batch: Int) async throws -> Double {
    let start = Stopwatch.time
    center.jobs.resume()
    await center.jobs.idle()
    let elapsed = Double(Stopwatch.time - start)
    await center.jobs.stop()
    return elapsed
  }

  func waiting() async throws -> Int { try await center.jobs.counts().reduce(0) { $0 + $1.count } }

  /// The store is closed with the center.
  func close() {}
}

/// Does nothing.
struct EmptyJob: DurableTask {
  var text: String

  func run(_ context: DurableContext) {}

  // As the macro writes it: what is measured is the library, not its build.
  static var registration: DurableRegistration {
    DurableRegistration(
      __kind: "benchmark", type: EmptyJob.self, collected: (), at: (#fileID, #line, #column),
      run: { job, context in job.run(context) })
  }
}
#endif
