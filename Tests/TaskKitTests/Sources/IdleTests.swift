import Foundation
import TaskKit
import TaskKitTesting
import Testing

/// The idle event that RWTaskKit declared and never sent (R14).
@Suite struct IdleTests {
  private let clock = VirtualClock()
  private let recorder = Recorder()

  /// A center that notes when it is idle, with a task of `alpha` that waits at a gate.
  private func center(_ gate: Gate = Gate()) throws -> TaskCenter {
    try .with(
      [
        .event(.idle, name: "idle") { [clock, recorder] _ in recorder.note("idle at \(clock.now.offset)") },
        .event(.alpha, name: "work") { _ in await gate.pass() },
        .event(.beta, name: "short") { _ in },
      ], clock: clock)
  }

  @Test func `nothing has run for a time: once, and again after something has`() async throws {
    let center = try center()
    async let ended = center.run(sources: [.idle(after: .seconds(5))])
    await clock.step(to: .seconds(5))
    #expect(await recorder.notes(1) == ["idle at 5.0 seconds"])
    clock.advance(by: .seconds(100))
    await center.send(.beta)
    await clock.step(to: .seconds(110))
    #expect(await recorder.notes(2) == ["idle at 5.0 seconds", "idle at 110.0 seconds"])
    center.shutDown()
    #expect(await ended.sources.map(\.description) == ["idle: ended"])
  }

  @Test func `what runs in a lane ends the idleness as well`() async throws {
    let center = try center()
    async let ended = center.run(sources: [.idle(after: .seconds(5))])
    await clock.step(to: .seconds(5))
    #expect(await recorder.notes(1) == ["idle at 5.0 seconds"])
    clock.advance(by: .seconds(100))
    #expect(await center.lane(Lane("line")).enqueue("in it") {}.outcome.isSuccess)
    await clock.step(to: .seconds(110))
    #expect(await recorder.notes(2) == ["idle at 5.0 seconds", "idle at 110.0 seconds"])
    center.shutDown()
    _ = await ended
  }

  @Test func `what an idle task puts into a lane does not wake it again`() async throws {
    let center = try TaskCenter.with(
      [
        .event(.idle, name: "idle") { [clock, recorder] context in
          recorder.note("idle at \(clock.now.offset)")
          _ = context.center.lane(Lane("line")).enqueue("clean up") { recorder.note("cleaned up") }
        }
      ], clock: clock)
    async let ended = center.run(sources: [.idle(after: .seconds(5))])
    await clock.step(to: .seconds(5))
    #expect(await recorder.notes(2) == ["idle at 5.0 seconds", "cleaned up"])
    await center.send(.alpha)
    await clock.step(to: .seconds(10))
    #expect(await recorder.notes(4) == ["idle at 5.0 seconds", "cleaned up", "idle at 10.0 seconds", "cleaned up"])
    center.shutDown()
    _ = await ended
  }

  @Test func `the time counts from the end of the last task`() async throws {
    let center = try center()
    async let ended = center.run(sources: [.idle(after: .seconds(5))])
    await clock.waitForSleeper(until: .seconds(5))
    clock.advance(by: .seconds(3))
    for _ in 1...3 { await center.send(.beta) }
    clock.advance(by: .seconds(2))
    await clock.step(to: .seconds(8))
    #expect(await recorder.notes(1) == ["idle at 8.0 seconds"])
    center.shutDown()
    _ = await ended
  }

  @Test func `a long task is no idleness, and nobody sleeps while it runs`() async throws {
    let gate = Gate()
    let center = try center(gate)
    async let ended = center.run(sources: [.idle(after: .seconds(5))])
    await clock.waitForSleeper(until: .seconds(5))
    let run = center.begin(.alpha)
    await gate.arrivals()
    clock.advance(by: .seconds(1000))
    await center.send(.beta)
    #expect(clock.nextDeadline == nil)
    #expect(recorder.notes == [])
    gate.open()
    _ = await run.report
    await clock.step(to: .seconds(1005))
    #expect(await recorder.notes(1) == ["idle at 1005.0 seconds"])
    center.shutDown()
    _ = await ended
  }

  @Test func `a body that has timed out runs until it returns`() async throws {
    let gate = Gate()
    let center = try center()
    try center.inject(.event(.gamma, name: "deaf", timeout: .seconds(1)) { _ in await gate.pass() })
    async let ended = center.run(sources: [.idle(after: .seconds(5))])
    await clock.waitForSleeper(until: .seconds(5))
    let run = center.begin(.gamma)
    await gate.arrivals()
    await clock.step(to: .seconds(1))
    #expect(await run.report.outcomes == ["deaf": "timed out"])
    await clock.step(to: .seconds(5))
    await clock.waitForNoSleepers()
    clock.advance(by: .seconds(100))
    #expect(recorder.notes == [])
    gate.open()
    await clock.step(to: .seconds(110))
    #expect(await recorder.notes(1) == ["idle at 110.0 seconds"])
    center.shutDown()
    _ = await ended
  }

  // MARK: - What is due

  /// A schedule that notes when it runs.
  private func tick(_ schedule: TaskSchedule, name: TaskName = "tick") -> TaskDefinition {
    .schedule(schedule, name: name) { [clock, recorder] _ in recorder.note("tick at \(clock.now.offset)") }
  }

  @Test func `what is due within the time keeps the center from being idle, and the time counts from its end`()
    async throws
  {
    let center = try center()
    try center.inject(tick(.init(every: .seconds(8), count: 1)))
    async let ended = center.run(sources: [.idle(after: .seconds(5))])
    await clock.step(to: .seconds(5))
    await clock.waitForSleeper(until: .seconds(13))
    await clock.step(to: .seconds(8))
    #expect(await recorder.notes(1) == ["tick at 8.0 seconds"])
    await center.quiet()
    await clock.step(to: .seconds(13))
    #expect(await recorder.notes(2) == ["tick at 8.0 seconds", "idle at 13.0 seconds"])
    center.shutDown()
    _ = await ended
  }

  @Test func `what is due later than that does not`() async throws {
    let center = try center()
    try center.inject(tick(.init(every: .seconds(11))))
    async let ended = center.run(sources: [.idle(after: .seconds(5))])
    await clock.waitForSleeper(until: .seconds(11))
    await clock.step(to: .seconds(5))
    #expect(await recorder.notes(1) == ["idle at 5.0 seconds"])
    await clock.step(to: .seconds(11))
    #expect(await recorder.notes(2).last == "tick at 11.0 seconds")
    await center.quiet()
    await clock.step(to: .seconds(16))
    #expect(await recorder.notes(3).last == "idle at 16.0 seconds")
    center.shutDown()
    _ = await ended
  }

  @Test func `a schedule that leaves less than that on both sides leaves no idleness`() async throws {
    let center = try center()
    try center.inject(tick(.init(every: .seconds(9))))
    async let ended = center.run(sources: [.idle(after: .seconds(5))])
    await clock.waitForSleeper(until: .seconds(9))
    await clock.step(to: .seconds(5))
    for run in 1...10 {
      await clock.step(to: .seconds(9 * run))
      #expect(await recorder.notes(run).last == "tick at \(9 * run).0 seconds")
      await center.quiet()
      await clock.step(to: .seconds(9 * run + 5))
    }
    await clock.waitForSleeper(until: .seconds(104))
    #expect(recorder.notes.count == 10)
    center.shutDown()
    _ = await ended
  }

  @Test func `a task that is paused is not due, whatever clock it follows`() async throws {
    let time = VirtualTime()
    let center = TaskCenter(time: time.source)
    try center.inject([
      .event(.idle, name: "idle") { [recorder] _ in recorder.note("idle at \(time.continuous.now.offset)") },
      tick(.init(every: .seconds(7))), tick(.init(every: .seconds(7), clock: .suspending), name: "awake"),
      tick(.init(at: time.wall.addingTimeInterval(7)), name: "dated"),
      tick(.init(every: .seconds(1000)), name: "later"),
    ])
    for name: TaskName in ["tick", "awake", "dated"] { try center.pause(name) }
    async let ended = center.run(sources: [.idle(after: .seconds(5))])
    await time.continuous.waitForSleeper(until: .seconds(7))
    await time.continuous.waitForSleeper(until: .seconds(5))
    time.advance(by: .seconds(5))
    #expect(await recorder.notes(1) == ["idle at 5.0 seconds"])
    center.shutDown()
    _ = await ended
  }

  @Test(arguments: ["tick", "awake", "dated"])
  func `of several clocks each may hold it back`(name: String) async throws {
    let time = VirtualTime()
    let center = TaskCenter(time: time.source)
    let schedule: TaskSchedule =
      switch name {
      case "tick": .init(every: .seconds(7), count: 1)
      case "awake": .init(every: .seconds(7), count: 1, clock: .suspending)
      default: .init(at: time.wall.addingTimeInterval(7))
      }
    try center.inject([
      .event(.idle, name: "idle") { [recorder] _ in recorder.note("idle at \(time.continuous.now.offset)") },
      .schedule(schedule, name: TaskName(name)) { [recorder] _ in recorder.note("tick") },
      tick(.init(every: .seconds(7)), name: "paused"),
    ])
    // So that each has to be looked at.
    try center.pause("paused")
    async let ended = center.run(sources: [.idle(after: .seconds(5))])
    await time.continuous.waitForSleeper(until: .seconds(7))
    await time.continuous.waitForSleeper(until: .seconds(5))
    time.advance(by: .seconds(5))
    await time.continuous.waitForSleeper(until: .seconds(12))
    #expect(recorder.notes == [])
    time.advance(by: .seconds(2))
    #expect(await recorder.notes(1) == ["tick"])
    await center.quiet()
    time.advance(by: .seconds(5))
    #expect(await recorder.notes(2) == ["tick", "idle at 12.0 seconds"])
    center.shutDown()
    _ = await ended
  }

  @Test func `the end of a burst is due as well, a call is not`() async throws {
    let burst = LifecycleEvent<Void, Void>("typed", burst: .debounce(.seconds(8)))
    let center = try center()
    try center.inject(
      .event(burst, name: "search") { [clock, recorder] _ in recorder.note("search at \(clock.now.offset)") })
    async let ended = center.run(sources: [.idle(after: .seconds(5))])
    await clock.waitForSleeper(until: .seconds(5))
    let run = center.begin(burst)
    await clock.step(to: .seconds(5))
    await clock.waitForSleeper(until: .seconds(13))
    await clock.step(to: .seconds(8))
    #expect(await run.report.isSuccess)
    center.after(.seconds(7)) { [clock, recorder] in recorder.note("call at \(clock.now.offset)") }
    await clock.step(to: .seconds(13))
    #expect(await recorder.notes(2) == ["search at 8.0 seconds", "idle at 13.0 seconds"])
    await clock.step(to: .seconds(15))
    #expect(await recorder.notes(3).last == "call at 15.0 seconds")
    await clock.waitForNoSleepers()
    center.shutDown()
    _ = await ended
  }

  @Test func `what is in a lane under the name of the event is none of its tasks`() async throws {
    let gate = Gate()
    let center = try center()
    async let ended = center.run(sources: [.idle(after: .seconds(5))])
    await clock.step(to: .seconds(5))
    #expect(await recorder.notes(1) == ["idle at 5.0 seconds"])
    await center.quiet()
    let entry = center.lane(Lane("line")).enqueue("idle") { await gate.pass() }
    await gate.arrivals()
    clock.advance(by: .seconds(95))
    gate.open()
    _ = await entry.outcome
    await clock.step(to: .seconds(105))
    #expect(await recorder.notes(2).last == "idle at 105.0 seconds")
    center.shutDown()
    _ = await ended
  }

  @Test func `two sources with different times each tell once, and do not wake each other`() async throws {
    let center = try center()
    async let ended = center.run(sources: [.idle(after: .seconds(5)), .idle(after: .seconds(20))])
    await clock.step(to: .seconds(5))
    #expect(await recorder.notes(1) == ["idle at 5.0 seconds"])
    await clock.step(to: .seconds(20))
    #expect(await recorder.notes(2) == ["idle at 5.0 seconds", "idle at 20.0 seconds"])
    await clock.waitForNoSleepers()
    clock.advance(by: .seconds(1000))
    await center.send(.beta)
    await clock.waitForSleeper(until: .seconds(1025))
    await clock.waitForSleeper(until: .seconds(1040))
    #expect(recorder.notes.count == 2)
    center.shutDown()
    _ = await ended
  }
}
