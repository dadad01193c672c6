import Foundation
import TaskKit
import TaskKitTesting
import Testing

/// What schedules promise (DURABLE 4), where the other suites of schedules do not show it.
@Suite struct ScheduleRuleTests {
  /// 2026 begins in Greenwich.
  private static let beginning = Date(timeIntervalSince1970: 1_767_225_600)

  /// A task that notes what it is told: the slot in seconds since the beginning, its number, what was missed.
  private func telling(_ schedule: TaskSchedule, in table: Timetable, name: TaskName = "tick") -> TaskDefinition {
    .schedule(schedule, name: name) { [recorder = table.recorder] context in
      let run = context.payload
      recorder.note(
        "\(Int(run.scheduledFor.timeIntervalSince(Self.beginning))), number \(run.number), missed \(run.missed)")
    }
  }

  // MARK: - Rule 2, the pace

  @Test func `a fixed delay has no slots to miss while the machine sleeps`() async throws {
    for missed in [nil, MissedRuns.latest, .skip] {
      let table = Timetable()
      try table.center.inject(telling(.init(every: .seconds(10), pace: .fixedDelay, missed: missed), in: table))
      table.center.start()
      await table.pass(.seconds(10))
      table.time.sleep(for: .seconds(35))
      await table.pass(.seconds(10))
      #expect(table.notes == ["10, number 1, missed 0", "20, number 2, missed 0", "55, number 3, missed 0"])
      #expect(try table.center.schedule(of: "tick").missed == 0)
    }
  }

  // MARK: - Rule 3, the count

  @Test func `several missed slots that become one run use up one of the count`() async throws {
    let table = Timetable()
    try table.center.inject(telling(.init(every: .seconds(10), count: 3), in: table))
    table.center.start()
    await table.pass(.zero)
    table.time.sleep(for: .seconds(55))
    await table.pass(.zero)
    #expect(try table.center.schedule(of: "tick").remaining == 2)
    await table.pass(.seconds(100))
    #expect(table.notes == ["50, number 1, missed 4", "60, number 2, missed 0", "70, number 3, missed 0"])
  }

  @Test func `what is left out because it is late uses up nothing of the count`() async throws {
    let table = Timetable()
    try table.center.inject(telling(.init(every: .seconds(10), count: 2, missed: .skip), in: table))
    table.center.start()
    await table.pass(.zero)
    table.time.sleep(for: .seconds(35))
    await table.pass(.seconds(100))
    #expect(table.notes == ["40, number 1, missed 3", "50, number 2, missed 0"])
  }

  /// The dependency is at work from before the first slot until after the third, and then fails.
  @Test func `slots that came while the last run of the count could still begin are missed when it does not`()
    async throws
  {
    let table = Timetable()
    let gate = Gate()
    try table.center.inject([
      table.opening(failing: 1, behind: gate),
      .schedule(name: "tick", every: .seconds(10), count: 1, dependencies: ["open"]) {
        [recorder = table.recorder] context in
        let slot = Int(context.payload.scheduledFor.timeIntervalSince(Self.beginning))
        recorder.note("\(slot), missed \(context.payload.missed)")
      },
    ])
    table.center.start()
    let opening = table.center.begin(.alpha)
    await gate.arrivals()
    await table.time.continuous.step(to: .seconds(10))
    // Nobody sleeps either while the center has yet to look at the slot.
    try await waitUntil { try table.center.schedule(of: "tick").phase == .running }
    table.time.advance(by: .seconds(25))
    gate.open()
    _ = await opening.report
    await table.center.send(.alpha)
    await table.pass(.seconds(100))
    #expect(table.notes == ["40, missed 2"])
    #expect(try table.center.schedule(of: "tick").missed == 2)
  }

  /// The tolerance holds the slot of the tenth second back to the thirty-fifth, and its dependency fails at the fortieth.
  @Test func `slots that are held back while the last run of the count could still begin are not missed`()
    async throws
  {
    let table = Timetable()
    let gate = Gate()
    try table.center.inject([
      table.opening(failing: 1, behind: gate),
      .schedule(name: "tick", every: .seconds(10), count: 1, tolerance: .seconds(64), dependencies: ["open"]) {
        [recorder = table.recorder] _ in recorder.note("tick")
      },
    ])
    table.center.start()
    let opening = table.center.begin(.alpha)
    await gate.arrivals()
    await table.time.continuous.waitForSleepers()
    table.time.advance(by: .seconds(35))
    try await waitUntil { try table.center.schedule(of: "tick").phase == .running }
    table.time.advance(by: .seconds(5))
    gate.open()
    _ = await opening.report
    await table.center.send(.alpha)
    await table.pass(.seconds(100))
    #expect(table.notes == ["tick"])
    #expect(try table.center.schedule(of: "tick").missed == 0)
  }

  @Test func `a run beside another one that gives its place in the count back is made up for beside it`() async throws {
    let table = Timetable()
    let (gate, openings) = (Gate(), Recorder())
    try table.center.inject([
      .event(.alpha, name: "open") { _ in
        openings.note("")
        if openings.notes.count == 2 { throw Broken() }
      },
      .schedule(name: "tick", every: .seconds(10), count: 2, overlap: .allow, dependencies: ["open"]) {
        [recorder = table.recorder] context in
        recorder.note("\(Int(context.payload.scheduledFor.timeIntervalSince(Self.beginning)))")
        if context.payload.number == 1 { await gate.pass() }
      },
    ])
    table.center.start()
    await table.center.send(.alpha)
    await table.time.continuous.step(to: .seconds(10))
    await gate.arrivals()
    // It fails before the second slot, which is skipped for that, and not before the third.
    await table.center.send(.alpha)
    await table.time.continuous.step(to: .seconds(20))
    await table.time.continuous.waitForSleeper(until: .seconds(30))
    await table.center.send(.alpha)
    table.time.advance(by: .seconds(10))
    #expect(await table.recorder.notes(2) == ["10", "30"])
    gate.open()
    await table.pass(.seconds(100))
    #expect(table.notes.count == 2)
    #expect(try table.center.schedule(of: "tick").phase == .finished)
  }

  // MARK: - Rule 4, dates

  @Test(arguments: [Date.distantPast, Date(timeIntervalSince1970: -1e300)])
  func `a date before anything that can be counted is past`(date: Date) async throws {
    let table = Timetable()
    try table.center.inject([
      table.task(.init(at: date), name: "single"),
      table.task(.init(at: date, every: .seconds(86_400), count: 1), name: "repeated"),
    ])
    table.center.start()
    await table.pass(.seconds(2 * 86_400))
    #expect(table.notes.count == 1)
    #expect(try table.center.schedule(of: "single").phase == .finished)
    #expect(try table.center.schedule(of: "repeated").missed > 0)
  }

  @Test func `of a date that was missed nothing is left`() async throws {
    let table = Timetable()
    try table.center.inject(table.task(.init(at: Self.beginning.addingTimeInterval(-5))))
    table.center.start()
    await table.pass(.seconds(1))
    let status = try table.center.schedule(of: "tick")
    #expect(status.phase == .finished)
    #expect(status.runs == 0)
    #expect(status.remaining == 0)
  }

  // MARK: - Rules 5 and 6, what nobody used is told

  @Test func `a queued run is told its number and the slots that it stands for`() async throws {
    let table = Timetable()
    let gate = Gate()
    try table.center.inject(
      .schedule(name: "slow", every: .seconds(10), overlap: .queueOne) { [recorder = table.recorder] context in
        let run = context.payload
        if run.number == 1 { await gate.pass() }
        recorder.note(
          "\(Int(run.scheduledFor.timeIntervalSince(Self.beginning))), number \(run.number), missed \(run.missed)")
      })
    table.center.start()
    table.time.advance(by: .seconds(10))
    await gate.arrivals()
    for slot in [20, 30] {
      await table.time.continuous.waitForSleeper(until: .seconds(slot))
      table.time.advance(by: .seconds(10))
    }
    await table.time.continuous.waitForSleeper(until: .seconds(40))
    gate.open()
    await table.pass(.seconds(10))
    #expect(table.notes == ["10, number 1, missed 0", "30, number 2, missed 1", "40, number 3, missed 0"])
  }

  @Test func `runs that make up for missed slots are not lost when another slot is queued`() async throws {
    let table = Timetable()
    let gate = Gate()
    try table.center.inject(
      .schedule(name: "slow", every: .seconds(10), missed: .all(max: 3), overlap: .queueOne) {
        [recorder = table.recorder] context in
        let run = context.payload
        if run.number == 1 { await gate.pass() }
        recorder.note(
          "\(Int(run.scheduledFor.timeIntervalSince(Self.beginning))), number \(run.number), missed \(run.missed)")
      })
    table.center.start()
    await table.time.continuous.waitForSleeper(until: .seconds(10))
    table.time.sleep(for: .seconds(30))
    await gate.arrivals()
    await table.time.continuous.waitForSleeper(until: .seconds(40))
    table.time.advance(by: .seconds(10))
    await table.time.continuous.waitForSleeper(until: .seconds(50))
    gate.open()
    await table.pass(.zero)
    #expect(table.notes == ["10, number 1, missed 0", "20, number 2, missed 0", "40, number 3, missed 1"])
    #expect(try table.center.schedule(of: "slow").missed == 1)
    #expect(try table.center.schedule(of: "slow").runs == 3)
  }

  @Test func `a slot that is delivered at the end of a pause is told the slots that it stands for`() async throws {
    let table = Timetable()
    try table.center.inject(telling(.init(every: .seconds(10)), in: table))
    table.center.start()
    try table.center.pause("tick", missed: .deliver)
    await table.pass(.seconds(35))
    try table.center.resume("tick")
    await table.pass(.seconds(5))
    #expect(table.notes == ["30, number 1, missed 2", "40, number 2, missed 0"])
    #expect(try table.center.schedule(of: "tick").missed == 2)
  }

  // MARK: - Rules 7 and 8, the days on which clocks change

  @Test func `where a local time comes twice it runs once, or at both under names of their own`() async throws {
    // In New York 1 November 2026 has 01:30 twice, at 05:30 and 06:30 in Greenwich.
    let night = Date(timeIntervalSince1970: 1_793_505_600)
    let table = Timetable(time: VirtualTime(wall: night))
    func task(_ overlap: ClockChangePolicy.Overlap) -> TaskDefinition {
      .schedule(
        .init(daily: "01:30", timeZone: "America/New_York", clockChanges: .init(overlap: overlap)),
        name: TaskName(rawValue: overlap.rawValue)
      ) { [recorder = table.recorder] context in
        let hours = context.payload.scheduledFor.timeIntervalSince(night) / 3600
        recorder.note("\(context.name) \(context.payload.localTime ?? "") after \(hours) h")
      }
    }
    try table.center.inject([task(.first), task(.both)])
    table.center.start()
    await table.pass(.seconds(24 * 3600))
    #expect(
      table.notes.sorted() == [
        "both 2026-11-01T01:30:00 after 1.5 h", "both 2026-11-01T01:30:00~2 after 2.5 h",
        "first 2026-11-01T01:30:00 after 1.5 h",
      ])
  }

  @Test func `a center that starts between the two does not run the first one again`() async throws {
    // 01:45 in New York, before the clocks are set back.
    let night = Date(timeIntervalSince1970: 1_793_505_600 + 6300)
    let table = Timetable(time: VirtualTime(wall: night))
    try table.center.inject(
      .schedule(name: "night", daily: "01:30", timeZone: "America/New_York") { [recorder = table.recorder] context in
        recorder.note(context.payload.localTime ?? "")
      })
    table.center.start()
    await table.pass(.seconds(30 * 3600))
    #expect(table.notes == ["2026-11-02T01:30:00"])
  }

  // MARK: - Rule 9, a clock that is set

  @Test(arguments: [(MissedRuns.latest, ["cron 35"]), (.skip, []), (.all(max: 2), ["cron 35", "cron 35"])])
  func `a clock that is set forward over slots is what the policy for missed ones is for`(
    missed: MissedRuns, expected: [String]
  ) async throws {
    let table = Timetable()
    try table.center.inject(
      table.task(.init(cron: "0 * * * * *", timeZone: .utc, missed: missed), name: "cron"))
    table.center.start()
    await table.pass(.seconds(35))
    table.time.setWall(to: Self.beginning.addingTimeInterval(10 * 60 + 30))
    table.center.clockDidChange()
    await table.pass(.seconds(20))
    #expect(table.notes == expected)
    await table.pass(.seconds(30))
    #expect(table.notes == expected + ["cron 65"])
  }

  // MARK: - Rule 10, zones

  @Test func `a collected task with a zone that nobody knows says so, and keeps nothing else from running`()
    async throws
  {
    // As generated code makes it: no proof at run time, which the build has made.
    let time = VirtualTime()
    let recorder = Recorder()
    let module = ModuleTasks.of(
      "App",
      [
        .schedule(name: "nowhere", daily: "02:30", timeZone: "Middle/Earth") { _ in recorder.note("nowhere") },
        .schedule(name: "here", daily: "02:30", timeZone: .utc) { _ in recorder.note("here") },
      ])
    let center = TaskCenter(registry: TaskRegistry(__proved: [module]), time: time.source)
    center.start()
    try center.inject(.schedule(name: "later", every: .seconds(86_400)) { _ in recorder.note("later") })
    await time.advance(by: .seconds(86_400), driving: center)
    #expect(recorder.notes == ["here", "later"])
    let status = try center.schedule(of: "nowhere")
    #expect(status.phase == .impossible)
    #expect(
      status.problem
        == "the machine knows no time zone 'Middle/Earth'; name one that it knows, or install its time zone database "
        + "('tzdata')")
    #expect(status.next == nil)
  }

  // MARK: - Rule 11, jitter and tolerance

  @Test func `spread is the same each time a machine starts, and differs from machine to machine`() async throws {
    var delays: [String] = []
    for host in ["one", "one", "two", "three"] {
      let time = VirtualTime()
      let recorder = Recorder()
      var configuration = TaskCenter.Configuration()
      configuration.hostName = host
      let center = TaskCenter(configuration: configuration, time: time.source)
      try center.inject(
        .schedule(.init(every: .seconds(100), count: 1, jitter: .spread(upTo: .seconds(50))), name: "tick") { _ in
          recorder.note("\(time.continuous.now.offset)")
        })
      center.start()
      await time.advance(by: .seconds(200), driving: center)
      delays += recorder.notes
    }
    #expect(delays.count == 4)
    #expect(delays[0] == delays[1])
    #expect(Set(delays).count == 3)
  }
}
