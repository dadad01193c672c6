import Dispatch
import TaskKit
import TaskKitTesting
import Testing

/// How a center ends: `willTerminate`, what still runs, then the stops.
@Suite struct ShutdownTests {
  private let clock = VirtualClock()
  private let recorder = Recorder()

  private func center(
    _ tasks: [TaskRegistration], _ others: [TaskDefinition] = [], limit: Int = .max,
    reporting: TaskCenter.Configuration.Reporting = .full
  ) throws -> TaskCenter {
    var configuration = TaskCenter.Configuration(maximumConcurrency: limit)
    configuration.reporting = reporting
    let center = TaskCenter(
      registry: try TaskRegistry(tasks: tasks), configuration: configuration, time: .virtual(clock))
    try center.inject(others)
    return center
  }

  /// A task that returns its name, and notes that it is stopped with it.
  private func task(
    _ name: String, priority: Priority = .default, dependencies: [TaskDependency] = []
  ) -> TaskRegistration {
    .stopping(
      name, at: TaskOccasion(.alpha, __output: { name }), priority: priority, dependencies: dependencies,
      TaskStop(__stop: { [recorder] (output: String) in recorder.note(output) }, outputOf: String.self))
  }

  /// A task whose stop ends only with the gate.
  private func deaf(_ name: String, _ gate: Gate, dependencies: [TaskDependency] = []) -> TaskRegistration {
    .stopping(
      name, at: TaskOccasion(.alpha, __run: {}), dependencies: dependencies, TaskStop(__stop: { await gate.pass() }))
  }

  // MARK: - Order

  @Test(arguments: [TaskCenter.Configuration.Reporting.full, .problems], [1, Int.max])
  func `stops run in the reverse of the order of starts, each with what its task returned`(
    reporting: TaskCenter.Configuration.Reporting, limit: Int
  ) async throws {
    let center = try center(
      [task("low", priority: .low), task("needs", dependencies: ["first"]), task("first", priority: .high)],
      limit: limit, reporting: reporting)
    let events = center.events.makeAsyncIterator()
    await center.send(.alpha)
    let starts = await events.words(until: "eventEnded alpha").filter { $0.hasPrefix("taskStarted ") }
    let names = starts.map { String($0.dropFirst("taskStarted ".count)) }
    #expect(limit == 1 ? names == ["first", "needs", "low"] : Set(names) == ["first", "needs", "low"])
    let report = await center.terminate()
    #expect(recorder.notes == names.reversed())
    #expect(report.stops.map(\.name.rawValue) == names.reversed())
    #expect(report.isSuccess && report.reason == .requested)
  }

  @Test func `the order is that of the starts as they were, not of the declarations`() async throws {
    let gate = Gate()
    let center = try center(
      [
        .stopping(
          "early", at: TaskOccasion(.alpha, __run: { await gate.pass() }),
          TaskStop(__stop: { [recorder] in recorder.note("early") })),
        .stopping(
          "late", at: TaskOccasion(.beta, __run: {}), TaskStop(__stop: { [recorder] in recorder.note("late") })),
      ])
    let run = center.begin(.alpha)
    await gate.arrivals()
    await center.send(.beta)
    gate.open()
    _ = await run.report
    await center.terminate()
    #expect(recorder.notes == ["late", "early"])
  }

  @Test func `an injected task is undone by its closure, with what it has returned where that is wanted`() async throws
  {
    let center = try center(
      [task("annotated")],
      [
        .event(.alpha, name: "plain", dependencies: ["annotated"]) { _ in }
          .stopping { [recorder] in
            await Task.yield()
            recorder.note("plain")
          }
          .enabled { true },
        .event(.alpha, name: "server", dependencies: ["plain"], returning: { _ in 8080 })
          .stopping { [recorder] in recorder.note("replaced") }
          .stopping { [recorder] (port: Int) in recorder.note("port \(port)") },
      ])
    await center.send(.alpha)
    let report = await center.terminate()
    #expect(recorder.notes == ["port 8080", "plain", "annotated"])
    #expect(report.isSuccess)
  }

  @Test func `a closure that undoes what the task has not returned is told so`() async throws {
    let center = try center(
      [],
      [
        .event(.alpha, name: "server", returning: { _ in 8080 })
          .stopping { [recorder] (name: String) in recorder.note(name) }
      ])
    await center.send(.alpha)
    let report = await center.terminate()
    #expect(recorder.notes.isEmpty && !report.isSuccess)
    #expect(
      report.stops.map(\.outcome.description) == ["failed: 'server' has no output: it returned Int, not String"])
  }

  @Test func `only what has succeeded is stopped`() async throws {
    let center = try center([
      .stopping(
        "broken", at: TaskOccasion(.alpha, __run: { throw Broken() }),
        TaskStop(__stop: { [recorder] in recorder.note("broken") })),
      .stopping(
        "disabled", at: TaskOccasion(.alpha, __run: { throw TaskDisabled() }),
        TaskStop(__stop: { [recorder] in recorder.note("disabled") })),
      .stopping(
        "skipped", at: TaskOccasion(.alpha, __run: {}), dependencies: ["broken"],
        TaskStop(__stop: { [recorder] in recorder.note("skipped") })),
      .stopping(
        "never", at: TaskOccasion(.beta, __run: {}), TaskStop(__stop: { [recorder] in recorder.note("never") })),
      task("good"),
    ])
    await center.send(.alpha)
    #expect(await center.terminate().stops.map(\.name) == ["good"])
    #expect(recorder.notes == ["good"])
  }

  @Test func `what ran several times is stopped once, at the place of its first success, with its latest output`()
    async throws
  {
    let event = LifecycleEvent<Int, Void>("numbers")
    let center = try center([
      .stopping(
        "again",
        at: TaskOccasion(
          event,
          __outputWithPayload: { number in
            if number == 4 { throw Broken() }
            return number
          }),
        TaskStop(__stop: { [recorder] (output: Int) in recorder.note("again \(output)") }, outputOf: Int.self)),
      task("between"),
    ])
    await center.send(event, 1)
    await center.send(.alpha)
    for number in 2...4 { await center.send(event, number) }
    await center.terminate()
    #expect(recorder.notes == ["between", "again 3"])
  }

  @Test func `of several runs at the same time it is the one that succeeds first whose start counts`() async throws {
    let (first, second) = (Gate(), Gate())
    let center = try center(
      [],
      [
        .events([.alpha, .beta], name: "both") { context in
          if context.event == "alpha" { return await first.pass() }
          await second.pass()
          throw Broken()
        }
        .stopping { [recorder] in recorder.note("both") },
        .event(.gamma, name: "between") { _ in }.stopping { [recorder] in recorder.note("between") },
      ])
    let good = center.begin(.alpha)
    await first.arrivals()
    await center.send(.gamma)
    let bad = center.begin(.beta)
    await second.arrivals()
    first.open()
    #expect(await good.report.isSuccess)
    second.open()
    #expect(await !bad.report.isSuccess)
    await center.terminate()
    #expect(recorder.notes == ["between", "both"])
  }

  @Test func `what ran once, was destroyed or replaced has to be undone all the same`() async throws {
    let center = try center([
      .stopping(
        "once", at: TaskOccasion(.alpha, __run: {}), runs: .once,
        TaskStop(__stop: { [recorder] in recorder.note("once") })),
      task("destroyed"), task("replaced"),
    ])
    await center.send(.alpha)
    try center.destroy("destroyed")
    try center.inject(.event(.alpha, name: "replaced") { _ in }, replacing: true)
    await center.send(.alpha)
    await center.terminate()
    #expect(recorder.notes.sorted() == ["destroyed", "once", "replaced"])
  }

  @Test func `a stop runs where its declaration says`() async throws {
    let center = try center([
      .stopping(
        "main", at: TaskOccasion(.alpha, __run: {}),
        TaskStop(__stop: { @MainActor [recorder] in recorder.note("main \(isOnMainActor)") })),
      .stopping(
        "nowhere", at: TaskOccasion(.alpha, __run: {}),
        TaskStop(__stop: { [recorder] in recorder.note("nowhere \(isOnMainActor)") })),
    ])
    await center.send(.alpha)
    await center.terminate()
    #expect(recorder.notes.sorted() == ["main true", "nowhere false"])
  }

  // MARK: - The deadline

  @Test func `each stop has an equal part of what is left, and what one does not use the others have`() async throws {
    let gate = Gate()
    let center = try center([deaf("third", gate), task("second", dependencies: ["third"])])
    try center.inject(.task(DeafStop.self))
    await DeafStop.$gate.withValue(gate) {
      await center.send(.alpha)
      await center.send(.beta)
      async let ended = center.terminate(deadline: .seconds(9))
      await clock.step(to: .seconds(3))
      await clock.step(to: .seconds(9))
      let report = await ended
      #expect(report.stops.map(\.name) == ["DeafStop", "second", "third"])
      #expect(report.stops.map(\.share) == [.seconds(3), .seconds(3), .seconds(6)])
      #expect(report.stops.map(\.duration) == [.seconds(3), .zero, .seconds(6)])
      #expect(report.stops.map(\.outcome.description) == ["timed out", "succeeded", "timed out"])
      #expect(report.stops[2].location.description == "Tests/third.swift:1:1")
      #expect(report.duration == .seconds(9))
      #expect(!report.isSuccess)
      #expect(
        report.description == """
          shutdown (requested) after 9.00 s of 9.00 s
          stop of DeafStop: timed out, 3.00 s of 3.00 s, Tests/DeafStop.swift:1:1
          stop of second: succeeded, 0 ns of 3.00 s, Tests/second.swift:1:1
          stop of third: timed out, 6.00 s of 6.00 s, Tests/third.swift:1:1
          """)
    }
    gate.open()
  }

  @Test func `a stop that is late is cancelled`() async throws {
    let never = Gate()
    let center = try center([
      .stopping(
        "polite", at: TaskOccasion(.alpha, __run: {}),
        TaskStop(__stop: { [recorder] in
          do { try await never.passUnlessCancelled() } catch { recorder.note("cancelled") }
        }))
    ])
    await center.send(.alpha)
    async let ended = center.terminate(deadline: .seconds(4))
    await clock.step(to: .seconds(4))
    #expect(await ended.stops.map(\.outcome.description) == ["timed out"])
    #expect(await recorder.notes(1) == ["cancelled"])
  }

  @Test func `a stop that does not return leaves what lives beside the center time to close`() async throws {
    let gate = Gate()
    let center = try center([deaf("deaf", gate)])
    let companion = Beside(clock: clock)
    center.attach(companion)
    await center.send(.alpha)
    async let ended = center.terminate(deadline: .seconds(16))
    await clock.step(to: .seconds(14))
    #expect(await ended.stops.map(\.share) == [.seconds(14)])
    #expect(companion.notes.values.last == "close after 14.0 seconds")
    gate.open()
  }

  @MainActor
  @Test func `a stop of the main actor that was given up before it began never does`() async throws {
    let (clock, recorder, gate) = (clock, recorder, BlockingGate())
    let center = try center([
      .stopping(
        "main", at: TaskOccasion(.alpha, __run: {}), TaskStop(__stop: { @MainActor in recorder.note("main") }))
    ])
    await center.send(.alpha)
    let ending = Task.detached {
      async let ended = center.terminate(deadline: .seconds(4))
      await clock.step(to: .seconds(4))
      let report = await ended
      gate.open()
      return report
    }
    // The main actor is busy for as long as the shutdown takes.
    gate.pass()
    #expect(await ending.value.stops.map(\.outcome.description) == ["timed out"])
    // What was put into its queue before has had its turn by then.
    await Task { @MainActor in }.value
    #expect(recorder.notes.isEmpty)
  }

  @Test func `a stop that throws is told, and those behind it have their turn`() async throws {
    let center = try center([
      task("first"),
      .stopping(
        "broken", at: TaskOccasion(.alpha, __run: {}), dependencies: ["first"], TaskStop(__stop: { throw Broken() })),
    ])
    await center.send(.alpha)
    let report = await center.terminate()
    #expect(report.stops.map(\.outcome.description) == ["failed: broken", "succeeded"])
    #expect(!report.isSuccess)
  }

  @Test func `willTerminate has half of the deadline where there is something to stop`() async throws {
    let gate = Gate()
    let center = try center([task("task")], [.event(.willTerminate, name: "deaf") { _ in await gate.pass() }])
    await center.send(.alpha)
    async let ended = center.terminate(deadline: .seconds(8))
    await clock.step(to: .seconds(4))
    let report = await ended
    #expect(report.termination.status == .deadlineExceeded)
    #expect(report.unfinished.map(\.name) == ["deaf"])
    #expect(report.unfinished.first?.duration == .seconds(4))
    #expect(report.stops.map(\.share) == [.seconds(4)])
    #expect(recorder.notes == ["task"])
    gate.open()
  }

  @Test func `and all of it where there is nothing`() async throws {
    let gate = Gate()
    let center = try center([], [.event(.willTerminate, name: "deaf") { _ in await gate.pass() }])
    async let ended = center.terminate(deadline: .seconds(8))
    await clock.step(to: .seconds(8))
    #expect(await ended.termination.status == .deadlineExceeded)
    gate.open()
  }

  @Test func `what lives beside the center has time to stop and to close, though there is no other stop`() async throws
  {
    let gate = Gate()
    let center = try center([], [.event(.willTerminate, name: "deaf") { _ in await gate.pass() }])
    let companion = Beside(clock: clock)
    center.attach(companion)
    async let ended = center.terminate(deadline: .seconds(8))
    await clock.step(to: .seconds(4))
    await clock.step(to: .seconds(7.5))
    #expect(await ended.termination.status == .deadlineExceeded)
    #expect(companion.notes.values == ["begin to stop", "stop within 3.5 seconds", "close after 7.5 seconds"])
    gate.open()
  }

  @Test func `what lives beside the center is told to end before anything of the center is cancelled`() async throws {
    let gate = Gate()
    let companion = Beside(clock: clock)
    let center = try center(
      [],
      [
        .event(.alpha, name: "going") { _ in
          do { try await gate.passUnlessCancelled() } catch { companion.notes.append("cancelled") }
        }
      ])
    center.attach(companion)
    let run = center.begin(.alpha)
    await gate.arrivals()
    await center.terminate(deadline: .seconds(60))
    _ = await run.report
    #expect(companion.notes.values.first == "begin to stop")
    #expect(companion.notes.values.contains("cancelled"))
  }

  /// Notes how long it has for its end.
  private final class Beside: CenterCompanion {
    let clock: VirtualClock
    let notes = Values<String>()
    var isQuiet: Bool { true }

    init(clock: VirtualClock) {
      self.clock = clock
    }

    func centerStarted() {}
    func check(_ items: [any RegistryItem]) {}
    func take(_ items: [any RegistryItem]) {}
    func clockChanged() {}
    func centerEnded() {}

    func beginStop() { notes.append("begin to stop") }

    func stop(within share: Duration) async -> [UnfinishedTask] {
      notes.append("stop within \(share)")
      return []
    }

    func close() async { notes.append("close after \(clock.now.offset)") }
  }

  @Test func `a task that succeeds only after it was cancelled has its share of the time to be stopped`() async throws {
    let (never, cancelled, deaf) = (Gate(), Gate(), Gate())
    let center = try center(
      [
        .stopping(
          "opening",
          at: TaskOccasion(
            .alpha,
            __run: {
              try? await never.passUnlessCancelled()
              await cancelled.pass()
            }), TaskStop(__stop: { [recorder] in recorder.note("opening") }))
      ], [.event(.alpha, name: "deaf") { _ in await deaf.pass() }])
    let events = center.events.makeAsyncIterator()
    let run = center.begin(.alpha)
    await never.arrivals()
    await deaf.arrivals()
    async let ended = center.terminate(deadline: .seconds(8))
    await cancelled.arrivals()
    cancelled.open()
    _ = await events.words(until: "taskEnded opening: succeeded")
    await clock.step(to: .seconds(4))
    let report = await ended
    #expect(report.unfinished.map(\.name) == ["deaf"])
    #expect(report.stops.map(\.share) == [.seconds(4)])
    #expect(recorder.notes == ["opening"])
    deaf.open()
    _ = await run.report
  }

  @Test func `a task of the end that is to be undone itself has not all of the deadline`() async throws {
    let gate = Gate()
    let center = try center(
      [],
      [
        .event(.willTerminate, name: "first") { _ in }.stopping { [recorder] in recorder.note("first") },
        .event(.willTerminate, name: "deaf", dependencies: ["first"]) { _ in await gate.pass() },
      ])
    async let ended = center.terminate(deadline: .seconds(8))
    await clock.step(to: .seconds(4))
    #expect(await ended.stops.map(\.share) == [.seconds(4)])
    #expect(recorder.notes == ["first"])
    gate.open()
  }

  @Test func `a stop whose turn comes too late is told as one that had no time left`() async throws {
    let gate = Gate()
    let center = try center([task("first"), deaf("second", gate, dependencies: ["first"])])
    await center.send(.alpha)
    let report = await center.terminate(deadline: .zero)
    #expect(report.stops.map(\.outcome.description) == ["skipped: no time left", "skipped: no time left"])
    gate.open()
  }

  @Test func `what is going is cancelled and waited for, and then stopped`() async throws {
    let center = try center([
      .stopping(
        "going",
        at: TaskOccasion(
          .alpha,
          __run: {
            let never = Gate()
            try? await never.passUnlessCancelled()
          }), TaskStop(__stop: { [recorder] in recorder.note("going") }))
    ])
    let run = center.begin(.alpha)
    let report = await center.terminate()
    #expect(report.isSuccess)
    #expect(recorder.notes == ["going"])
    #expect(await run.report.status == .cancelled)
  }

  @Test func `what is going and does not return is named`() async throws {
    let gate = Gate()
    let center = try center([task("task")], [.event(.beta, name: "deaf") { _ in await gate.pass() }])
    await center.send(.alpha)
    let run = center.begin(.beta)
    await gate.arrivals()
    clock.advance(by: .seconds(1))
    async let ended = center.terminate(deadline: .seconds(8))
    await clock.step(to: .seconds(5))
    let report = await ended
    #expect(report.unfinished.map(\.name) == ["deaf"])
    #expect(report.unfinished.first?.duration == .seconds(5))
    #expect(report.unfinished.first?.location.line != 0)
    #expect(report.stops.map(\.share) == [.seconds(4)])
    #expect(!report.isSuccess)
    gate.open()
    _ = await run.report
  }

  @Test func `a task of the end that does not return is told once`() async throws {
    let gate = Gate()
    let center = try center([], [.event(.willTerminate, name: "deaf") { _ in await gate.pass() }])
    async let ended = center.terminate(deadline: .seconds(8))
    await gate.arrivals()
    await clock.step(to: .seconds(8))
    let report = await ended
    #expect(report.unfinished.map(\.name) == ["deaf"])
    #expect(report.description.split(separator: "\n").count { $0.hasPrefix("still running: deaf, ") } == 1)
    gate.open()
  }

  @Test func `a shutdown that a task awaits ends with its deadline, whatever comes into the slot of that`() async throws
  {
    let (reached, never) = (Gate(), Gate())
    let center = try center(
      [],
      [
        .event(.alpha, name: "controller") { context in
          await reached.pass()
          await context.center.terminate(deadline: .seconds(8))
        },
        .event(.beta, name: "next") { _ in try await never.passUnlessCancelled() },
      ], limit: 1)
    let controller = center.begin(.alpha)
    await reached.arrivals()
    let next = center.begin(.beta)
    reached.open()
    await clock.step(to: .seconds(8))
    let report = await center.terminate()
    #expect(report.duration == .seconds(8))
    #expect(report.unfinished.map(\.name) == ["controller"])
    #expect(await next.report.status == .cancelled)
    #expect(await controller.report.status == .cancelled)
  }

  @Test(arguments: [1, Int.max])
  func `of willTerminate only what needs the task that awaits the shutdown does not run`(limit: Int) async throws {
    let center = try center(
      [],
      [
        .event(.alpha, name: "controller") { context in _ = await context.center.terminate(deadline: .seconds(8)) },
        .event(.willTerminate, name: "report", dependencies: ["controller"]) { _ in },
        .event(.willTerminate, name: "save") { [recorder] _ in recorder.note("save") },
      ], limit: limit)
    let controller = center.begin(.alpha)
    #expect(await recorder.notes(1) == ["save"])
    await clock.step(to: .seconds(4))
    await clock.step(to: .seconds(8))
    let termination = await center.terminate().termination
    #expect(termination.status == .deadlineExceeded)
    #expect(termination.outcomes["save"] == "succeeded")
    _ = await controller.report
  }

  @Test
  func `an end that the program has sent itself, and that does not come, has no more time than that of the shutdown`()
    async throws
  {
    let gate = Gate()
    let center = try center([task("task")], [.event(.willTerminate, name: "deaf") { _ in await gate.pass() }])
    await center.send(.alpha)
    let earlier = center.begin(.willTerminate)
    await gate.arrivals()
    async let ended = center.terminate(deadline: .seconds(8))
    await clock.step(to: .seconds(4))
    await clock.step(to: .seconds(6))
    let report = await ended
    #expect(report.termination.status == .deadlineExceeded)
    #expect(report.termination.outcomes == ["deaf": "skipped: event stopped"])
    #expect(report.unfinished.map(\.name) == ["deaf"])
    #expect(report.stops.map(\.share) == [.seconds(2)])
    #expect(recorder.notes == ["task"])
    gate.open()
    #expect(await earlier.report.status == .cancelled)
  }

  // MARK: - What is told

  @Test
  func `a task of the end that fails is no success and is named, unless its declaration says that it does not matter`()
    async throws
  {
    let broken = try await center([], [.event(.willTerminate, name: "save") { _ in throw Broken() }]).terminate()
    #expect(broken.termination.status == .completed)
    #expect(!broken.isSuccess)
    let lines = broken.description.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[1].hasPrefix("willTerminate: completed, 1 task"))
    #expect(lines[2].hasPrefix("save: failed: broken, TaskKitTests/ShutdownTests.swift:"))

    let forgiven = try await center(
      [], [.event(.willTerminate, name: "save", onFailure: .ignore) { _ in throw Broken() }]
    ).terminate()
    #expect(forgiven.isSuccess)
    #expect(!forgiven.description.contains("save"))
  }

  @Test func `an end that took too long is told, though no body of it still runs`() async throws {
    let never = Gate()
    let center = try center(
      [],
      [
        .event(.alpha, name: "polite") { _ in try await never.passUnlessCancelled() },
        .event(.willTerminate, name: "save", dependencies: ["polite"]) { _ in },
      ])
    let run = center.begin(.alpha)
    await never.arrivals()
    async let ended = center.terminate(deadline: .seconds(8))
    await clock.step(to: .seconds(4))
    let report = await ended
    #expect(report.termination.status == .deadlineExceeded)
    #expect(report.unfinished.isEmpty && !report.isSuccess)
    #expect(report.description.contains("\nwillTerminate: "))
    #expect(await run.report.status == .cancelled)
  }

  // MARK: - After it

  @Test func `nothing begins any more`() async throws {
    let center = try center([task("task")])
    await center.send(.alpha)
    await center.terminate()
    let report = await center.send(.alpha)
    #expect(report.status == .refused("the center is shutting down"))
    #expect(await center.begin(.alpha).report.status == report.status)
    await #expect(throws: TaskError.self) { try await center.run("task") }
    #expect(recorder.notes == ["task"])
  }

  @Test func `a synchronous body that waits for its actor when the stops begin never begins`() async throws {
    let center = try center(
      [
        task("database"),
        .stopping(
          "held", at: TaskOccasion(.beta, __run: { @Held [recorder] in recorder.note("held") }),
          TaskStop(__stop: { [recorder] in recorder.note("held stopped") })),
      ], [.event(.willTerminate, name: "farewell") { [clock] _ in try await clock.sleep(for: .seconds(1)) }])
    let events = center.events.makeAsyncIterator()
    await center.send(.alpha)
    Held.shared.executor.close()
    let run = center.begin(.beta)
    _ = await events.words(until: "taskStarted held")
    async let ended = center.terminate(deadline: .seconds(4))
    await clock.step(to: .seconds(1))
    // Half of the rest is for what is at work.
    await clock.step(to: .milliseconds(2500))
    #expect(await ended.unfinished.map(\.name) == ["held"])
    Held.shared.executor.open()
    _ = await run.report
    #expect(recorder.notes == ["database"])
  }

  @Test func `a center shuts down once, and everybody gets the same report`() async throws {
    let gate = Gate()
    let center = try center(
      [task("task")], [.event(.willTerminate, name: "slow") { _ in await gate.pass() }])
    await center.send(.alpha)
    async let first = center.terminate(deadline: .seconds(60))
    async let second = center.terminate(deadline: .seconds(60))
    await gate.arrivals()
    gate.open()
    _ = await (first, second)
    #expect(await center.terminate().stops.count == 1)
    #expect(recorder.notes == ["task"])
  }

  @Test func `observers hear of it`() async throws {
    let center = try center([task("task")])
    let events = center.events.makeAsyncIterator()
    await center.send(.alpha)
    await center.terminate()
    #expect(
      await events.words(until: "stopEnded task: succeeded").suffix(5) == [
        "shutdownStarted: requested", "eventStarted willTerminate", "eventEnded willTerminate", "stopStarted task",
        "stopEnded task: succeeded",
      ])
  }

  @Test func `a body that timed out before is waited for, and the report does not name it if it returns`() async throws
  {
    let gate = Gate()
    let center = try center(
      [], [.event(.alpha, name: "late", timeout: .seconds(1)) { _ in await gate.pass() }])
    let run = center.begin(.alpha)
    await gate.arrivals()
    await clock.step(to: .seconds(1))
    _ = await run.report
    async let report = center.terminate(deadline: .seconds(60))
    await clock.waitForSleeper(until: .seconds(61))
    gate.open()
    #expect(await report.unfinished.isEmpty)
    #expect(clock.now.offset == .seconds(1))
  }
}

/// An actor that a test may let wait.
@globalActor private actor Held {
  static let shared = Held()
  nonisolated let executor = HeldExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}

private final class HeldExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "held")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func close() { queue.suspend() }

  func open() { queue.resume() }
}

/// A task whose stop waits at a gate of the test.
private enum DeafStop: LifecycleTask {
  @TaskLocal static var gate = Gate()

  nonisolated static var registration: TaskRegistration {
    .stopping("DeafStop", at: TaskOccasion(.beta, __run: {}), TaskStop(__stop: { await DeafStop.gate.pass() }))
  }
}
