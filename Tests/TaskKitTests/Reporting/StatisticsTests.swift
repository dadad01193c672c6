import Foundation
import TaskKit
import TaskKitTesting
import Testing

/// `statistics(of:)`: how tasks did over the life of a center (R34, Rt32).
@Suite struct StatisticsTests {
  @Test func `count, last, total, maximum and the last outcome`() async throws {
    let clock = VirtualClock()
    let event = LifecycleEvent<Int, Void>("work")
    let center = try TaskCenter.with(
      [
        .event(event, name: "task") { context in
          clock.advance(by: .seconds(context.payload))
          if context.payload == 7 { throw Broken() }
        }
      ], clock: clock)
    let before = try center.statistics(of: "task")
    #expect(before.count == 0)
    #expect(before.total == .zero)
    #expect(before.lastOutcome == nil)
    #expect(before.description == "no run")
    for seconds in [2, 5, 3] { await center.send(event, seconds) }
    let after = try center.statistics(of: "task")
    #expect(after.count == 3)
    #expect(after.last == .seconds(3))
    #expect(after.total == .seconds(10))
    #expect(after.maximum == .seconds(5))
    #expect(after.lastOutcome == "succeeded")
    #expect(after.description == "3 runs, 3.33 s on average, 5.00 s at most, the last 3.00 s: succeeded")
    await center.send(event, 7)
    let failed = try center.statistics(of: "task")
    #expect(failed.count == 4)
    #expect(failed.maximum == .seconds(7))
    #expect(failed.lastOutcome == "failed: broken")
    // A skipped occurrence counts as an outcome and not as a run.
    try center.pause("task")
    await center.send(event, 1)
    let skipped = try center.statistics(of: "task")
    #expect(skipped.count == 4)
    #expect(skipped.last == .seconds(7))
    #expect(skipped.lastOutcome == "skipped: paused")
  }

  /// Whether an occurrence counts as a run, by how it ended.
  @Test(
    arguments: [
      ("succeeded", 1), ("failed: broken", 1), ("timed out", 1), ("cancelled", 1), ("skipped: disabled", 0),
      ("skipped: paused", 0), ("skipped: 'blocker' did not end well", 0),
    ])
  func `what ended without being skipped counts as a run`(outcome: String, count: Int) async throws {
    let clock = VirtualClock()
    let never = Gate()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "blocker") { _ in if outcome.contains("blocker") { throw Broken() } },
        .event(.alpha, name: "task", dependencies: ["blocker"], timeout: .seconds(5)) { _ in
          switch outcome {
          case "failed: broken": throw Broken()
          case "timed out": try await never.passUnlessCancelled()
          case "cancelled": throw CancellationError()
          case "skipped: disabled": throw TaskDisabled()
          default: break
          }
        },
      ], clock: clock)
    if outcome == "skipped: paused" { try center.pause("task") }
    let run = center.begin(.alpha)
    if outcome == "timed out" { await clock.step(to: .seconds(5)) }
    #expect(await run.report.outcomes["task"] == outcome)
    let statistics = try center.statistics(of: "task")
    #expect(statistics.count == count)
    #expect(statistics.lastOutcome == outcome)
  }

  @Test func `a run that was never started does not count, though it was cancelled`() async throws {
    let gate = Gate()
    let center = try TaskCenter.with([
      .event(.alpha, name: "first") { _ in try await gate.passUnlessCancelled() },
      .event(.alpha, name: "second", dependencies: ["first"]) { _ in },
    ])
    let run = center.begin(.alpha)
    await gate.arrivals()
    run.cancel()
    _ = await run.report
    #expect(try center.statistics(of: "first").count == 1)
    #expect(try center.statistics(of: "second").count == 0)
    #expect(try center.statistics(of: "second").lastOutcome == "cancelled")
  }

  @Test func `a successor of the same name begins anew`() async throws {
    let center = try TaskCenter.with([.event(.alpha, name: "task") { _ in }])
    await center.send(.alpha)
    try center.inject(.event(.alpha, name: "task") { _ in }, replacing: true)
    #expect(try center.statistics(of: "task").count == 0)
  }

  @Test func `a center that reports problems only keeps none`() async throws {
    let center = TaskCenter(configuration: .init(reporting: .problems), time: .virtual(VirtualClock()))
    try center.inject([
      .event(.alpha, name: "good") { _ in }, .event(.alpha, name: "bad") { _ in throw Broken() },
    ])
    let report = await center.send(.alpha)
    #expect(report.outcomes == ["bad": "failed: broken"])
    #expect(report.taskCount == 2)
    #expect(try JSONDecoder().decode(EventReport.self, from: JSONEncoder().encode(report)).taskCount == 2)
    #expect(report.duration == .zero)
    #expect(report.criticalPath.segments.isEmpty)
    #expect(try center.statistics(of: "good").count == 0)
  }

  @Test func `a report is asked by the end of a name only while one task's name ends like that`() async throws {
    let center = try TaskCenter.with([
      .event(.alpha, name: "One.Refresh") { _ in }, .event(.alpha, name: "Two.Refresh") { _ in },
      .event(.alpha, name: "Two.Load") { _ in },
    ])
    let report = await center.send(.alpha)
    #expect(report["Load"]?.name == "Two.Load")
    #expect(report["Refresh"] == nil)
    #expect(report["Two.Refresh"]?.name == "Two.Refresh")
  }
}
