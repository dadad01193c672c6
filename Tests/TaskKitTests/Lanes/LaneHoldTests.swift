import TaskKit
import TaskKitTesting
import Testing

/// What keeps a lane from going on: a pause, a gate, a failure (A11, S9, S10, At3, At4, St2, St8, St9).
@Suite struct LaneHoldTests {
  private static func note(_ names: [String], in recorder: Recorder, _ lane: LaneQueue) {
    for name in names { lane.enqueue(TaskName(name)) { recorder.note(name) } }
  }

  @Test(arguments: [Int.max, 1])
  func `a pause holds the rest, and resuming goes on, St9`(limit: Int) async throws {
    let gate = Gate()
    let recorder = Recorder()
    let lane = try TaskCenter.with([], limit: limit).lane(Lane("line"))
    let first = lane.enqueue("first") { await gate.pass() }
    LaneHoldTests.note(["second", "third"], in: recorder, lane)
    await gate.arrivals()
    lane.pause()
    #expect(lane.status == .paused)
    gate.open()
    #expect(await first.outcome.isSuccess)
    await lane.center.quiet()
    #expect(recorder.notes == [])
    #expect(lane.waiting == ["second", "third"])
    lane.resume()
    try await lane.finished()
    #expect(recorder.notes == ["second", "third"])
    #expect(lane.status == .open)
  }

  @Test(arguments: [Int.max, 1])
  func `a pause holds tasks of events, too`(limit: Int) async throws {
    let clock = VirtualClock()
    let recorder = Recorder()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "in the lane", lane: Lane("line")) { _ in recorder.note("in the lane") },
        .event(.alpha, name: "behind it", lane: Lane("line")) { _ in
          clock.advance(by: .seconds(4))
          recorder.note("behind it")
        },
        .event(.alpha, name: "outside") { _ in recorder.note("outside") },
      ], limit: limit, clock: clock)
    let lane = center.lane(Lane("line"))
    lane.pause()
    let run = center.begin(.alpha)
    #expect(await recorder.notes(1) == ["outside"])
    await waitUntil { center.parkedCount(in: Lane("line")) >= 2 }
    #expect(lane.waiting == ["in the lane", "behind it"])
    clock.advance(by: .seconds(3))
    lane.resume()
    let report = await run.report
    #expect(report.isSuccess)
    #expect(recorder.notes == ["outside", "in the lane", "behind it"])
    for name in ["in the lane", "behind it"] as [TaskName] {
      #expect(report[name]?.waits.pause == .seconds(3))
      #expect(report[name]?.waits.slot == .zero)
    }
    #expect(report["outside"]?.waits.pause == .zero)
    #expect(report.criticalPath.duration == .seconds(7))
  }

  @Test func `what a task waits for the one before it in a lane is no pause, and only what was held is one`()
    async throws
  {
    let clock = VirtualClock()
    let gate = Gate()
    let line = Lane("line", opens: .whenOpened)
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "first", priority: .high, lane: line) { _ in await gate.pass() },
        .event(.alpha, name: "second", lane: line) { _ in },
      ], clock: clock)
    let run = center.begin(.alpha)
    await waitUntil { center.parkedCount(in: line) >= 2 }
    clock.advance(by: .seconds(1))
    center.lane(line).open()
    await gate.arrivals()
    clock.advance(by: .seconds(2))
    center.lane(line).pause()
    clock.advance(by: .seconds(4))
    center.lane(line).resume()
    gate.open()
    let report = await run.report
    #expect(report["first"]?.waits.pause == .seconds(1))
    #expect(report["first"]?.waits.slot == .zero)
    #expect(report["second"]?.waits.pause == .seconds(5))
    #expect(report["second"]?.waits.slot == .seconds(2))
  }

  @Test(arguments: [Int.max, 1])
  func `a task of the main actor that a lane has held has not waited for the actor`(limit: Int) async throws {
    let clock = VirtualClock()
    let line = Lane("line")
    let center = try TaskCenter.with(
      [.event(.alpha, name: "main", lane: line) { @MainActor _ in }], limit: limit, clock: clock)
    center.lane(line).pause()
    let run = center.begin(.alpha)
    await waitUntil { center.parkedCount(in: line) > 0 }
    clock.advance(by: .seconds(3))
    center.lane(line).resume()
    let report = await run.report
    let waits = try #require(report["main"]?.waits)
    #expect((waits.pause, waits.slot, waits.mainActor) == (.seconds(3), .zero, .zero))
    #expect(report.criticalPath.segments.map(\.kind) == [.slot])
    #expect(report.criticalPath.segments.map(\.duration) == [.seconds(3)])
  }

  @Test func `a task that goes through the gate of its own event was not held by it`() async throws {
    let clock = VirtualClock()
    let gate = Gate()
    let line = Lane("line", opens: .after(.alpha))
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "first", priority: .high, lane: line) { _ in await gate.pass() },
        .event(.alpha, name: "second", lane: line) { _ in },
      ], clock: clock)
    let run = center.begin(.alpha)
    await gate.arrivals()
    await waitUntil { center.parkedCount(in: line) > 0 }
    clock.advance(by: .seconds(2))
    gate.open()
    let waits = try #require(await run.report["second"]?.waits)
    #expect((waits.pause, waits.slot) == (.zero, .seconds(2)))
  }

  @Test func `what was put into a lane and has its turn is told the pause that holds it then, too`() async throws {
    let clock = VirtualClock()
    let gate = Gate()
    let center = try TaskCenter.with([.event(.alpha, name: "busy") { _ in await gate.pass() }], limit: 1, clock: clock)
    let busy = center.begin(.alpha)
    await gate.arrivals()
    let lane = center.lane(Lane("line"))
    let ticket = lane.enqueue("job") {}
    lane.pause()
    clock.advance(by: .seconds(1))
    gate.open()
    _ = await busy.report
    await waitUntil { center.parkedCount(in: Lane("line")) > 0 }
    clock.advance(by: .seconds(3))
    lane.resume()
    #expect(await ticket.outcome.isSuccess)
    let waits = try #require(lane.report.tasks.first?.waits)
    #expect(waits.pause + waits.slot == .seconds(4))
    #expect(waits.pause >= .seconds(3))
  }

  @Test func `what waits under a key can be paused alone, and the rest goes past it`() async throws {
    let recorder = Recorder()
    let lane = try TaskCenter.with([]).lane(Lane("line"))
    lane.pause()
    LaneHoldTests.note(["first", "second", "third"], in: recorder, lane)
    try lane.pause("first")
    lane.resume()
    #expect(await recorder.notes(2) == ["second", "third"])
    #expect(lane.waiting == ["first"])
    try lane.resume("first")
    try await lane.finished()
    #expect(recorder.notes == ["second", "third", "first"])
  }

  @Test(arguments: [Int.max, 1])
  func `a gated lane runs nothing before its event has ended, then all in order, St8, S9, S10`(
    limit: Int
  ) async throws {
    let recorder = Recorder()
    let gate = Gate()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "task") { _ in
          await gate.pass()
          recorder.note("task")
        }
      ], limit: limit)
    let lane = center.lane(Lane("after alpha", opens: .after(.alpha)))
    #expect(lane.status == .closed)
    LaneHoldTests.note(["first", "second"], in: recorder, lane)
    await center.send(.beta)
    let run = center.begin(.alpha)
    await gate.arrivals()
    LaneHoldTests.note(["third"], in: recorder, lane)
    #expect(lane.waiting == ["first", "second", "third"])
    gate.open()
    _ = await run.report
    try await lane.finished()
    #expect(recorder.notes == ["task", "first", "second", "third"])
    #expect(lane.status == .open)
    #expect(await lane.enqueue("later") {}.outcome.isSuccess)
  }

  @Test(arguments: [Int.max, 1])
  func `the event opens the gate however its tasks were run`(limit: Int) async throws {
    // Short tasks that nobody interferes with are walked through.
    let center = try TaskCenter.with(
      [.event(.alpha, name: "short") { _ in }, .event(.beta, name: "short, too") { _ in }], limit: limit)
    for _ in 0..<3 { await center.send(.alpha) }
    let late = center.lane(Lane("late", opens: .after(.alpha)))
    #expect(await late.enqueue("at once") {}.outcome.isSuccess)
    let other = center.lane(Lane("other", opens: .after(.beta)))
    let ticket = other.enqueue("waits") {}
    await center.send(.alpha)
    #expect(!ticket.hasEnded)
    await center.send(.beta)
    #expect(await ticket.outcome.isSuccess)
  }

  @Test(arguments: [Int.max, 1], [false, true])
  func `a lane that is first used while its event happens again is open`(limit: Int, isShort: Bool) async throws {
    let recorder = Recorder()
    let line = Lane("offers", opens: .after(.alpha))
    @Sendable func offer(_ center: TaskCenter) -> LaneTicket<Void>? {
      recorder.note("alpha")
      return recorder.notes.count == 1 ? nil : center.lane(line).enqueue("offer") { recorder.note("offer") }
    }
    // A short one is walked through where it can be.
    let center = try TaskCenter.with(
      isShort
        ? [.event(.alpha, name: "offers") { context in _ = offer(context.center) }]
        : [.event(.alpha, name: "offers") { context in _ = await offer(context.center)?.outcome }], limit: limit)
    #expect(await center.send(.alpha).isSuccess)
    #expect(await center.send(.alpha).isSuccess)
    #expect(await recorder.notes(3) == ["alpha", "alpha", "offer"])
  }

  @Test func `a task of the event that opens the gate goes through it, one of another waits`() async throws {
    let recorder = Recorder()
    let line = Lane("line", opens: .after(.alpha))
    let center = try TaskCenter.with([
      .event(.alpha, name: "own", lane: line) { _ in recorder.note("own") },
      .event(.beta, name: "other", lane: line) { _ in recorder.note("other") },
    ])
    let other = center.begin(.beta)
    await waitUntil { center.parkedCount(in: line) > 0 }
    #expect(await center.send(.alpha).isSuccess)
    #expect(await other.report.isSuccess)
    #expect(recorder.notes == ["own", "other"])
  }

  // MARK: - A gate that waits for what waits for it

  /// The gate waits for 'alpha', which waits for 'needy', 'between' and so for 'first', which is behind the gate.
  private static let circular: [TaskDefinition] = [
    .event(.beta, name: "first", lane: Lane("line", opens: .after(.alpha))) { _ in },
    .event(.beta, name: "between", after: ["first"]) { _ in },
    .event(.alpha, name: "needy", dependencies: ["between"]) { _ in },
  ]
  private static let sentence =
    "lane 'line' opens after 'alpha', which does not end before task 'first' of that lane has, because 'needy' waits for "
    + "it; let the lane open after another event, or take 'first' out of it"

  @Test func `a gate that waits for a task behind it is refused in a registry and in an injection`() throws {
    var error = #expect(throws: TaskGraphError.self) { try TaskRegistry(modules: [.of("One", LaneHoldTests.circular)]) }
    #expect(error?.sentences == [LaneHoldTests.sentence])
    let center = try TaskCenter.with([])
    error = #expect(throws: TaskGraphError.self) { try center.inject(LaneHoldTests.circular) }
    #expect(error?.sentences == [LaneHoldTests.sentence])
    // Whichever of them comes last.
    for last in LaneHoldTests.circular.indices {
      let center = try TaskCenter.with([])
      var others = LaneHoldTests.circular
      let closing = others.remove(at: last)
      if last == 1 { others[1] = .event(.alpha, name: "needy") { _ in } }
      if last == 0 { others[0] = .event(.beta, name: "between", after: [.optional("first")]) { _ in } }
      try center.inject(others)
      error = #expect(throws: TaskGraphError.self) {
        try center.inject(last == 1 ? [closing, LaneHoldTests.circular[2]] : [closing], replacing: true)
      }
      #expect(error?.sentences == [LaneHoldTests.sentence])
    }
  }

  @Test func `it is no mistake once the gate has opened, nor where the gate's own event runs the task too`()
    async throws
  {
    let center = try TaskCenter.with([.event(.alpha, name: "short") { _ in }])
    await center.send(.alpha)
    try center.inject(LaneHoldTests.circular)
    #expect(await center.send(.beta).isSuccess)
    #expect(await center.send(.alpha).isSuccess)

    let line = Lane("line", opens: .after(.alpha))
    let both = try TaskCenter.with([
      .events([.alpha, .beta], name: "first", lane: line, returning: { _ in }),
      .event(.alpha, name: "needy", dependencies: ["first"]) { _ in },
    ])
    #expect(await both.send(.alpha).isSuccess)
  }

  @Test func `gates that wait for each other are refused, and one that is behind itself by way of another event`()
    throws
  {
    let two: [TaskDefinition] = [
      .event(.alpha, name: "one", lane: Lane("one", opens: .after(.beta))) { _ in },
      .event(.beta, name: "two", lane: Lane("two", opens: .after(.alpha))) { _ in },
    ]
    let around: [TaskDefinition] = [
      .events([.alpha, .beta], name: "both", lane: Lane("line", opens: .after(.alpha)), returning: { _ in }),
      .event(.beta, name: "between", dependencies: ["both"]) { _ in },
      .event(.alpha, name: "needy", dependencies: ["between"]) { _ in },
    ]
    func sentence(_ task: String, in lane: String, after event: String, _ dependent: String) -> String {
      "lane '\(lane)' opens after '\(event)', which does not end before task '\(task)' of that lane has, because "
        + "'\(dependent)' waits for it; let the lane open after another event, or take '\(task)' out of it"
    }
    let cases = [
      (two, [sentence("one", in: "one", after: "beta", "two"), sentence("two", in: "two", after: "alpha", "one")]),
      (around, [sentence("both", in: "line", after: "alpha", "needy")]),
    ]
    for (definitions, sentences) in cases {
      var error = #expect(throws: TaskGraphError.self) { try TaskRegistry(modules: [.of("One", definitions)]) }
      #expect(error?.sentences == sentences)
      error = #expect(throws: TaskGraphError.self) { try TaskCenter.with(definitions) }
      #expect(error?.sentences == sentences)
      let center = try TaskCenter.with(Array(definitions.dropLast()))
      error = #expect(throws: TaskGraphError.self) { try center.inject(definitions.last!) }
      #expect(error?.sentences == sentences)
    }
    // Through neither of them leads a way back.
    _ = try TaskCenter.with([two[0], .event(.gamma, name: "other", lane: Lane("two", opens: .after(.alpha))) { _ in }])
  }

  @Test func `a task that has to do with no gate is injected beside lanes that wait for one`() throws {
    let center = try TaskCenter.with([
      .event(.alpha, name: "first", lane: Lane("line", opens: .after(.beta))) { _ in },
      .event(.alpha, name: "needed") { _ in },
    ])
    try center.inject(.event(.alpha, name: "plain", dependencies: ["needed"]) { _ in })
    try center.inject(.event(.alpha, name: "behind", dependencies: ["first"]) { _ in })
    #expect(throws: TaskGraphError.self) {
      try center.inject(.event(.beta, name: "circle", dependencies: ["behind"]) { _ in })
    }
  }

  @Test(arguments: [Int.max, 1])
  func `in a registry that nobody proved, the task behind the gate fails and says so`(limit: Int) async throws {
    var configuration = TaskCenter.Configuration()
    configuration.maximumConcurrency = limit
    let center = TaskCenter(
      registry: TaskRegistry(__proved: [.of("One", LaneHoldTests.circular)]), configuration: configuration)
    let beta = center.begin(.beta)
    let alpha = await center.send(.alpha)
    #expect(alpha.outcomes == ["needy": "succeeded"])
    #expect(await beta.report.outcomes == ["first": "failed: " + LaneHoldTests.sentence, "between": "succeeded"])
  }

  @Test(arguments: [Int.max, 1])
  func `a gate opens when its condition holds, which is asked once, S10`(limit: Int) async throws {
    let condition = Gate()
    let recorder = Recorder()
    let line = Lane(
      "line",
      opens: .when("the network is there") {
        recorder.note("asked")
        await condition.pass()
        return true
      })
    let center = try TaskCenter.with(
      [.event(.alpha, name: "task", lane: line) { _ in recorder.note("task") }], limit: limit)
    let lane = center.lane(line)
    LaneHoldTests.note(["first", "second"], in: recorder, lane)
    let run = center.begin(.alpha)
    #expect(lane.status == .closed)
    await condition.arrivals()
    for _ in 0..<1000 { await Task.yield() }
    #expect(recorder.notes == ["asked"])
    condition.open()
    try await lane.finished()
    #expect(await run.report.isSuccess)
    #expect(recorder.notes == ["asked", "first", "second", "task"])
    #expect(lane.status == .open)
    #expect(await lane.enqueue("later") {}.outcome.isSuccess)
    #expect(recorder.notes.filter { $0 == "asked" }.count == 1)
  }

  @Test func `a condition is not asked as long as a lane is only named`() async throws {
    let recorder = Recorder()
    let line = Lane(
      "line",
      opens: .when("the network is there") {
        recorder.note("asked")
        return true
      })
    let center = try TaskCenter.with([.event(.alpha, name: "task", lane: line) { _ in recorder.note("task") }])
    try center.pause("task")
    try center.inject(.event(.beta, name: "other", lane: line) { _ in })
    try center.resume("task")
    for _ in 0..<1000 { await Task.yield() }
    #expect(recorder.notes == [])
    #expect(await center.send(.alpha).isSuccess)
    #expect(recorder.notes == ["asked", "task"])
    let other = try TaskCenter.with([.event(.alpha, name: "task", lane: line) { _ in }])
    await other.terminate(deadline: .zero)
    for _ in 0..<1000 { await Task.yield() }
    #expect(recorder.notes == ["asked", "task"])
  }

  @Test func `a condition that does not hold leaves the lane closed, until it is opened by hand`() async throws {
    let asked = Gate()
    let line = Lane(
      "line",
      opens: .when("never") {
        asked.open()
        return false
      })
    let lane = try TaskCenter.with([]).lane(line)
    let ticket = lane.enqueue("waits") {}
    await asked.pass()
    for _ in 0..<1000 { await Task.yield() }
    #expect(lane.status == .closed)
    lane.open()
    #expect(await ticket.outcome.isSuccess)
  }

  @Test func `a condition is given up when the lane is opened by hand, and with the center`() async throws {
    let gate = Gate()
    let recorder = Recorder()
    let line = Lane(
      "line",
      opens: .when("the network is there") {
        do { try await gate.passUnlessCancelled() } catch { recorder.note("given up") }
        return true
      })
    let lane = try TaskCenter.with([]).lane(line)
    lane.pause()
    await gate.arrivals()
    lane.open()
    #expect(await recorder.notes(1) == ["given up"])
    do {
      let other = try TaskCenter.with([]).lane(line)
      other.pause()
      await gate.arrivals(2)
    }
    #expect(await recorder.notes(2) == ["given up", "given up"])
  }

  @Test func `a condition is not asked any more when the center has shut down`() async throws {
    let gate = Gate()
    let line = Lane(
      "line",
      opens: .when("the network is there") {
        await gate.pass()
        return true
      })
    let lane = try TaskCenter.with([]).lane(line)
    await lane.center.terminate()
    #expect(lane.status == .closed)
    lane.pause()
    #expect(lane.center.askedConditionCount == 0)
    #expect(await !lane.enqueue("late") {}.outcome.isSuccess)
    #expect(lane.center.askedConditionCount == 0)
    gate.open()
  }

  @Test func `lanes whose conditions have one name agree`() async throws {
    func line(_ condition: String) -> Lane { Lane("line", opens: .when(condition) { true }) }
    let center = try TaskCenter.with([])
    #expect(await center.lane(line("one")).enqueue("first") {}.outcome.isSuccess)
    #expect(await center.lane(line("one")).enqueue("second") {}.outcome.isSuccess)
    let outcome = await center.lane(line("other")).enqueue("third") {}.outcome
    #expect(
      outcome.description
        == "failed: lane 'line' is declared with opens: when 'one' in one place and when 'other' in another; declare it once"
    )
  }

  @Test func `a gate that is opened by hand`() async throws {
    let recorder = Recorder()
    let lane = try TaskCenter.with([]).lane(Lane("line", opens: .whenOpened))
    LaneHoldTests.note(["first", "second"], in: recorder, lane)
    lane.pause()
    lane.open()
    await lane.center.quiet()
    #expect(recorder.notes == [])
    lane.resume()
    try await lane.finished()
    #expect(recorder.notes == ["first", "second"])
    lane.open()
    #expect(lane.status == .open)
  }

  struct Way: CustomTestStringConvertible {
    let testDescription: String
    let body: @Sendable () async throws -> Void
    var timeout: Duration?
  }

  private static let ways = [
    Way(testDescription: "fails") { throw Broken() },
    Way(testDescription: "throws a cancellation") { throw CancellationError() },
    Way(
      testDescription: "times out", body: { try await Gate().passUnlessCancelled() }, timeout: .seconds(1)),
  ]

  @Test(arguments: ways, [Lane.FailureRule.continue, .stop])
  func `however one ends badly, the next one starts or the lane stops, as it says, At3, At12, St2`(
    way: Way, rule: Lane.FailureRule
  ) async throws {
    let clock = VirtualClock()
    let recorder = Recorder()
    let lane = try TaskCenter.with([], clock: clock).lane(Lane("line", onFailure: rule))
    lane.enqueue("first") { recorder.note("first") }
    let second = lane.enqueue("second", timeout: way.timeout, way.body)
    lane.enqueue("third") { recorder.note("third") }
    if way.timeout != nil { await clock.step(to: .seconds(1)) }
    _ = await second.outcome
    let report = try await lane.finished()
    await lane.center.quiet()
    #expect(recorder.notes == (rule == .stop ? ["first"] : ["first", "third"]))
    #expect(report.status == (rule == .stop ? .stopped(by: "second") : .open))
    #expect(report["second"]?.outcome.isSuccess == false)
    #expect(report.waiting == (rule == .stop ? ["third"] : []))
  }

  @Test(arguments: [Lane.FailureRule.continue, .stop], [Int.max, 1])
  func `what runs and is cancelled by its ticket is what the rule is about, St2`(
    rule: Lane.FailureRule, limit: Int
  ) async throws {
    let gate = Gate()
    let recorder = Recorder()
    let lane = try TaskCenter.with([], limit: limit).lane(Lane("line", onFailure: rule))
    let running = lane.enqueue("running") { try await gate.passUnlessCancelled() }
    let waiting = lane.enqueue("waiting") { recorder.note("waiting") }
    LaneHoldTests.note(["next"], in: recorder, lane)
    await gate.arrivals()
    waiting.cancel()
    #expect(lane.status == .open)
    running.cancel()
    #expect(await running.outcome.description == "cancelled")
    let report = try await lane.finished()
    await lane.center.quiet()
    #expect(report.status == (rule == .stop ? .stopped(by: "running") : .open))
    #expect(report.waiting == (rule == .stop ? ["next"] : []))
    #expect(recorder.notes == (rule == .stop ? [] : ["next"]))
    lane.resume()
    try await lane.finished()
    #expect(recorder.notes == ["next"])
  }

  @Test(arguments: [Lane.FailureRule.continue, .stop], [true, false])
  func `what is removed while it runs has not failed, whatever it throws: the next one starts, St2`(
    rule: Lane.FailureRule, throwsError: Bool
  ) async throws {
    let gate = Gate()
    let recorder = Recorder()
    let lane = try TaskCenter.with([]).lane(Lane("line", onFailure: rule))
    let running = lane.enqueue("running") {
      recorder.note("running")
      do { try await gate.passUnlessCancelled() } catch { throw throwsError ? Broken() : error }
    }
    LaneHoldTests.note(["next"], in: recorder, lane)
    await gate.arrivals()
    try lane.remove("running")
    #expect(await running.outcome.description == "cancelled")
    #expect(try await lane.finished().status == .open)
    // Nothing has failed that could run again.
    gate.open()
    lane.resume(at: .failed)
    try await lane.finished()
    #expect(recorder.notes == ["running", "next"])
  }

  @Test(arguments: [LaneResumption.next, .failed], [Int.max, 1])
  func `a stopped lane goes on with the next one, or with what has failed when asked, At4`(
    point: LaneResumption, limit: Int
  ) async throws {
    let recorder = Recorder()
    let lane = try TaskCenter.with([], limit: limit).lane(Lane("line", onFailure: .stop))
    lane.pause()
    lane.enqueue("first") { recorder.note("first") }
    lane.enqueue("second") {
      recorder.note("second")
      if recorder.notes.count(where: { $0 == "second" }) == 1 { throw Broken() }
    }
    lane.enqueue("urgent", priority: .low) { recorder.note("urgent") }
    lane.resume()
    #expect(try await lane.finished().status == .stopped(by: "second"))
    lane.enqueue("third", priority: .critical) { recorder.note("third") }
    lane.resume(at: point)
    #expect(try await lane.finished().status == .open)
    #expect(
      recorder.notes == ["first", "second"] + (point == .failed ? ["second"] : []) + ["third", "urgent"])
  }

  @Test(arguments: [Int.max, 1])
  func `what has failed comes first of all, also where an earlier one has the highest priority that there is`(
    limit: Int
  ) async throws {
    let recorder = Recorder()
    let lane = try TaskCenter.with([], limit: limit).lane(Lane("line", onFailure: .stop))
    lane.pause()
    lane.enqueue("earlier", priority: Priority(.max)) { recorder.note("earlier") }
    lane.enqueue("fails", priority: Priority(.max)) {
      recorder.note("fails")
      if recorder.notes.count == 1 { throw Broken() }
    }
    try lane.pause("earlier")
    lane.resume()
    #expect(try await lane.finished().status == .stopped(by: "fails"))
    try lane.resume("earlier")
    lane.resume(at: .failed)
    #expect(try await lane.finished().status == .open)
    #expect(recorder.notes == ["fails", "fails", "earlier"])
  }

  @Test func `a failure of an annotated task does not stop the lane, its own policy does that`() async throws {
    let line = Lane("line", onFailure: .stop)
    let center = try TaskCenter.with([
      .event(.alpha, name: "fails", lane: line) { _ in throw Broken() },
      .event(.alpha, name: "next", lane: line) { _ in },
    ])
    #expect(await center.send(.alpha).outcomes == ["fails": "failed: broken", "next": "succeeded"])
    #expect(center.lane(line).status == .open)
  }

  @Test func `what is taken out between two attempts is cancelled, and no failure of the lane's`() async throws {
    let clock = VirtualClock()
    let recorder = Recorder()
    let lane = try TaskCenter.with([], clock: clock).lane(Lane("line", onFailure: .stop))
    let again = lane.enqueue("again", retry: .attempts(2, backoff: .fixed(.seconds(10)))) {
      recorder.note("again")
      throw Broken()
    }
    let gate = Gate()
    lane.enqueue("fails") {
      recorder.note("fails")
      await gate.pass()
      if recorder.notes.count == 2 { throw Broken() }
    }
    await gate.arrivals()
    #expect(lane.waiting == ["again"])
    #expect(!lane.report.isSuccess)
    gate.open()
    #expect(try await lane.finished().status == .stopped(by: "fails"))
    again.cancel()
    #expect(await again.outcome.description == "cancelled")
    #expect(lane.status == .stopped(by: "fails"))
    lane.resume(at: .failed)
    try await lane.finished()
    #expect(recorder.notes == ["again", "fails", "fails"])
    #expect(lane.center.nextTimer == nil)
  }

  @Test(arguments: [5, 10])
  func `clearing leaves what has begun, also while it waits for another attempt`(seconds: Int) async throws {
    let clock = VirtualClock()
    let (recorder, gate) = (Recorder(), Gate())
    let lane = try TaskCenter.with([], clock: clock).lane(Lane("line"))
    let again = lane.enqueue("again", retry: .attempts(2, backoff: .fixed(.seconds(10)))) {
      recorder.note("again")
      if recorder.notes.count == 1 { throw Broken() }
    }
    lane.enqueue("holds") { await gate.pass() }
    await gate.arrivals()
    await clock.waitForSleeper(until: .seconds(10))
    clock.advance(by: .seconds(seconds))
    await waitUntil { seconds != 10 || lane.center.nextTimer == nil }
    lane.clear()
    gate.open()
    if seconds < 10 { await clock.step(to: .seconds(10)) }
    #expect(await again.outcome.isSuccess)
    #expect(recorder.notes == ["again", "again"])
  }

  @Test func `taking out what waits, and emptying the lane, stop nothing`() async throws {
    let gate = Gate()
    let lane = try TaskCenter.with([]).lane(Lane("line", onFailure: .stop))
    let running = lane.enqueue("running") { try await gate.passUnlessCancelled() }
    lane.enqueue("waiting") {}
    await gate.arrivals()
    try lane.remove("waiting")
    lane.reset()
    #expect(await running.outcome.description == "cancelled")
    try await lane.finished()
    #expect(lane.status == .open)
    lane.enqueue("fails") { throw Broken() }
    #expect(try await lane.finished().status == .stopped(by: "fails"))
    lane.reset()
    #expect(lane.status == .open)
  }

  // MARK: - What has its turn and has not begun

  /// Nothing of it begins before this test, which is on the main actor, waits for something.
  private static let mainLane = Lane("on the main actor", isolation: .mainActor, duplicates: .replace)

  @MainActor @Test(.timeLimit(.minutes(15)), arguments: [Int.max, 1], [false, true])
  func `what has its turn and has not begun is held by a pause`(limit: Int, isOfKey: Bool) async throws {
    let recorder = Recorder()
    let lane = try TaskCenter.with([], limit: limit).lane(LaneHoldTests.mainLane)
    LaneHoldTests.note(["first"], in: recorder, lane)
    if isOfKey { try lane.pause("first") } else { lane.pause() }
    await waitUntil { lane.center.parkedCount(in: lane.lane) > 0 }
    #expect(lane.running == nil)
    #expect(lane.waiting == ["first"])
    #expect(recorder.notes == [])
    if isOfKey { try lane.resume("first") } else { lane.resume() }
    try await lane.finished()
    #expect(recorder.notes == ["first"])
  }

  @MainActor @Test(arguments: [Int.max, 1])
  func `what has its turn and has not begun is cleared`(limit: Int) async throws {
    let recorder = Recorder()
    let lane = try TaskCenter.with([], limit: limit).lane(LaneHoldTests.mainLane)
    let ticket = lane.enqueue("first") { recorder.note("first") }
    lane.clear()
    #expect(await ticket.outcome.description == "cancelled")
    #expect(await lane.enqueue("second") { recorder.note("second") }.outcome.isSuccess)
    #expect(recorder.notes == ["second"])
    #expect(lane.center.usedSlots == 0)
  }

  @MainActor @Test(arguments: [Int.max, 1])
  func `what replaces something that has its turn and has not begun has its place`(limit: Int) async throws {
    let recorder = Recorder()
    let lane = try TaskCenter.with([], limit: limit).lane(LaneHoldTests.mainLane)
    let first = lane.enqueue("first") { recorder.note("replaced") }
    LaneHoldTests.note(["second", "first"], in: recorder, lane)
    #expect(await first.outcome.description == "cancelled")
    try await lane.finished()
    #expect(recorder.notes == ["first", "second"])
  }
}
