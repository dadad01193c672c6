import Foundation
import TaskKit
import TaskKitTesting
import Testing

/// Schedules with a date (R35, R41–R46), and what becomes of slots that nobody used (DURABLE 4, rules 4 and 5).
@Suite struct DateTests {
  /// What the calendar shows when a test begins.
  private static let beginning = Date(timeIntervalSince1970: 1_767_225_600)

  private static func date(_ seconds: Double) -> Date { beginning.addingTimeInterval(seconds) }

  @Test func `a date in the future fires once, at the date, Rt17`() async throws {
    let table = Timetable()
    try table.center.inject(table.task(.init(at: Self.date(90))))
    table.center.start()
    #expect(try table.center.schedule(of: "tick").next == Self.date(90))
    await table.pass(.seconds(1000))
    #expect(table.notes == ["tick 90"])
    #expect(try table.center.schedule(of: "tick").phase == .finished)
  }

  @Test func `seconds since 1970 are a date as well`() async throws {
    let table = Timetable()
    try table.center.inject(table.task(.init(at: 1_767_225_610.5)))
    table.center.start()
    await table.pass(.seconds(100))
    #expect(table.notes == ["tick 10.5"])
  }

  @Test func `a date that cannot be counted is refused, one before all time is not`() throws {
    let table = Timetable()
    // Milliseconds since 1970, what is no number, and the year 2300.
    for seconds in [1_798_761_600_000, .nan, .infinity, 10_413_792_000] as [Double] {
      for interval in [nil, Duration.seconds(1)] {
        let error = #expect(throws: TaskGraphError.self) {
          try table.center.inject(table.task(.init(at: seconds, every: interval)))
        }
        #expect(
          error?.sentences == [
            "the schedule of task 'tick' cannot be kept: 'at:' says no date before the year 2262, in which the counting "
              + "of a center ends; write seconds since 1970, not milliseconds"
          ])
      }
    }
    try table.center.inject(table.task(.init(at: Date.distantPast)))
    try table.center.inject(table.task(.init(at: -Double.infinity)), replacing: true)
  }

  @Test func `what an interval from a date before the year 1700 has missed is made up for, each slot once`()
    async throws
  {
    let table = Timetable()
    let yearly = TaskSchedule(at: .distantPast, every: .seconds(31_536_000), missed: .all(max: 400))
    try table.center.inject(table.task(yearly))
    table.center.start()
    await table.pass(.zero)
    // Since the first moment that can be counted.
    #expect(table.notes.count == 349)
  }

  @Test func `with a count it fires at the date and then at the interval, Rt17`() async throws {
    let table = Timetable()
    try table.center.inject(table.task(.init(at: Self.date(90), every: .seconds(20), count: 3)))
    table.center.start()
    await table.pass(.seconds(1000))
    #expect(table.notes == ["tick 90", "tick 110", "tick 130"])
  }

  @Test func `with an interval and no count it fires for ever, Rt19`() async throws {
    let table = Timetable()
    try table.center.inject(table.task(.init(at: Self.date(5), every: .seconds(10))))
    table.center.start()
    await table.pass(.seconds(10_000))
    #expect(table.notes.count == 1000)
    #expect(try table.center.schedule(of: "tick").remaining == nil)
  }

  @Test(arguments: [1, 6, 86_400])
  func `a date that was past when the center started is recorded as missed and not run, Rt18`(ago: Double) async throws
  {
    let table = Timetable()
    let events = table.center.events.makeAsyncIterator()
    try table.center.inject(table.task(.init(at: Self.date(-ago))))
    table.center.start()
    await table.pass(.seconds(10))
    #expect(table.notes == [])
    let status = try table.center.schedule(of: "tick")
    #expect(status.missed == 1)
    #expect(status.phase == .finished)
    #expect(
      await events.words(until: "runsMissed tick 1: beforeStart") == [
        "taskInjected tick", "runsMissed tick 1: beforeStart",
      ])
  }

  @Test(arguments: [0.5, 1, 6, 86_400])
  func `it is run at the start where that is asked for, Rt18`(ago: Double) async throws {
    let table = Timetable()
    try table.center.inject([
      table.task(.init(at: Self.date(-ago), missed: .latest), name: "latest"),
      table.task(.init(at: Self.date(-ago), missed: .all(max: 3)), name: "all"),
      table.task(.init(at: Self.date(-ago), missed: .skip), name: "skip"),
    ])
    table.center.start()
    await table.pass(.seconds(10))
    #expect(Set(table.notes) == ["latest 0", "all 0"])
    #expect(try table.center.schedule(of: "skip").missed == 1)
  }

  @Test func `a date that passes while the center lives fires however late, with every policy`() async throws {
    for missed in [nil, MissedRuns.latest, .skip, .all(max: 2)] {
      let table = Timetable()
      try table.center.inject(table.task(.init(at: Self.date(90), missed: missed)))
      table.center.start()
      await table.pass(.zero)
      table.time.sleep(for: .seconds(3600))
      await table.pass(.zero)
      #expect(table.notes == ["tick 3600"])
    }
  }

  @Test(arguments: [0.000_001, 1, 60])
  func `a date that has passed since the center started fires when it is injected, with every policy`(ago: Double)
    async throws
  {
    for missed in [nil, MissedRuns.latest, .skip, .all(max: 2)] {
      let table = Timetable()
      table.center.start()
      await table.pass(.seconds(60))
      try table.center.inject(table.task(.init(at: table.center.wallTime.addingTimeInterval(-ago), missed: missed)))
      await table.pass(.seconds(10))
      #expect(table.notes == ["tick 60"])
      let status = try table.center.schedule(of: "tick")
      #expect(status.missed == 0)
      #expect(status.phase == .finished)
    }
  }

  /// A task that notes its slot, in seconds since the beginning, and how many more its run stands for.
  private func telling(_ schedule: TaskSchedule, in table: Timetable) -> TaskDefinition {
    .schedule(schedule, name: "tick") { [recorder = table.recorder] context in
      let slot = Int(context.payload.scheduledFor.timeIntervalSince(Self.beginning).rounded())
      recorder.note("\(slot) for \(context.payload.missed) more")
    }
  }

  /// By the policy, what has run when the date and two repetitions have passed, and when three more have.
  private static let repeated: [(MissedRuns?, [String], [String])] = [
    (nil, ["30 for 2 more"], ["60 for 2 more"]),
    (.latest, ["30 for 2 more"], ["60 for 2 more"]),
    (.skip, ["30 for 2 more"], []),
    (.all(max: 2), ["20 for 1 more", "30 for 0 more"], ["50 for 1 more", "60 for 0 more"]),
  ]

  @Test(arguments: repeated)
  func `a repeated date that passes while the center lives fires however late, with every policy`(
    missed: MissedRuns?, withDate: [String], later: [String]
  ) async throws {
    let table = Timetable()
    try table.center.inject(telling(.init(at: Self.date(10), every: .seconds(10), missed: missed), in: table))
    table.center.start()
    await table.pass(.zero)
    table.time.sleep(for: .seconds(35))
    await table.pass(.zero)
    #expect(table.notes == withDate)
    // What only repeats the date is left out where that is asked for.
    table.time.sleep(for: .seconds(34))
    await table.pass(.zero)
    #expect(table.notes == withDate + later)
    #expect(try table.center.schedule(of: "tick").missed == 6 - table.notes.count)
  }

  @Test(arguments: [nil, .latest, .skip, .all(max: 2)] as [MissedRuns?])
  func `a repeated date that has passed since the center started fires when it is injected, with every policy`(
    missed: MissedRuns?
  ) async throws {
    let table = Timetable()
    table.center.start()
    await table.pass(.seconds(60))
    try table.center.inject(telling(.init(at: Self.date(55), every: .seconds(60), missed: missed), in: table))
    await table.pass(.seconds(60))
    #expect(table.notes == ["55 for 0 more", "115 for 0 more"])
    #expect(try table.center.schedule(of: "tick").missed == 0)
  }

  @Test func `a repeated date is missed when it is later than its grace, with every policy`() async throws {
    for missed in [nil, MissedRuns.latest, .skip, .all(max: 2)] {
      let table = Timetable()
      let schedule = TaskSchedule(at: Self.date(10), every: .seconds(100), missed: missed, grace: .seconds(20))
      try table.center.inject(telling(schedule, in: table))
      table.center.start()
      await table.pass(.zero)
      table.time.sleep(for: .seconds(31))
      await table.pass(.seconds(79))
      #expect(table.notes == ["110 for 1 more"])
    }
  }

  @Test func `for how long a center has lived does not depend on how the calendar's clock was set`() async throws {
    for change in [-7200, 86_400 * 365] as [TimeInterval] {
      let table = Timetable()
      table.center.start()
      await table.pass(.seconds(60))
      table.time.setWall(to: table.time.wall.addingTimeInterval(change))
      let now = table.center.wallTime
      try table.center.inject([
        table.task(.init(at: now.addingTimeInterval(-59)), name: "since"),
        table.task(.init(at: now.addingTimeInterval(-61)), name: "before"),
      ])
      await table.pass(.seconds(10))
      #expect(table.notes == ["since 60"])
      #expect(try table.center.schedule(of: "before").missed == 1)
    }
  }

  @Test func `a task that takes the place of another one of the same date does not run what is over again`()
    async throws
  {
    let table = Timetable()
    try table.center.inject([
      table.task(.init(at: Self.date(10)), name: "once"),
      table.task(.init(at: Self.date(10), every: .seconds(20)), name: "often"),
    ])
    table.center.start()
    await table.pass(.seconds(35))
    #expect(table.notes.sorted() == ["often 10", "often 30", "once 10"])
    try table.center.inject(
      [
        table.task(.init(at: Self.date(10)), name: "once"),
        table.task(.init(at: Self.date(10), every: .seconds(20)), name: "often"),
      ], replacing: true)
    await table.pass(.seconds(30))
    #expect(table.notes.dropFirst(3) == ["often 50"])
    #expect(try table.center.schedule(of: "once").phase == .finished)
    #expect(try table.center.schedule(of: "once").missed == 0)
    // Nor does one that takes the place of that.
    try table.center.inject(table.task(.init(at: Self.date(10)), name: "once"), replacing: true)
    await table.pass(.zero)
    #expect(try table.center.schedule(of: "once").phase == .finished)
    #expect(table.notes.count == 4)
    // One whose run has not begun leaves it to the other.
    try table.center.inject(table.task(.init(at: Self.date(70)), name: "late"))
    try table.center.pause("late")
    await table.pass(.seconds(10))
    try table.center.inject(table.task(.init(at: Self.date(70)), name: "late"), replacing: true)
    await table.pass(.zero)
    #expect(table.notes.dropFirst(4) == ["often 70", "late 75"])
    // At another date it is another schedule.
    try table.center.inject(table.task(.init(at: Self.date(20)), name: "once"), replacing: true)
    await table.pass(.zero)
    #expect(table.notes.last == "once 75")
  }

  @Test func `a date that passed before the center started is missed whenever it is injected`() async throws {
    let table = Timetable()
    table.center.start()
    await table.pass(.seconds(60))
    try table.center.inject(table.task(.init(at: Self.date(-1))))
    await table.pass(.seconds(10))
    #expect(table.notes == [])
    #expect(try table.center.schedule(of: "tick").missed == 1)
  }

  @Test
  func `a date with an interval that has passed since the center started begins with one run for what has passed`()
    async throws
  {
    let table = Timetable()
    table.center.start()
    await table.pass(.seconds(60))
    try table.center.inject(table.task(.init(at: Self.date(35), every: .seconds(10), count: 3)))
    await table.pass(.seconds(100))
    #expect(table.notes == ["tick 60", "tick 65", "tick 75"])
    #expect(try table.center.schedule(of: "tick").missed == 2)
  }

  @Test func `a repeated date that was past keeps its phase`() async throws {
    let table = Timetable()
    try table.center.inject([
      table.task(.init(at: Self.date(-25), every: .seconds(10), count: 2)),
      table.task(.init(at: Self.date(-25), every: .seconds(10), count: 2, missed: .latest), name: "made up"),
    ])
    table.center.start()
    await table.pass(.seconds(100))
    #expect(table.notes == ["made up 0", "tick 5", "made up 5", "tick 15"])
    #expect(try table.center.schedule(of: "tick").missed == 3)
    #expect(try table.center.schedule(of: "made up").missed == 2)
  }

  @Test func `of several missed slots the latest is run, and told how many it stands for, Rt20`() async throws {
    let table = Timetable()
    try table.center.inject(
      .schedule(name: "tick", every: .seconds(10)) { [recorder = table.recorder] context in
        let run = context.payload
        recorder.note(
          "\(Int(run.scheduledFor.timeIntervalSince(Self.beginning))), number \(run.number), missed \(run.missed)")
      })
    table.center.start()
    await table.pass(.seconds(10))
    table.time.sleep(for: .seconds(35))
    await table.pass(.seconds(5))
    #expect(table.notes == ["10, number 1, missed 0", "40, number 2, missed 2", "50, number 3, missed 0"])
    #expect(try table.center.schedule(of: "tick").missed == 2)
  }

  @Test func `missed slots are left out where that is asked for, but not one that is hardly late, Rt20`() async throws {
    let table = Timetable()
    try table.center.inject(table.task(.init(every: .seconds(10), missed: .skip)))
    table.center.start()
    await table.pass(.zero)
    table.time.sleep(for: .seconds(35))
    await table.pass(.zero)
    #expect(table.notes == [])
    #expect(try table.center.schedule(of: "tick").missed == 3)
    table.time.sleep(for: .milliseconds(5900))
    await table.pass(.zero)
    #expect(table.notes == ["tick 40.9"])
    await table.pass(.seconds(10))
    #expect(table.notes == ["tick 40.9", "tick 50"])
  }

  @Test func `all missed slots up to a number are run in their order, one after the other, Rt20`() async throws {
    let table = Timetable()
    try table.center.inject(
      .schedule(name: "tick", every: .seconds(10), missed: .all(max: 3)) { [recorder = table.recorder] context in
        let run = context.payload
        recorder.note("\(Int(run.scheduledFor.timeIntervalSince(Self.beginning))), missed \(run.missed)")
      })
    table.center.start()
    await table.pass(.zero)
    table.time.sleep(for: .seconds(55))
    await table.pass(.seconds(5))
    #expect(table.notes == ["30, missed 2", "40, missed 0", "50, missed 0", "60, missed 0"])
  }

  @Test func `of thousands of missed slots that are all to run each runs once, in their order`() async throws {
    let table = Timetable()
    try table.center.inject(
      .schedule(name: "tick", every: .seconds(1), missed: .all(max: 5000)) { [recorder = table.recorder] context in
        recorder.note("\(Int(context.payload.scheduledFor.timeIntervalSince(Self.beginning)))")
      })
    table.center.start()
    await table.pass(.zero)
    table.time.sleep(for: .seconds(6000))
    await table.pass(.zero)
    #expect(table.notes == (1001...6000).map { "\($0)" })
    #expect(try table.center.schedule(of: "tick").missed == 1000)
  }

  @Test func `an outage of ten years costs one run and no flood`() async throws {
    let table = Timetable()
    try table.center.inject([
      table.task(.init(every: .seconds(1)), name: "interval"),
      table.task(.init(cron: "* * * * *", timeZone: .utc), name: "cron"),
    ])
    table.center.start()
    await table.pass(.zero)
    table.time.sleep(for: .seconds(3650 * 86_400))
    await table.pass(.zero)
    #expect(Set(table.notes) == ["interval 315360000", "cron 315360000"])
    #expect(try table.center.schedule(of: "interval").missed == 315_359_999)
    #expect(try table.center.schedule(of: "cron").missed == 5_255_999)
    await table.pass(.seconds(60))
    #expect(table.notes.last == "cron 315360060" || table.notes.last == "interval 315360060")
  }
}
