import TaskKit
import TaskKitTesting
import Testing

/// `run(_:)`: one task now, with what it depends on and has not run (DESIGN 5).
@Suite struct SingleTaskTests {
  private func center(_ recorder: Recorder, limit: Int = .max) throws -> TaskCenter {
    func note(_ name: TaskName, _ dependencies: [TaskDependency] = []) -> TaskDefinition {
      .event(.alpha, name: name, dependencies: dependencies) { _ in recorder.note(name.rawValue) }
    }
    return try TaskCenter.with(
      [note("a"), note("b", ["a"]), note("c", ["b"]), note("unrelated"), note("d", ["c"])], limit: limit)
  }

  @Test(arguments: [Int.max, 1])
  func `it brings along what it depends on, and nothing else`(limit: Int) async throws {
    let recorder = Recorder()
    let center = try center(recorder, limit: limit)
    let report = try await center.run("c")
    #expect(report.names == ["a", "b", "c"])
    #expect(report.isSuccess)
    #expect(recorder.notes == ["a", "b", "c"])
  }

  @Test func `what has ended well already is not run again, the task itself is`() async throws {
    let recorder = Recorder()
    let center = try center(recorder)
    try await center.run("b")
    try await center.run("b")
    try await center.run("d")
    #expect(recorder.notes == ["a", "b", "b", "c", "d"])
  }

  @Test func `what has failed is tried again`() async throws {
    let failures = Values<Int>()
    let center = try TaskCenter.with([
      .event(.alpha, name: "flaky") { _ in
        failures.append(1)
        if failures.values.count == 1 { throw Broken() }
      },
      .event(.alpha, name: "needy", dependencies: ["flaky"]) { _ in },
    ])
    #expect(
      try await center.run("needy").outcomes == [
        "flaky": "failed: broken", "needy": "skipped: 'flaky' did not end well",
      ])
    #expect(try await center.run("needy").isSuccess)
  }

  @Test func `what is running is waited for`() async throws {
    let gate = Gate()
    let recorder = Recorder()
    let center = try TaskCenter.with([
      .event(.alpha, name: "base") { _ in
        await gate.pass()
        recorder.note("base")
      },
      .event(.beta, name: "needy", dependencies: ["base"]) { _ in recorder.note("needy") },
    ])
    let alpha = center.begin(.alpha)
    await gate.arrivals()
    let single = Task { try await center.run("needy") }
    await waitUntil { center.activeRuns >= 2 }
    gate.open()
    #expect(try await single.value.outcomes == ["needy": "succeeded"])
    #expect(recorder.notes == ["base", "needy"])
    _ = await alpha.report
  }

  @Test func `a task with a payload gets the latest one of its event`() async throws {
    let recorder = Recorder()
    let event = LifecycleEvent<String, Void>("message")
    let other = LifecycleEvent<Int, Void>("number")
    let center = try TaskCenter.with([
      .event(event, name: "reader") { context in recorder.note(context.payload) },
      .event(other, name: "counter", dependencies: ["reader"]) { context in recorder.note("\(context.payload)") },
    ])
    let error = await #expect(throws: TaskError.self) { try await center.run("reader") }
    #expect(error?.code == .needsPayload)
    #expect(
      error?.description
        == "'reader' needs the payload of 'message', which was never sent; send the event instead")
    await center.send(other, 7)
    // A dependency of another event that was never sent is as bad.
    let second = await #expect(throws: TaskError.self) { try await center.run("counter") }
    #expect(second?.task == "reader")
    await center.send(event, "one")
    await center.send(event, "two")
    try await center.run("reader")
    try await center.run("counter")
    #expect(recorder.notes == ["one", "two", "two", "7"])
  }

  @Test func `it brings along what failed for want of another event, with that event's payload`() async throws {
    let recorder = Recorder()
    let event = LifecycleEvent<String, Void>("message")
    let fails = Values<Int>()
    let center = try TaskCenter.with([
      .event(event, name: "base") { context in
        fails.append(1)
        if fails.values.count == 1 { throw Broken() }
        recorder.note("base \(context.payload)")
      },
      .event(.beta, name: "needy", dependencies: ["base"]) { _ in recorder.note("needy") },
    ])
    await center.send(event, "text")
    #expect(await center.send(.beta).outcomes == ["needy": "skipped: 'base' did not end well"])
    #expect(try await center.run("needy").outcomes == ["base": "succeeded", "needy": "succeeded"])
    #expect(recorder.notes == ["base text", "needy"])
  }

  @Test func `a scheduled task that another one brings along is told the number of its own next run`() async throws {
    let table = Timetable()
    try table.center.inject([
      .schedule(name: "base", every: .seconds(5)) { [recorder = table.recorder] context in
        recorder.note("base \(context.payload.number)")
        if !context.payload.isManual, context.payload.number % 2 == 1 { throw Broken() }
      },
      .schedule(name: "needy", every: .seconds(10), dependencies: ["base"]) { [recorder = table.recorder] context in
        recorder.note("needy \(context.payload.number)")
      },
    ])
    table.center.start()
    await table.pass(.seconds(25))
    #expect(table.notes == ["base 1", "base 2", "needy 1", "base 3", "base 4", "needy 2", "base 5"])
    #expect(try await table.center.run("needy").isSuccess)
    #expect(table.notes.suffix(2) == ["base 6", "needy 3"])
  }

  @Test func `by type, with its output`() async throws {
    let center = TaskCenter(
      registry: try TaskRegistry(tasks: [Load.registration, Show.registration]), time: .virtual(VirtualClock()))
    #expect(try await center.run(Show.self).names == ["Tests.Load", "Tests.Show"])
    #expect(try await center.output(of: Load.self) == 42)
  }

  @Test func `cancelling the caller cancels it`() async throws {
    let never = Gate()
    let center = try TaskCenter.with([
      .event(.alpha, name: "task") { _ in try await never.passUnlessCancelled() }
    ])
    let single = Task { try await center.run("task") }
    await never.arrivals()
    single.cancel()
    let report = try await single.value
    #expect(report.status == .cancelled)
    #expect(report.outcomes == ["task": "cancelled"])
  }

  @Test func `one that runs once and has is not run again`() async throws {
    let center = try TaskCenter.with([
      .event(.alpha, name: "once", runs: .once) { _ in },
      .event(.alpha, name: "needy", dependencies: ["once"]) { _ in },
    ])
    await center.send(.alpha)
    #expect(try await center.run("once").outcomes == ["once": "skipped: already ran"])
    #expect(try await center.run("needy").outcomes == ["needy": "succeeded"])
  }

  @Test func `it does not use up an event that happens once`() async throws {
    let center = try TaskCenter.with([.event(.opening, name: "task") { _ in }])
    #expect(try await center.run("task").isSuccess)
    #expect(await center.send(.opening).status == .completed)
  }

  @Test func `'after' orders nothing between tasks of different events, so that no circle comes of it`() async throws {
    let recorder = Recorder()
    let center = try TaskCenter.with([
      .event(.alpha, name: "a", after: ["b"]) { _ in recorder.note("a") },
      .event(.beta, name: "b", dependencies: ["a"]) { _ in recorder.note("b") },
    ])
    #expect(try await center.run("b").isSuccess)
    #expect(recorder.notes == ["a", "b"])
  }

  @Test func `a task of several events gets the payload of the one that was sent`() async throws {
    let recorder = Recorder()
    let (numbers, words) = (LifecycleEvent<Int, Void>("numbers"), LifecycleEvent<String, Void>("words"))
    let both = TaskRegistration(
      __name: "Tests.Both", type: SingleTaskTests.self, collected: (), at: TaskLocation("Tests/Both.swift", 1, 1),
      occasions: [
        TaskOccasion(numbers, __runWithPayload: { (number: Int) in recorder.note("\(number)") }),
        TaskOccasion(words, __runWithPayload: { (word: String) in recorder.note(word) }),
      ])
    let center = TaskCenter(registry: try TaskRegistry(tasks: [both]), time: .virtual(VirtualClock()))
    try center.inject(.event(.alpha, name: "needy", dependencies: ["Both"]) { _ in recorder.note("needy") })
    await #expect(throws: TaskError.self) { try await center.run("Both") }
    try center.pause("Both")
    await center.send(words, "seven")
    try center.resume("Both")
    #expect(try await center.run("needy").isSuccess)
    #expect(try await center.run("Both").isSuccess)
    await center.send(numbers, 8)
    #expect(try await center.run("Both").isSuccess)
    #expect(recorder.notes == ["seven", "needy", "seven", "8", "8"])
  }

  @Test func `what has failed is tried again although the rest of its event goes on`() async throws {
    let gate = Gate()
    let failures = Values<Int>()
    let center = try TaskCenter.with([
      .event(.alpha, name: "flaky") { _ in
        failures.append(1)
        if failures.values.count == 1 { throw Broken() }
      },
      .event(.alpha, name: "slow", after: ["flaky"]) { _ in await gate.pass() },
      .event(.beta, name: "needy", dependencies: ["flaky"]) { _ in },
    ])
    let alpha = center.begin(.alpha)
    await gate.arrivals()
    #expect(try await center.run("needy").outcomes == ["flaky": "succeeded", "needy": "succeeded"])
    gate.open()
    _ = await alpha.report
  }
}
