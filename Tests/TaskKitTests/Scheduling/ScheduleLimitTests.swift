import Foundation
import TaskGraph
import TaskKit
import TaskKitTesting
import Testing

/// How late a slot may be used, what a count is of, and how much later than its interval a run may come.
@Suite struct ScheduleLimitTests {
  /// What the calendar shows when a test begins.
  private static let beginning = Date(timeIntervalSince1970: 1_767_225_600)

  private static func date(_ seconds: Double) -> Date { beginning.addingTimeInterval(seconds) }

  /// A task that notes its slot in seconds since the beginning.
  private func telling(_ schedule: TaskSchedule, in table: Timetable, name: TaskName = "tick") -> TaskDefinition {
    .schedule(schedule, name: name) { [recorder = table.recorder] context in
      recorder.note(Timetable.slot(of: context.payload))
    }
  }

  // MARK: - Grace

  @Test(arguments: [(5.0, true), (6, false)])
  func `a date that was past when the center started runs while it is within its grace`(
    ago: Double, runs: Bool
  ) async throws {
    let table = Timetable()
    let events = table.center.events.makeAsyncIterator()
    try table.center.inject(table.task(.init(at: Self.date(-ago), grace: .seconds(5))))
    table.center.start()
    await table.pass(.seconds(10))
    #expect(table.notes == (runs ? ["tick 0"] : []))
    #expect(try table.center.schedule(of: "tick").missed == (runs ? 0 : 1))
    let told = runs ? "taskStarted tick" : "runsMissed tick 1: beforeStart"
    #expect(await events.words(until: told).last == told)
  }

  @Test(arguments: [(120.0, true), (151, false)])
  func `a date that passes while the center lives is missed when it is later than its grace`(
    sleep: Double, runs: Bool
  ) async throws {
    let table = Timetable()
    let events = table.center.events.makeAsyncIterator()
    try table.center.inject(table.task(.init(at: Self.date(90), grace: .seconds(60))))
    table.center.start()
    await table.pass(.zero)
    table.time.sleep(for: .seconds(sleep))
    await table.pass(.zero)
    #expect(table.notes == (runs ? ["tick 120"] : []))
    #expect(try table.center.schedule(of: "tick").phase == .finished)
    let told = runs ? "taskStarted tick" : "runsMissed tick 1: late"
    #expect(await events.words(until: told).last == told)
  }

  @Test(
    arguments: [
      (nil, ["50"]), (.latest, ["50"]), (.skip, []), (.all(max: 9), ["30", "40", "50"]), (.all(max: 2), ["40", "50"]),
    ] as [(MissedRuns?, [String])])
  func `of several missed slots none is used that is later than the grace`(
    missed: MissedRuns?, expected: [String]
  ) async throws {
    let table = Timetable()
    try table.center.inject(telling(.init(every: .seconds(10), missed: missed, grace: .seconds(25)), in: table))
    table.center.start()
    await table.pass(.zero)
    table.time.sleep(for: .seconds(55))
    await table.pass(.zero)
    #expect(table.notes == expected)
    #expect(try table.center.schedule(of: "tick").missed == 5 - expected.count)
  }

  @Test func `a rule of the calendar has a grace as well`() async throws {
    let table = Timetable()
    try table.center.inject([
      telling(.init(daily: "00:10", timeZone: .utc, grace: .seconds(3600)), in: table, name: "within"),
      telling(.init(cron: "10 0 * * *", timeZone: .utc, grace: .seconds(600)), in: table, name: "beyond"),
    ])
    table.center.start()
    await table.pass(.zero)
    table.time.sleep(for: .seconds(1800))
    await table.pass(.zero)
    #expect(table.notes == ["600"])
    #expect(try table.center.schedule(of: "beyond").missed == 1)
    #expect(try table.center.schedule(of: "beyond").phase == .waiting)
  }

  @Test(arguments: [Duration.zero, .nanoseconds(1), .milliseconds(1)])
  func `however short the grace is, what a timer brings hardly late is run`(grace: Duration) async throws {
    let table = Timetable()
    try table.center.inject([
      table.task(.init(at: Self.date(10), grace: grace), name: "date"),
      table.task(.init(every: .seconds(10), grace: grace), name: "interval"),
    ])
    table.center.start()
    await table.pass(.zero)
    table.time.sleep(for: .microseconds(10_001_050))
    await table.pass(.zero)
    #expect(table.notes.sorted() == ["date 10.001", "interval 10.001"])
    table.time.sleep(for: .seconds(11))
    await table.pass(.zero)
    #expect(table.notes.count == 2)
    #expect(try table.center.schedule(of: "interval").missed == 1)
  }

  @Test(arguments: [(60, ["tick 60"]), (71, [])] as [(Double, [String])])
  func `a date that became due in a pause is missed when the pause is longer than the grace`(
    pause: Double, expected: [String]
  ) async throws {
    let table = Timetable()
    try table.center.inject(table.task(.init(at: Self.date(10), grace: .seconds(60))))
    table.center.start()
    try table.center.pause("tick")
    await table.pass(.seconds(pause))
    try table.center.resume("tick")
    await table.pass(.seconds(10))
    #expect(table.notes == expected)
    #expect(try table.center.schedule(of: "tick").missed == 1 - expected.count)
    #expect(try table.center.schedule(of: "tick").phase == .finished)
  }

  /// The slot of the second 200 is queued behind the run of the first one, which takes longer than the grace.
  @Test(arguments: [(Duration.seconds(5), ["1", "2"]), (.seconds(6), ["1"])])
  func `what an earlier run has added before a pause is not late, what the pause adds is`(
    pause: Duration, expected: [String]
  ) async throws {
    let table = Timetable()
    let gate = Gate()
    let schedule = TaskSchedule(every: .seconds(100), grace: .seconds(5), overlap: .queueOne)
    try table.center.inject(table.task(schedule, behind: gate) { "\($0.number)" })
    await table.startWithTwoSlots(every: .seconds(100), behind: gate)
    table.time.advance(by: .seconds(50))
    try table.center.pause("tick", missed: .deliver)
    gate.open()
    await table.center.quiet()
    await table.pass(pause)
    try table.center.resume("tick")
    await table.center.quiet()
    #expect(table.notes == expected)
    #expect(try table.center.schedule(of: "tick").missed == 2 - expected.count)
  }

  /// As before, on a machine that sleeps for an hour before the pause, and for another one in it.
  @Test(arguments: [(Duration.seconds(5), ["1", "2"]), (.seconds(6), ["1"])])
  func `how long a pause has held a run is what the clock of its schedule says`(
    pause: Duration, expected: [String]
  ) async throws {
    let table = Timetable()
    let gate = Gate()
    let schedule = TaskSchedule(
      every: .seconds(100), clock: .suspending, grace: .seconds(5), overlap: .queueOne)
    try table.center.inject(table.task(schedule, behind: gate) { "\($0.number)" })
    table.center.start()
    await table.time.suspending.waitForSleeper(until: .seconds(100))
    table.time.advance(by: .seconds(100))
    await gate.arrivals()
    await table.time.suspending.waitForSleeper(until: .seconds(200))
    table.time.advance(by: .seconds(100))
    await table.time.suspending.waitForSleeper(until: .seconds(300))
    table.time.sleep(for: .seconds(3600))
    try table.center.pause("tick", missed: .deliver)
    gate.open()
    await table.center.quiet()
    table.time.sleep(for: .seconds(3600))
    await table.pass(pause)
    try table.center.resume("tick")
    await table.center.quiet()
    #expect(table.notes == expected)
    #expect(try table.center.schedule(of: "tick").missed == 2 - expected.count)
  }

  /// The slot of the second 300 comes in the pause, for which that of the second 200 has to wait until the first run ends.
  @Test(
    arguments: [
      (303, 304, ["100", "300"]), (303, 307, ["100", "200"]), (303, 309, ["100"]), (310, 315, ["100", "200"]),
      (310, 316, ["100"]),
    ] as [(Double, Double, [String])])
  func `a slot that may begin longer does not give way to a later one for which it is too late when the pause ends`(
    end: Double, resumed: Double, expected: [String]
  ) async throws {
    let table = Timetable()
    let gate = Gate()
    let schedule = TaskSchedule(every: .seconds(100), grace: .seconds(5), overlap: .queueOne)
    try table.center.inject(table.task(schedule, behind: gate))
    await table.startWithTwoSlots(every: .seconds(100), behind: gate)
    try table.center.pause("tick", missed: .deliver)
    await table.time.continuous.step(to: .seconds(300))
    await table.time.continuous.waitForSleeper(until: .seconds(400))
    table.time.advance(by: .seconds(end - 300))
    gate.open()
    await table.center.quiet()
    await table.pass(.seconds(resumed - end))
    try table.center.resume("tick")
    await table.center.quiet()
    #expect(table.notes == expected)
    #expect(try table.center.schedule(of: "tick").missed == 3 - expected.count)
  }

  @Test func `what jitter delays is not late`() async throws {
    let table = Timetable(chance: { 0.5 })
    try table.center.inject(
      table.task(.init(at: Self.date(10), grace: .zero, jitter: .random(upTo: .seconds(100)))))
    table.center.start()
    await table.pass(.seconds(200))
    #expect(table.notes.count == 1)
    #expect(try table.center.schedule(of: "tick").missed == 0)
  }

  // MARK: - The count

  @Test func `a count of slots ends with the last of them, whether they are used or not`() async throws {
    let table = Timetable()
    try table.center.inject([
      telling(.init(every: .seconds(10), count: 5, counting: .slots), in: table),
      telling(.init(cron: "*/10 * * * * *", timeZone: .utc, count: 5, counting: .slots), in: table, name: "cron"),
    ])
    table.center.start()
    await table.pass(.seconds(10))
    table.time.sleep(for: .seconds(25))
    await table.pass(.zero)
    for name: TaskName in ["tick", "cron"] { #expect(try table.center.schedule(of: name).remaining == 2) }
    await table.pass(.seconds(100))
    #expect(table.notes == ["10", "10", "30", "30", "40", "40", "50", "50"])
    for name: TaskName in ["tick", "cron"] {
      let status = try table.center.schedule(of: name)
      #expect(status.phase == .finished)
      #expect(status.runs == 4)
      #expect(status.missed == 1)
      #expect(status.remaining == 0)
    }
  }

  @Test(arguments: [
    TaskSchedule(every: .seconds(10), count: 3, counting: .slots),
    TaskSchedule(cron: "*/10 * * * * *", timeZone: .utc, count: 3, counting: .slots),
  ])
  func `of a time that was slept through no more slots are missed than the count has`(schedule: TaskSchedule)
    async throws
  {
    let table = Timetable()
    try table.center.inject(telling(schedule, in: table))
    table.center.start()
    await table.pass(.zero)
    table.time.sleep(for: .seconds(1000))
    await table.pass(.seconds(100))
    #expect(table.notes == ["30"])
    let status = try table.center.schedule(of: "tick")
    #expect(status.missed == 2)
    #expect(status.phase == .finished)
  }

  @Test(arguments: [("* * * * * *", 20_000), ("30 1 * * *", 400), ("*/15 * * * *", 30_000), ("0 9 1 * MON", 2)])
  func `a count of many slots of the calendar ends with its last one, however long the machine slept`(
    cron: String, count: Int
  ) async throws {
    let zone = try #require(TimeZone(identifier: "America/New_York"))
    let last = try #require(try CronExpression(cron).next(count, after: Self.beginning, in: zone).last)
    let table = Timetable()
    let schedule = TaskSchedule(cron: cron, timeZone: .init(zone), count: count, counting: .slots)
    try table.center.inject(telling(schedule, in: table))
    table.center.start()
    await table.pass(.zero)
    table.time.sleep(for: .seconds(600 * 86_400))
    await table.pass(.seconds(100))
    #expect(table.notes == ["\(Int(last.timeIntervalSince(Self.beginning)))"])
    #expect(try table.center.schedule(of: "tick").missed == count - 1)
  }

  @Test func `slots that were past when the center started are of the count, those in a pause are not`() async throws {
    let table = Timetable()
    try table.center.inject(
      telling(.init(at: Self.date(-25), every: .seconds(10), count: 6, counting: .slots), in: table))
    table.center.start()
    await table.pass(.seconds(5))
    #expect(try table.center.schedule(of: "tick").remaining == 2)
    try table.center.pause("tick")
    await table.pass(.seconds(100))
    #expect(try table.center.schedule(of: "tick").remaining == 2)
    try table.center.resume("tick")
    await table.pass(.seconds(100))
    #expect(table.notes == ["5", "115", "125"])
  }

  @Test(arguments: [nil, .latest, .all(max: 3)] as [MissedRuns?], [MissedOccasions.skip, .deliver])
  func `slots that were past when the center started are of the count in a pause, too`(
    missed: MissedRuns?, occasions: MissedOccasions
  ) async throws {
    let table = Timetable()
    try table.center.inject(
      telling(
        .init(at: Self.date(-25), every: .seconds(10), count: 6, counting: .slots, missed: missed), in: table))
    try table.center.pause("tick", missed: occasions)
    table.center.start()
    await table.pass(.seconds(1))
    #expect(try table.center.schedule(of: "tick").remaining == 3)
    try table.center.resume("tick")
    await table.pass(.seconds(100))
    let isKept = missed != nil && occasions == .deliver
    #expect(table.notes == (isKept ? ["-5"] : []) + ["5", "15", "25"])
    #expect(try table.center.schedule(of: "tick").phase == .finished)
  }

  /// The slot of the twentieth second is queued behind the first run; that of the thirtieth comes in a pause that is long.
  @Test(
    arguments: [
      (3, .deliver, 5, ["10", "20", "30"]), (3, .skip, 5, ["10", "30"]), (3, .deliver, 15, ["10", "30"]),
      (2, .deliver, 5, ["10", "20"]), (2, .skip, 5, ["10"]), (2, .deliver, 15, ["10", "20"]),
    ] as [(Int, MissedOccasions, Double, [String])])
  func `a slot that was queued before a pause is of the count, whatever the pause makes of it`(
    count: Int, latest: MissedOccasions, pause: Double, expected: [String]
  ) async throws {
    let table = Timetable()
    let gate = Gate()
    let schedule = TaskSchedule(every: .seconds(10), count: count, counting: .slots, overlap: .queueOne)
    try table.center.inject([
      table.task(schedule, behind: gate),
      // So that something is due after the last slot, by which the test sees that this has come.
      .schedule(TaskSchedule(at: Self.date(30)), name: "mark") { _ in },
    ])
    await table.startWithTwoSlots(every: .seconds(10), behind: gate)
    try table.center.pause("tick", missed: .deliver)
    gate.open()
    await table.center.quiet()
    #expect(try table.center.schedule(of: "tick").remaining == count - 2)
    // What the first pause has kept is left to the second.
    try table.center.pause("tick", missed: latest)
    await table.pass(.seconds(pause))
    try table.center.resume("tick")
    await table.pass(.seconds(100))
    #expect(table.notes == expected)
    let status = try table.center.schedule(of: "tick")
    #expect(status.phase == .finished)
    #expect(status.missed == count - expected.count)
  }

  /// The slot of the tenth second waits for the only place of the center, and that of the twentieth is left out for it.
  @Test func `a slot that has passed before a pause is of the count, though its run could not begin before that`()
    async throws
  {
    let table = Timetable(limit: 1)
    let gate = Gate()
    let events = table.center.events.makeAsyncIterator()
    try table.center.inject([
      .event(.alpha, name: "blocker") { _ in await gate.pass() },
      telling(.init(every: .seconds(10), count: 2, counting: .slots), in: table),
    ])
    table.center.start()
    let run = table.center.begin(.alpha)
    await gate.arrivals()
    await table.time.continuous.step(to: .seconds(10))
    await table.time.continuous.step(to: .seconds(20))
    _ = await events.words(until: "runsMissed tick 1: overlap")
    try table.center.pause("tick")
    gate.open()
    _ = await run.report
    await table.center.quiet()
    try table.center.resume("tick")
    await table.pass(.seconds(100))
    #expect(table.notes.isEmpty)
    #expect(try table.center.schedule(of: "tick").missed == 2)
    #expect(try table.center.schedule(of: "tick").phase == .finished)
  }

  @Test func `a slot left out because of an earlier run is of the count`() async throws {
    let table = Timetable()
    let gate = Gate()
    let schedule = TaskSchedule(every: .seconds(10), count: 3, counting: .slots)
    try table.center.inject(table.task(schedule, name: "slow", behind: gate) { "\($0.number)" })
    table.center.start()
    table.time.advance(by: .seconds(10))
    await gate.arrivals()
    await table.time.continuous.waitForSleeper(until: .seconds(20))
    table.time.advance(by: .seconds(10))
    await table.time.continuous.waitForSleeper(until: .seconds(30))
    gate.open()
    await table.pass(.seconds(100))
    #expect(table.notes == ["1", "2"])
    #expect(try table.center.schedule(of: "slow").phase == .finished)
  }

  @Test func `a task that takes the place of another one of the same date goes on with the count of its slots`()
    async throws
  {
    let table = Timetable()
    func offer(slots count: Int) -> TaskDefinition {
      telling(.init(at: Self.date(10), every: .seconds(10), count: count, counting: .slots), in: table)
    }
    try table.center.inject(offer(slots: 7))
    table.center.start()
    await table.pass(.seconds(35))
    try table.center.inject(offer(slots: 7), replacing: true)
    #expect(try table.center.schedule(of: "tick").remaining == 4)
    await table.pass(.seconds(100))
    #expect(table.notes == ["10", "20", "30", "40", "50", "60", "70"])
    // What is over does not begin again.
    try table.center.inject(offer(slots: 7), replacing: true)
    #expect(try table.center.schedule(of: "tick").phase == .finished)
    await table.pass(.seconds(100))
    #expect(table.notes.count == 7)
    // With more slots it ends with the last of them: those that have passed meanwhile are of the count.
    try table.center.inject(offer(slots: 25), replacing: true)
    #expect(try table.center.schedule(of: "tick").remaining == 2)
    await table.pass(.seconds(100))
    #expect(table.notes.dropFirst(7) == ["240", "250"])
    #expect(try table.center.schedule(of: "tick").missed == 0)
  }

  // MARK: - What was missed

  @Test(arguments: [
    (MissedRuns.latest, 40.0, 4), (.skip, 50, 5), (.all(max: 2), 30, 3),
  ])
  func `observers are told the latest slot that was missed, not one that is run`(
    missed: MissedRuns, latest: Double, count: Int
  ) async throws {
    for schedule in [
      TaskSchedule(every: .seconds(10), missed: missed),
      .init(cron: "*/10 * * * * *", timeZone: .utc, missed: missed),
    ] {
      let table = Timetable()
      let events = table.center.events.makeAsyncIterator()
      try table.center.inject(table.task(schedule))
      table.center.start()
      await table.pass(.zero)
      table.time.sleep(for: .seconds(55))
      await table.pass(.zero)
      while let event = await events.next() {
        guard case .runsMissed(_, let told, let slot, let reason) = event.kind else { continue }
        #expect(told == count)
        #expect(slot == Self.date(latest))
        #expect(reason == .late)
        break
      }
    }
  }

  // MARK: - Jitter and tolerance

  @Test(
    arguments: [
      TaskSchedule(every: .seconds(10), count: 20, overlap: .allow, jitter: .random(upTo: .seconds(35))),
      .init(every: .seconds(10), count: 20, overlap: .allow, jitter: .spread(upTo: .seconds(35))),
      .init(every: .seconds(10), count: 20, overlap: .allow, tolerance: .seconds(35)),
      .init(cron: "*/10 * * * * *", timeZone: .utc, count: 20, overlap: .allow, jitter: .random(upTo: .seconds(35))),
    ], 0..<10)
  func `jitter and tolerance above the interval lose no slot`(schedule: TaskSchedule, seed: Int) async throws {
    let chances = Recorder()
    let table = Timetable(chance: {
      chances.note("")
      return Double((seed + chances.notes.count) * 37 % 100) / 100
    })
    try table.center.inject(telling(schedule, in: table))
    table.center.start()
    await table.pass(.seconds(1000))
    // Where one still runs when the next is due, both run: the order of their notes is open.
    #expect(table.notes.compactMap { Int($0) }.sorted() == (1...20).map { $0 * 10 })
    #expect(try table.center.schedule(of: "tick").missed == 0)
  }

  /// Other numbers at each look at the clocks, the same for the same seed.
  private static func chances(from seed: Int) -> @Sendable () -> Double {
    let looks = Recorder()
    return {
      looks.note("")
      return Double((seed + looks.notes.count) * 37 % 100) / 100
    }
  }

  @Test(arguments: 0..<10)
  func `a slot that is held back stays so for as long as was drawn when the calendar's clock is set`(seed: Int)
    async throws
  {
    let table = Timetable(chance: Self.chances(from: seed))
    try table.center.inject(
      telling(
        .init(
          cron: "*/10 * * * * *", timeZone: .utc, count: 20, overlap: .allow, jitter: .random(upTo: .seconds(35))),
        in: table))
    table.center.start()
    for _ in 0..<20 {
      await table.pass(.seconds(11))
      table.time.setWall(to: table.time.wall.addingTimeInterval(0.2))
      table.center.clockDidChange()
    }
    await table.pass(.seconds(1000))
    #expect(table.notes.compactMap { Int($0) }.sorted() == (1...20).map { $0 * 10 })
    #expect(try table.center.schedule(of: "tick").missed == 0)
  }

  @Test(arguments: 0..<10)
  func `a date that is held back is not late where the zone changes meanwhile`(seed: Int) async throws {
    let table = Timetable(chance: Self.chances(from: seed))
    try table.center.inject(
      telling(.init(at: Self.date(10), grace: .zero, jitter: .random(upTo: .seconds(100))), in: table))
    table.center.start()
    let zones: [TimeZone] = [try #require(TimeZone(identifier: "Asia/Tokyo")), .gmt]
    for number in 0..<40 {
      table.time.timeZone = zones[number % 2]
      table.center.clockDidChange()
      await table.pass(.seconds(5))
    }
    #expect(table.notes == ["10"])
    #expect(try table.center.schedule(of: "tick").missed == 0)
  }

  @Test(arguments: [
    TaskSchedule(at: date(10), every: .seconds(100), jitter: .random(upTo: .seconds(80))),
    .init(at: date(10), every: .seconds(100), tolerance: .seconds(64)),
    .init(at: date(10), every: .seconds(100), count: 3, counting: .slots, missed: .skip, tolerance: .seconds(64)),
  ])
  func `a slot that is held back is left to the task that takes the place of another one`(schedule: TaskSchedule)
    async throws
  {
    let table = Timetable(chance: { 0.5 })
    try table.center.inject(telling(schedule, in: table))
    table.center.start()
    await table.pass(.seconds(111))
    #expect(table.notes == ["10"])
    // Twice, the second time before the first one was planned.
    try table.center.inject(telling(schedule, in: table), replacing: true)
    try table.center.inject(telling(schedule, in: table), replacing: true)
    #expect(try table.center.schedule(of: "tick").next == Self.date(110))
    await table.pass(.seconds(200))
    #expect(table.notes == ["10", "110", "210"])
    #expect(try table.center.schedule(of: "tick").missed == 0)
  }

  @Test(arguments: 0..<10)
  func `a date that is held back is left to the task that takes its place, whatever that draws`(seed: Int)
    async throws
  {
    for interval in [nil, Duration.seconds(1000)] {
      let table = Timetable(chance: Self.chances(from: seed))
      let schedule = TaskSchedule(
        at: Self.date(10), every: interval, grace: .zero, jitter: .random(upTo: .seconds(100)))
      try table.center.inject(telling(schedule, in: table))
      table.center.start()
      for _ in 0..<20 {
        await table.pass(.seconds(6))
        try table.center.inject(telling(schedule, in: table), replacing: true)
      }
      #expect(table.notes == ["10"])
    }
  }

  /// The lane of the task is closed until the task has given way, so that its run waits: one that began to wait in time, and
  /// one that is made up for.
  @Test(arguments: [
    (TaskSchedule(at: date(10), grace: .seconds(60)), TaskSchedule(at: date(10), grace: .seconds(60)), "10"),
    (.init(at: date(-5), missed: .latest), .init(at: date(-5)), "-5"),
  ])
  func `a single date whose run waits is left to the task that takes the place of another one, however late it is`(
    schedule: TaskSchedule, next: TaskSchedule, slot: String
  ) async throws {
    let table = Timetable()
    let lane = Lane("closed", opens: .whenOpened)
    func tick(_ schedule: TaskSchedule) -> TaskDefinition {
      .schedule(schedule, name: "tick", lane: lane) { [recorder = table.recorder] context in
        recorder.note("\(Int(context.payload.scheduledFor.timeIntervalSince(Self.beginning)))")
      }
    }
    try table.center.inject(tick(schedule))
    table.center.start()
    await table.pass(.seconds(110))
    try table.center.inject(tick(next), replacing: true)
    await table.pass(.zero)
    #expect(table.notes == [])
    table.center.lane(lane).open()
    await table.pass(.seconds(10))
    #expect(table.notes == [slot])
    #expect(try table.center.schedule(of: "tick").missed == 0)
    #expect(try table.center.schedule(of: "tick").phase == .finished)
  }

  @Test(arguments: [nil, MissedRuns.latest])
  func `a date that one task has told as missed stays so for the task that takes its place`(missed: MissedRuns?)
    async throws
  {
    let table = Timetable()
    try table.center.inject(telling(.init(at: Self.date(-5)), in: table))
    table.center.start()
    await table.pass(.seconds(10))
    #expect(try table.center.schedule(of: "tick").missed == 1)
    try table.center.inject(telling(.init(at: Self.date(-5), missed: missed), in: table), replacing: true)
    await table.pass(.seconds(10))
    #expect(table.notes == [])
    #expect(try table.center.schedule(of: "tick").missed == 0)
    #expect(try table.center.schedule(of: "tick").phase == .finished)
  }

  @Test func `a rule whose count is used up runs no slot again for the task that takes the place of another one`()
    async throws
  {
    let table = Timetable()
    let once = telling(.init(daily: "00:10", timeZone: .utc, count: 1), in: table)
    try table.center.inject(once)
    table.center.start()
    await table.pass(.seconds(700))
    #expect(table.notes == ["600"])
    table.time.setWall(to: Self.date(300))
    try table.center.inject(once, replacing: true)
    await table.pass(.seconds(3600))
    #expect(table.notes == ["600"])
    #expect(try table.center.schedule(of: "tick").next == Self.date(87_000))
  }

  /// The slot of the twentieth second is queued behind the run of the tenth.
  @Test(arguments: [
    TaskSchedule(at: date(10), every: .seconds(10), count: 4, counting: .slots, overlap: .queueOne),
    .init(cron: "*/10 * * * * *", timeZone: .utc, count: 3, overlap: .queueOne),
  ])
  func `a slot whose run has not begun is left to the task that takes the place of another one`(
    schedule: TaskSchedule
  ) async throws {
    let table = Timetable()
    let gate = Gate()
    try table.center.inject(.schedule(schedule, name: "tick") { _ in await gate.pass() })
    await table.startWithTwoSlots(every: .seconds(10), behind: gate)
    try table.center.inject(telling(schedule, in: table), replacing: true)
    gate.open()
    await table.pass(.seconds(100))
    #expect(table.notes == ["20", "30", "40"])
    let status = try table.center.schedule(of: "tick")
    #expect(status.missed == 0)
    #expect(status.phase == .finished)
  }

  /// The run of the tenth second waits for the only place of the center, and the next two slots are left out for it.
  @Test func `a task that takes the place of another one runs no slot that was told as missed`() async throws {
    let table = Timetable(limit: 1)
    let gate = Gate()
    let events = table.center.events.makeAsyncIterator()
    let tick = telling(.init(cron: "*/10 * * * * *", timeZone: .utc), in: table)
    try table.center.inject([.event(.alpha, name: "blocker") { _ in await gate.pass() }, tick])
    table.center.start()
    let run = table.center.begin(.alpha)
    await gate.arrivals()
    for slot in [10, 20, 30] {
      await table.time.continuous.step(to: .seconds(slot))
      await table.time.continuous.waitForSleeper(until: .seconds(slot + 10))
    }
    try table.center.inject(tick, replacing: true)
    gate.open()
    _ = await run.report
    await table.pass(.seconds(10))
    #expect(table.notes == ["10", "40"])
    var (missed, started): ([Date], Int) = ([], 0)
    while started < 2, let event = await events.next() {
      switch event.kind {
      case .runsMissed(_, let count, let latest, _):
        #expect(count == 1)
        missed.append(latest)
      case .taskStarted("tick"): started += 1
      default: break
      }
    }
    #expect(missed == [Self.date(20), Self.date(30)])
  }

  /// After a sleep the first run is going and the second waits for its end, while the third runs beside it.
  @Test func `a slot that has run beside one that waits does not run again for a task that takes the place`()
    async throws
  {
    let table = Timetable()
    let gate = Gate()
    let schedule = TaskSchedule(
      cron: "*/10 * * * * *", timeZone: .utc, missed: .all(max: 2), overlap: .allow)
    try table.center.inject(
      .schedule(schedule, name: "tick") { [recorder = table.recorder] context in
        if context.payload.number == 1 { return await gate.pass() }
        recorder.note("\(Int(context.payload.scheduledFor.timeIntervalSince(Self.beginning)))")
      })
    table.center.start()
    await table.time.continuous.waitForSleeper(until: .seconds(10))
    table.time.sleep(for: .seconds(20))
    await gate.arrivals()
    await table.time.continuous.step(to: .seconds(30))
    #expect(await table.recorder.notes(1) == ["30"])
    await table.time.continuous.waitForSleeper(until: .seconds(40))
    try table.center.inject(telling(schedule, in: table), replacing: true)
    gate.open()
    await table.pass(.seconds(10))
    #expect(table.notes == ["30", "20", "40"])
  }

  @Test(arguments: [
    (TaskSchedule(at: date(10), every: .seconds(10), count: 2, counting: .slots), ["10", "20"]),
    (.init(cron: "*/10 * * * * *", timeZone: .utc, count: 2), ["10", "20"]),
    // The slot is too late for it, and runs that did not begin do not count.
    (.init(cron: "*/10 * * * * *", timeZone: .utc, count: 2, grace: .seconds(2)), ["20", "30"]),
  ])
  func `a slot that a pause has kept is left to the task that takes the place of another one`(
    schedule: TaskSchedule, expected: [String]
  ) async throws {
    let table = Timetable()
    try table.center.inject(telling(schedule, in: table))
    table.center.start()
    try table.center.pause("tick", missed: .deliver)
    await table.pass(.seconds(15))
    try table.center.inject(telling(schedule, in: table), replacing: true)
    await table.pass(.seconds(100))
    #expect(table.notes == expected)
    #expect(try table.center.schedule(of: "tick").phase == .finished)
  }

  /// The slot of the thirtieth second is kept by a pause, and the first two are all that the other one has.
  @Test func `a slot that a pause has kept is missed where the task that takes the place has no more slots`()
    async throws
  {
    let table = Timetable()
    func offer(slots count: Int) -> TaskDefinition {
      telling(.init(at: Self.date(10), every: .seconds(10), count: count, counting: .slots), in: table)
    }
    let events = table.center.events.makeAsyncIterator()
    try table.center.inject(offer(slots: 5))
    table.center.start()
    await table.pass(.seconds(25))
    try table.center.pause("tick", missed: .deliver)
    await table.pass(.seconds(10))
    try table.center.inject(offer(slots: 2), replacing: true)
    await table.pass(.seconds(100))
    #expect(table.notes == ["10", "20"])
    let status = try table.center.schedule(of: "tick")
    #expect(status.missed == 1)
    #expect(status.phase == .finished)
    #expect(await events.words(until: "runsMissed tick 1: paused").last == "runsMissed tick 1: paused")
  }

  /// Three slots were slept through, and their runs wait for the only place of the center.
  @Test func `runs that have not begun are missed where the task that takes the place has no more runs`()
    async throws
  {
    let table = Timetable(limit: 1)
    let gate = Gate()
    func offer(runs count: Int) -> TaskDefinition {
      telling(.init(at: Self.date(10), every: .seconds(10), count: count, missed: .all(max: 3)), in: table)
    }
    let events = table.center.events.makeAsyncIterator()
    try table.center.inject([.event(.alpha, name: "blocker") { _ in await gate.pass() }, offer(runs: 5)])
    table.center.start()
    await table.time.continuous.waitForSleeper(until: .seconds(10))
    let run = table.center.begin(.alpha)
    await gate.arrivals()
    table.time.sleep(for: .seconds(35))
    await table.time.continuous.waitForSleeper(until: .seconds(40))
    try table.center.inject(offer(runs: 1), replacing: true)
    gate.open()
    _ = await run.report
    await table.pass(.seconds(100))
    #expect(table.notes == ["10"])
    let status = try table.center.schedule(of: "tick")
    #expect(status.missed == 2)
    #expect(status.phase == .finished)
    #expect(await events.words(until: "runsMissed tick 2: overlap").last == "runsMissed tick 2: overlap")
  }

  /// The slot of the tenth second waits for the only place of the center.
  @Test func `a task that takes the place of one that has had more slots has none left, and not less`()
    async throws
  {
    let table = Timetable(limit: 1)
    let gate = Gate()
    func offer(slots count: Int) -> TaskDefinition {
      telling(.init(at: Self.date(10), every: .seconds(10), count: count, counting: .slots), in: table)
    }
    try table.center.inject([.event(.alpha, name: "blocker") { _ in await gate.pass() }, offer(slots: 5)])
    table.center.start()
    let run = table.center.begin(.alpha)
    await gate.arrivals()
    for slot in [10, 20, 30] {
      await table.time.continuous.step(to: .seconds(slot))
      await table.time.continuous.waitForSleeper(until: .seconds(slot + 10))
    }
    try table.center.inject(offer(slots: 2), replacing: true)
    #expect(try table.center.schedule(of: "tick").remaining == 0)
    gate.open()
    _ = await run.report
    await table.pass(.seconds(100))
    #expect(table.notes == ["10"])
  }

  @Test(arguments: [MissedRuns.latest, .skip])
  func `a slot of the calendar that is held back is left to the task that takes the place of another one`(
    missed: MissedRuns
  ) async throws {
    let table = Timetable(chance: { 0.5 })
    let schedule = TaskSchedule(daily: "02:30", missed: missed, jitter: .random(upTo: .seconds(3600)))
    try table.center.inject(telling(schedule, in: table))
    table.center.start()
    await table.pass(.seconds(9600))
    #expect(table.notes == [])
    // One that would not hold it back for as long.
    let sooner = TaskSchedule(daily: "02:30", missed: missed, jitter: .random(upTo: .seconds(60)))
    try table.center.inject(telling(sooner, in: table), replacing: true)
    try table.center.inject(telling(sooner, in: table), replacing: true)
    #expect(try table.center.schedule(of: "tick").next == Self.date(9000))
    await table.pass(.seconds(1199))
    #expect(table.notes == [])
    await table.pass(.seconds(86_400))
    #expect(table.notes == ["9000", "95400"])
    #expect(try table.center.schedule(of: "tick").missed == 0)
  }

  // MARK: - Zones

  /// As a machine with fewer zones than the one on which it was built sees it. The build warns of a literal in the annotation.
  @ScheduleTask(daily: "02:30", timeZone: .middleEarth)
  enum Nowhere {
    static func run() {}
  }

  @ScheduleTask(daily: "02:30", timeZone: .misspelt)
  enum Misspelt {
    static func run() {}
  }

  @Test func `an annotated task in a zone that the machine does not know refuses nothing, and is reported`()
    async throws
  {
    let nowhere =
      "the machine knows no time zone 'Middle/Earth'; name one that it knows, or install its time zone "
      + "database ('tzdata')"
    let known = ScheduledTasks.Daily.registration
    let registry = try TaskRegistry(tasks: [Nowhere.registration, known, ScheduledTasks.InSeconds.registration])
      .excluding(ScheduledTasks.InSeconds.self)
      .replacing(ScheduledTasks.Daily.self, with: .schedule(name: "daily", daily: "02:30", timeZone: .utc) { _ in })
    let reports = Recorder()
    var configuration = TaskCenter.Configuration()
    configuration.report = { reports.note($0) }
    let center = TaskCenter(registry: registry, configuration: configuration, time: VirtualTime().source)
    let events = center.events.makeAsyncIterator()
    try center.add(TaskRegistry(tasks: [Misspelt.registration]))
    center.start()
    center.clockDidChange()
    let misspelt = "the machine knows no time zone 'Europe/Berln'; did you mean 'Europe/Berlin'?"
    #expect(
      reports.notes.sorted() == [
        "'\(Misspelt.registration.name)' (\(Misspelt.registration.location)) never fires: \(misspelt)",
        "'\(Nowhere.registration.name)' (\(Nowhere.registration.location)) never fires: \(nowhere)",
      ])
    #expect(try center.schedule(of: Nowhere.self).problem == nowhere)
    #expect(
      await events.words(until: "scheduleIsImpossible \(Nowhere.registration.name): \(nowhere)")
        .contains { $0.hasPrefix("scheduleIsImpossible \(Nowhere.registration.name)") })
    #expect(try center.schedule(of: Misspelt.self).problem == misspelt)
    #expect(try center.schedule(of: ScheduledTasks.Daily.self).phase == .waiting)
  }

  @Test func `a definition in a zone that the machine does not know is refused wherever it is given`() throws {
    let definition = TaskDefinition.schedule(name: "tick", daily: "02:30", timeZone: "Europe/Berln") { _ in }
    func refusal(of name: TaskName) -> [String] {
      [
        "the schedule of task '\(name)' cannot be kept: the machine knows no time zone 'Europe/Berln'; did you mean "
          + "'Europe/Berlin'?"
      ]
    }
    let registry = try TaskRegistry(tasks: [ScheduledTasks.Daily.registration])
    let name = ScheduledTasks.Daily.registration.name
    let replacing = #expect(throws: TaskGraphError.self) {
      try registry.replacing(ScheduledTasks.Daily.self, with: definition)
    }
    #expect(replacing?.sentences == refusal(of: name))
    #expect(replacing?.problems.first?.place?.path == "TaskKitTests/ScheduleLimitTests.swift")
    let center = TaskCenter(registry: registry)
    let injecting = #expect(throws: TaskGraphError.self) {
      try center.inject(
        .schedule(name: name, daily: "02:30", timeZone: "Europe/Berln") { _ in }, replacing: true)
    }
    #expect(injecting?.sentences == refusal(of: name))
  }

  @Test func `a task asks its center what time it is`() async throws {
    let zone = try #require(TimeZone(identifier: "Asia/Tokyo"))
    let table = Timetable(time: VirtualTime(timeZone: zone))
    try table.center.inject(
      .schedule(name: "tick", every: .seconds(10), count: 1) { [recorder = table.recorder] context in
        recorder.note("\(context.now.timeIntervalSince(Self.beginning))")
      })
    table.center.start()
    await table.pass(.seconds(20))
    #expect(table.notes == ["10.0"])
    #expect(table.center.wallTime == Self.date(20))
    #expect(table.center.timeZone == zone)
  }

  @Test(arguments: [("GMT", ["tick 9000"]), ("Asia/Tokyo", ["tick 63000"])])
  func `local time is that of the zone which the center was given`(zone: String, expected: [String]) async throws {
    let table = Timetable(time: VirtualTime(timeZone: try #require(TimeZone(identifier: zone))))
    try table.center.inject(table.task(.init(daily: "02:30")))
    table.center.start()
    await table.pass(.seconds(86_400))
    #expect(table.notes == expected)
  }

  // MARK: - In words

  @Test(arguments: [
    (TaskSchedule(every: .seconds(30), count: 3), "every 30 s, 3 times"),
    (.init(every: .seconds(30), count: 1), "every 30 s, once"),
    (.init(every: .seconds(30), count: 3, counting: .slots), "every 30 s, for 3 slots"),
    (.init(every: .milliseconds(250), first: .immediately), "every 250 ms, the first at once"),
    (.init(every: .seconds(7200), clock: .suspending), "every 2 h, sleep not counted"),
    (.init(every: .seconds(90), pace: .fixedDelay), "90 s after each run"),
    (.init(at: 1_767_225_600), "at 2026-01-01 00:00:00 UTC"),
    (.init(at: 1_767_225_600, grace: .seconds(60)), "at 2026-01-01 00:00:00 UTC, at most 1 min late"),
    (.init(at: 1_767_225_600, every: .seconds(20)), "at 2026-01-01 00:00:00 UTC, then every 20 s"),
    (.init(daily: "02:30", timeZone: "Europe/Berlin"), "daily at 02:30 Europe/Berlin"),
    (.init(daily: "02:30", timeZone: .utc), "daily at 02:30 UTC"),
    (.init(cron: "*/15 9-17 * * MON-FRI"), "every 15 minutes from 09:00 to 17:59 on Monday to Friday, local time"),
    (
      .init(every: .zero),
      "never: an interval of '0.0 seconds' would run the task without a pause; write a longer one"
    ),
  ])
  func `a schedule says in words when it runs`(schedule: TaskSchedule, words: String) {
    #expect("\(schedule)" == words)
  }

  /// It was run by hand before: what is replaced as it is planned is its one run.
  @Test func `a task that leaves as it is planned is not planned`() async throws {
    let time = VirtualTime()
    let center = TaskCenter(time: time.source)
    let gate = Gate()
    try center.inject(
      .schedule(
        TaskSchedule(
          at: Date(timeIntervalSince1970: 0), every: .seconds(3600), missed: .latest, overlap: .replace),
        name: "once", timeout: .seconds(1), retry: .attempts(2, backoff: .fixed(.seconds(60))), runs: .once
      ) { _ in await gate.pass() })
    let run = Task { try await center.run("once") }
    await gate.arrivals()
    await time.continuous.waitForSleeper(until: .seconds(1))
    time.advance(by: .seconds(1))
    await time.continuous.waitForSleeper(until: .seconds(61))
    center.start()
    await #expect(throws: TaskError.self) { try await center.run("once") }
    gate.open()
    #expect(try await run.value.outcomes == ["once": "cancelled"])
  }
}

extension ScheduleTimeZone {
  fileprivate static let middleEarth: ScheduleTimeZone = "Middle/Earth"
  fileprivate static let misspelt: ScheduleTimeZone = "Europe/Berln"
}
