import Foundation
import TaskKit
import TaskKitDurable
import TaskKitTesting
import Testing

@Suite struct ScheduledJobsTests {
  @Test func `each occurrence of a schedule is a job`() async throws {
    let bench = try JobBench(Scheduled<Hourly>.self)
    bench.center.start()
    await bench.time.advance(by: .seconds(3 * 3600), driving: bench.center)
    #expect(bench.probe.notes == ["2026-01-01T01:00:00Z", "2026-01-01T02:00:00Z", "2026-01-01T03:00:00Z"])
    let status = try #require(try await bench.center.jobs.schedules().first)
    #expect(status.kind == "Hourly")
    #expect(status.occurrences == 3)
    #expect(status.latest == Date(timeIntervalSince1970: 1_767_225_600 + 3 * 3600))
    #expect(status.next == Date(timeIntervalSince1970: 1_767_225_600 + 4 * 3600))
  }

  @Test func `the first occurrence can be at once`() async throws {
    let bench = try JobBench(Scheduled<HourlyAtOnce>.self)
    bench.center.start()
    await bench.time.advance(by: .seconds(3600), driving: bench.center)
    #expect(bench.probe.notes == ["2026-01-01T00:00:00Z", "2026-01-01T01:00:00Z"])
  }

  @Test func `an interval that is no whole number of microseconds uses each of its slots once, and misses none`()
    async throws
  {
    let bench = try JobBench(Scheduled<Sevenths>.self)
    var events = bench.center.jobs.events(buffering: .max).makeAsyncIterator()
    bench.center.start()
    await bench.time.advance(by: .seconds(7200), driving: bench.center)
    await bench.center.terminate()
    #expect(bench.probe.notes.count == 13)
    #expect(Set(bench.probe.notes).count == 13)
    var missed = 0
    while let event = await events.next() { if case .slotsMissed = event.kind { missed += 1 } }
    #expect(missed == 0)
  }

  @Test func `nothing fires before the start of the center, and nothing after its end`() async throws {
    let bench = try JobBench(Scheduled<Hourly>.self)
    try await bench.center.jobs.open()
    await bench.time.advance(by: .seconds(7200), driving: bench.center)
    #expect(try await bench.center.jobs.count() == 0)
    bench.center.start()
    await bench.center.terminate()
    bench.time.advance(by: .seconds(72000))
    let next = try JobBench(store: MemoryStore(sharing: bench.store))
    #expect(try await next.center.jobs.count() == 0)
  }

  @Test func `a program that runs for less than the interval fires all the same`() async throws {
    let time = VirtualTime()
    let store = MemoryStore()
    var notes: [String] = []
    for _ in 0..<6 {
      let bench = try JobBench(Scheduled<Hourly>.self, store: MemoryStore(sharing: store), time: time)
      bench.center.start()
      await time.advance(by: .seconds(1200), driving: bench.center)
      await bench.center.terminate()
      notes += bench.probe.notes
    }
    #expect(notes == ["2026-01-01T01:00:00Z", "2026-01-01T02:00:00Z"])
  }

  private func missing<Rule: SlotRule>(_ rule: Rule.Type, of count: Int = 5) async throws -> ([String], [String]) {
    let first = try JobBench(Scheduled<Rule>.self)
    first.center.start()
    await first.time.advance(by: .seconds(3600), driving: first.center)
    await first.center.terminate()
    first.time.advance(by: .seconds(3600 * count + 1800))
    let second = try JobBench(
      Scheduled<Rule>.self, store: MemoryStore(sharing: first.store), time: first.time)
    var events = second.center.jobs.events().makeAsyncIterator()
    second.center.start()
    await second.time.advance(by: .zero, driving: second.center)
    let notes = second.probe.notes
    await second.center.terminate()
    var missed: [String] = []
    while let event = await events.next() {
      if case .slotsMissed(_, let count, let latest) = event.kind {
        missed.append("\(count) up to \(latest.formatted(.iso8601))")
      }
    }
    return (notes, missed)
  }

  @Test func `of the slots in which no program ran the latest is made up for`() async throws {
    let (notes, missed) = try await missing(Hourly.self)
    #expect(notes == ["2026-01-01T06:00:00Z"])
    #expect(missed == ["4 up to 2026-01-01T05:00:00Z"])
  }

  @Test func `or none of them`() async throws {
    let (notes, missed) = try await missing(HourlySkipping.self)
    #expect(notes == [])
    #expect(missed == ["5 up to 2026-01-01T06:00:00Z"])
  }

  @Test func `or so many of the latest, in their order`() async throws {
    let (notes, missed) = try await missing(HourlyAll.self)
    #expect(Set(notes) == ["2026-01-01T04:00:00Z", "2026-01-01T05:00:00Z", "2026-01-01T06:00:00Z"])
    #expect(missed == ["2 up to 2026-01-01T03:00:00Z"])
  }

  @Test func `a date that was past when it was first heard of is made up for, once`() async throws {
    let first = try JobBench(Scheduled<NewYear>.self)
    await first.run()
    #expect(first.probe.notes == ["2025-12-31T00:00:00Z"])
    await first.center.terminate()
    let second = try JobBench(Scheduled<NewYear>.self, store: MemoryStore(sharing: first.store))
    await second.run()
    #expect(second.probe.notes == [])
    #expect(try await second.center.jobs.schedules().map(\.next) == [nil])
  }

  /// - Returns: what five programs have run, one after the other, of which each lives for so long.
  private func notesOverRestarts(_ kind: any DurableTask.Type, every seconds: Int) async throws -> [String] {
    let time = VirtualTime()
    let store = MemoryStore()
    var notes: [String] = []
    for _ in 0..<5 {
      let bench = try JobBench(kind, store: MemoryStore(sharing: store), time: time)
      bench.center.start()
      await time.advance(by: .seconds(seconds), driving: bench.center)
      await bench.center.terminate()
      notes += bench.probe.notes
    }
    return notes
  }

  @Test func `a count holds over restarts`() async throws {
    let notes = try await notesOverRestarts(Scheduled<ThreeTimes>.self, every: 3600)
    #expect(notes.count == 3)
    #expect(Set(notes).count == 3)
  }

  @Test func `a count of slots between two microseconds holds over restarts`() async throws {
    let notes = try await notesOverRestarts(Scheduled<ThreeSevenths>.self, every: 600)
    #expect(notes.count == 3)
    #expect(Set(notes).count == 3)
  }

  @Test func `a count holds where two programs use the last of it at once, each at another slot`() async throws {
    let (slow, flaky) = try JobBench.flaky(Scheduled<ThreeTimes>.self)
    slow.center.start()
    await slow.time.advance(by: .seconds(7200), driving: slow.center)
    #expect(slow.probe.notes == ["2026-01-01T01:00:00Z", "2026-01-01T02:00:00Z"])
    let gate = Gate()
    flaky.holdEnqueueing(at: gate)
    // It has read that one is left, and is about to use it.
    slow.time.advance(by: .seconds(3600))
    await gate.arrivals(1)
    let quick = try JobBench(
      Scheduled<ThreeTimes>.self, store: MemoryStore(sharing: slow.store),
      time: VirtualTime(wall: Date(timeIntervalSince1970: 1_767_225_600 + 4 * 3600)))
    await quick.run()
    await quick.time.advance(by: .zero, driving: quick.center)
    gate.open()
    await slow.time.advance(by: .zero, driving: slow.center)
    #expect((slow.probe.notes + quick.probe.notes).sorted().dropFirst(2) == ["2026-01-01T04:00:00Z"])
    #expect(try await quick.center.jobs.schedules().map(\.occurrences) == [3])
    await quick.center.terminate()
    await slow.center.terminate()
  }

  @Test func `to ask how a schedule stands does not begin it`() async throws {
    let bench = try JobBench(Scheduled<Hourly>.self)
    let before = try #require(try await bench.center.jobs.schedules().first)
    #expect((before.next, before.latest, before.occurrences) == (nil, nil, 0))
    await bench.time.advance(by: .seconds(1800), driving: bench.center)
    bench.center.start()
    await bench.time.advance(by: .seconds(1800), driving: bench.center)
    #expect(bench.probe.notes == [])
    await bench.time.advance(by: .seconds(1800), driving: bench.center)
    #expect(bench.probe.notes == ["2026-01-01T01:30:00Z"])
  }

  @Test(arguments: [false, true])
  func `of two centers on one store exactly one fires each occurrence`(_ isFile: Bool) async throws {
    let time = VirtualTime()
    let (memory, fixture) = (MemoryStore(), try SQLiteFixture())
    func bench() throws -> JobBench {
      try JobBench(
        Scheduled<Hourly>.self, store: MemoryStore(sharing: memory), wrapping: { isFile ? fixture.makeStore() : $0 },
        time: time)
    }
    let benches = [try bench(), try bench()]
    for bench in benches { await bench.run() }
    for hour in 1...24 {
      if hour == 12 {
        // One of them is another program from here on.
        await benches[0].center.terminate()
      }
      let going = hour < 12 ? benches : [benches[1]]
      for bench in going { await time.advance(by: .seconds(3600) / going.count, driving: bench.center) }
      for bench in going { await bench.center.jobs.idle() }
    }
    let notes = benches.flatMap(\.probe.notes)
    #expect(notes.count == 24)
    #expect(Set(notes).count == 24)
    await benches[1].center.terminate()
  }

  @Test func `an occurrence that could not be written down is written when the store can be used again`() async throws {
    let (bench, flaky) = try JobBench.flaky(Scheduled<Hourly>.self)
    await bench.run()
    flaky.fail("enqueue", .full, times: 3)
    await bench.time.advance(by: .seconds(3600), driving: bench.center)
    #expect(bench.probe.notes == [])
    await bench.time.advance(by: .seconds(1), driving: bench.center)
    #expect(bench.probe.notes == ["2026-01-01T01:00:00Z"])
  }

  @Test func `an occurrence whose writing was not acknowledged is not fired again`() async throws {
    let (bench, flaky) = try JobBench.flaky(Scheduled<Hourly>.self)
    await bench.run()
    flaky.loseAnswer(of: "enqueue")
    await bench.time.advance(by: .seconds(3601), driving: bench.center)
    #expect(flaky.calls("enqueue") == 1)
    #expect(bench.probe.notes == ["2026-01-01T01:00:00Z"])
    await bench.time.advance(by: .seconds(3600), driving: bench.center)
    #expect(bench.probe.notes == ["2026-01-01T01:00:00Z", "2026-01-01T02:00:00Z"])
  }

  @Test func `a store that fails is asked once after each delay for slots, however often that was wanted`()
    async throws
  {
    let (bench, flaky) = try JobBench.flaky(Scheduled<Hourly>.self)
    let (center, time) = (bench.center, bench.time)
    await bench.run()
    flaky.fail("schedule", .locked, times: .max)
    for _ in 1...3 {
      center.clockDidChange()
      await time.advance(by: .zero, driving: center)
    }
    let before = flaky.calls("schedule")
    for (delay, count) in [(100, 0), (200, 1)] {
      await time.advance(by: .milliseconds(delay - 1), driving: center)
      #expect(flaky.calls("schedule") == before + count)
      await time.advance(by: .milliseconds(1), driving: center)
      #expect(flaky.calls("schedule") == before + count + 1)
    }
    flaky.fail("schedule", .locked, times: 0)
    await time.advance(by: .seconds(3600), driving: center)
    #expect(bench.probe.notes == ["2026-01-01T01:00:00Z"])
  }

  @Test func `jitter delays the job and not its occurrence`() async throws {
    let bench = try JobBench(Scheduled<Spread>.self, chance: 0.5)
    bench.center.start()
    await bench.time.advance(by: .seconds(3600), driving: bench.center)
    #expect(try await bench.states() == ["1 delayed 0"])
    await bench.time.advance(by: .seconds(300), driving: bench.center)
    #expect(bench.probe.notes == ["2026-01-01T01:00:00Z"])
    await bench.time.advance(by: .seconds(3600), driving: bench.center)
    #expect(bench.probe.notes.last == "2026-01-01T02:00:00Z")
  }

  @Test func `the longest jitter that there is may be drawn to its end`() async throws {
    let bench = try JobBench(Scheduled<Someday>.self, chance: 1)
    bench.center.start()
    await bench.time.advance(by: .seconds(3600), driving: bench.center)
    #expect(try await bench.states() == ["1 delayed 0"])
    await bench.center.terminate()
  }

  @Test func `a local time is fired once on the days on which the clocks are changed`() async throws {
    let bench = try JobBench(
      Scheduled<DailyInBerlin>.self, time: VirtualTime(wall: Date(timeIntervalSince1970: 1_774_656_000)))
    bench.center.start()
    // 28 to 30 March 2026: 02:30 is skipped on the 29th.
    await bench.time.advance(by: .seconds(3 * 86400), driving: bench.center)
    #expect(bench.probe.notes == ["2026-03-28T01:30:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"])
  }

  @Test func `a clock that is set back fires nothing twice, and one that is set forward misses as a sleep does`()
    async throws
  {
    let bench = try JobBench(Scheduled<Hourly>.self)
    bench.center.start()
    await bench.time.advance(by: .seconds(2 * 3600), driving: bench.center)
    bench.time.setWall(to: bench.time.wall - 5400)
    bench.center.clockDidChange()
    await bench.time.advance(by: .seconds(5400), driving: bench.center)
    #expect(bench.probe.notes == ["2026-01-01T01:00:00Z", "2026-01-01T02:00:00Z"])
    bench.time.setWall(to: bench.time.wall + 5 * 3600)
    bench.center.clockDidChange()
    await bench.time.advance(by: .zero, driving: bench.center)
    #expect(bench.probe.notes.dropFirst(2) == ["2026-01-01T07:00:00Z"])
  }

  @Test func `a count goes on where a slot that seems to be its last was taken before the clock was set back`()
    async throws
  {
    let bench = try JobBench(Scheduled<ThreeTimes>.self)
    bench.center.start()
    await bench.time.advance(by: .seconds(2 * 3600), driving: bench.center)
    bench.time.setWall(to: bench.time.wall - 5400)
    bench.center.clockDidChange()
    await bench.time.advance(by: .seconds(5 * 3600), driving: bench.center)
    #expect(bench.probe.notes == ["2026-01-01T01:00:00Z", "2026-01-01T02:00:00Z", "2026-01-01T03:00:00Z"])
    let status = try #require(try await bench.center.jobs.schedules().first)
    #expect(status.occurrences == 3)
    #expect(status.next == nil)
  }

  @Test func `a clock that was wrong by decades does not stop a schedule when it is right again`() async throws {
    let first = try JobBench(
      Scheduled<Hourly>.self, time: VirtualTime(wall: Date(timeIntervalSince1970: 4_070_908_800)))
    first.center.start()
    await first.time.advance(by: .seconds(3600), driving: first.center)
    await first.center.terminate()
    let second = try JobBench(Scheduled<Hourly>.self, store: MemoryStore(sharing: first.store))
    second.center.start()
    await second.time.advance(by: .seconds(7200), driving: second.center)
    #expect(second.probe.notes == ["2026-01-01T01:00:00Z", "2026-01-01T02:00:00Z"])
  }

  @Test func `a date that has passed is made up for also where a clock began its schedule that was ahead`()
    async throws
  {
    let ahead = MemoryStore()
    _ = try await ahead.open(StoreEnvironment(owner: "ahead"))
    // It has ended before it could fire.
    _ = try await ahead.schedule("NewYear", beginning: Date(timeIntervalSince1970: 4_070_908_800))
    await ahead.close()
    let bench = try JobBench(Scheduled<NewYear>.self, store: MemoryStore(sharing: ahead))
    await bench.run()
    #expect(bench.probe.notes == ["2025-12-31T00:00:00Z"])
  }

  @Test func `what passes while no process runs is made up for also where a clock was ahead before`() async throws {
    let (store, right) = (MemoryStore(), VirtualTime().wall)
    var notes: [[String]] = []
    // The second one's clock is a week ahead.
    let runs: [(start: Double, hours: Double)] = [(0, 1), (7 * 86400, 1), (3.5 * 3600, 0)]
    for (start, hours) in runs {
      let bench = try JobBench(
        Scheduled<Hourly>.self, store: MemoryStore(sharing: store), time: VirtualTime(wall: right + start))
      bench.center.start()
      await bench.time.advance(by: .seconds(hours * 3600), driving: bench.center)
      await bench.center.terminate()
      notes.append(bench.probe.notes)
    }
    #expect(notes[0] == ["2026-01-01T01:00:00Z"])
    #expect(notes[1] == ["2026-01-08T00:00:00Z", "2026-01-08T01:00:00Z"])
    #expect(notes[2] == ["2026-01-01T03:00:00Z"])
  }

  @Test func `a zone that changes moves a local time`() async throws {
    let bench = try JobBench(Scheduled<DailyLocal>.self)
    await bench.run()
    #expect(try await bench.center.jobs.schedules()[0].next?.formatted(.iso8601) == "2026-01-01T12:00:00Z")
    bench.time.timeZone = try #require(TimeZone(identifier: "America/New_York"))
    bench.center.clockDidChange()
    await bench.center.jobs.idle()
    #expect(try await bench.center.jobs.schedules()[0].next?.formatted(.iso8601) == "2026-01-01T17:00:00Z")
  }

  @Test func `the slots of a paused kind pass, and are not made up for`() async throws {
    let bench = try JobBench(Scheduled<HourlyAll>.self)
    await bench.run()
    try await bench.center.jobs.pause(kind: "HourlyAll")
    await bench.time.advance(by: .seconds(3 * 3600), driving: bench.center)
    try await bench.center.jobs.resume(kind: "HourlyAll")
    await bench.time.advance(by: .seconds(3600), driving: bench.center)
    #expect(bench.probe.notes == ["2026-01-01T04:00:00Z"])
  }

  @Test func `a count whose last slot passes in a pause is used up by the next one`() async throws {
    let bench = try JobBench(Scheduled<ThreeTimes>.self)
    await bench.run()
    await bench.time.advance(by: .seconds(2 * 3600), driving: bench.center)
    try await bench.center.jobs.pause(kind: "ThreeTimes")
    await bench.time.advance(by: .seconds(3600), driving: bench.center)
    try await bench.center.jobs.resume(kind: "ThreeTimes")
    #expect(
      try await bench.center.jobs.schedules().first?.next == Date(timeIntervalSince1970: 1_767_225_600 + 4 * 3600))
    await bench.time.advance(by: .seconds(5 * 3600), driving: bench.center)
    #expect(bench.probe.notes == ["2026-01-01T01:00:00Z", "2026-01-01T02:00:00Z", "2026-01-01T04:00:00Z"])
    #expect(try await bench.center.jobs.schedules().first?.next == nil)
  }

  @Test(arguments: [true, false])
  func `the slots of a paused kind are not made up for after a restart`(runsInPause: Bool) async throws {
    let first = try JobBench(Scheduled<HourlyAll>.self)
    await first.run()
    try await first.center.jobs.pause(kind: "HourlyAll")
    if runsInPause {
      await first.time.advance(by: .seconds(3 * 3600 + 60), driving: first.center)
      try await first.center.jobs.resume(kind: "HourlyAll")
      await first.center.terminate()
    } else {
      await first.center.terminate()
    }
    let second = try JobBench(
      Scheduled<HourlyAll>.self, store: MemoryStore(sharing: first.store),
      time: VirtualTime(wall: Date(timeIntervalSince1970: 1_767_225_600 + 3 * 3600 + 120)))
    if !runsInPause { try await second.center.jobs.resume(kind: "HourlyAll") }
    await second.run()
    #expect(second.probe.notes == [])
    await second.time.advance(by: .seconds(3600), driving: second.center)
    #expect(second.probe.notes == ["2026-01-01T04:00:00Z"])
  }

  @Test func `the slots of a pause that ends while the schedule is looked at are not made up for`() async throws {
    let first = try JobBench(Scheduled<HourlyAll>.self)
    await first.run()
    try await first.center.jobs.pause(kind: "HourlyAll")
    await first.center.terminate()
    let store = MemoryStore(sharing: first.store)
    let flaky = FlakyStore(store)
    let second = try JobBench(
      Scheduled<HourlyAll>.self, store: store, wrapping: { _ in flaky },
      time: VirtualTime(wall: Date(timeIntervalSince1970: 1_767_225_600 + 3 * 3600 + 120)))
    flaky.interruptScheduleLook { try? await store.setPaused(false, .kind("HourlyAll"), by: "Ann") }
    await second.run()
    #expect(second.probe.notes == [])
    #expect(try await store.pauses().isEmpty)
    await second.time.advance(by: .seconds(3600), driving: second.center)
    #expect(second.probe.notes == ["2026-01-01T04:00:00Z"])
  }

  @Test func `a slot is not made up for whose pause ends behind the time that a look at it has read`() async throws {
    let (bench, flaky) = try JobBench.flaky(Scheduled<HourlyAll>.self)
    let (center, time, store) = (bench.center, bench.time, bench.store)
    await bench.run()
    await time.advance(by: .seconds(3600), driving: center)
    try await center.jobs.pause(kind: "HourlyAll")
    flaky.beforeReadingPauses {
      time.advance(by: .seconds(1))
      try? await store.setPaused(false, .kind("HourlyAll"), by: "Ann")
    }
    await time.advance(by: .seconds(3600), driving: center)
    #expect(try await store.pauses().isEmpty)
    #expect(bench.probe.notes == ["2026-01-01T01:00:00Z"])
    await time.advance(by: .seconds(3600), driving: center)
    #expect(bench.probe.notes == ["2026-01-01T01:00:00Z", "2026-01-01T03:00:00Z"])
  }

  @Test func `what was skipped once is not made up for because the clock was set`() async throws {
    let bench = try JobBench(Scheduled<HourlyAll>.self)
    await bench.run()
    try await bench.center.jobs.pause(kind: "HourlyAll")
    await bench.time.advance(by: .seconds(3 * 3600), driving: bench.center)
    try await bench.center.jobs.resume(kind: "HourlyAll")
    bench.center.clockDidChange()
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == [])
  }

  @Test func `occurrences are written down while the workers are stopped`() async throws {
    let bench = try JobBench(Scheduled<Hourly>.self)
    await bench.run()
    await bench.center.jobs.stop()
    await bench.time.advance(by: .seconds(2 * 3600), driving: bench.center)
    #expect(try await bench.states() == ["1 ready 0", "2 ready 0"])
    bench.center.jobs.resume()
    await bench.center.jobs.idle()
    #expect(bench.probe.notes.count == 2)
  }

  @Test func `a schedule that can never fire is told once, with the reason`() async throws {
    let bench = try JobBench(Scheduled<OnMars>.self)
    var events = bench.center.jobs.events().makeAsyncIterator()
    await bench.run()
    bench.center.clockDidChange()
    #expect(try await bench.center.jobs.schedules()[0].problem?.contains("no time zone 'Mars/Olympus'") == true)
    await bench.center.terminate()
    var told: [String] = []
    while let event = await events.next() {
      if case .scheduleFailed(let kind, let text) = event.kind { told.append("\(kind): \(text)") }
    }
    #expect(told.count == 1)
    #expect(told.first?.hasPrefix("OnMars: the machine knows no time zone 'Mars/Olympus'") == true)
  }

  @Test func `an occurrence whose job no store would take is told of its schedule, and holds up no later one`()
    async throws
  {
    let bench = try JobBench(Unkeepable.self)
    var events = bench.center.jobs.events().makeAsyncIterator()
    bench.center.start()
    await bench.time.advance(by: .seconds(2 * 3600), driving: bench.center)
    await bench.center.terminate()
    var told: [String] = []
    while let event = await events.next() {
      switch event.kind {
      case .scheduleFailed(let kind, let text): told.append("\(kind): \(text)")
      case .storeFailed(let text, retryAfter: _): Issue.record("\(text)")
      default: break
      }
    }
    #expect(told.count == 2)
    #expect(told.allSatisfy { $0.hasPrefix("unkeepable: ") && $0.contains("with the character NUL in it") })
  }

  @Test func `a kind that joins later brings its schedule, and takes it along`() async throws {
    let bench = try JobBench()
    await bench.run()
    try bench.center.jobs.register(Scheduled<Hourly>.self)
    await bench.time.advance(by: .seconds(3600), driving: bench.center)
    #expect(bench.probe.notes == ["2026-01-01T01:00:00Z"])
    bench.center.jobs.unregister(Scheduled<Hourly>.self)
    await bench.time.advance(by: .seconds(3600), driving: bench.center)
    #expect(bench.probe.notes.count == 1)
    #expect(try await bench.center.jobs.count() == 0)
  }
}

/// Its jobs have a key that no store keeps.
private struct Unkeepable: DurableTask {
  var name = "a\0b"

  static var registration: DurableRegistration {
    DurableRegistration(
      __kind: "unkeepable", type: Self.self, collected: (), at: ("Tests/Unkeepable.swift", 1, 1),
      options: JobOptions(unique: .by(\.name)), schedule: JobSchedule(__schedule: Hourly.schedule, job: { Self() }),
      run: { _, _ in })
  }
}
