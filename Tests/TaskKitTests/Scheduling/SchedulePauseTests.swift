import Foundation
import TaskKit
import TaskKitTesting
import Testing

/// Pausing, destroying and injecting scheduled tasks (R45, R46, R53–R60).
@Suite struct SchedulePauseTests {
  @Test func `a paused interval does not run and keeps its count, and goes on after, Rt21`() async throws {
    let table = Timetable()
    try table.center.inject(table.task(.init(every: .seconds(10), count: 3)))
    table.center.start()
    await table.pass(.seconds(10))
    try table.center.pause("tick")
    await table.pass(.seconds(35))
    #expect(table.notes == ["tick 10"])
    let status = try table.center.schedule(of: "tick")
    #expect(status.isPaused)
    #expect(status.remaining == 2)
    #expect(status.missed == 3)
    try table.center.resume("tick")
    await table.pass(.seconds(100))
    #expect(table.notes == ["tick 10", "tick 50", "tick 60"])
  }

  @Test func `a run that is paused between two attempts has used up one of the count, and does not come again`()
    async throws
  {
    let table = Timetable()
    try table.center.inject(
      .schedule(
        .init(every: .seconds(10), count: 2), name: "again", retry: .attempts(2, backoff: .fixed(.seconds(3)))
      ) { [recorder = table.recorder] context in
        recorder.note("run \(context.payload.number), attempt \(context.attempt)")
        throw Broken()
      })
    table.center.start()
    await table.pass(.seconds(11))
    try table.center.pause("again", missed: .deliver)
    await table.pass(.seconds(4))
    try table.center.resume("again")
    await table.pass(.seconds(100))
    #expect(table.notes == ["run 1, attempt 1", "run 2, attempt 1", "run 2, attempt 2"])
    #expect(try table.center.schedule(of: "again").runs == 2)
  }

  @Test func `a paused date that became due runs when it is resumed, Rt22`() async throws {
    let table = Timetable()
    try table.center.inject(table.task(.init(at: 1_767_225_610)))
    table.center.start()
    try table.center.pause("tick")
    await table.pass(.seconds(35))
    #expect(try table.center.schedule(of: "tick").phase == .due)
    try table.center.resume("tick")
    await table.pass(.seconds(100))
    #expect(table.notes == ["tick 35"])
    #expect(try table.center.schedule(of: "tick").phase == .finished)
  }

  @Test func `an occasion missed while paused is delivered once where that was asked for`() async throws {
    let table = Timetable()
    try table.center.inject(table.task(.init(every: .seconds(10), count: 5)))
    table.center.start()
    try table.center.pause("tick", missed: .deliver)
    await table.pass(.seconds(35))
    try table.center.resume("tick")
    await table.pass(.seconds(5))
    #expect(table.notes == ["tick 35", "tick 40"])
  }

  @Test func `a slot that one pause has kept is missed after another one that skips`() async throws {
    let table = Timetable()
    try table.center.inject(table.task(.init(every: .seconds(10), count: 5)))
    table.center.start()
    try table.center.pause("tick", missed: .deliver)
    await table.pass(.seconds(35))
    try table.center.pause("tick")
    #expect(try table.center.schedule(of: "tick").missed == 3)
    try table.center.resume("tick")
    await table.pass(.seconds(5))
    #expect(table.notes == ["tick 40"])
  }

  /// The clock is set back by an hour between the first slot of the pause and the second.
  @Test(arguments: [nil, .seconds(15)] as [Duration?])
  func `the latest slot of an interval is delivered, however the calendar's clock is set in the pause`(
    grace: Duration?
  ) async throws {
    let table = Timetable()
    let runs = Values<ScheduledRun>()
    try table.center.inject(
      .schedule(TaskSchedule(every: .seconds(10), grace: grace), name: "tick") { runs.append($0.payload) })
    table.center.start()
    await table.pass(.seconds(5))
    try table.center.pause("tick", missed: .deliver)
    await table.pass(.seconds(10))
    table.time.setWall(to: table.time.wall.addingTimeInterval(-3600))
    table.center.clockDidChange()
    await table.pass(.seconds(20))
    try table.center.resume("tick")
    await table.pass(.zero)
    #expect(runs.values.map(\.scheduledFor) == [Date(timeIntervalSince1970: 1_767_225_630 - 3600)])
    #expect(runs.values.map(\.missed) == [2])
    #expect(try table.center.schedule(of: "tick").missed == 2)
  }

  /// Ten minutes after the slot the clock is set forward.
  @Test(arguments: [(1800.0, ["tick 9600"]), (7200, [])] as [(Double, [String])])
  func `how late a slot is at the end of a pause is what the clock of its schedule says`(
    step: Double, expected: [String]
  ) async throws {
    let table = Timetable()
    try table.center.inject(table.task(.init(daily: "02:30", timeZone: .utc, grace: .seconds(3600))))
    table.center.start()
    try table.center.pause("tick", missed: .deliver)
    await table.pass(.seconds(9600))
    table.time.setWall(to: table.time.wall.addingTimeInterval(step))
    table.center.clockDidChange()
    try table.center.resume("tick")
    await table.pass(.zero)
    #expect(table.notes == expected)
    #expect(try table.center.schedule(of: "tick").missed == 1 - expected.count)
  }

  /// The slot of the hundredth second comes in the pause, and the machine sleeps for an hour after it.
  @Test(arguments: [(60, ["tick 3760"]), (61, [])] as [(Double, [String])])
  func `the time in which the machine sleeps in a pause makes no slot of the suspending clock late`(
    awake: Double, expected: [String]
  ) async throws {
    let table = Timetable()
    try table.center.inject(
      table.task(.init(every: .seconds(100), clock: .suspending, grace: .seconds(60))))
    table.center.start()
    try table.center.pause("tick", missed: .deliver)
    await table.pass(.seconds(100))
    table.time.sleep(for: .seconds(3600))
    await table.pass(.seconds(awake))
    try table.center.resume("tick")
    await table.pass(.zero)
    #expect(table.notes == expected)
    #expect(try table.center.schedule(of: "tick").missed == 1 - expected.count)
  }

  /// The run of the first slot waits for the only place of the center until the second has come.
  @Test func `of a run that a pause kept from beginning and a slot in the pause the later is delivered`() async throws {
    let table = Timetable(limit: 1)
    let gate = Gate()
    let runs = Values<ScheduledRun>()
    try table.center.inject([
      .event(.alpha, name: "blocker") { _ in await gate.pass() },
      .schedule(name: "tick", every: .seconds(10)) { runs.append($0.payload) },
    ])
    table.center.start()
    let run = table.center.begin(.alpha)
    await gate.arrivals()
    await table.time.continuous.step(to: .seconds(10))
    await table.time.continuous.waitForSleeper(until: .seconds(20))
    try table.center.pause("tick", missed: .deliver)
    await table.time.continuous.step(to: .seconds(20))
    await table.time.continuous.waitForSleeper(until: .seconds(30))
    gate.open()
    _ = await run.report
    await table.pass(.seconds(5))
    try table.center.resume("tick")
    await table.pass(.zero)
    #expect(runs.values.map(\.scheduledFor) == [Date(timeIntervalSince1970: 1_767_225_620)])
    #expect(runs.values.map(\.missed) == [1])
    #expect(try table.center.schedule(of: "tick").missed == 1)
  }

  /// The runs of the second slot wait for the only place of the center when the first of the two is paused.
  @Test func `what depends on a paused task goes by its latest run, not by a slot that could not begin`()
    async throws
  {
    let table = Timetable(limit: 1)
    let gate = Gate()
    try table.center.inject([
      .event(.alpha, name: "blocker") { _ in await gate.pass() },
      table.task(.init(every: .seconds(10)), name: "first"),
      table.task(.init(every: .seconds(10)), name: "second", dependencies: ["first"]),
    ])
    table.center.start()
    await table.pass(.seconds(10))
    let run = table.center.begin(.alpha)
    await gate.arrivals()
    await table.time.continuous.step(to: .seconds(20))
    await table.time.continuous.waitForSleeper(until: .seconds(30))
    try table.center.pause("first")
    gate.open()
    _ = await run.report
    await table.pass(.seconds(20))
    #expect(table.notes.filter { $0.hasPrefix("first") } == ["first 10"])
    #expect(table.notes.suffix(2) == ["second 30", "second 40"])
  }

  @Test func `pausing is effective when the call returns, also from inside the task`() async throws {
    let table = Timetable()
    try table.center.inject(
      .schedule(name: "self", every: .seconds(10)) { [recorder = table.recorder] context in
        recorder.note("ran")
        try context.center.pause(context.name)
      })
    table.center.start()
    await table.pass(.seconds(100))
    #expect(table.notes == ["ran"])
  }

  @Test func `a destroyed task never fires again, and its name is free, Rt27`() async throws {
    let table = Timetable()
    try table.center.inject(table.task(.init(every: .seconds(10))))
    table.center.start()
    await table.pass(.seconds(10))
    try table.center.destroy("tick")
    await table.pass(.seconds(100))
    #expect(table.notes == ["tick 10"])
    try table.center.inject(table.task(.init(every: .seconds(5), count: 1)))
    await table.pass(.seconds(100))
    #expect(table.notes == ["tick 10", "tick 115"])
  }

  @Test func `a task takes the place of another of its name, with a schedule of its own, Rt28`() async throws {
    let table = Timetable()
    try table.center.inject(table.task(.init(every: .seconds(10))))
    table.center.start()
    await table.pass(.seconds(10))
    try table.center.inject(table.task(.init(every: .seconds(30), count: 1)), replacing: true)
    await table.pass(.seconds(100))
    #expect(table.notes == ["tick 10", "tick 40"])
  }

  @Test func `an event task may be replaced by a scheduled one`() async throws {
    let table = Timetable()
    try table.center.inject(.event(.alpha, name: "tick") { _ in })
    table.center.start()
    try table.center.inject(table.task(.init(every: .seconds(30), count: 1)), replacing: true)
    await table.pass(.seconds(30))
    #expect(table.notes == ["tick 30"])
    #expect(await table.center.send(.alpha).tasks.isEmpty)
  }

  @Test func `a task that runs once gives its name back after its run`() async throws {
    let table = Timetable()
    let once = TaskDefinition.schedule(name: "once", every: .seconds(10), runs: .once) {
      [recorder = table.recorder] _ in recorder.note("once")
    }
    try table.center.inject(once)
    table.center.start()
    await table.pass(.seconds(100))
    try table.center.inject(once)
    await table.pass(.seconds(100))
    #expect(table.notes == ["once", "once"])
  }

  @Test func `it can be run by hand, without using up its count`() async throws {
    let table = Timetable()
    try table.center.inject(
      .schedule(name: "tick", every: .seconds(10), count: 1) { [recorder = table.recorder] context in
        recorder.note("number \(context.payload.number), by hand: \(context.payload.isManual)")
      })
    table.center.start()
    let report = try await table.center.run("tick")
    #expect(report.outcomes == ["tick": "succeeded"])
    await table.pass(.seconds(100))
    #expect(table.notes == ["number 1, by hand: true", "number 1, by hand: false"])
  }

  @Test func `a center that nobody holds any more ends, and its schedules with it`() async throws {
    let recorder = Recorder()
    let time = VirtualTime()
    weak var gone: TaskCenter?
    do {
      let center = TaskCenter(time: time.source)
      gone = center
      try center.inject(.schedule(name: "tick", every: .seconds(10)) { _ in recorder.note("tick") })
      center.start()
      await time.advance(by: .seconds(10), driving: center)
    }
    await time.continuous.waitForNoSleepers()
    #expect(gone == nil)
    time.advance(by: .seconds(100))
    #expect(recorder.notes == ["tick"])
  }

  @Test func `a fixed delay counts from the end of the run that a pause had kept`() async throws {
    let table = Timetable()
    try table.center.inject(table.task(.init(every: .seconds(10), pace: .fixedDelay)))
    table.center.start()
    await table.pass(.seconds(5))
    try table.center.pause("tick", missed: .deliver)
    await table.pass(.seconds(14))
    try table.center.resume("tick")
    await table.pass(.seconds(20))
    #expect(table.notes == ["tick 19", "tick 29", "tick 39"])
  }
}
