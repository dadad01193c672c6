import TaskKit
import TaskKitTesting
import Testing

/// A center that owns a process: launch, sources, shutdown.
@Suite struct ProcessTests {
  private let clock = VirtualClock()
  private let recorder = Recorder()

  private func center(_ others: [TaskDefinition] = []) throws -> TaskCenter {
    try .with(
      [
        .event(.willFinishLaunching, name: "will") { [recorder] in recorder.note("will \($0.payload.arguments)") },
        .event(.didFinishLaunching, name: "did") { [recorder] in recorder.note("did \($0.payload.arguments)") },
        .event(.willTerminate, name: "end") { [recorder] _ in recorder.note("end") },
      ] + others, limit: 1, clock: clock)
  }

  @Test func `the sources listen before the launch, and end with the shutdown`() async throws {
    let center = try center()
    let source = EventSource("own") { [recorder] sink in
      defer { recorder.note("own ends") }
      try await Gate().passUnlessCancelled()
    }
    async let ended = center.run(sources: [source], options: LaunchOptions(arguments: ["tool"], environment: [:]))
    #expect(await recorder.notes(2) == [#"will ["tool"]"#, #"did ["tool"]"#])
    center.shutDown()
    let report = await ended
    #expect(Set(await recorder.notes(4).suffix(2)) == ["end", "own ends"])
    #expect(report.launch.map(\.event) == ["willFinishLaunching", "didFinishLaunching"])
    #expect(report.launch.map(\.isSuccess) == [true, true])
    #expect(report.shutdown.reason == .requested && report.shutdown.isSuccess)
    #expect(report.sources == center.sources)
  }

  @Test func `the end of a source is told, whether it comes by itself or in the shutdown`() async throws {
    let center = try center()
    let events = center.events.makeAsyncIterator()
    let endless = EventSource("endless") { _ in try await Gate().passUnlessCancelled() }
    let brief = EventSource("brief") { _ in }
    async let ended = center.run(sources: [endless, brief], options: LaunchOptions(arguments: [], environment: [:]))
    #expect(await !events.words(until: "sourceEnded brief").contains("sourceEnded endless"))
    center.shutDown()
    #expect(await events.words(until: "sourceEnded endless").contains("sourceEnded endless"))
    let report = await ended
    #expect(report.sources.map(\.state) == [.ended, .ended])
  }

  @Test func `a source sends events, and asks for the shutdown`() async throws {
    let center = try center([
      .event(LifecycleEvent<Int, Void>("numbers"), name: "number") { [recorder] in recorder.note("\($0.payload)") }
    ])
    let source = EventSource("numbers") { sink in
      for number in 1...3 { await sink.send(LifecycleEvent<Int, Void>("numbers"), number) }
      sink.note("three is all")
      sink.shutDown(because: "no more numbers")
      sink.shutDown(because: "another reason")
    }
    let report = await center.run(sources: [source])
    #expect(recorder.notes.filter { Int($0) != nil } == ["1", "2", "3"])
    #expect(report.shutdown.reason == .source("numbers", "no more numbers"))
    #expect(report.sources.map(\.description) == ["numbers: ended; three is all"])
    #expect(report.description.hasPrefix("shutdown (no more numbers) after "))
    #expect(report.description.hasSuffix("source numbers: ended; three is all"))
  }

  @Test func `whoever asks for the shutdown may say why`() async throws {
    let center = try center()
    center.shutDown(because: "the licence has run out")
    center.shutDown(because: "another reason")
    let report = await center.run(sources: [])
    #expect(report.shutdown.reason == .because("the licence has run out"))
    #expect(report.description.hasPrefix("shutdown (the licence has run out) after "))
  }

  @Test(arguments: [LaunchFailureRule.goOn, .shutDown])
  func `a launch that fails goes on, or ends the process in order, as asked`(rule: LaunchFailureRule) async throws {
    let center = try center([
      .event(.willFinishLaunching, name: "forgiven", onFailure: .ignore) { _ in throw Broken() },
      .event(.willFinishLaunching, name: "database") { _ in throw Broken() },
      .event(.willFinishLaunching, name: "needs it", dependencies: ["database"]) { _ in },
    ])
    async let ended = center.run(
      sources: [], options: LaunchOptions(arguments: [], environment: [:]), ifLaunchFails: rule)
    _ = await recorder.notes(2)
    center.shutDown(because: "the test is over")
    let report = await ended
    #expect(report.launch.count == (rule == .goOn ? 2 : 1))
    #expect(recorder.notes == ["will []", rule == .goOn ? "did []" : "end"] + (rule == .goOn ? ["end"] : []))
    #expect(report.shutdown.reason == (rule == .goOn ? .because("the test is over") : .launchFailed(["database"])))
    #expect(report.description.contains("the launch failed: database") == (rule == .shutDown))
    #expect(report.shutdown.isSuccess)
    #expect(!report.isSuccess)
    let lines = report.description.split(separator: "\n")
    #expect(lines[1].hasPrefix("willFinishLaunching: completed, 4 tasks"))
    #expect(lines[2].hasPrefix("database: failed: broken, TaskKitTests/ProcessTests.swift:"))
    #expect(!report.description.contains("forgiven"))
  }

  @Test(arguments: [RunLimit.always, .once])
  func `a launch that fails in nothing but what may be ignored is none`(runs: RunLimit) async throws {
    let center = try center([
      .event(.willFinishLaunching, name: "forgiven", onFailure: .ignore, runs: runs) { _ in throw Broken() }
    ])
    async let ended = center.run(
      sources: [], options: LaunchOptions(arguments: [], environment: [:]), ifLaunchFails: .shutDown)
    #expect(await recorder.notes(2) == ["will []", "did []"])
    center.shutDown()
    let report = await ended
    #expect(report.shutdown.reason == .requested)
    #expect(report.isSuccess)
  }

  @Test func `what a source sends once the shutdown has begun is refused`() async throws {
    let center = try center([.event(.reload, name: "reload") { [recorder] _ in recorder.note("reload") }])
    let source = EventSource("late") { [recorder] sink in
      sink.shutDown(because: "now")
      recorder.note("\(await sink.send(.reload).status)")
      recorder.note("\(await sink.begin(.reload).report.status)")
    }
    await center.run(sources: [source])
    let refusal = "refused: the center is shutting down"
    #expect(recorder.notes.filter { $0 == refusal }.count == 2)
    #expect(!recorder.notes.contains("reload"))
  }

  @Test func `a source that fails or does not exist here is reported, and the process goes on`() async throws {
    let center = try center()
    let events = center.events.makeAsyncIterator()
    async let ended = center.run(sources: [
      EventSource("broken") { _ in throw Broken() },
      EventSource("absent") { _ in throw EventSourceUnavailable("there is none of it here") },
    ])
    var words: [String] = []
    while words.filter({ $0.hasPrefix("sourceFailed") }).count < 2 { words.append(await events.next()!.words) }
    #expect(
      words.filter { $0.hasPrefix("sourceFailed") }.sorted() == [
        "sourceFailed absent: absent: unavailable: there is none of it here",
        "sourceFailed broken: broken: failed: broken",
      ])
    _ = await recorder.notes(2)
    center.shutDown()
    #expect(await ended.sources.map(\.state) == [.failed("broken"), .unavailable("there is none of it here")])
  }

  @Test func `the cancellation of the calling task is a shutdown, with time for it`() async throws {
    let center = try center()
    let run = Task { await center.run(sources: []) }
    _ = await recorder.notes(2)
    run.cancel()
    let report = await run.value
    #expect(report.shutdown.reason == .cancelled)
    #expect(report.shutdown.termination.status == .completed)
    #expect(recorder.notes.last == "end")
  }

  @Test func `a task may ask for the shutdown, in the middle of the launch too`() async throws {
    let center = try center([
      .event(.willFinishLaunching, name: "quit", after: ["will"]) { $0.center.shutDown() }
    ])
    let report = await center.run(sources: [])
    #expect(recorder.notes.last == "end")
    #expect(!recorder.notes.contains { $0.hasPrefix("did") })
    #expect(report.launch.map(\.event) == ["willFinishLaunching"])
    #expect(report.shutdown.isSuccess)
  }

  @Test func `asked for before, nothing is launched`() async throws {
    let center = try center()
    center.shutDown()
    await center.run(sources: [])
    #expect(recorder.notes == ["end"])
  }

  @Test func `a launch that ignores its cancellation does not hold up the shutdown, and is named`() async throws {
    let gate = Gate()
    let center = try TaskCenter.with(
      [.event(.didFinishLaunching, name: "deaf") { _ in await gate.pass() }], clock: clock)
    async let ended = center.run(sources: [], shutdownDeadline: .seconds(8))
    await gate.arrivals()
    center.shutDown()
    await clock.step(to: .seconds(8))
    let report = await ended
    #expect(report.launch.map(\.event) == ["willFinishLaunching"])
    #expect(report.shutdown.unfinished.map(\.name) == ["deaf"])
    gate.open()
  }

  @Test func `a source that ignores its cancellation does not hold it up either`() async throws {
    let gate = Gate()
    let center = try center()
    async let ended = center.run(
      sources: [EventSource("deaf") { _ in await gate.pass() }], shutdownDeadline: .seconds(8))
    _ = await recorder.notes(2)
    await gate.arrivals()
    center.shutDown()
    await clock.step(to: .seconds(8))
    #expect(await ended.sources.map(\.state) == [.listening])
    gate.open()
  }

  @Test func `a launch that was refused is no success, and ends the process that is to end then`() async throws {
    let center = try TaskCenter.with([
      .event(LifecycleEvent<Int, Void>("willFinishLaunching"), name: "odd") { _ in }
    ])
    let report = await center.run(sources: [], ifLaunchFails: .shutDown)
    #expect(!report.isSuccess)
    #expect(report.launch.map(\.event) == ["willFinishLaunching"])
    #expect(report.description.contains("willFinishLaunching: refused"))
  }
}
