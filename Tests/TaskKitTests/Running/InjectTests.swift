@testable import TaskKit
import TaskKitTesting
import Testing

/// Injecting at run time (DESIGN 7, R53-R57, Rt10, Rt28, Rt31). What is refused: InjectErrorTests.
@Suite struct InjectTests {
  @Test func `an injected task takes part in the order like any other, after those declared`() async throws {
    let recorder = Recorder()
    let declared = ModuleTasks.of(
      "App",
      [
        .event(.alpha, name: "App.Second") { _ in recorder.note("second") },
        .event(.alpha, name: "App.First", priority: .high) { _ in recorder.note("first") },
      ])
    let center = TaskCenter(
      registry: try TaskRegistry(modules: [declared]), configuration: .init(maximumConcurrency: 1),
      time: .virtual(VirtualClock()))
    try center.inject(.event(.alpha, name: "third") { _ in recorder.note("third") })
    try center.inject(.event(.alpha, name: "urgent", priority: .critical) { _ in recorder.note("urgent") })
    try center.inject(.event(.alpha, name: "fourth", dependencies: ["Second"]) { _ in recorder.note("fourth") })
    await center.send(.alpha)
    #expect(recorder.notes == ["urgent", "first", "second", "third", "fourth"])
  }

  @Test func `it is effective when the call returns, and the receipt says so`() async throws {
    let center = TaskCenter(time: .virtual(VirtualClock()))
    let receipt = try center.inject(.event(.alpha, name: "task") { _ in })
    #expect(receipt.name == "task")
    #expect(!receipt.startsWithNextOccurrence)
    #expect(!receipt.eventHasPassed)
    #expect(await center.send(.alpha).outcomes == ["task": "succeeded"])
  }

  @Test func `the receipt names what 'after' means nobody by, until somebody is called so`() async throws {
    let recorder = Recorder()
    let center = try TaskCenter.with([.event(.alpha, name: "known") { _ in }], limit: 1)
    let receipt = try center.inject(
      .event(.alpha, name: "task", priority: .high, after: ["known", "knwon", .init("guest", mayBeAbsent: true)]) { _ in
        recorder.note("task")
      })
    #expect(receipt.unmatchedAfter == ["knwon"])
    let other = try center.inject(.event(.alpha, name: "knwon", priority: .low) { _ in recorder.note("knwon") })
    #expect(other.unmatchedAfter == [])
    await center.send(.alpha)
    #expect(recorder.notes == ["knwon", "task"])
  }

  @Test func `several tasks may depend on each other in any order`() async throws {
    let center = TaskCenter(time: .virtual(VirtualClock()))
    let receipts = try center.inject([
      .event(.alpha, name: "last", dependencies: ["middle"]) { _ in },
      .event(.alpha, name: "middle", dependencies: ["first"]) { _ in },
      .event(.alpha, name: "first") { _ in },
    ])
    #expect(receipts.map(\.name) == ["last", "middle", "first"])
    #expect(await center.send(.alpha).names == ["first", "middle", "last"])
  }

  @Test func `into an event that is running: from its next occurrence on, and the receipt says so, At5`() async throws {
    let gate = Gate()
    let recorder = Recorder()
    let center = try TaskCenter.with([.event(.alpha, name: "first") { _ in await gate.pass() }])
    let run = center.begin(.alpha)
    await gate.arrivals()
    let receipt = try center.inject(.event(.alpha, name: "late") { _ in recorder.note("late") })
    #expect(receipt.startsWithNextOccurrence)
    gate.open()
    #expect(await run.report.outcomes == ["first": "succeeded"])
    #expect(recorder.notes.isEmpty)
    #expect(await center.send(.alpha).outcomes == ["first": "succeeded", "late": "succeeded"])
  }

  @Test func `into an occurrence that waits its turn, which is the next one`() async throws {
    let gate = Gate()
    let center = try TaskCenter.with([.event(.alpha, name: "first") { _ in await gate.pass() }])
    center.begin(.alpha)
    await gate.arrivals()
    let second = center.begin(.alpha)
    try center.inject(.event(.alpha, name: "late") { _ in })
    gate.open()
    #expect(await second.report.outcomes == ["first": "succeeded", "late": "succeeded"])
  }

  @Test func `from inside a task, for the event that runs it`() async throws {
    let center = try TaskCenter.with([
      .event(.alpha, name: "injector", runs: .once) { context in
        let receipt = try context.center.inject(.event(.alpha, name: "new") { _ in })
        #expect(receipt.startsWithNextOccurrence)
      }
    ])
    #expect(await center.send(.alpha).outcomes == ["injector": "succeeded"])
    #expect(await center.send(.alpha).outcomes == ["new": "succeeded"])
  }

  @Test func `into a once-only event that has passed: refused by default, Rt10`() async throws {
    let center = TaskCenter(time: .virtual(VirtualClock()))
    await center.send(.opening)
    let error = #expect(throws: TaskError.self) {
      try center.inject([.event(.alpha, name: "fine") { _ in }, .event(.opening, name: "late") { _ in }])
    }
    #expect(error?.code == .eventHasPassed)
    #expect(
      error?.description
        == "'late' would never run: 'opening' happens once, and has; inject it with ifPassed: .runNow, or into another "
        + "event")
    // All or nothing.
    #expect(await center.send(.alpha).tasks.isEmpty)
  }

  @Test func `or run now, as asked, with the payload that the event had`() async throws {
    let recorder = Recorder()
    let event = LifecycleEvent<String, Void>("launch", once: true)
    let center = TaskCenter(time: .virtual(VirtualClock()))
    await center.send(event, "options")
    let receipts = try center.inject(
      [
        .event(event, name: "second", dependencies: ["first"]) { context in recorder.note("second \(context.payload)")
        },
        .event(event, name: "first") { context in recorder.note("first \(context.payload)") },
        .event(.alpha, name: "other") { _ in recorder.note("other") },
      ], ifPassed: .runNow)
    #expect(receipts.map(\.eventHasPassed) == [true, true, false])
    #expect(await recorder.notes(2) == ["first options", "second options"])
    await center.quiet()
    #expect(recorder.notes.count == 2)
  }

  @Test func `tasks of two events that have passed run in the order in which they need each other`() async throws {
    let recorder = Recorder()
    let center = TaskCenter(time: .virtual(VirtualClock()))
    // Spoken of in the wrong order.
    _ = center.order(of: .didFinishLaunching)
    await center.send(.willFinishLaunching, LaunchOptions())
    await center.send(.didFinishLaunching, LaunchOptions())
    try center.inject(
      [
        .event(.didFinishLaunching, name: "second", dependencies: ["first"]) { _ in recorder.note("second") },
        .event(.willFinishLaunching, name: "first") { _ in recorder.note("first") },
      ], ifPassed: .runNow)
    #expect(await recorder.notes(2) == ["first", "second"])
  }

  @Test func `a once-only event that is running has passed as well`() async throws {
    let gate = Gate()
    let recorder = Recorder()
    let center = try TaskCenter.with([.event(.opening, name: "first") { _ in await gate.pass() }])
    let run = center.begin(.opening)
    await gate.arrivals()
    #expect(throws: TaskError.self) { try center.inject(.event(.opening, name: "late") { _ in }) }
    let receipt = try center.inject(
      .event(.opening, name: "late", dependencies: ["first"]) { _ in recorder.note("late") }, ifPassed: .runNow)
    #expect(receipt.eventHasPassed)
    gate.open()
    #expect(await recorder.notes(1) == ["late"])
    #expect(await run.report.outcomes == ["first": "succeeded"])
  }

  @Test func `with replacing the old one is gone and the new one runs, and dependents go over to it, Rt28`()
    async throws
  {
    let outputs = Values<Int>()
    let center = try TaskCenter.with([
      .event(.alpha, name: "base", returning: { _ in 1 }),
      .event(.alpha, name: "needy", dependencies: ["base"]) { context in
        outputs.append(try context.output(named: "base"))
      },
    ])
    await center.send(.alpha)
    try center.inject(.event(.alpha, name: "base", returning: { _ in 2 }), replacing: true)
    #expect(await center.send(.alpha).outcomes == ["base": "succeeded", "needy": "succeeded"])
    #expect(outputs.values == [1, 2])
    // Replacing what is not there is injecting.
    try center.inject(.event(.alpha, name: "new") { _ in }, replacing: true)
    #expect(await center.send(.alpha).tasks.count == 3)
  }

  @Test func `the task that a type declares can be replaced, and is still found by the type`() async throws {
    let center = TaskCenter(
      registry: try TaskRegistry(tasks: [Load.registration, Show.registration]), time: .virtual(VirtualClock()))
    try center.inject(.event(.alpha, name: Load.registration.name, returning: { _ in 4711 }), replacing: true)
    #expect(await center.send(.alpha).isSuccess)
    #expect(try await center.output(of: Load.self) == 4711)
    #expect(Show.shown.values.contains(4711))
  }

  @Test func `a replaced task of a module keeps its short name`() async throws {
    let module = ModuleTasks.of("News", [.event(.alpha, name: "News.Refresh") { _ in }])
    let center = TaskCenter(registry: try TaskRegistry(modules: [module]), time: .virtual(VirtualClock()))
    try center.inject(.event(.alpha, name: "News.Refresh") { _ in }, replacing: true)
    try center.pause("Refresh")
    #expect(await center.send(.alpha).outcomes == ["News.Refresh": "skipped: paused"])
  }

  @Test func `in an occurrence that is going, a replaced task counts as cancelled, and dependents go on at once`()
    async throws
  {
    let clock = VirtualClock()
    let gate = Gate()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "first") { _ in await gate.pass() },
        .event(.alpha, name: "base", dependencies: ["first"]) { _ in },
        .event(.alpha, name: "needy", dependencies: ["base"]) { _ in gate.open() },
      ], clock: clock)
    clock.advance(by: .seconds(100))
    let run = center.begin(.alpha)
    await gate.arrivals()
    clock.advance(by: .seconds(10))
    try center.inject(.event(.alpha, name: "base") { _ in }, replacing: true)
    let report = await run.report
    #expect(report.outcomes == ["first": "succeeded", "base": "cancelled", "needy": "succeeded"])
    #expect(report["needy"]?.waits.dependency == .seconds(10))
    #expect(report["needy"]?.waits.slot == .zero)
    #expect(report.criticalPath.duration == report.duration)
  }

  @Test func `a name that a type of the system has is accepted, Rt31`() async throws {
    let center = try TaskCenter.with([
      .event(.alpha, name: "NSObject") { _ in }, .event(.alpha, name: "Swift.Task") { _ in },
    ])
    #expect(await center.send(.alpha).isSuccess)
  }

  @Test func `a task that a type declares can be injected, and cannot twice`() async throws {
    let center = try TaskCenter.with([.task(Load.self)])
    #expect(await center.send(.alpha).outcomes == ["Tests.Load": "succeeded"])
    #expect(throws: TaskGraphError.self) { try center.inject(.task(Load.self)) }
  }

  @Test func `the receipt of what was run now promises no occurrence that never comes`() async throws {
    let gate = Gate()
    let center = try TaskCenter.with([.event(.opening, name: "first") { _ in await gate.pass() }])
    let run = center.begin(.opening)
    await gate.arrivals()
    let receipt = try center.inject(.event(.opening, name: "late") { _ in }, ifPassed: .runNow)
    #expect(receipt.eventHasPassed)
    #expect(!receipt.startsWithNextOccurrence)
    gate.open()
    _ = await run.report
  }
}
