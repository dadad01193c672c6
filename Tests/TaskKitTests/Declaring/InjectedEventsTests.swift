import TaskKit
import TaskKitTesting
import Testing

/// Injected tasks of several events (R53). What is refused: InjectErrorTests.
@Suite struct InjectedEventsTests {
  @Test func `an injected task of several events runs once per occurrence of each, with the context of that one`()
    async throws
  {
    let recorder = Recorder()
    let greeting = LifecycleEvent<String, Void>("greeting")
    let parting = LifecycleEvent<String, Void>("parting")
    let center = try TaskCenter.with([
      .events([greeting, parting], name: "both") { context in recorder.note("\(context.event) \(context.payload)") }
    ])
    await center.send(greeting, "Ada")
    await center.send(parting, "Ada")
    await center.send(parting, "Grace")
    await center.send(greeting, "Grace")
    #expect(recorder.notes == ["greeting Ada", "parting Ada", "parting Grace", "greeting Grace"])
    #expect(try center.statistics(of: "both").count == 4)
  }

  @Test func `it is one task, which is paused and destroyed at all of them`() async throws {
    let center = try TaskCenter.with([.events([.alpha, .beta], name: "both") { _ in }])
    try center.pause("both")
    #expect(await center.send(.alpha).outcomes == ["both": "skipped: paused"])
    #expect(await center.send(.beta).outcomes == ["both": "skipped: paused"])
    try center.destroy("both")
    #expect(await center.send(.alpha).tasks.isEmpty)
    #expect(await center.send(.beta).tasks.isEmpty)
  }

  @Test func `its options hold at each of them`() async throws {
    let recorder = Recorder()
    let center = try TaskCenter.with(
      [
        .event(.beta, name: "usual") { _ in recorder.note("usual") },
        .event(.beta, name: "base") { _ in recorder.note("base") },
        .events(
          [.alpha, .beta], name: "both", priority: .high, dependencies: ["base"], retry: .attempts(2),
          onFailure: .ignore
        ) { context in
          recorder.note("both \(context.attempt)")
          throw Broken()
        },
      ], limit: 1)
    #expect(await center.send(.alpha).outcomes == ["both": "skipped: 'base' has not run yet"])
    await center.send(.beta)
    #expect(recorder.notes == ["base", "both 1", "both 2", "usual"])
    #expect(await center.send(.alpha).outcomes == ["both": "failed: broken"])
  }

  @Test func `one that runs once runs at the first of them`() async throws {
    let recorder = Recorder()
    let center = try TaskCenter.with([
      .events([.alpha, .beta], name: "once", runs: .once) { context in recorder.note(context.event) }
    ])
    await center.send(.beta)
    await center.send(.alpha)
    #expect(recorder.notes == ["beta"])
  }

  @Test func `its output and its reply are those of each event`() async throws {
    let first = LifecycleEvent<Int, Bool>("first", reply: .any)
    let second = LifecycleEvent<Int, Bool>("second", reply: .all)
    let outputs = Values<String>()
    let center = try TaskCenter.with([
      .events([first, second], name: "judge", replying: { context in context.payload > 1 }),
      .events([first, second], name: "slow judge", replying: { context in await Task { context.payload > 2 }.value }),
      .events([.alpha, .beta], name: "base", returning: { context in context.event }),
      .events([.alpha, .beta], name: "needy", dependencies: ["base"]) { context in
        outputs.append(try context.output(named: "base"))
      },
    ])
    #expect(await center.send(first, 2).reply(to: first) == true)
    #expect(await center.send(second, 2).reply(to: second) == false)
    await center.send(.beta)
    await center.send(.alpha)
    #expect(outputs.values == ["beta", "alpha"])
  }

  @Test func `its closure runs where its attribute says, synchronous or not`() async throws {
    let places = Values<Bool>()
    let center = try TaskCenter.with([
      .events([.alpha, .beta], name: "context") { @MainActor _ in places.append(isOnMainActor) },
      .events([.alpha, .beta], name: "slow context") { @MainActor _ in
        await Task.yield()
        places.append(isOnMainActor)
      },
      .events(.alpha, .beta, name: "plain") { @MainActor in places.append(isOnMainActor) },
      .events(.alpha, .beta, name: "slow plain") { @MainActor in
        await Task.yield()
        places.append(isOnMainActor)
      },
      .events(
        .alpha, .beta, name: "in a lane", lane: Lane("main", isolation: .mainActor)
      ) { places.append(isOnMainActor) },
    ])
    for event in [LifecycleEvent.alpha, .beta] { #expect(await center.send(event).isSuccess) }
    #expect(places.values == Array(repeating: true, count: 10))
  }

  @Test func `where payloads and replies differ its closure takes nothing`() async throws {
    let recorder = Recorder()
    let counted = LifecycleEvent<Int, Void>("counted")
    let asked = LifecycleEvent<String, Bool>("asked", reply: .first)
    let center = try TaskCenter.with([
      .events(.alpha, counted, asked, name: "plain") { recorder.note("plain") },
      .events(counted, .alpha, name: "slow", after: ["plain"]) {
        await Task.yield()
        recorder.note("slow")
      },
    ])
    await center.send(.alpha)
    await center.send(counted, 1)
    #expect(await center.send(asked, "?").reply(to: asked) == nil)
    #expect(recorder.notes == ["plain", "slow", "plain", "slow", "plain"])
  }

  @Test func `one of whose events has passed is refused, or runs now for that one`() async throws {
    let recorder = Recorder()
    let center = TaskCenter(time: .virtual(VirtualClock()))
    await center.send(.opening)
    let both = TaskDefinition.events([.opening, .alpha], name: "both") { context in recorder.note(context.event) }
    let error = #expect(throws: TaskError.self) { try center.inject(both) }
    #expect(error?.code == .eventHasPassed)
    #expect(
      error?.description
        == "'both' would miss 'opening', which happens once, and has; inject it with ifPassed: .runNow, or without that "
        + "event")
    #expect(try center.inject(both, ifPassed: .runNow).eventHasPassed)
    #expect(await recorder.notes(1) == ["opening"])
    await center.send(.alpha)
    #expect(recorder.notes == ["opening", "alpha"])
  }

  @Test func `one of whose events all have passed would never run`() async throws {
    let closing = LifecycleEvent<Void, Void>("closing", once: true)
    let center = TaskCenter(time: .virtual(VirtualClock()))
    await center.send(.opening)
    await center.send(closing)
    let error = #expect(throws: TaskError.self) {
      try center.inject(.events([.opening, closing], name: "late") { _ in })
    }
    #expect(
      error?.description
        == "'late' would never run: 'opening' happens once, and has; inject it with ifPassed: .runNow, or into another "
        + "event")
  }
}
