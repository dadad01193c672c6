import Foundation
import TaskKit
import TaskKitTesting
import Testing

/// What happens at a slot while an earlier run is going (DURABLE 4, rule 6).
@Suite struct OverlapTests {
  /// A task with an interval of ten seconds whose first run waits at a gate, up to the moment at which two more slots
  /// have come.
  private func overlap(_ policy: OverlapPolicy) async throws -> (table: Timetable, gate: Gate) {
    let table = Timetable()
    let gate = Gate()
    try table.center.inject(
      .schedule(name: "slow", every: .seconds(10), overlap: policy) { [recorder = table.recorder] context in
        let slot = Int(context.payload.scheduledFor.timeIntervalSince1970) - 1_767_225_600
        recorder.note("begin \(slot)")
        if context.payload.number == 1 { try await gate.passUnlessCancelled() }
        recorder.note("end \(slot)")
      })
    table.center.start()
    table.time.advance(by: .seconds(10))
    await gate.arrivals()
    for slot in [20, 30] {
      await table.time.continuous.waitForSleeper(until: .seconds(slot))
      table.time.advance(by: .seconds(10))
    }
    await table.time.continuous.waitForSleeper(until: .seconds(40))
    return (table, gate)
  }

  @Test func `skip, the default, leaves the slots out`() async throws {
    let (table, gate) = try await overlap(.skip)
    gate.open()
    await table.pass(.zero)
    #expect(table.notes == ["begin 10", "end 10"])
    #expect(try table.center.schedule(of: "slow").missed == 2)
    #expect(try table.center.schedule(of: "slow").runs == 1)
  }

  @Test func `allow runs them beside it`() async throws {
    let (table, gate) = try await overlap(.allow)
    #expect(await table.recorder.notes(5) == ["begin 10", "begin 20", "end 20", "begin 30", "end 30"])
    gate.open()
    await table.pass(.zero)
    #expect(table.notes.last == "end 10")
    #expect(try table.center.schedule(of: "slow").missed == 0)
  }

  /// The count is used up by the run that waits for the body of the one before.
  @Test func `a schedule whose last run waits for a body is not finished`() async throws {
    let table = Timetable()
    let gate = Gate()
    try table.center.inject(
      .schedule(name: "slow", every: .seconds(10), count: 2, overlap: .queueOne, timeout: .seconds(3)) { context in
        if context.payload.number == 1 { await gate.pass() }
      })
    table.center.start()
    for seconds in [10, 13, 20] { await table.time.continuous.step(to: .seconds(seconds)) }
    try await waitUntil { try table.center.schedule(of: "slow").phase != .waiting }
    #expect(try table.center.schedule(of: "slow").phase == .running)
    gate.open()
    try await waitUntil { try table.center.schedule(of: "slow").phase != .running }
    let status = try table.center.schedule(of: "slow")
    #expect(status.phase == .finished)
    #expect(status.runs == 2)
  }

  @Test func `queueOne runs the latest of them afterwards`() async throws {
    let (table, gate) = try await overlap(.queueOne)
    #expect(table.notes == ["begin 10"])
    gate.open()
    await table.pass(.zero)
    #expect(table.notes == ["begin 10", "end 10", "begin 30", "end 30"])
    let status = try table.center.schedule(of: "slow")
    #expect(status.missed == 1)
    #expect(status.runs == 2)
  }

  @Test func `replace cancels the run, and the new one begins when that has ended`() async throws {
    let table = Timetable()
    let gate = Gate()
    try table.center.inject(
      .schedule(name: "slow", every: .seconds(10), overlap: .replace) { [recorder = table.recorder] context in
        recorder.note("begin \(context.payload.number)")
        if context.payload.number == 1 {
          do { try await gate.passUnlessCancelled() } catch { recorder.note("cancelled") }
        }
      })
    table.center.start()
    table.time.advance(by: .seconds(10))
    await gate.arrivals()
    await table.time.continuous.waitForSleeper(until: .seconds(20))
    table.time.advance(by: .seconds(10))
    #expect(await table.recorder.notes(3) == ["begin 1", "cancelled", "begin 2"])
  }

  @Test func `a run that timed out and does not return counts as going`() async throws {
    let table = Timetable()
    let gate = Gate()
    try table.center.inject(
      .schedule(name: "stuck", every: .seconds(10), overlap: .queueOne, timeout: .seconds(3)) {
        [recorder = table.recorder] context in
        recorder.note("begin \(context.payload.number)")
        if context.payload.number == 1 { await gate.pass() }
      })
    table.center.start()
    await table.pass(.seconds(9))
    table.time.advance(by: .seconds(1))
    await gate.arrivals()
    // The occurrence ends with the timeout, and the body goes on.
    await table.time.continuous.waitForSleeper(until: .seconds(13))
    table.time.advance(by: .seconds(3))
    await table.time.continuous.waitForSleeper(until: .seconds(20))
    await table.pass(.seconds(10))
    #expect(table.notes == ["begin 1"])
    gate.open()
    #expect(await table.recorder.notes(2) == ["begin 1", "begin 2"])
  }

  @Test func `replace ends the one run of a task that waits for its next attempt, and the task leaves`() async throws {
    let table = Timetable()
    let attempts = Recorder()
    try table.center.inject(
      .schedule(
        TaskSchedule(every: .seconds(10), overlap: .replace), name: "once",
        retry: .attempts(5, backoff: .fixed(.seconds(60))), runs: .once
      ) { _ in
        attempts.note("attempt")
        throw Broken()
      })
    table.center.start()
    await table.pass(.seconds(100))
    #expect(attempts.notes == ["attempt"])
    #expect(throws: TaskError.self) { try table.center.schedule(of: "once") }
  }

  /// Paused while its first run waits at a gate, and resumed when the next slot has come.
  @Test(arguments: [
    (OverlapPolicy.skip, ["begin 10"]), (.queueOne, ["begin 10"]), (.allow, ["begin 10", "begin 20"]),
    (.replace, ["begin 10", "cancelled", "begin 20"]),
  ])
  func `a slot that a pause has kept meets an earlier run as any other, but is not left out`(
    policy: OverlapPolicy, expected: [String]
  ) async throws {
    let table = Timetable()
    let gate = Gate()
    try table.center.inject(
      .schedule(name: "slow", every: .seconds(10), overlap: policy) { [recorder = table.recorder] context in
        recorder.note("begin \(Int(context.payload.scheduledFor.timeIntervalSince1970) - 1_767_225_600)")
        guard context.payload.number == 1 else { return }
        do { try await gate.passUnlessCancelled() } catch { recorder.note("cancelled") }
      })
    table.center.start()
    await table.time.continuous.step(to: .seconds(10))
    await gate.arrivals()
    try table.center.pause("slow", missed: .deliver)
    await table.time.continuous.step(to: .seconds(20))
    await table.time.continuous.waitForSleeper(until: .seconds(30))
    try table.center.resume("slow")
    #expect(await table.recorder.notes(expected.count) == expected)
    gate.open()
    await table.pass(.zero)
    #expect(table.notes.count == (policy == .replace ? 3 : 2))
    #expect(table.notes.last == "begin 20")
    #expect(try table.center.schedule(of: "slow").missed == 0)
  }

  @Test func `of a queued slot and one that a pause has kept the later runs`() async throws {
    let table = Timetable()
    let gate = Gate()
    let runs = Values<ScheduledRun>()
    try table.center.inject(
      .schedule(name: "slow", every: .seconds(10), overlap: .queueOne) { context in
        runs.append(context.payload)
        if context.payload.number == 1 { await gate.pass() }
      })
    await table.startWithTwoSlots(every: .seconds(10), behind: gate)
    try table.center.pause("slow", missed: .deliver)
    await table.time.continuous.step(to: .seconds(30))
    await table.time.continuous.waitForSleeper(until: .seconds(40))
    try table.center.resume("slow")
    gate.open()
    await table.pass(.zero)
    #expect(runs.values.map { Int($0.scheduledFor.timeIntervalSince1970) - 1_767_225_600 } == [10, 30])
    #expect(runs.values.map(\.missed) == [0, 1])
    #expect(try table.center.schedule(of: "slow").missed == 1)
  }

  /// The slot of the twentieth second is queued behind the first run, and a pause keeps that of the thirtieth.
  @Test(arguments: [true, false], ["destroy", "replace", "terminate"])
  func `slots that are queued or kept by a pause are missed when their task leaves or its center shuts down`(
    isPaused: Bool, way: String
  ) async throws {
    let table = Timetable()
    let gate = Gate()
    try table.center.inject(
      .schedule(name: "slow", every: .seconds(10), overlap: .queueOne) { _ in try await gate.passUnlessCancelled() })
    await table.startWithTwoSlots(every: .seconds(10), behind: gate)
    if isPaused {
      try table.center.pause("slow", missed: .deliver)
      await table.time.continuous.step(to: .seconds(30))
      await table.time.continuous.waitForSleeper(until: .seconds(40))
    }
    let events = table.center.events.makeAsyncIterator()
    switch way {
    case "destroy": try table.center.destroy("slow")
    case "replace": try table.center.inject(table.task(.init(every: .seconds(7)), name: "slow"), replacing: true)
    default:
      await table.center.terminate()
      #expect(try table.center.schedule(of: "slow").missed == (isPaused ? 2 : 1))
    }
    let words = await events.words(until: way == "terminate" ? "taskEnded slow: cancelled" : "taskDestroyed slow")
    #expect(
      words.filter { $0.hasPrefix("runsMissed") }
        == (isPaused ? ["runsMissed slow 1: overlap", "runsMissed slow 1: paused"] : ["runsMissed slow 1: overlap"]))
  }

  /// Two occurrences that have ended leave places of which the first is used again before the second.
  @Test func `replace leaves the run alone that takes the place of one between two attempts`() async throws {
    let table = Timetable()
    let (first, second) = (Gate(), Gate())
    try table.center.inject([
      .event(.alpha, name: "first") { _ in await first.pass() },
      .event(.beta, name: "second") { _ in await second.pass() },
      .schedule(
        TaskSchedule(every: .seconds(10), overlap: .replace), name: "tick",
        retry: .attempts(3, backoff: .fixed(.seconds(60)))
      ) { [recorder = table.recorder] context in
        recorder.note("\(context.payload.number)")
        throw Broken()
      },
    ])
    let runs = (table.center.begin(.alpha), table.center.begin(.beta))
    await first.arrivals()
    await second.arrivals()
    second.open()
    _ = await runs.1.report
    first.open()
    _ = await runs.0.report
    table.center.start()
    await table.pass(.seconds(20))
    #expect(table.notes == ["1", "2"])
    #expect(try table.center.schedule(of: "tick").missed == 0)
  }

  /// The only slot of the center is taken until three slots of the schedule have come.
  @Test func `a run that is replaced before it began is missed, and the next one has its number`() async throws {
    let table = Timetable(limit: 1)
    let gate = Gate()
    let runs = Values<ScheduledRun>()
    try table.center.inject([
      .event(.alpha, name: "blocker") { _ in await gate.pass() },
      .schedule(TaskSchedule(every: .seconds(10), overlap: .replace), name: "tick") { runs.append($0.payload) },
    ])
    table.center.start()
    let run = table.center.begin(.alpha)
    await gate.arrivals()
    for slot in [10, 20] { await table.time.continuous.step(to: .seconds(slot)) }
    await table.time.continuous.waitForSleeper(until: .seconds(30))
    gate.open()
    _ = await run.report
    await table.pass(.seconds(10))
    #expect(runs.values.map(\.number) == [1, 2])
    #expect(runs.values.map(\.missed) == [1, 0])
    let status = try table.center.schedule(of: "tick")
    #expect(status.runs == 2)
    #expect(status.missed == 1)
  }
}
