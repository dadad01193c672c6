import Foundation
import Synchronization
import TaskKit
import TaskKitTesting
import Testing

/// The three clocks of schedules, and what happens when one is set (DURABLE 4, rules 1, 7, 9–11; R48, R49).
@Suite struct ClockTests {
  @Test func `without a step of the clock nothing fires, and with it exactly what is due, Rt23`() async throws {
    let table = Timetable()
    try table.center.inject(table.task(.init(every: .seconds(10))))
    table.center.start()
    await table.pass(.zero)
    #expect(table.notes == [])
    await table.pass(.milliseconds(9999))
    #expect(table.notes == [])
    await table.pass(.milliseconds(1))
    #expect(table.notes == ["tick 10"])
  }

  @Test func `a date follows the calendar's clock when that is set forward, an interval does not, Rt20`() async throws {
    let table = Timetable()
    try table.center.inject([
      table.task(.init(at: 1_767_225_600 + 3600), name: "date"),
      table.task(.init(every: .seconds(3600)), name: "interval"),
    ])
    table.center.start()
    await table.pass(.seconds(10))
    table.time.setWall(to: Date(timeIntervalSince1970: 1_767_225_600 + 3000))
    table.center.clockDidChange()
    await table.pass(.seconds(4000))
    #expect(table.notes == ["date 610", "interval 3600"])
  }

  @Test func `a clock that is set back delays a date, and repeats nothing that has run`() async throws {
    let table = Timetable()
    let events = table.center.events.makeAsyncIterator()
    try table.center.inject(table.task(.init(cron: "*/10 * * * * *", timeZone: .utc), name: "cron"))
    table.center.start()
    await table.pass(.seconds(30))
    table.time.setWall(to: Date(timeIntervalSince1970: 1_767_225_605))
    table.center.clockDidChange()
    await table.pass(.seconds(40))
    // At 30 s the calendar was set back from 00:00:30 to 00:00:05: the next slot, 00:00:40, comes 35 s later.
    #expect(table.notes == ["cron 10", "cron 20", "cron 30", "cron 65"])
    #expect(await events.words(until: "clockChanged by -25.0 seconds").last == "clockChanged by -25.0 seconds")
  }

  @Test func `a daily task is planned anew when a clock that was a year ahead is set right before it has run`()
    async throws
  {
    let table = Timetable()
    try table.center.inject(table.task(.init(daily: "02:30", timeZone: .utc)))
    table.center.start()
    await table.pass(.seconds(10))
    table.time.setWall(to: Date(timeIntervalSince1970: 1_767_225_600 - 365 * 86_400))
    table.center.clockDidChange()
    await table.pass(.seconds(2 * 86_400))
    #expect(table.notes == ["tick 9010", "tick 95410"])
  }

  /// By the clock, which is three days ahead, three of its slots are past when the center starts.
  @Test func `a repeated date goes on behind its missed slots when a clock that was ahead is set right`()
    async throws
  {
    let table = Timetable()
    try table.center.inject(
      table.task(.init(at: 1_767_225_600 - 3 * 86_400 + 9000, every: .seconds(86_400))))
    table.center.start()
    await table.pass(.seconds(10))
    table.time.setWall(to: Date(timeIntervalSince1970: 1_767_225_600 - 3 * 86_400))
    table.center.clockDidChange()
    await table.pass(.seconds(4 * 86_400))
    #expect(table.notes == ["tick 268210"])
    #expect(try table.center.schedule(of: "tick").missed == 3)
  }

  @Test
  func `a slot that gives its place in the count back brings back none that has run, where the clock was set back`()
    async throws
  {
    let table = Timetable()
    let gate = Gate()
    try table.center.inject([
      table.opening(failing: 2, behind: gate),
      table.task(.init(cron: "*/10 * * * * *", timeZone: .utc, count: 2), dependencies: ["open"]),
    ])
    table.center.start()
    await table.center.send(.alpha)
    await table.pass(.seconds(10))
    // The last of its count waits for what is not open yet again.
    let second = table.center.begin(.alpha)
    await gate.arrivals()
    await table.time.continuous.waitForSleeper(until: .seconds(20))
    table.time.advance(by: .seconds(10))
    try await waitUntil { try table.center.schedule(of: "tick").phase != .waiting }
    table.time.setWall(to: Date(timeIntervalSince1970: 1_767_225_605))
    table.center.clockDidChange()
    gate.open()
    _ = await second.report
    await table.center.send(.alpha)
    await table.pass(.seconds(60))
    // 00:00:30 comes 25 s after 00:00:05.
    #expect(table.notes == ["tick 10", "tick 45"])
  }

  @Test func `a clock that was set is noticed at the next look, without being told`() async throws {
    let table = Timetable(time: VirtualTime(wallCheck: .seconds(60)))
    try table.center.inject(table.task(.init(at: 1_767_225_600 + 3600)))
    table.center.start()
    await table.pass(.seconds(10))
    table.time.setWall(to: Date(timeIntervalSince1970: 1_767_225_600 + 3590))
    await table.pass(.seconds(100))
    #expect(table.notes == ["tick 60"])
  }

  @Test func `a calendar is not taken for set when time passes between two readings of the clocks`() async throws {
    let (time, recorder) = (VirtualTime(), Recorder())
    let isStopping = Mutex(false)
    let source = TimeSource(
      continuous: time.continuous, suspending: time.suspending,
      wall: {
        let wall = time.wall
        let stops = isStopping.withLock { isStopping in
          defer { isStopping = false }
          return isStopping
        }
        if stops { time.advance(by: .seconds(1)) }
        return wall
      }, timeZone: { .gmt }, wallCheck: nil)
    let center = TaskCenter(time: source)
    let events = center.events.makeAsyncIterator()
    try center.inject(
      .schedule(name: "tick", cron: "*/10 * * * * *", timeZone: .utc) { context in
        recorder.note(Timetable.note(context.name, at: time))
      })
    center.start()
    isStopping.withLock { $0 = true }
    center.clockDidChange()
    await time.advance(by: .seconds(9), driving: center)
    #expect(recorder.notes == ["tick 10"])
    let words = await events.words(until: "taskEnded tick: succeeded")
    #expect(!words.contains { $0.hasPrefix("clockChanged") })
  }

  @Test func `who has read the clocks before the calendar's was set holds up nothing that is due by the new one`()
    async throws
  {
    let table = Timetable()
    let beginning = table.time.wall
    try table.center.inject(table.task(.init(daily: "00:30", timeZone: .utc)))
    table.center.start()
    await table.pass(.zero)
    table.center.look(after: 2, since: beginning + 3600, in: .gmt, fires: false)
    table.center.look(after: 1, since: beginning, in: .gmt, fires: true)
    await table.pass(.zero)
    #expect(table.notes == ["tick 0"])
    #expect(try table.center.schedule(of: "tick").next == beginning.addingTimeInterval(86_400 + 1800))
  }

  @Test func `who has read the clocks before the zone changed plans the next slot by the new one`() async throws {
    let table = Timetable(time: VirtualTime(timeZone: .gmt))
    let beginning = table.time.wall
    try table.center.inject(table.task(.init(daily: "09:00")))
    table.center.start()
    await table.pass(.zero)
    let (nine, tokyo) = (Int64(9 * 3600), try #require(TimeZone(identifier: "Asia/Tokyo")))
    table.center.look(after: nine + 1, since: beginning, in: tokyo, fires: false)
    table.center.look(after: nine, since: beginning, in: .gmt, fires: true)
    _ = await table.recorder.notes(1)
    #expect(try table.center.schedule(of: "tick").next == beginning.addingTimeInterval(86_400))
  }

  @Test func `a schedule in the machine's local time is planned anew when the zone changes`() async throws {
    let table = Timetable(time: VirtualTime(timeZone: TimeZone(identifier: "Europe/Berlin")!))
    try table.center.inject([
      .schedule(.init(daily: "09:00"), name: "local") { [recorder = table.recorder, time = table.time] context in
        recorder.note("\(Timetable.note(context.name, at: time)) \(context.payload.localTime ?? "")")
      },
      .schedule(.init(daily: "09:00", timeZone: "Asia/Tokyo"), name: "tokyo") {
        [recorder = table.recorder, time = table.time] context in
        recorder.note("\(Timetable.note(context.name, at: time)) \(context.payload.localTime ?? "")")
      },
    ])
    table.center.start()
    await table.pass(.seconds(3600))
    table.time.timeZone = TimeZone(identifier: "America/New_York")!
    table.center.clockDidChange()
    await table.pass(.seconds(86_400))
    // 2026 begins at 00:00 in Greenwich: 09:00 is 14:00 there in New York, and has just been in Tokyo.
    #expect(table.notes == ["local 50400 2026-01-01T09:00:00", "tokyo 86400 2026-01-02T09:00:00"])
  }

  @Test func `a daily task runs once on the days on which the clocks change`() async throws {
    // New York, 2026: 8 March has no 02:30, 1 November has 01:30 twice.
    let march = Date(timeIntervalSince1970: 1_772_859_600)
    let table = Timetable(time: VirtualTime(wall: march))
    try table.center.inject(
      .schedule(name: "night", daily: "02:30", timeZone: "America/New_York") { [recorder = table.recorder] context in
        recorder.note(
          "\(context.payload.localTime ?? "") \(Int(context.payload.scheduledFor.timeIntervalSince(march)))")
      })
    table.center.start()
    await table.pass(.seconds(3 * 86_400))
    #expect(
      table.notes == [
        "2026-03-07T02:30:00 9000", "2026-03-08T02:30:00 93600", "2026-03-09T02:30:00 178200",
      ])
  }

  @Test func `a cron text or a zone that nobody knows is refused with its reason`() throws {
    let table = Timetable()
    let zone = #expect(throws: TaskGraphError.self) {
      try table.center.inject(table.task(.init(daily: "02:30", timeZone: "Middle/Earth")))
    }
    #expect(
      zone?.sentences == [
        "the schedule of task 'tick' cannot be kept: the machine knows no time zone 'Middle/Earth'; name one that it "
          + "knows, or install its time zone database ('tzdata')"
      ])
    let cron = #expect(throws: TaskGraphError.self) { try table.center.inject(table.task(.init(cron: "61 * * * *"))) }
    #expect(cron?.sentences.first?.hasPrefix("the schedule of task 'tick' cannot be kept: ") == true)
    #expect(cron?.sentences.first?.contains("61") == true)
  }

  @Test func `jitter delays each run by chance, and does not add up`() async throws {
    let chances = Recorder()
    let table = Timetable(chance: {
      chances.note("")
      return Double(chances.notes.count * 37 % 100) / 100
    })
    try table.center.inject(table.task(.init(every: .seconds(10), count: 20, jitter: .random(upTo: .seconds(4)))))
    table.center.start()
    await table.pass(.seconds(1000))
    // In milliseconds, as a difference of decimal fractions is never twice the same.
    let delays = table.notes.enumerated().map { Int((Double($1.dropFirst(5))! * 1000).rounded()) - ($0 + 1) * 10_000 }
    #expect(delays.count == 20)
    #expect(delays.allSatisfy { (0..<4000).contains($0) })
    #expect(Set(delays).count > 10)
  }

  @Test func `spread delays all runs of a task by the same time, which differs from task to task`() async throws {
    let table = Timetable()
    try table.center.inject([
      table.task(.init(every: .seconds(10), jitter: .spread(upTo: .seconds(4))), name: "a"),
      table.task(.init(every: .seconds(10), jitter: .spread(upTo: .seconds(4))), name: "b"),
    ])
    table.center.start()
    await table.pass(.seconds(50))
    var delays: [String: Set<Int>] = [:]
    for note in table.notes {
      let parts = note.split(separator: " ")
      delays[String(parts[0]), default: []].insert(
        Int((Double(parts[1])! * 1000).truncatingRemainder(dividingBy: 10_000).rounded()))
    }
    #expect(delays["a"]?.count == 1)
    #expect(delays["b"]?.count == 1)
    #expect(delays["a"] != delays["b"])
  }

  @Test func `what tolerates a delay shares a waking, within its tolerance`() async throws {
    let table = Timetable()
    try table.center.inject(
      (1...20).map { number in
        table.task(
          .init(every: .milliseconds(1000 + number * 10), count: 1, tolerance: .seconds(1)), name: TaskName("\(number)")
        )
      })
    table.center.start()
    await table.pass(.seconds(10))
    let times = Set(table.notes.map { $0.split(separator: " ")[1] })
    #expect(times.count <= 2)
    for note in table.notes {
      let parts = note.split(separator: " ")
      let delay = Double(parts[1])! - 1 - Double(parts[0])! * 0.01
      #expect((0...1).contains(delay))
    }
  }

  @Test func `a slot is not used early, nor twice, where the clock is looked at just before it`() async throws {
    let time = VirtualTime()
    let center = TaskCenter(time: time.source)
    let slots = Values<Double>()
    let start = time.wall
    try center.inject(
      .schedule(name: "tick", cron: "* * * * * *") { slots.append($0.payload.scheduledFor.timeIntervalSince(start)) })
    center.start()
    await time.advance(by: .seconds(1), driving: center)
    // Less than a millisecond before the fifth.
    time.sleep(for: .microseconds(3_999_500))
    await time.advance(by: .zero, driving: center)
    await time.advance(by: .milliseconds(1), driving: center)
    #expect(slots.values == [1, 4, 5])
  }

  @Test(arguments: [0.05, 0.1, 0.2])
  func `a slot is used once, and at its time, where the calendar's clock has fallen behind`(lag: Double) async throws {
    let time = VirtualTime()
    let center = TaskCenter(time: time.source)
    let slots = Values<[Double]>()
    let start = time.wall
    try center.inject(
      .schedule(name: "tick", cron: "*/10 * * * * *", timeZone: .utc) { context in
        let wall = (time.wall.timeIntervalSince(start) * 1000).rounded() / 1000
        slots.append([context.payload.scheduledFor.timeIntervalSince(start), wall])
      })
    center.start()
    await time.advance(by: .milliseconds(9900), driving: center)
    // Nobody tells: the timer of each slot goes off before that has come.
    time.setWall(to: time.wall.addingTimeInterval(-lag))
    await time.advance(by: .seconds(60), driving: center)
    #expect(slots.values == [[10, 10], [20, 20], [30, 30], [40, 40], [50, 50], [60, 60]])
    #expect(try center.schedule(of: "tick").missed == 0)
  }

  @Test(arguments: ["Asia/Tokyo", "America/New_York"])
  func `a slot that jitter holds back comes although the zone changes meanwhile`(zone: String) async throws {
    let table = Timetable(chance: { 0.9 })
    try table.center.inject(
      .schedule(TaskSchedule(daily: "02:30", jitter: .spread(upTo: .seconds(3600))), name: "tick") { [table] context in
        table.recorder.note("\(context.payload.scheduledFor.timeIntervalSince1970)")
      })
    table.center.start()
    await table.pass(.seconds(9000))
    #expect(table.notes == [])
    table.time.timeZone = try #require(TimeZone(identifier: zone))
    table.center.clockDidChange()
    await table.pass(.seconds(3700))
    #expect(table.notes == ["\(1_767_225_600.0 + 9000)"])
  }

  @Test(arguments: [["Asia/Tokyo"], ["America/New_York"], ["Asia/Tokyo", "America/New_York"]])
  func `a slot that is held back keeps the name that it has in its own zone`(zones: [String]) async throws {
    let table = Timetable(chance: { 0.9 })
    try table.center.inject(
      .schedule(TaskSchedule(daily: "02:30", jitter: .random(upTo: .seconds(3600))), name: "tick") { [table] context in
        table.recorder.note(context.payload.localTime ?? "")
      })
    table.center.start()
    await table.pass(.seconds(9000))
    for zone in zones {
      await table.pass(.seconds(60))
      table.time.timeZone = try #require(TimeZone(identifier: zone))
      table.center.clockDidChange()
    }
    #expect(table.notes == [])
    await table.pass(.seconds(3700))
    #expect(table.notes == ["2026-01-01T02:30:00"])
  }

  @Test func `a calendar that is set from far to far does not crash, and brings no run twice`() async throws {
    let table = Timetable(time: VirtualTime(wall: Date(timeIntervalSince1970: 0)))
    try table.center.inject([
      table.task(TaskSchedule(daily: "02:30"), name: "daily"), table.task(.init(at: 3600), name: "date"),
    ])
    table.center.start()
    for date in [Date.distantPast, .distantFuture, .distantPast, Date(timeIntervalSince1970: 0)] {
      table.time.setWall(to: date)
      table.center.clockDidChange()
      await table.pass(.seconds(1))
    }
    #expect(table.notes.filter { $0.hasPrefix("daily") }.count <= 1)
    #expect(table.notes.filter { $0.hasPrefix("date") }.count <= 1)
  }

  @Test func `what can no longer be counted never comes, and does not come for ever`() async throws {
    let table = Timetable(time: VirtualTime(wall: Date(timeIntervalSince1970: 221_845_651_200)))
    try table.center.inject(table.task(TaskSchedule(daily: "02:30")))
    table.center.start()
    await table.pass(.seconds(10))
    #expect(table.notes == [])
    #expect(try table.center.schedule(of: "tick").phase == .finished)
  }
}
