import TaskKit
import TaskKitTesting
import Testing

/// Pausing and resuming (DESIGN 7, R59, Rt26).
@Suite struct PauseTests {
  @Test func `a paused task is skipped with the reason, and so is what depends on it, until it is resumed`()
    async throws
  {
    let recorder = Recorder()
    let center = try TaskCenter.with([
      .event(.alpha, name: "paused") { _ in recorder.note("paused") },
      .event(.alpha, name: "needy", dependencies: ["paused"]) { _ in },
      .event(.alpha, name: "polite", after: ["paused"]) { _ in recorder.note("polite") },
    ])
    try center.pause("paused")
    let report = await center.send(.alpha)
    #expect(
      report.outcomes == [
        "paused": "skipped: paused", "needy": "skipped: 'paused' did not end well", "polite": "succeeded",
      ])
    #expect(report["paused"]?.started == nil)
    #expect(report["paused"]?.attempts == 0)
    try center.resume("paused")
    #expect(await center.send(.alpha).isSuccess)
    // What was missed is not delivered.
    #expect(recorder.notes == ["polite", "paused", "polite"])
  }

  @Test func `it is effective when the call returns, also from inside a task, Rt26`() async throws {
    let recorder = Recorder()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "first", priority: .high) { context in
          try context.center.pause("second")
          try context.center.resume("third")
          recorder.note("first")
        },
        .event(.alpha, name: "second") { _ in recorder.note("second") },
        .event(.alpha, name: "third") { _ in recorder.note("third") },
      ], limit: 1)
    try center.pause("third")
    #expect(
      await center.send(.alpha).outcomes == [
        "first": "succeeded", "second": "skipped: paused", "third": "succeeded",
      ])
    #expect(recorder.notes == ["first", "third"])
  }

  @Test func `a task may pause itself, which lets it end`() async throws {
    let center = try TaskCenter.with([
      .event(.alpha, name: "self") { context in try context.center.pause(context.name) }
    ])
    #expect(await center.send(.alpha).outcomes == ["self": "succeeded"])
    #expect(await center.send(.alpha).outcomes == ["self": "skipped: paused"])
  }

  @Test func `what runs goes on`() async throws {
    let gate = Gate()
    let center = try TaskCenter.with([.event(.alpha, name: "running") { _ in try await gate.passUnlessCancelled() }])
    let run = center.begin(.alpha)
    await gate.arrivals()
    try center.pause("running")
    gate.open()
    #expect(await run.report.outcomes == ["running": "succeeded"])
  }

  @Test func `a task that waits for another when it is paused does not start`() async throws {
    let gate = Gate()
    let center = try TaskCenter.with([
      .event(.alpha, name: "first") { _ in await gate.pass() },
      .event(.alpha, name: "second", dependencies: ["first"]) { _ in },
    ])
    let run = center.begin(.alpha)
    await gate.arrivals()
    try center.pause("second")
    gate.open()
    #expect(await run.report.outcomes == ["first": "succeeded", "second": "skipped: paused"])
  }

  @Test func `of the occasions that were missed the latest is delivered once, when asked`() async throws {
    let recorder = Recorder()
    let event = LifecycleEvent<String, Void>("message")
    let center = try TaskCenter.with([
      .event(event, name: "paused") { context in recorder.note(context.payload) },
      .event(event, name: "other") { _ in },
    ])
    try center.pause("paused", missed: .deliver)
    await center.send(event, "one")
    await center.send(event, "two")
    #expect(recorder.notes.isEmpty)
    try center.resume("paused")
    #expect(await recorder.notes(1) == ["two"])
    await center.quiet()
    // Once, and nothing more at the next resume.
    try center.pause("paused", missed: .deliver)
    try center.resume("paused")
    await center.quiet()
    #expect(recorder.notes == ["two"])
    #expect(try center.statistics(of: "other").count == 2)
  }

  @Test func `the policy is that of the latest pause`() async throws {
    let recorder = Recorder()
    let center = try TaskCenter.with([.event(.alpha, name: "paused") { _ in recorder.note("ran") }])
    try center.pause("paused", missed: .deliver)
    try center.pause("paused", missed: .skip)
    await center.send(.alpha)
    try center.resume("paused")
    await center.quiet()
    #expect(recorder.notes.isEmpty)
  }

  @Test func `what one pause has kept is not delivered after another one that skips`() async throws {
    let recorder = Recorder()
    let center = try TaskCenter.with([.event(.alpha, name: "paused") { _ in recorder.note("ran") }])
    try center.pause("paused", missed: .deliver)
    await center.send(.alpha)
    try center.pause("paused", missed: .skip)
    try center.resume("paused")
    await center.quiet()
    #expect(recorder.notes.isEmpty)
  }

  @Test func `what is about to be delivered when the task is paused again is delivered later`() async throws {
    let recorder = Recorder()
    let lane = Lane("deliveries")
    let event = LifecycleEvent<String, Void>("message")
    let center = try TaskCenter.with([
      .event(event, name: "paused", lane: lane) { context in recorder.note(context.payload) }
    ])
    try center.pause("paused", missed: .deliver)
    await center.send(event, "1")
    center.lane(lane).pause()
    try center.resume("paused")
    try center.pause("paused", missed: .deliver)
    center.lane(lane).resume()
    await center.quiet()
    #expect(recorder.notes == [])
    try center.resume("paused")
    await center.quiet()
    #expect(recorder.notes == ["1"])
  }

  /// Were it one of the event's, other tasks would have an occurrence dropped or cancelled for the sake of this one.
  @Test(arguments: [BurstPolicy.queue, .drop, .replace])
  func `what is delivered is apart from the bursts of its event`(burst: BurstPolicy) async throws {
    let gate = Gate()
    let recorder = Recorder()
    let event = LifecycleEvent<Int, Void>("message", burst: burst)
    let center = try TaskCenter.with([
      .event(event, name: "paused") { context in
        recorder.note("begin \(context.payload)")
        if context.payload == 1 { try await gate.passUnlessCancelled() }
        recorder.note("end \(context.payload)")
      }
    ])
    try center.pause("paused", missed: .deliver)
    await center.send(event, 1)
    try center.resume("paused")
    await gate.arrivals()
    #expect(await center.send(event, 2).isSuccess)
    gate.open()
    #expect(await recorder.notes(4) == ["begin 1", "begin 2", "end 2", "end 1"])
  }

  @Test func `what is delivered comes before what follows it where the task has a lane`() async throws {
    let gate = Gate()
    let recorder = Recorder()
    let event = LifecycleEvent<Int, Void>("message")
    let center = try TaskCenter.with([
      .event(event, name: "paused", lane: Lane("messages")) { context in
        recorder.note("begin \(context.payload)")
        await gate.pass()
        recorder.note("end \(context.payload)")
      }
    ])
    try center.pause("paused", missed: .deliver)
    await center.send(event, 1)
    try center.resume("paused")
    await gate.arrivals()
    let second = center.begin(event, 2)
    gate.open()
    #expect(await second.report.isSuccess)
    #expect(recorder.notes == ["begin 1", "end 1", "begin 2", "end 2"])
  }

  @Test func `a missed occasion of an event that happens once is delivered too`() async throws {
    let recorder = Recorder()
    let center = try TaskCenter.with([.event(.opening, name: "paused") { _ in recorder.note("ran") }])
    try center.pause("paused", missed: .deliver)
    await center.send(.opening)
    try center.resume("paused")
    #expect(await recorder.notes(1) == ["ran"])
  }

  @Test func `an occasion that a task is to run at as it comes into the center is kept by a pause, too`() async throws {
    let recorder = Recorder()
    let lane = Lane("closed", opens: .whenOpened)
    let center = try TaskCenter.with([])
    await center.send(.opening)
    try center.inject(
      .event(.opening, name: "late", lane: lane) { _ in recorder.note("ran") }, ifPassed: .runNow)
    await waitUntil { center.parkedCount(in: lane) >= 1 }
    try center.pause("late", missed: .deliver)
    center.lane(lane).open()
    await center.quiet()
    #expect(recorder.notes.isEmpty)
    try center.resume("late")
    #expect(await recorder.notes(1) == ["ran"])
  }

  @Test func `what was kept for a destroyed task is not delivered to its successor`() async throws {
    let recorder = Recorder()
    let center = try TaskCenter.with([.event(.alpha, name: "task") { _ in recorder.note("old") }])
    try center.pause("task", missed: .deliver)
    await center.send(.alpha)
    try center.destroy("task")
    try center.inject(.event(.alpha, name: "task") { _ in recorder.note("new") })
    try center.resume("task")
    await center.quiet()
    #expect(recorder.notes.isEmpty)
    // The pause went with the old one (Rw10).
    await center.send(.alpha)
    #expect(recorder.notes == ["new"])
  }

  @Test func `a task that is paused between two attempts has come to what the last one did, and missed nothing`()
    async throws
  {
    let clock = VirtualClock()
    let recorder = Recorder()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "again", retry: .attempts(2, backoff: .fixed(.seconds(3)))) { _ in
          recorder.note("attempt")
          throw Broken()
        }
      ], clock: clock)
    let run = center.begin(.alpha)
    await clock.waitForSleeper(until: .seconds(3))
    try center.pause("again", missed: .deliver)
    clock.advance(by: .seconds(3))
    #expect(await run.report.outcomes == ["again": "failed: broken"])
    try center.resume("again")
    await center.quiet()
    #expect(recorder.notes == ["attempt"])
  }

  @Test func `pausing twice and resuming what is not paused change nothing`() async throws {
    let center = try TaskCenter.with([.event(.alpha, name: "task") { _ in }])
    try center.resume("task")
    try center.pause("task")
    try center.pause("task")
    try center.resume("task")
    #expect(await center.send(.alpha).isSuccess)
  }

  /// Each call that takes a name, with a name that nobody has.
  @Test(arguments: ["pause", "resume", "destroy", "statistics", "run", "output"])
  func `a name that nobody has is an error with a suggestion`(call: String) async throws {
    let center = try TaskCenter.with([.event(.alpha, name: "refresh") { _ in }])
    let error = await #expect(throws: TaskError.self) {
      switch call {
      case "pause": try center.pause("refrehs")
      case "resume": try center.resume("refrehs")
      case "destroy": try center.destroy("refrehs")
      case "statistics": _ = try center.statistics(of: "refrehs")
      case "run": try await center.run("refrehs")
      default: _ = try await center.output(named: "refrehs", as: Int.self)
      }
    }
    #expect(error?.code == .unknownTask)
    #expect(error?.task == "refrehs")
    #expect(error?.description == "there is no task 'refrehs' in this center; did you mean 'refresh'?")
  }

  @Test func `paused between two attempts it ends with the failure of the first`() async throws {
    let clock = VirtualClock()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "flaky", retry: .attempts(3, backoff: .fixed(.seconds(1))), runs: .once) { _ in
          throw Broken()
        },
        .event(.alpha, name: "polite", after: ["flaky"]) { _ in },
      ], clock: clock)
    let run = center.begin(.alpha)
    await clock.waitForSleeper(until: .seconds(1))
    try center.pause("flaky")
    await clock.step(to: .seconds(1))
    let report = await run.report
    #expect(report.outcomes == ["flaky": "failed: broken", "polite": "succeeded"])
    #expect(report["flaky"]?.attempts == 1)
    // That was its one run.
    #expect(await center.send(.alpha).outcomes == ["polite": "succeeded"])
  }
}
