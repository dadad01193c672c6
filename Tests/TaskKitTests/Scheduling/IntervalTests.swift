import Foundation
import TaskKit
import TaskKitTesting
import Testing

/// Schedules with an interval (R36–R40, R45, R47–R49).
@Suite struct IntervalTests {
  @Test func `a task with an interval runs after one interval, and then after each, Rt14`() async throws {
    let table = Timetable()
    try table.center.inject(table.task(.init(every: .seconds(30))))
    table.center.start()
    await table.pass(.seconds(100))
    #expect(table.notes == ["tick 30", "tick 60", "tick 90"])
  }

  @Test func `before the center is started nothing fires`() async throws {
    let table = Timetable()
    try table.center.inject(table.task(.init(every: .seconds(30))))
    await table.pass(.seconds(100))
    #expect(table.notes == [])
    #expect(try table.center.schedule(of: "tick").phase == .notStarted)
    table.center.start()
    table.center.start()
    await table.pass(.seconds(60))
    #expect(table.notes == ["tick 130", "tick 160"])
  }

  @Test func `how a schedule stands can be read`() async throws {
    let table = Timetable()
    func words() throws -> String { try table.center.schedule(of: "tick").description }
    try table.center.inject(table.task(.init(every: .seconds(30), count: 2)))
    #expect(try words() == "its center was not started, 0 runs, 2 left")
    table.center.start()
    await table.pass(.seconds(40))
    let next = try #require(try table.center.schedule(of: "tick").next)
    let text = next.formatted(.iso8601.dateTimeSeparator(.space)).replacing("Z", with: " UTC")
    #expect(try words() == "waiting for \(text), 1 run, 1 left")
    try table.center.pause("tick", missed: .deliver)
    #expect(try words() == "waiting for \(text), paused, 1 run, 1 left")
    await table.pass(.seconds(40))
    #expect(try words().hasPrefix("due since it was paused, paused, 1 run"))
    try table.center.resume("tick")
    await table.pass(.seconds(40))
    #expect(try words() == "finished, 2 runs")
  }

  @Test func `one that begins immediately runs at the start and then after each interval`() async throws {
    let table = Timetable()
    try table.center.inject(table.task(.init(every: .seconds(30), first: .immediately)))
    table.center.start()
    await table.pass(.seconds(65))
    #expect(table.notes == ["tick 0", "tick 30", "tick 60"])
  }

  @Test func `a task that is injected later counts from its injection`() async throws {
    let table = Timetable()
    table.center.start()
    await table.pass(.seconds(7))
    try table.center.inject(table.task(.init(every: .seconds(10), count: 2)))
    await table.pass(.seconds(100))
    #expect(table.notes == ["tick 17", "tick 27"])
  }

  @Test(arguments: [1, 10, 250])
  func `it runs exactly as often as it is asked to, Rt15`(count: Int) async throws {
    let table = Timetable()
    try table.center.inject(table.task(.init(every: .seconds(1), count: count)))
    table.center.start()
    await table.pass(.seconds(1000))
    #expect(table.notes.count == count)
    let status = try table.center.schedule(of: "tick")
    #expect(status.phase == .finished)
    #expect(status.runs == count)
    #expect(status.remaining == 0)
    #expect(status.next == nil)
  }

  @Test func `without a count it runs for ever, Rt15`() async throws {
    let table = Timetable()
    try table.center.inject(table.task(.init(every: .seconds(1))))
    table.center.start()
    await table.pass(.seconds(5000))
    #expect(table.notes.count == 5000)
    let status = try table.center.schedule(of: "tick")
    #expect(status.phase == .waiting)
    #expect(status.runs == 5000)
    #expect(status.remaining == nil)
  }

  @Test(arguments: [
    Duration.milliseconds(250), .seconds(119), .seconds(120), .seconds(121), .seconds(3600), .seconds(40_000_000),
  ])
  func `every interval is kept, below a second and above two minutes, Rt16`(interval: Duration) async throws {
    let table = Timetable()
    try table.center.inject(table.task(.init(every: interval, count: 3)))
    table.center.start()
    await table.pass(interval * 5)
    let seconds = interval / .seconds(1)
    #expect(table.notes.map { Double($0.dropFirst(5)) } == [seconds, 2 * seconds, 3 * seconds])
  }

  /// A center counts nanoseconds.
  @Test func `an interval shorter than a nanosecond is one`() async throws {
    let interval = Duration(secondsComponent: 0, attosecondsComponent: 1)
    let table = Timetable()
    try table.center.inject(table.task(.init(every: interval, count: 3)))
    table.center.start()
    await table.pass(.nanoseconds(10))
    #expect(table.notes.count == 3)
    let date = Date(timeIntervalSince1970: 4_000_000_000)
    try table.center.inject(table.task(.init(at: date, every: interval), name: "date"))
  }

  /// The words are those of the macro, which `ScheduleTests` of the macros has.
  @Test func `an impossible schedule is refused with its reason, and nothing has changed, Rt15`() async throws {
    let cases: [(TaskSchedule, String)] = [
      (.init(every: .zero), "an interval of '0.0 seconds' would run the task without a pause; write a longer one"),
      (
        .init(every: .seconds(-1)),
        "an interval of '-1.0 seconds' would run the task without a pause; write a longer one"
      ),
      (
        .init(at: 10, every: .zero),
        "an interval of '0.0 seconds' would run the task without a pause; write a longer one"
      ),
      (
        .init(every: .seconds(1), count: 0),
        "'count:' is 0, so the task would never run; write 1 or more, or leave it out"
      ),
      (
        .init(every: .seconds(1), count: -1),
        "'count:' is -1, so the task would never run; write 1 or more, or leave it out"
      ),
      (.init(at: 10, count: 0), "'count:' is 0, so the task would never run; write 1 or more, or leave it out"),
      (
        .init(at: 10, count: 2),
        "a date without an interval is one run, and 'count:' is 2; add 'every:', or remove 'count:'"
      ),
      (
        .init(every: .seconds(1), missed: .all(max: 0)),
        "'.all(max: 0)' makes up for none of the missed runs; write '.skip', or 1 or more"
      ),
      (
        .init(every: .seconds(1), jitter: .random(upTo: .seconds(-1))),
        "'jitter:' of '-1.0 seconds' is less than nothing; write '.zero', or more"
      ),
      (
        .init(every: .seconds(1), tolerance: .seconds(-1)),
        "'tolerance:' of '-1.0 seconds' is less than nothing; write '.zero', or more"
      ),
      (.init(at: 10, grace: .seconds(-1)), "'grace:' of '-1.0 seconds' is less than nothing; write '.zero', or more"),
    ]
    for (schedule, reason) in cases {
      let table = Timetable()
      let error = #expect(throws: TaskGraphError.self) { try table.center.inject(table.task(schedule)) }
      #expect(error?.sentences == ["the schedule of task 'tick' cannot be kept: \(reason)"])
      #expect(throws: TaskError.self) { try table.center.schedule(of: "tick") }
    }
  }

  @Test(arguments: [
    (
      TaskSchedule(every: .seconds(1), counting: .slots),
      "'counting:' says what 'count:' is of, and there is none; add 'count:', or remove 'counting:'"
    ),
    (
      .init(daily: "02:30", counting: .slots),
      "'counting:' says what 'count:' is of, and there is none; add 'count:', or remove 'counting:'"
    ),
    (
      .init(every: .seconds(1), pace: .fixedDelay, missed: .all(max: 3)),
      "'missed: .all(max: 3)' makes up for several slots, and with 'pace: .fixedDelay' there is one at a time; remove one "
        + "of them"
    ),
  ])
  func `an option that would count for nothing is refused`(schedule: TaskSchedule, reason: String) {
    let table = Timetable()
    let error = #expect(throws: TaskGraphError.self) { try table.center.inject(table.task(schedule)) }
    #expect(error?.sentences == ["the schedule of task 'tick' cannot be kept: \(reason)"])
  }

  @Test func `a slow run does not shift the slots at a fixed rate, and slots during it are missed`() async throws {
    let table = Timetable()
    let gate = Gate()
    try table.center.inject(
      .schedule(.init(every: .seconds(10)), name: "slow") { [time = table.time, recorder = table.recorder] context in
        recorder.note(Timetable.note(context.name, at: time))
        if context.payload.number == 1 { await gate.pass() }
        recorder.note("missed \(context.payload.missed)")
      })
    table.center.start()
    table.time.advance(by: .seconds(10))
    await gate.arrivals()
    for _ in 0..<2 {
      await table.time.continuous.waitForSleepers()
      let next = table.time.continuous.nextDeadline
      table.time.advance(by: .seconds(10))
      await table.time.continuous.waitForSleeper(until: next! + .seconds(10))
    }
    #expect(try table.center.schedule(of: "slow").missed == 2)
    gate.open()
    await table.pass(.seconds(10))
    #expect(table.notes == ["slow 10", "missed 0", "slow 40", "missed 2"])
  }

  @Test func `a fixed delay is counted from the end of a run`() async throws {
    let table = Timetable()
    let gate = Gate()
    try table.center.inject(
      .schedule(.init(every: .seconds(10), pace: .fixedDelay), name: "slow") {
        [time = table.time, recorder = table.recorder] context in
        recorder.note(Timetable.note(context.name, at: time))
        if context.payload.number == 1 { await gate.pass() }
      })
    table.center.start()
    table.time.advance(by: .seconds(10))
    await gate.arrivals()
    table.time.advance(by: .seconds(17))
    gate.open()
    await table.pass(.seconds(30))
    #expect(table.notes == ["slow 10", "slow 37", "slow 47", "slow 57"])
  }

  @Test func `with a fixed delay nothing is missed while the machine sleeps, and a pause postpones`() async throws {
    let table = Timetable()
    try table.center.inject(table.task(.init(every: .seconds(10), pace: .fixedDelay)))
    table.center.start()
    await table.pass(.zero)
    table.time.sleep(for: .seconds(35))
    await table.pass(.seconds(10))
    #expect(table.notes == ["tick 35", "tick 45"])
    #expect(try table.center.schedule(of: "tick").missed == 0)
    try table.center.pause("tick")
    await table.pass(.seconds(25))
    try table.center.resume("tick")
    await table.pass(.seconds(5))
    #expect(table.notes == ["tick 35", "tick 45", "tick 75"])
  }

  @Test func `the time in which the machine sleeps counts on the continuous clock, not on the suspending one`()
    async throws
  {
    let table = Timetable()
    try table.center.inject([
      table.task(.init(every: .seconds(10)), name: "continuous"),
      table.task(.init(every: .seconds(10), clock: .suspending), name: "suspending"),
    ])
    table.center.start()
    await table.pass(.seconds(4))
    table.time.sleep(for: .seconds(100))
    await table.pass(.seconds(6))
    #expect(
      table.notes == ["continuous 104", "suspending 110", "continuous 110"]
        || table.notes == ["continuous 104", "continuous 110", "suspending 110"])
  }

  @Test func `a fixed delay counts from the end of a run that had to wait for one by hand`() async throws {
    let table = Timetable()
    let gate = Gate()
    let slotHasCome = Gate()
    try table.center.inject([
      .schedule(.init(every: .seconds(10), pace: .fixedDelay, overlap: .queueOne), name: "tick") { [table] context in
        if context.payload.isManual { await gate.pass() }
        table.recorder.note(Timetable.note(context.name, at: table.time))
      },
      .schedule(.init(every: .seconds(10), count: 1), name: "beside it") { _ in slotHasCome.open() },
    ])
    table.center.start()
    await table.pass(.seconds(5))
    let manual = Task { try await table.center.run("tick") }
    await gate.arrivals()
    await table.time.continuous.step(to: .seconds(10))
    // From here on the run of the tenth second waits.
    await slotHasCome.pass()
    table.time.advance(by: .seconds(8))
    gate.open()
    _ = try await manual.value
    await table.pass(.seconds(15))
    #expect(table.notes == ["tick 18", "tick 18", "tick 28"])
  }
}
