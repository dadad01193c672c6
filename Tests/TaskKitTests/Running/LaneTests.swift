import TaskKit
import TaskKitTesting
import Testing

/// Lanes: one at a time, in the order of the law (A9, A10, At1, At2, At6-At8, At11).
@Suite struct LaneTests {
  private static let lane = Lane("line")

  @Test(arguments: [Int.max, 2, 1])
  func `tasks of a lane run one at a time, in the order of the law, each after the end of the one before, At1, At2`(
    limit: Int
  ) async throws {
    let recorder = Recorder()
    let priorities: [Priority] = [.default, .high, .default, .critical, .low]
    let center = try TaskCenter.with(
      priorities.enumerated().map { number, priority in
        .event(.alpha, name: TaskName("\(number)"), priority: priority, lane: LaneTests.lane) { _ in
          recorder.note("+\(number)")
          for _ in 0..<3 { await Task.yield() }
          recorder.note("-\(number)")
        }
      }, limit: limit)
    #expect(await center.send(.alpha).isSuccess)
    #expect(recorder.notes == ["+3", "-3", "+1", "-1", "+0", "-0", "+2", "-2", "+4", "-4"])
  }

  @Test func `what is in no lane goes on beside it`() async throws {
    let gate = Gate()
    let center = try TaskCenter.with([
      .event(.alpha, name: "in the lane", lane: LaneTests.lane) { _ in await gate.pass() },
      .event(.alpha, name: "waits", lane: LaneTests.lane) { _ in },
      .event(.alpha, name: "another lane", lane: Lane("other")) { _ in await gate.arrivals() },
      .event(.alpha, name: "outside", after: ["another lane"]) { _ in gate.open() },
    ])
    #expect(await center.send(.alpha).isSuccess)
  }

  @Test(arguments: [Int.max, 2])
  func `a lane is one lane for all events, At11`(limit: Int) async throws {
    let meter = Meter()
    func member(_ event: LifecycleEvent<Void, Void>, _ name: TaskName) -> TaskDefinition {
      .event(event, name: name, lane: Lane("line")) { _ in
        meter.enter()
        for _ in 0..<3 { await Task.yield() }
        meter.leave()
      }
    }
    let center = try TaskCenter.with(
      [member(.alpha, "a"), member(.alpha, "b"), member(.beta, "c"), member(.gamma, "d")], limit: limit)
    let runs = [center.begin(.alpha), center.begin(.beta), center.begin(.gamma), center.begin(.alpha)]
    for run in runs { #expect(await run.report.isSuccess) }
    #expect(meter.maximum == 1)
  }

  @Test(arguments: [Int.max, 2, 1])
  func `of equals that of the occurrence goes first which began first, not that which was sent first`(limit: Int)
    async throws
  {
    let gate = Gate()
    let recorder = Recorder()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "alpha", lane: LaneTests.lane) { _ in
          recorder.note("alpha")
          await gate.pass()
        },
        .event(.beta, name: "beta", lane: LaneTests.lane) { _ in recorder.note("beta") },
      ], limit: limit)
    let first = center.begin(.alpha)
    await gate.arrivals()
    // Begins when the first is over, and was sent before the one that begins at once.
    let second = center.begin(.alpha)
    let beta = center.begin(.beta)
    gate.open()
    for run in [first, second, beta] { #expect(await run.report.isSuccess) }
    #expect(recorder.notes == ["alpha", "beta", "alpha"])
  }

  @Test func `once no task names a lane any more, another one may have its name`() async throws {
    let center = try TaskCenter.with([
      .event(.alpha, name: "short", lane: Lane("line", timeout: .seconds(5))) { _ in }
    ])
    #expect(await center.send(.alpha).isSuccess)
    await center.quiet()
    let other = TaskDefinition.event(.alpha, name: "long", lane: Lane("line", timeout: .seconds(10))) { _ in }
    #expect(throws: TaskGraphError.self) { try center.inject(other) }
    try center.destroy("short")
    try center.inject(other)
    #expect(await center.send(.alpha).outcomes == ["long": "succeeded"])
  }

  @Test func `what replaces the last tasks that name a lane may mean another one by that name`() async throws {
    func task(_ name: TaskName, timeout: Int) -> TaskDefinition {
      .event(.alpha, name: name, lane: Lane("line", timeout: .seconds(timeout))) { _ in }
    }
    let center = try TaskCenter.with([task("first", timeout: 5), task("second", timeout: 5)])
    #expect(await center.send(.alpha).isSuccess)
    await center.quiet()
    #expect(center.soundness(of: [task("first", timeout: 10)], replacing: true) == (false, false))
    #expect(throws: TaskGraphError.self) { try center.inject(task("first", timeout: 10), replacing: true) }
    let both = [task("first", timeout: 10), task("second", timeout: 10)]
    #expect(center.soundness(of: both, replacing: true) == (true, true))
    try center.inject(both, replacing: true)
    #expect(await center.send(.alpha).outcomes == ["first": "succeeded", "second": "succeeded"])
  }

  @Test func `where a lane gets a gate in that way, what would wait for itself behind it is refused`() throws {
    let center = try TaskCenter.with([
      .event(.alpha, name: "first", lane: Lane("line")) { _ in },
      .event(.beta, name: "needy", dependencies: ["first"]) { _ in },
    ])
    let gated = TaskDefinition.event(.alpha, name: "first", lane: Lane("line", opens: .after(.beta))) { _ in }
    #expect(center.soundness(of: [gated], replacing: true) == (false, false))
    let error = #expect(throws: TaskGraphError.self) { try center.inject(gated, replacing: true) }
    #expect(
      error?.sentences == [
        "lane 'line' opens after 'beta', which does not end before task 'first' of that lane has, because 'needy' waits for it; "
          + "let the lane open after another event, or take 'first' out of it"
      ])
  }

  @Test(arguments: [Int.max, 1])
  func `a lane whose last task is destroyed while it runs is forgotten when that has returned`(limit: Int) async throws
  {
    let gate = Gate()
    let center = try TaskCenter.with(
      [.event(.alpha, name: "first", lane: LaneTests.lane) { _ in await gate.pass() }], limit: limit)
    let run = center.begin(.alpha)
    await gate.arrivals()
    try center.destroy("first")
    #expect(center.knownLanes == 1)
    gate.open()
    _ = await run.report
    await center.quiet()
    #expect(center.knownLanes == 0)
  }

  @Test func `a lane that its event has opened is forgotten with the last task that names it`() async throws {
    let gated = Lane("line", opens: .after(.beta))
    let center = try TaskCenter.with([.event(.alpha, name: "gated", lane: gated) { _ in }])
    await center.send(.beta)
    #expect(center.lane(gated).status == .open)
    try center.destroy("gated")
    #expect(center.lane(gated).status == .open)
    try center.inject(.event(.alpha, name: "other", lane: Lane("line")) { _ in })
    #expect(await center.send(.alpha).outcomes == ["other": "succeeded"])
  }

  /// Tasks of every form in one lane: whoever runs them, one at a time and in the order of the law.
  @Test(arguments: [Int.max, 3, 1])
  func `synchronous, asynchronous and main-actor tasks share a lane`(limit: Int) async throws {
    let meter = Meter()
    let recorder = Recorder()
    @Sendable func work(_ name: TaskName) {
      meter.enter()
      recorder.note(name.rawValue)
      meter.leave()
    }
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "1", lane: LaneTests.lane) { context in
          await Task.yield()
          work(context.name)
        },
        .event(.alpha, name: "2", lane: LaneTests.lane) { @MainActor context in work(context.name) },
        .event(.alpha, name: "3", lane: LaneTests.lane) { context in work(context.name) },
        .event(.alpha, name: "4", lane: LaneTests.lane) { @MainActor context in work(context.name) },
        .event(.alpha, name: "5", lane: LaneTests.lane) { context in work(context.name) },
        .event(.alpha, name: "6", lane: LaneTests.lane) { context in
          work(context.name)
          await Task.yield()
        },
      ], limit: limit)
    for _ in 0..<20 { #expect(await center.send(.alpha).isSuccess) }
    #expect(meter.maximum == 1)
    #expect(recorder.notes == (0..<20).flatMap { _ in ["1", "2", "3", "4", "5", "6"] })
  }

  @Test(arguments: ["paused", "destroyed"])
  func `one that the others let go first, and that does not start, does not hold them up`(way: String) async throws {
    let center = try TaskCenter.with([
      .event(.alpha, name: "first", lane: LaneTests.lane) { @MainActor _ in },
      .event(.alpha, name: "second", lane: LaneTests.lane) { _ in },
    ])
    if way == "paused" { try center.pause("first") }
    let run = center.begin(.alpha)
    if way == "destroyed" { try center.destroy("first") }
    #expect(await run.report.outcomes["second"] == "succeeded")
  }

  @Test func `a task that waits in the lane can be destroyed, and one that runs is cancelled, At6`() async throws {
    let gate = Gate()
    let center = try TaskCenter.with([
      .event(.alpha, name: "running", lane: LaneTests.lane) { _ in try await gate.passUnlessCancelled() },
      .event(.alpha, name: "waiting", lane: LaneTests.lane) { _ in },
      .event(.alpha, name: "last", lane: LaneTests.lane) { _ in },
    ])
    let run = center.begin(.alpha)
    await gate.arrivals()
    try center.destroy("waiting")
    try center.destroy("running")
    #expect(
      await run.report.outcomes == ["running": "cancelled", "waiting": "cancelled", "last": "succeeded"])
  }

  @Test func `emptying the lane: nothing runs any more, and the end is still told, At7`() async throws {
    let gate = Gate()
    let recorder = Recorder()
    let center = try TaskCenter.with(
      (0..<4).map { number in
        .event(.alpha, name: TaskName("\(number)"), lane: LaneTests.lane) { _ in
          recorder.note("\(number)")
          try await gate.passUnlessCancelled()
        }
      })
    let run = center.begin(.alpha)
    await gate.arrivals()
    run.cancel()
    #expect(await run.report.outcomes.values.allSatisfy { $0 == "cancelled" })
    #expect(recorder.notes == ["0"])
    gate.open()
    #expect(await center.send(.alpha).isSuccess)
  }

  @Test func `an occurrence that is cancelled leaves all its lanes to who waits, however many`() async throws {
    let count = 10_000
    let gate = Gate()
    let recorder = Recorder()
    let center = try TaskCenter.with(
      (0..<count).flatMap { number -> [TaskDefinition] in
        let lane = Lane("\(number)")
        return [
          .event(.alpha, name: TaskName("\(number)"), lane: lane) { _ in try await gate.passUnlessCancelled() },
          .event(.alpha, name: TaskName("behind \(number)"), lane: lane) { _ in recorder.note("behind") },
          .event(.beta, name: TaskName("other \(number)"), lane: lane) { _ in recorder.note("other") },
        ]
      })
    let run = center.begin(.alpha)
    await gate.arrivals(count)
    let other = center.begin(.beta)
    run.cancel()
    #expect(await run.report.tasks.count { $0.outcome.description == "cancelled" } == 2 * count)
    #expect(await other.report.isSuccess)
    #expect(recorder.notes.count { $0 == "other" } == count)
    #expect(!recorder.notes.contains("behind"))
  }

  @Test func `an event without tasks is over at once, At8, Rt34`() async throws {
    let center = TaskCenter(time: .virtual(VirtualClock()))
    let report = await center.send(.alpha)
    #expect(report.status == .completed)
    #expect(report.tasks.isEmpty)
    #expect(report.duration == .zero)
    #expect(report.criticalPath.segments.isEmpty)
    #expect(report.isSuccess)
    #expect(report.description == "alpha: completed")
    #expect(await center.begin(.alpha).report.isSuccess)
  }

  @Test(arguments: ["fails", "is disabled", "throws a cancellation", "is paused"])
  func `however a task of the lane ends, the next one starts, At3`(way: String) async throws {
    let center = try TaskCenter.with([
      .event(.alpha, name: "first", lane: LaneTests.lane) { _ in
        switch way {
        case "fails": throw Broken()
        case "is disabled": throw TaskDisabled()
        default: throw CancellationError()
        }
      },
      .event(.alpha, name: "second", lane: LaneTests.lane) { _ in },
    ])
    if way == "is paused" { try center.pause("first") }
    #expect(await center.send(.alpha).outcomes["second"] == "succeeded")
  }

  @Test func `what waits in a lane when a more urgent task comes lets it go first`() async throws {
    let gate = Gate()
    let recorder = Recorder()
    let center = try TaskCenter.with([
      .event(.alpha, name: "holder", lane: LaneTests.lane) { _ in await gate.pass() },
      .event(.alpha, name: "patient", lane: LaneTests.lane) { _ in recorder.note("patient") },
      .event(.alpha, name: "opener") { _ in await gate.arrivals() },
      .event(.alpha, name: "urgent", priority: .critical, dependencies: ["opener"], lane: LaneTests.lane) { _ in
        recorder.note("urgent")
      },
      .event(.alpha, name: "releaser", priority: .low, after: ["opener"]) { context in
        // When 'urgent' could start, and waits for the lane like 'patient'.
        while context.center.parkedCount(in: LaneTests.lane) < 2 { await Task.yield() }
        gate.open()
      },
    ])
    #expect(await center.send(.alpha).isSuccess)
    #expect(recorder.notes == ["urgent", "patient"])
  }

  @Test func `very many tasks that wait in a lane go in the order of the law, in whatever order they have come`()
    async throws
  {
    let count = 20_000
    let gate = Gate()
    let recorder = Recorder()
    var tasks: [TaskDefinition] = [
      .event(.alpha, name: "holder", priority: .critical, lane: LaneTests.lane) { _ in await gate.pass() }
    ]
    for number in 0..<count {
      // One after the other, the last first.
      let before = number + 1 < count ? [TaskDependency("opener \(number + 1)")] : []
      tasks.append(
        .event(.alpha, name: TaskName("opener \(number)"), priority: .high, dependencies: before) { @MainActor _ in })
      tasks.append(
        .event(
          .alpha, name: TaskName("\(number)"), dependencies: [TaskDependency("opener \(number)")], lane: LaneTests.lane
        ) { _ in recorder.note("\(number)") })
    }
    let center = try TaskCenter.with(tasks)
    let run = center.begin(.alpha)
    await waitUntil { center.parkedCount(in: LaneTests.lane) == count }
    gate.open()
    #expect(await run.report.isSuccess)
    #expect(recorder.notes == (0..<count).map { "\($0)" })
  }

  @Test func `very many occurrences that wait in a lane go as urgent as they are, equals as they came`() async throws {
    let count = 5000
    let gate = Gate()
    let recorder = Recorder()
    func event(_ number: Int) -> LifecycleEvent<Void, Void> { .numbered(number) }
    var tasks: [TaskDefinition] = (0..<count).map { number in
      .event(
        event(number), name: TaskName("\(number)"), priority: number.isMultiple(of: 2) ? .low : .high,
        lane: LaneTests.lane
      ) { _ in recorder.note("\(number)") }
    }
    tasks.append(.event(.alpha, name: "holder", lane: LaneTests.lane) { _ in await gate.pass() })
    let center = try TaskCenter.with(tasks)
    let holder = center.begin(.alpha)
    await gate.arrivals()
    let runs = (0..<count).map { center.begin(event($0)) }
    await waitUntil { center.parkedCount(in: LaneTests.lane) == count }
    gate.open()
    for run in runs { #expect(await run.report.isSuccess) }
    #expect(await holder.report.isSuccess)
    let (urgent, others) = ((0..<count).filter { !$0.isMultiple(of: 2) }, (0..<count).filter { $0.isMultiple(of: 2) })
    #expect(recorder.notes == (urgent + others).map { "\($0)" })
  }
}
