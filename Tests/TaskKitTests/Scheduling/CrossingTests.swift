import Foundation
import TaskKit
import TaskKitTesting
import Testing

/// Schedules whose slots meet something else: the limit, a pause, a run by hand, each other.
@Suite struct CrossingTests {
  @Test func `two tasks that are due together and paused while they wait for the only slot are both missed`()
    async throws
  {
    let gate = Gate()
    let table = Timetable(limit: 1)
    try table.center.inject([
      .event(.alpha, name: "blocker") { _ in await gate.pass() },
      table.task(.init(every: .seconds(10), overlap: .queueOne), name: "a"),
      table.task(.init(every: .seconds(10)), name: "b"),
    ])
    table.center.start()
    let run = table.center.begin(.alpha)
    await gate.arrivals()
    await table.time.continuous.waitForSleeper(until: .seconds(10))
    table.time.advance(by: .seconds(10))
    await table.time.continuous.waitForSleeper(until: .seconds(20))
    table.time.advance(by: .seconds(10))
    await table.time.continuous.waitForSleeper(until: .seconds(30))
    try table.center.pause("a")
    try table.center.pause("b")
    gate.open()
    _ = await run.report
    #expect(try table.center.schedule(of: "a").runs == 0)
  }

  @Test func `the end of one task does not keep another one from being planned again`() async throws {
    let gate = Gate()
    let table = Timetable(limit: 1)
    try table.center.inject([
      .schedule(name: "a", every: .seconds(10), overlap: .queueOne) { context in
        if context.payload.number == 1 { await gate.pass() }
      },
      table.task(.init(every: .seconds(15), pace: .fixedDelay), name: "b"),
    ])
    table.center.start()
    table.time.advance(by: .seconds(10))
    await gate.arrivals()
    await table.time.continuous.waitForSleeper(until: .seconds(15))
    table.time.advance(by: .seconds(5))
    await table.time.continuous.waitForSleeper(until: .seconds(20))
    table.time.advance(by: .seconds(5))
    await table.time.continuous.waitForSleeper(until: .seconds(30))
    try table.center.pause("b")
    gate.open()
    await table.center.quiet()
    try table.center.resume("b")
    #expect(try table.center.schedule(of: "b").phase == .waiting)
    await table.pass(.seconds(60))
    #expect(table.notes.contains { $0.hasPrefix("b") })
  }

  /// - Returns: what runs where the tenth second, for which something is scheduled, comes during a run by hand.
  private func runs(of schedule: TaskSchedule) async throws -> [String] {
    let table = Timetable()
    let gate = Gate()
    try table.center.inject(
      .schedule(schedule, name: "tick") { [recorder = table.recorder] context in
        recorder.note(context.payload.isManual ? "manual" : "slot")
        if context.payload.isManual { await gate.pass() }
      })
    table.center.start()
    let manual = Task { try await table.center.run("tick") }
    await gate.arrivals()
    await table.time.continuous.waitForSleeper(until: .seconds(10))
    table.time.advance(by: .seconds(10))
    await table.time.continuous.waitForNoSleepers()
    gate.open()
    _ = try await manual.value
    await table.pass(.seconds(100))
    return table.notes
  }

  @Test func `a slot that comes during a run by hand is used after it`() async throws {
    let schedule = TaskSchedule(every: .seconds(10), count: 1, overlap: .queueOne)
    #expect(try await runs(of: schedule) == ["manual", "slot"])
  }

  @Test func `a date that comes during a run by hand fires after it`() async throws {
    #expect(try await runs(of: TaskSchedule(at: Date(timeIntervalSince1970: 1_767_225_610))) == ["manual", "slot"])
  }

  @Test func `a repeated date that comes during a run by hand fires after it, and what comes behind it is left out`()
    async throws
  {
    let table = Timetable()
    let gate = Gate()
    let recorder = table.recorder
    let beginning = Date(timeIntervalSince1970: 1_767_225_600)
    try table.center.inject(
      .schedule(name: "date", at: beginning.addingTimeInterval(10), every: .seconds(10)) { context in
        let slot = Int(context.payload.scheduledFor.timeIntervalSince(beginning).rounded())
        recorder.note(context.payload.isManual ? "manual" : "\(slot)")
        if context.payload.isManual { await gate.pass() }
      })
    table.center.start()
    let manual = Task { try await table.center.run("date") }
    await gate.arrivals()
    for slot in [10, 20] {
      await table.time.continuous.waitForSleeper(until: .seconds(slot))
      table.time.advance(by: .seconds(10))
    }
    await table.time.continuous.waitForSleeper(until: .seconds(30))
    gate.open()
    _ = try await manual.value
    await table.pass(.seconds(10))
    #expect(table.notes == ["manual", "10", "30"])
    #expect(try table.center.schedule(of: "date").missed == 1)
  }

  @Test func `runs that wait to make up for missed slots are all run`() async throws {
    let table = Timetable()
    let gate = Gate()
    let schedule = TaskSchedule(every: .seconds(10), count: 5, missed: .all(max: 5), overlap: .queueOne)
    try table.center.inject(table.task(schedule, behind: gate))
    table.center.start()
    table.time.advance(by: .seconds(10))
    await gate.arrivals()
    await table.time.continuous.waitForSleeper(until: .seconds(20))
    table.time.advance(by: .seconds(30))  // 20, 30, 40 -> three runs that wait
    await table.time.continuous.waitForSleeper(until: .seconds(50))
    table.time.advance(by: .seconds(10))
    await table.time.continuous.waitForSleeper(until: .seconds(60))
    gate.open()
    await table.pass(.seconds(200))
    #expect(table.notes.count == 5)
  }

  @Test func `a date whose task is paused while it waits for a slot stays due`() async throws {
    let gate = Gate()
    let table = Timetable(limit: 1)
    try table.center.inject([
      .event(.alpha, name: "blocker") { _ in await gate.pass() },
      table.task(.init(at: Date(timeIntervalSince1970: 1_767_225_610)), name: "d"),
    ])
    table.center.start()
    let run = table.center.begin(.alpha)
    await gate.arrivals()
    await table.time.continuous.waitForSleeper(until: .seconds(10))
    table.time.advance(by: .seconds(10))
    await table.time.continuous.waitForNoSleepers()
    try table.center.pause("d")
    gate.open()
    _ = await run.report
    await table.center.quiet()
    try table.center.resume("d")
    await table.pass(.seconds(100))
    #expect(table.notes == ["d 10"])
  }

  @Test func `a slot that was kept uses up the count, and the others are missed`() async throws {
    let table = Timetable()
    try table.center.inject(table.task(.init(every: .seconds(10), count: 1)))
    table.center.start()
    try table.center.pause("tick", missed: .deliver)
    await table.pass(.seconds(35))
    try table.center.resume("tick")
    await table.center.quiet()
    let status = try table.center.schedule(of: "tick")
    #expect(table.notes.count == 1)
    #expect(status.missed == 2)
    #expect(status.next == nil && status.phase == .finished)
    await table.pass(.seconds(35))
    #expect(try table.center.schedule(of: "tick").missed == 2)
  }

  @Test func `what is let go of with a report nobody comes for may use the center`() async throws {
    final class Payload: Sendable {
      let center: TaskCenter
      let recorder: Recorder

      init(_ center: TaskCenter, _ recorder: Recorder) {
        self.center = center
        self.recorder = recorder
      }

      deinit {
        _ = try? center.schedule(of: "none")
        recorder.note("gone")
      }
    }
    let recorder = Recorder()
    let event = LifecycleEvent<Payload, Void>("boxed")
    let center = try TaskCenter.with([.event(event, name: "task") { _ in }])
    do {
      let run = center.begin(event, Payload(center, recorder))
      await center.quiet()
      await center.send(event, Payload(center, recorder))
      await center.send(event, Payload(center, recorder))
      withExtendedLifetime(run) {}
    }
    #expect(await recorder.notes(2).count >= 2)
  }

  @Test func `after the shutdown nothing that was kept or is injected runs`() async throws {
    let table = Timetable()
    try table.center.inject([
      table.task(.init(every: .seconds(10))),
      .event(.alpha, name: "event") { [recorder = table.recorder] _ in recorder.note("event") },
    ])
    table.center.start()
    try table.center.pause("tick", missed: .deliver)
    try table.center.pause("event", missed: .deliver)
    await table.center.send(.alpha)
    await table.pass(.seconds(10))
    await table.center.send(.opening)
    await table.center.terminate(deadline: .seconds(1))
    try table.center.resume("tick")
    try table.center.resume("event")
    try table.center.inject(
      .event(.opening, name: "late") { [recorder = table.recorder] _ in recorder.note("late") }, ifPassed: .runNow)
    await table.center.quiet()
    #expect(table.notes == [])
  }
}
