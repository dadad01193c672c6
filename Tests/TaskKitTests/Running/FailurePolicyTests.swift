import TaskKit
import TaskKitTesting
import Testing

/// What the end of one task means for the others (DESIGN 7: "a dependency did not end well").
@Suite struct FailurePolicyTests {
  @Test(arguments: [Int.max, 1])
  func `a failed task blocks only what needs it, with its name, and everything else goes on`(limit: Int) async throws {
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "bad", priority: .critical) { _ in throw Broken() },
        .event(.alpha, name: "needy", dependencies: ["bad"]) { _ in },
        .event(.alpha, name: "needier", dependencies: ["needy"]) { _ in },
        .event(.alpha, name: "polite", after: ["bad"]) { _ in },
        .event(.alpha, name: "polite to the skipped", after: ["needier"]) { _ in },
        .event(.alpha, name: "free") { _ in },
      ], limit: limit)
    let report = await center.send(.alpha)
    #expect(
      report.outcomes == [
        "bad": "failed: broken", "needy": "skipped: 'bad' did not end well",
        "needier": "skipped: 'bad' did not end well", "polite": "succeeded", "polite to the skipped": "succeeded",
        "free": "succeeded",
      ])
    #expect(report.status == .completed)
    #expect(!report.isSuccess)
    #expect(report["bad"]?.outcome.isSuccess == false)
  }

  @Test func `a failure that is to be ignored lets dependents run, and its output throws`() async throws {
    let recorder = Recorder()
    let center = try TaskCenter.with([
      .event(.alpha, name: "bad", onFailure: .ignore, returning: { _ -> Int in throw Broken() }),
      .event(.alpha, name: "needy", dependencies: ["bad"]) { context in
        do {
          recorder.note("\(try context.output(named: "bad", as: Int.self))")
        } catch {
          recorder.note("\(error)")
        }
      },
    ])
    let report = await center.send(.alpha)
    #expect(report.outcomes == ["bad": "failed: broken", "needy": "succeeded"])
    #expect(recorder.notes == ["'bad' has no output: it failed: broken"])
  }

  @Test func `a failure that stops the event keeps what has not started from starting, At3`() async throws {
    let recorder = Recorder()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "first") { _ in recorder.note("first") },
        .event(.alpha, name: "second", onFailure: .stopEvent) { _ in throw Broken() },
        .event(.alpha, name: "third") { _ in recorder.note("third") },
        .event(.alpha, name: "fourth", after: ["third"]) { _ in recorder.note("fourth") },
      ], limit: 1)
    let report = await center.send(.alpha)
    #expect(
      report.outcomes == [
        "first": "succeeded", "second": "failed: broken", "third": "skipped: event stopped",
        "fourth": "skipped: event stopped",
      ])
    #expect(recorder.notes == ["first"])
    #expect(report.status == .completed)
  }

  @Test func `after a stop, what was left can be run, and what failed again only when asked, At4`() async throws {
    let recorder = Recorder()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "second", onFailure: .stopEvent) { _ in
          recorder.note("second")
          throw Broken()
        },
        .event(.alpha, name: "third") { _ in recorder.note("third") },
      ], limit: 1)
    await center.send(.alpha)
    let third = try await center.run("third")
    #expect(third.outcomes == ["third": "succeeded"])
    #expect(recorder.notes == ["second", "third"])
    let second = try await center.run("second")
    #expect(second.outcomes == ["second": "failed: broken"])
  }

  @Test func `what runs already when the event is stopped is left to end`() async throws {
    let gate = Gate()
    let center = try TaskCenter.with([
      .event(.alpha, name: "running") { _ in try await gate.passUnlessCancelled() },
      .event(.alpha, name: "stopper", onFailure: .stopEvent) { _ in
        await gate.arrivals()
        throw Broken()
      },
      .event(.alpha, name: "later", after: ["running"]) { _ in },
    ])
    let events = center.events.makeAsyncIterator()
    let run = center.begin(.alpha)
    _ = await events.words(until: "taskEnded stopper: failed: broken")
    gate.open()
    #expect(
      await run.report.outcomes == [
        "running": "succeeded", "stopper": "failed: broken", "later": "skipped: event stopped",
      ])
  }

  /// Every way not to end well, with the policy of the task and what becomes of a task that depends on it.
  @Test(
    arguments: [
      ("failed: broken", FailurePolicy.skipDependents, "skipped: 'culprit' did not end well"),
      ("failed: broken", .ignore, "succeeded"),
      ("failed: broken", .stopEvent, "skipped: 'culprit' did not end well"),
      ("timed out", .skipDependents, "skipped: 'culprit' did not end well"),
      ("timed out", .ignore, "succeeded"),
      ("timed out", .stopEvent, "skipped: 'culprit' did not end well"),
      ("cancelled", .skipDependents, "skipped: 'culprit' did not end well"),
      ("cancelled", .ignore, "succeeded"),
      ("cancelled", .stopEvent, "skipped: 'culprit' did not end well"),
      ("skipped: disabled", .skipDependents, "skipped: 'culprit' did not end well"),
      ("skipped: disabled", .ignore, "skipped: 'culprit' did not end well"),
      ("skipped: disabled", .stopEvent, "skipped: 'culprit' did not end well"),
      ("skipped: paused", .skipDependents, "skipped: 'culprit' did not end well"),
      ("skipped: paused", .ignore, "skipped: 'culprit' did not end well"),
      ("skipped: paused", .stopEvent, "skipped: 'culprit' did not end well"),
    ])
  func `each bad end and each policy`(outcome: String, policy: FailurePolicy, dependent: String) async throws {
    let clock = VirtualClock()
    let stuck = Gate()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "culprit", timeout: .seconds(5), onFailure: policy) { _ in
          switch outcome {
          case "failed: broken": throw Broken()
          case "cancelled": throw CancellationError()
          case "skipped: disabled": throw TaskDisabled()
          default: try await stuck.passUnlessCancelled()
          }
        },
        .event(.alpha, name: "dependent", dependencies: ["culprit"]) { _ in },
        .event(.alpha, name: "polite", after: ["dependent"]) { _ in },
      ], clock: clock)
    if outcome == "skipped: paused" { try center.pause("culprit") }
    let run = center.begin(.alpha)
    if outcome == "timed out" { await clock.step(to: .seconds(5)) }
    let report = await run.report
    // A failure stops the event; a task that did not run has not failed.
    let stops = policy == .stopEvent && !outcome.hasPrefix("skipped")
    #expect(
      report.outcomes == [
        "culprit": outcome, "dependent": dependent, "polite": stops ? "skipped: event stopped" : "succeeded",
      ])
  }
}
