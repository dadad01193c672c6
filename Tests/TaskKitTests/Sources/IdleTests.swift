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
