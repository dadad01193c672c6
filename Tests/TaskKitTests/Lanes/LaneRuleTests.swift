import TaskKit
import TaskKitTesting
import Testing

/// What a lane's declaration says: duplicates and timeouts; and that all say the same (S5, St5, St7, At12).
@Suite struct LaneRuleTests {
  @Test(arguments: [Lane.DuplicateRule.keepFirst, .replace, .both])
  func `the same key twice: the first is kept, replaced, or both run, St7`(rule: Lane.DuplicateRule) async throws {
    let recorder = Recorder()
    let lane = try TaskCenter.with([]).lane(Lane("line", duplicates: rule))
    lane.pause()
    let first = lane.enqueue("first", key: "key") { () -> String in
      recorder.note("first")
      return "first"
    }
    lane.enqueue("other") { recorder.note("other") }
    let second = lane.enqueue("second", key: "key") { () -> String in
      recorder.note("second")
      return "second"
    }
    lane.resume()
    try await lane.finished()
    switch rule {
    case .keepFirst:
      #expect(recorder.notes == ["first", "other"])
      #expect(try await second.value == "first")
    case .replace:
      // In the place of the first.
      #expect(recorder.notes == ["second", "other"])
      #expect(await first.outcome.description == "cancelled")
      #expect(try await second.value == "second")
    case .both: #expect(recorder.notes == ["first", "other", "second"])
    }
    #expect(await lane.enqueue("third", key: "key") {}.outcome.isSuccess)
  }

  @Test func `the first that runs is kept as well, and ends for all its tickets`() async throws {
    let gate = Gate()
    let lane = try TaskCenter.with([]).lane(Lane("line", duplicates: .keepFirst))
    let first = lane.enqueue("popup") { () async throws -> Int in
      try await gate.passUnlessCancelled()
      return 1
    }
    await gate.arrivals()
    let second = lane.enqueue("popup") { 2 }
    let other = lane.enqueue("popup") { "another type" }
    #expect(lane.waiting == [])
    second.cancel()
    second.cancel()
    gate.open()
    #expect(try await first.value == 1)
    #expect(try await second.value == 1)
    let error = await #expect(throws: TaskError.self) { try await other.value }
    #expect(error?.description == "'popup' has no output: it returned Int, not String")
  }

  @Test func `what stands for several tickets is cancelled with the last of them`() async throws {
    let gate = Gate()
    let lane = try TaskCenter.with([]).lane(Lane("line", duplicates: .keepFirst))
    let running = (0..<2).map { _ in lane.enqueue("running") { try await gate.passUnlessCancelled() } }
    let waiting = (0..<2).map { _ in lane.enqueue("waiting") {} }
    await gate.arrivals()
    waiting[0].cancel()
    #expect(lane.waiting == ["waiting"])
    waiting[1].cancel()
    #expect(lane.waiting == [])
    running[0].cancel()
    #expect(!running[1].hasEnded)
    running[1].cancel()
    #expect(await running[0].outcome.description == "cancelled")
  }

  @Test func `one that runs is cancelled by its replacement, which starts only after it`() async throws {
    let recorder = Recorder()
    let gate = Gate()
    let lane = try TaskCenter.with([]).lane(Lane("line", onFailure: .stop, duplicates: .replace))
    let old = lane.enqueue("popup") {
      do { try await gate.passUnlessCancelled() } catch {
        await Task.yield()
        recorder.note("old ends")
        throw error
      }
    }
    await gate.arrivals()
    let new = lane.enqueue("popup") { recorder.note("new begins") }
    #expect(await old.outcome.description == "cancelled")
    #expect(await new.outcome.isSuccess)
    #expect(recorder.notes == ["old ends", "new begins"])
  }

  @Test
  func `a body that overruns the lane's limit is cancelled, has timed out at once, and the next one starts, At12`()
    async throws
  {
    let clock = VirtualClock()
    let gate = Gate()
    let lane = try TaskCenter.with([], clock: clock).lane(Lane("line", timeout: .seconds(2)))
    let hung = lane.enqueue("hung") { try await gate.passUnlessCancelled() }
    let next = lane.enqueue("next") {}
    await clock.step(to: .seconds(2))
    #expect(await hung.outcome.description == "timed out")
    let error = await #expect(throws: TimeoutError.self) { try await hung.value }
    #expect(error?.timeout == .seconds(2))
    #expect(await next.outcome.isSuccess)
    await lane.center.quiet()
    #expect(lane.center.nextTimer == nil)
  }

  @Test func `a limit of its own comes before the lane's`() async throws {
    let clock = VirtualClock()
    let lane = try TaskCenter.with([], clock: clock).lane(Lane("line", timeout: .seconds(2)))
    let gate = Gate()
    let hung = lane.enqueue("hung", timeout: .seconds(5)) { try await gate.passUnlessCancelled() }
    await clock.step(to: .seconds(5))
    #expect(await hung.outcome.description == "timed out")
  }

  @Test(arguments: [true, false])
  func `a body that waits for what its API shows is told in onCancel that it has to end`(isLate: Bool) async throws {
    let clock = VirtualClock()
    let (recorder, dismissed) = (Recorder(), Gate())
    let lane = try TaskCenter.with([], clock: clock).lane(Lane("line", timeout: .seconds(30)))
    let alert = lane.enqueue("alert") { (completion: Completion<Void>) in
      completion.onCancel {
        recorder.note("dismissed")
        dismissed.open()
      }
      recorder.note("shown")
      await dismissed.pass()
    }
    let next = lane.enqueue("next") {}
    await dismissed.arrivals()
    if isLate { await clock.step(to: .seconds(30)) } else { alert.cancel() }
    #expect(await alert.outcome.description == (isLate ? "timed out" : "cancelled"))
    #expect(await next.outcome.isSuccess)
    #expect(recorder.notes == ["shown", "dismissed"])
  }

  @Test func `nothing else starts while a body that ignores its cancellation still runs`() async throws {
    let clock = VirtualClock()
    let gate = Gate()
    let lane = try TaskCenter.with([], clock: clock).lane(Lane("line"))
    let stubborn = lane.enqueue("stubborn", timeout: .seconds(1)) { await gate.pass() }
    let next = lane.enqueue("next") {}
    await clock.step(to: .seconds(1))
    #expect(await stubborn.outcome.description == "timed out")
    #expect(lane.report["stubborn"]?.isStillRunning == true)
    #expect(lane.running == "stubborn")
    #expect(lane.waiting == ["next"])
    gate.open()
    #expect(await next.outcome.isSuccess)
  }

  @Test func `a completion that is never answered is ended by the limit and reported, St5, S4`() async throws {
    let clock = VirtualClock()
    let kept = Values<Completion<Void>>()
    let recorder = Recorder()
    let lane = try TaskCenter.with([], clock: clock).lane(Lane("line", timeout: .seconds(4)))
    let hung = lane.enqueue("hung") { completion in
      completion.onCancel { recorder.note("dismissed") }
      kept.append(completion)
    }
    let next = lane.enqueue("next") { recorder.note("next") }
    await clock.step(to: .seconds(4))
    #expect(await hung.outcome.description == "timed out")
    #expect(await next.outcome.isSuccess)
    #expect(recorder.notes == ["dismissed", "next"])
    #expect(!kept.values[0].succeed())
    #expect(lane.report["hung"]?.outcome.description == "timed out")
  }

  @Test func `the lane's limit is also that of a task that names it and no other, Aw2, S4`() async throws {
    let clock = VirtualClock()
    let line = Lane("line", timeout: .seconds(4))
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "hung", priority: .high, lane: line) { _ in try await Gate().passUnlessCancelled() },
        .event(.alpha, name: "patient", timeout: .seconds(9), lane: line) { _ in
          try await Gate().passUnlessCancelled()
        },
        .event(.alpha, name: "last", after: ["patient"], lane: line) { _ in },
      ], clock: clock)
    let run = center.begin(.alpha)
    await clock.step(to: .seconds(4))
    await clock.step(to: .seconds(13))
    let report = await run.report
    #expect(report.outcomes == ["hung": "timed out", "patient": "timed out", "last": "succeeded"])
    #expect(report["hung"]?.duration == .seconds(4))
    #expect(report["patient"]?.duration == .seconds(9))
  }

  // MARK: - No time to run

  @Test(arguments: [
    (Lane("line"), Duration.zero, "a timeout of '0.0 seconds' is over before task 'late' starts; write a longer one"),
    (
      Lane("line", timeout: .seconds(1)), .seconds(-1),
      "a timeout of '-1.0 seconds' is over before task 'late' starts; write a longer one"
    ),
    (
      Lane("line", timeout: .zero), nil,
      "a timeout of '0.0 seconds' is over before anything in lane 'line' starts; write a longer one"
    ),
    (
      Lane("line", timeout: .seconds(-1)), .seconds(1),
      "a timeout of '-1.0 seconds' is over before anything in lane 'line' starts; write a longer one"
    ),
  ])
  func `what has no time to run is refused where it is put in, and the lane goes on`(
    lane: Lane, timeout: Duration?, sentence: String
  ) async throws {
    let recorder = Recorder()
    let queue = try TaskCenter.with([]).lane(lane)
    let tickets = [
      queue.enqueue("late", timeout: timeout) { recorder.note("synchronous") },
      queue.enqueue("late", timeout: timeout) { @MainActor in recorder.note("on the main actor") },
      queue.enqueue("late", timeout: timeout, retry: .attempts(2)) { () async -> Void in
        await Task.yield()
        recorder.note("asynchronous")
      },
      queue.enqueue("late", timeout: timeout) { (completion: Completion<Void>) in
        recorder.note("completing")
        completion.succeed(())
      },
    ]
    for ticket in tickets {
      let error = await #expect(throws: TaskError.self) { try await ticket.value }
      #expect(error?.code == .timeoutIsNotPositive)
      #expect(error?.task == "late")
      #expect(error?.description == sentence)
    }
    #expect(recorder.notes == [])
    #expect(queue.report.tasks.map(\.outcome.isSuccess) == [false, false, false, false])
    #expect(queue.waiting == [])
    if lane.timeout ?? .seconds(1) > .zero {
      #expect(await queue.enqueue("next", timeout: .seconds(1)) {}.outcome.isSuccess)
    }
  }

  // MARK: - Two lanes of one name

  private static let one = Lane("line", timeout: .seconds(1))
  private static let other = Lane("line", isolation: .mainActor, opens: .after(.alpha))
  private static let sentence =
    "lane 'line' is declared with isolation: concurrent in one place and mainActor in another, with timeout: 1.0 seconds "
    + "in one place and nil in another, with opens: at once in one place and after 'alpha' in another; declare it once"

  @Test func `what disagrees about a lane is refused where it is put in, and nothing else`() async throws {
    let center = try TaskCenter.with([])
    #expect(await center.lane(LaneRuleTests.one).enqueue("first") {}.outcome.isSuccess)
    let refused = center.lane(LaneRuleTests.other).enqueue("second") {}
    let error = await #expect(throws: TaskError.self) { try await refused.value }
    #expect(error?.code == .conflictingLane)
    #expect(error?.description == LaneRuleTests.sentence)
    #expect(center.lane(LaneRuleTests.one).report["second"]?.outcome.isSuccess == false)
    #expect(await center.lane(LaneRuleTests.one).enqueue("third") {}.outcome.isSuccess)
  }

  @Test func `and where tasks are injected, or put into a registry`() async throws {
    let tasks: [TaskDefinition] = [
      .event(.alpha, name: "first", lane: LaneRuleTests.one) { _ in },
      .event(.alpha, name: "second", lane: LaneRuleTests.other) { _ in },
    ]
    let center = try TaskCenter.with([])
    #expect(throws: TaskGraphError.self) { try center.inject(tasks) }
    #expect(await center.send(.alpha).tasks.isEmpty)
    try center.inject(tasks[0])
    var error = #expect(throws: TaskGraphError.self) { try center.inject(tasks[1]) }
    #expect(error?.sentences == [LaneRuleTests.sentence])
    error = #expect(throws: TaskGraphError.self) {
      try TaskRegistry(modules: [.of("One", [tasks[0]]), .of("Other", imports: ["One"], [tasks[1]])])
    }
    #expect(error?.sentences == [LaneRuleTests.sentence])
  }

  @Test func `a lane that was only used so far counts for an injection`() async throws {
    let center = try TaskCenter.with([])
    center.lane(LaneRuleTests.one).pause()
    let error = #expect(throws: TaskGraphError.self) {
      try center.inject(.event(.alpha, name: "second", lane: LaneRuleTests.other) { _ in })
    }
    #expect(error?.sentences == [LaneRuleTests.sentence])
  }

  @Test func `in a registry that nobody proved, the task that disagrees fails and says so`() async throws {
    let registry = TaskRegistry(__proved: [
      .of("One", [.event(.alpha, name: "first", lane: LaneRuleTests.one) { _ in }]),
      .of("Other", [.event(.alpha, name: "second", lane: LaneRuleTests.other) { _ in }]),
    ])
    let report = await TaskCenter(registry: registry).send(.alpha)
    #expect(report.outcomes == ["first": "succeeded", "second": "failed: " + LaneRuleTests.sentence])
  }

  @Test func `what is put in again after its cancellation runs, though the first has not returned`() async throws {
    let gate = Gate()
    let recorder = Recorder()
    let lane = try TaskCenter.with([]).lane(Lane("line", duplicates: .keepFirst))
    let first = lane.enqueue("popup") { () async throws -> Void in
      recorder.note("first")
      await gate.pass()
    }
    await gate.arrivals()
    first.cancel()
    let second = lane.enqueue("popup") { recorder.note("second") }
    gate.open()
    #expect(await second.outcome.isSuccess)
    #expect(recorder.notes == ["first", "second"])
  }

  /// The first of an open lane is a run as soon as it comes, but waits for a slot all the same.
  @Test(arguments: [true, false])
  func `what replaces something that waits has its place, also where only a slot is waited for`(
    isPaused: Bool
  ) async throws {
    let gate = Gate()
    let recorder = Recorder()
    let center = try TaskCenter.with([.event(.alpha, name: "holder") { _ in await gate.pass() }], limit: 1)
    let run = center.begin(.alpha)
    await gate.arrivals()
    let lane = center.lane(Lane("line", duplicates: .replace))
    if isPaused { lane.pause() }
    lane.enqueue("a", key: "key") { recorder.note("a") }
    lane.enqueue("b") { recorder.note("b") }
    lane.enqueue("a2", key: "key") { recorder.note("a2") }
    #expect(lane.waiting == ["a2", "b"])
    lane.resume()
    gate.open()
    try await lane.finished()
    #expect(await run.report.isSuccess)
    #expect(recorder.notes == ["a2", "b"])
  }

  @Test func `what fails again in the place of another one times out with its own limit`() async throws {
    let clock = VirtualClock()
    let gate = Gate()
    let lane = try TaskCenter.with([], clock: clock).lane(Lane("line", onFailure: .stop, duplicates: .keepFirst))
    let first = lane.enqueue("popup", timeout: .seconds(2)) { try await gate.passUnlessCancelled() }
    await clock.step(to: .seconds(2))
    #expect(await first.outcome.description == "timed out")
    try await lane.finished()
    let second = lane.enqueue("popup") {}
    lane.resume(at: .failed)
    await clock.step(to: .seconds(4))
    let error = await #expect(throws: TimeoutError.self) { try await second.value }
    #expect(error?.timeout == .seconds(2))
  }

  @Test func `whoever hears that a lane has stopped hears that it goes on when it is reset`() async throws {
    let center = try TaskCenter.with([])
    let events = center.events.makeAsyncIterator()
    let lane = center.lane(Lane("line", onFailure: .stop))
    _ = await lane.enqueue("fails") { throw Broken() }.outcome
    lane.reset()
    _ = await lane.enqueue("next") {}.outcome
    let words = await events.words(until: "taskEnded next: succeeded")
    #expect(words.filter { $0.hasPrefix("lane") } == ["laneStopped line by fails", "laneResumed line"])
  }

  /// Of the two that have one key then, only one runs; the ticket of the first has ended with its failure.
  @Test(arguments: [Lane.DuplicateRule.keepFirst, .replace, .both])
  func `the one that failed meets one of its key when the lane goes on with it`(rule: Lane.DuplicateRule) async throws {
    let recorder = Recorder()
    let lane = try TaskCenter.with([]).lane(Lane("line", onFailure: .stop, duplicates: rule))
    let first = lane.enqueue("popup") {
      recorder.note("first")
      if recorder.notes.count == 1 { throw Broken() }
    }
    _ = await first.outcome
    try await lane.finished()
    let second = lane.enqueue("popup") { recorder.note("second") }
    let other = lane.enqueue("other") { recorder.note("other") }
    lane.resume(at: .failed)
    #expect(await second.outcome.isSuccess)
    #expect(await other.outcome.isSuccess)
    switch rule {
    case .keepFirst: #expect(recorder.notes == ["first", "first", "other"])
    case .replace: #expect(recorder.notes == ["first", "second", "other"])
    case .both: #expect(recorder.notes == ["first", "first", "second", "other"])
    }
    #expect(lane.progress.ended == lane.progress.total)
  }
}
