import Measuring
import TaskKit

/// TaskKit itself: a send of an event for each time, from the send until the report is there.
struct TaskCenterEngine: Engine {
  private let center: TaskCenter

  init(_ registry: TaskRegistry, reporting: TaskCenter.Configuration.Reporting, concurrency: Int = .max) {
    self.init(
      center: TaskCenter(
        registry: registry, configuration: .init(maximumConcurrency: concurrency, reporting: reporting)))
  }

  init(center: TaskCenter) {
    self.center = center
  }

  @concurrent
  func run(times: Int) async -> Int64 {
    let stopwatch = Stopwatch()
    for _ in 0..<times {
      let report = await center.send(.didBecomeActive)
      precondition(report.status == .completed, "the event did not complete: \(report.status)")
    }
    return stopwatch.elapsed
  }
}
