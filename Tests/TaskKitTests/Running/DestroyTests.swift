import Foundation
@testable import TaskKit
import TaskKitTesting
import Testing

/// Destroying (DESIGN 7, R58, Rt26-Rt30, Rw3, Rw9-Rw11).
@Suite struct DestroyTests {
  @Test func `a destroyed task runs no more, and its name is free when the call returns, Rt27`() async throws {
    let recorder = Recorder()
    let center = try TaskCenter.with([.event(.alpha, name: "task") { _ in recorder.note("old") }])
    await center.send(.alpha)
    try center.destroy("task")
    #expect(await center.send(.alpha).tasks.isEmpty)
    #expect(throws: TaskError.self) { try center.pause("task") }
    try center.inject(.event(.alpha, name: "task") { _ in recorder.note("new") })
    await center.send(.alpha)
    #expect(recorder.notes == ["old", "new"])
  }

  @Test func `a task of the registry can be destroyed and injected again like any other, Rw11`() async throws {
    let center = TaskCenter(
      registry: try TaskRegistry(tasks: [Load.registration, Show.registration]), time: .virtual(VirtualClock()))
    try center.destroy(Show.self)
    try center.destroy(Load.self)
    try center.inject(.event(.alpha, name: Load.registration.name) { _ in })
    #expect(await center.send(.alpha).outcomes == ["Tests.Load": "succeeded"])
  }

  @Test func `whatever takes the name of a task takes its type`() async throws {
    let center = TaskCenter(
      registry: try TaskRegistry(tasks: [Load.registration, Deaf.registration]), time: .virtual(VirtualClock()))
    let why = try center.why(Load.self, before: Deaf.self, at: .alpha)
    #expect(
      why == "'Tests.Load' starts before 'Tests.Deaf', because both have priority 500 and 'Tests.Load' is declared "
        + "first")
    try center.pause(Deaf.self)
    #expect(await center.send(.alpha).outcomes == ["Tests.Load": "succeeded", "Tests.Deaf": "skipped: paused"])
    #expect(try center.statistics(of: Load.self).count == 1)
    #expect(try center.statistics(of: Deaf.self).count == 0)
    try center.resume(Deaf.self)
    let run = center.begin(.alpha)
    await Deaf.gate.arrivals()
    try center.destroy(Deaf.self)
    async let destroyed: Void = center.destroyed(Deaf.self)
    await waitUntil { center.hasDestructionWaiters }
    Deaf.gate.open()
    await destroyed
    #expect(await run.report.outcomes["Tests.Load"] == "succeeded")
    #expect(await center.send(.alpha).outcomes == ["Tests.Load": "succeeded"])
  }

  @Test func `with dependents it is refused, listing them, and nothing has changed, Rt30`() async throws {
    let center = try TaskCenter.with([
      .event(.alpha, name: "base") { _ in },
      .event(.alpha, name: "one", dependencies: ["base"]) { _ in },
      .event(.beta, name: "two", dependencies: ["base"]) { _ in },
      .event(.alpha, name: "indirect", dependencies: ["one"]) { _ in },
      .event(.alpha, name: "polite", after: ["base"]) { _ in },
    ])
    let error = #expect(throws: TaskError.self) { try center.destroy("base") }
    #expect(error?.code == .hasDependents)
    #expect(
      error?.description
        == "'base' cannot be destroyed, because 'one', 'two' depend on it; destroy them too (dependents: .include), or "
        + "let them go on without it (dependents: .detach)")
    #expect(await center.send(.alpha).outcomes.count == 4)
    let single = #expect(throws: TaskError.self) { try center.destroy("one") }
    #expect(single?.description.contains("because 'indirect' depends on it") == true)
  }

  @Test func `dependents may go with it, theirs as well`() async throws {
    let center = try TaskCenter.with([
      .event(.alpha, name: "base") { _ in },
      .event(.alpha, name: "one", dependencies: ["base"]) { _ in },
      .event(.beta, name: "two", dependencies: ["one"]) { _ in },
      .event(.alpha, name: "polite", after: ["base"]) { _ in },
    ])
    try center.destroy("base", dependents: .include)
    #expect(await center.send(.alpha).outcomes == ["polite": "succeeded"])
    #expect(await center.send(.beta).outcomes == [:])
  }

  @Test func `dependents may go on without it, and reading its output throws`() async throws {
    let outputs = Values<String>()
    let center = try TaskCenter.with([
      .event(.alpha, name: "base", returning: { _ in 1 }),
      .event(.alpha, name: "other", returning: { _ in 2 }),
      .event(.alpha, name: "needy", dependencies: ["base", "other"]) { context in
        for name: TaskName in ["base", "other"] {
          do {
            outputs.append("\(try context.output(named: name, as: Int.self))")
          } catch {
            outputs.append("\(error)")
          }
        }
      },
    ])
    await center.send(.alpha)
    try center.destroy("base", dependents: .detach)
    #expect(await center.send(.alpha).outcomes == ["other": "succeeded", "needy": "succeeded"])
    #expect(outputs.values == ["1", "2", "'base' has no output: it was destroyed or left out", "2"])
  }

  @Test(arguments: [DependentsPolicy.include, .detach])
  func `after any way of destroying a prerequisite, injecting goes on as before, Rw3`(policy: DependentsPolicy)
    async throws
  {
    let center = try TaskCenter.with([
      .event(.alpha, name: "base") { _ in },
      .event(.alpha, name: "needy", dependencies: ["base"]) { _ in },
      .event(.alpha, name: "polite", after: ["base"]) { _ in },
    ])
    try center.destroy("base", dependents: policy)
    try center.inject(.event(.alpha, name: "new") { _ in })
    try center.inject(.event(.alpha, name: "base") { _ in })
    let report = await center.send(.alpha)
    #expect(report.isSuccess)
    #expect(report.tasks.count == (policy == .include ? 3 : 4))
  }

  @Test func `a name in 'after' counts again when it comes back`() async throws {
    let recorder = Recorder()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "first", priority: .low) { _ in recorder.note("old first") },
        .event(.alpha, name: "second", priority: .high, after: ["first"]) { _ in recorder.note("second") },
      ], limit: 1)
    try center.destroy("first")
    await center.send(.alpha)
    try center.inject(.event(.alpha, name: "first", priority: .low) { _ in recorder.note("new first") })
    await center.send(.alpha)
    #expect(recorder.notes == ["second", "new first", "second"])
  }

  @Test func `a running body is cancelled, and destroyed waits for its end`() async throws {
    let never = Gate()
    let recorder = Recorder()
    let center = try TaskCenter.with([
      .event(.alpha, name: "busy") { _ in
        do { try await never.passUnlessCancelled() } catch {
          recorder.note("cancelled")
          throw error
        }
      },
      .event(.alpha, name: "other") { _ in },
    ])
    let run = center.begin(.alpha)
    await never.arrivals()
    try center.destroy("busy")
    await center.destroyed("busy")
    #expect(recorder.notes == ["cancelled"])
    #expect(await run.report.outcomes == ["busy": "cancelled", "other": "succeeded"])
    // Nothing to wait for.
    await center.destroyed("busy")
    await center.destroyed("never there")
  }

  @Test func `destroyed waits for a body that ignores cancellation`() async throws {
    let gate = Gate()
    let recorder = Recorder()
    let center = try TaskCenter.with([
      .event(.alpha, name: "deaf") { _ in
        await gate.pass()
        recorder.note("returned")
      }
    ])
    let run = center.begin(.alpha)
    await gate.arrivals()
    try center.destroy("deaf")
    async let destroyed: Void = center.destroyed("deaf")
    await waitUntil { center.hasDestructionWaiters }
    #expect(recorder.notes.isEmpty)
    gate.open()
    await destroyed
    #expect(recorder.notes == ["returned"])
    // It was cancelled and returned all the same: that is a success.
    #expect(await run.report.outcomes == ["deaf": "succeeded"])
  }

  @Test(arguments: [Int.max, 2], ["destroy, then inject", "replace", "twice"])
  func `a successor of the same name starts only after the old body`(limit: Int, way: String) async throws {
    let gate = Gate()
    let recorder = Recorder()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "task") { _ in
          await gate.pass()
          recorder.note("old")
        },
        .event(.beta, name: "other") { _ in recorder.note("other") },
      ], limit: limit)
    let old = center.begin(.alpha)
    await gate.arrivals()
    let successor = TaskDefinition.event(.beta, name: "task", priority: .high) { _ in recorder.note("new") }
    switch way {
    case "replace": try center.inject(successor, replacing: true)
    case "twice":
      try center.inject(.event(.beta, name: "task") { _ in recorder.note("never") }, replacing: true)
      try center.destroy("task")
      try center.inject(successor)
    default:
      try center.destroy("task")
      try center.inject(successor)
    }
    let new = center.begin(.beta)
    #expect(await recorder.notes(1) == ["other"])
    gate.open()
    #expect(await new.report.outcomes == ["task": "succeeded", "other": "succeeded"])
    #expect(recorder.notes == ["other", "old", "new"])
    _ = await old.report
  }

  @Test func `in an occurrence that is going, a task that has not started counts as cancelled`() async throws {
    let gate = Gate()
    let center = try TaskCenter.with([
      .event(.alpha, name: "first") { _ in await gate.pass() },
      .event(.alpha, name: "second", dependencies: ["first"]) { _ in },
      .event(.alpha, name: "third", dependencies: ["second"]) { _ in },
    ])
    let run = center.begin(.alpha)
    await gate.arrivals()
    try center.destroy("second", dependents: .include)
    gate.open()
    #expect(
      await run.report.outcomes == [
        "first": "succeeded", "second": "cancelled", "third": "skipped: 'second' did not end well",
      ])
  }

  @Test(arguments: [Int.max, 2])
  func `in an occurrence that is going, what is detached from it goes on at once`(limit: Int) async throws {
    let gate = Gate()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "first") { _ in await gate.pass() },
        .event(.alpha, name: "second", dependencies: ["first"]) { _ in },
        .event(.alpha, name: "third", dependencies: ["second"]) { _ in gate.open() },
      ], limit: limit)
    let run = center.begin(.alpha)
    await gate.arrivals()
    try center.destroy("second", dependents: .detach)
    // The third opens the gate for the first: it must not wait for its end.
    #expect(
      await run.report.outcomes == ["first": "succeeded", "second": "cancelled", "third": "succeeded"])
  }

  @Test func `a task may destroy itself`() async throws {
    let recorder = Recorder()
    let center = try TaskCenter.with([
      .event(.alpha, name: "self") { context in
        try context.center.destroy(context.name)
        recorder.note("\(Task.isCancelled)")
      }
    ])
    #expect(await center.send(.alpha).outcomes == ["self": "succeeded"])
    #expect(await center.send(.alpha).outcomes == [:])
  }

  @Test func `the short name is enough while only one task has it`() async throws {
    let center = try twoModules()
    try center.pause("Alone")
    let error = #expect(throws: TaskError.self) { try center.destroy("Refresh") }
    #expect(error?.code == .ambiguousName)
    #expect(
      error?.description
        == "'Refresh' is the name of several tasks; write one of 'News.Refresh', 'Sport.Refresh'")
    try center.destroy("News.Refresh")
    try center.destroy("Refresh")
    #expect(await center.send(.alpha).outcomes == ["News.Alone": "skipped: paused"])
  }

  private func twoModules() throws -> TaskCenter {
    let news = ModuleTasks.of(
      "News", [.event(.alpha, name: "News.Refresh") { _ in }, .event(.alpha, name: "News.Alone") { _ in }])
    let sport = ModuleTasks.of("Sport", [.event(.alpha, name: "Sport.Refresh") { _ in }])
    return TaskCenter(registry: try TaskRegistry(modules: [news, sport]), time: .virtual(VirtualClock()))
  }

  @Test(arguments: [Int.max, 2], ["detach", "replace"])
  func `in an occurrence of another event, what is detached from it goes on at once`(limit: Int, way: String)
    async throws
  {
    let gate = Gate()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "first") { _ in await gate.pass() },
        .event(.alpha, name: "second", dependencies: ["first"]) { _ in },
        .event(.beta, name: "third", dependencies: ["second"]) { _ in gate.open() },
        .event(.beta, name: "free", priority: .high) { _ in },
      ], limit: limit)
    let alpha = center.begin(.alpha)
    await gate.arrivals()
    let beta = center.begin(.beta)
    await beta.ready(.high)
    if way == "detach" {
      try center.destroy("second", dependents: .detach)
    } else {
      try center.inject(.event(.alpha, name: "second") { _ in }, replacing: true)
    }
    #expect(await beta.report.outcomes == ["third": "succeeded", "free": "succeeded"])
    gate.open()
    #expect(await alpha.report.outcomes == ["first": "succeeded", "second": "cancelled"])
  }

  @Test func `what is detached from a running body goes on when that has returned`() async throws {
    let never = Gate()
    let center = try TaskCenter.with([
      .event(.alpha, name: "first") { _ in try await never.passUnlessCancelled() },
      .event(.alpha, name: "second", dependencies: ["first"]) { _ in },
    ])
    let run = center.begin(.alpha)
    await never.arrivals()
    try center.destroy("first", dependents: .detach)
    #expect(await run.report.outcomes == ["first": "cancelled", "second": "succeeded"])
  }

  @Test(arguments: [Int.max, 2]) @MainActor
  func `what has not begun never does once the end of a destroyed task has stopped its event`(limit: Int) async throws {
    let gate = Gate()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "first") { _ in await gate.pass() },
        .event(
          .alpha, name: "failing", retry: .attempts(2, backoff: .fixed(.seconds(10))), onFailure: .stopEvent
        ) { _ in throw Broken() },
        .event(.alpha, name: "main", dependencies: ["first"]) { @MainActor _ in },
      ], limit: limit)
    let run = center.begin(.alpha)
    await gate.arrivals()
    await waitUntil { center.nextTimer != nil }
    gate.open()
    // Without letting go of the main actor, on which the last one is to begin.
    while run.progress.ended < 1 { sched_yield() }
    try center.destroy("failing")
    #expect(await run.report.outcomes["main"] == "skipped: event stopped")
  }

  /// What depends on the task in another event ends that event, which ends the one run of a task that both have, and with it the
  /// first event.
  @Test func `a task is destroyed in an occurrence that ends through another one for that reason`() async throws {
    let clock = VirtualClock()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "retries", retry: .attempts(2, backoff: .fixed(.seconds(60)))) { _ in throw Broken() },
        .events([.alpha, .beta], name: "once", after: ["retries"], runs: .once) { _ in },
        .event(.beta, name: "depends", dependencies: ["retries"]) { _ in },
      ], clock: clock)
    let alpha = center.begin(.alpha)
    await clock.waitForSleepers()
    let beta = center.begin(.beta)
    await waitUntil { beta.progress.ended == 1 }
    try center.destroy("retries", dependents: .include)
    #expect(await beta.report.outcomes["once"] == "succeeded")
    let outcomes = await alpha.report.outcomes
    #expect(outcomes == ["retries": "cancelled", "once": "skipped: already ran"])
    #expect(await center.send(.alpha).tasks.isEmpty)
  }

  @MainActor
  @Test func `occurrences that waited for the old body and ended before it are not kept until it returns`() async throws
  {
    let gate = Gate()
    let center = try TaskCenter.with([.event(.alpha, name: "task") { _ in await gate.pass() }])
    let alpha = center.begin(.alpha)
    await gate.arrivals()
    try center.destroy("task")
    try center.inject(.event(.beta, name: "task") { _ in })
    for _ in 0..<1000 {
      let run = center.begin(.beta)
      run.cancel()
      _ = await run.report
    }
    #expect(center.waitingElsewhere < 50)
    let beta = center.begin(.beta)
    gate.open()
    #expect(await beta.report.outcomes == ["task": "succeeded"])
    _ = await alpha.report
  }
}

/// Does not hear that it is cancelled.
private enum Deaf: LifecycleTask {
  static let gate = Gate()
  nonisolated static var registration: TaskRegistration {
    TaskRegistration(
      __name: "Tests.Deaf", type: Deaf.self, collected: (), at: TaskLocation("Tests/Deaf.swift", 1, 1),
      occasions: [TaskOccasion(.alpha, __run: Deaf.run)])
  }

  @concurrent static func run() async { await gate.pass() }
}
