import TaskKit
import TaskKitTesting
import Testing

/// A clock that the app moves (R48).
@Suite struct TickClockTests {
  @Test func `schedules, calls and delays of a center count the ticks that the app makes, R48`() async throws {
    let clock = TickClock(tick: .seconds(1) / 60)
    let recorder = Recorder()
    let center = TaskCenter(time: TimeSource(continuous: clock, suspending: clock))
    let (ticks, continuation) = AsyncStream.makeStream(of: String.self)
    var iterator = ticks.makeAsyncIterator()
    try center.inject(
      .schedule(.init(every: .seconds(1) / 60 * 3), name: "each third") { context in
        continuation.yield("\(context.name) \(context.payload.number)")
      })
    center.start()
    center.after(.seconds(1) / 60 * 5) { continuation.yield("fifth") }
    for word in ["each third 1", "fifth", "each third 2"] {
      while clock.now.offset < word.due { clock.tick() }
      recorder.note(await iterator.next() ?? "")
    }
    #expect(recorder.notes == ["each third 1", "fifth", "each third 2"])
    #expect(clock.now.offset == .seconds(1) / 60 * 6)
  }

  @Test(arguments: 0..<4)
  func `sixty sixtieths of a second are a second, for a center and for whoever sleeps`(before: Int) async throws {
    let clock = TickClock(tick: .seconds(1) / 60)
    for _ in 0..<before { clock.tick() }
    let (start, recorder) = (clock.now, Recorder())
    let center = TaskCenter(time: TimeSource(continuous: clock, suspending: clock))
    try center.inject(.schedule(name: "each second", every: .seconds(1)) { _ in recorder.note("") })
    center.start()
    for seconds in 1...60 {
      let second = start.advanced(by: .seconds(seconds))
      await clock.wait(for: .sleeper(until: second))
      for _ in 0..<59 { clock.tick() }
      #expect(clock.nextDeadline == second)
      clock.tick()
      try #require(clock.nextDeadline != second)
      _ = await recorder.notes(seconds)
    }
    #expect(recorder.notes.count == 60)
    try await clock.sleep(until: start.advanced(by: .seconds(60)))
  }

  @Test func `it stands still until it is moved, by ticks or by any time`() {
    let clock = TickClock(tick: .milliseconds(16))
    #expect(clock.now.offset == .zero)
    #expect(clock.minimumResolution == .milliseconds(16))
    clock.tick()
    clock.tick()
    #expect(clock.now.offset == .milliseconds(32))
    clock.advance(by: .nanoseconds(1))
    #expect(clock.now.offset == .milliseconds(32) + .nanoseconds(1))
  }

  @Test(.timeLimit(.minutes(2)))
  func `sleepers wake at the tick that reaches their time, and those that are past do not sleep`() async throws {
    let clock = TickClock(tick: .milliseconds(10))
    try await clock.sleep(for: .zero)
    async let first: Void = clock.sleep(for: .milliseconds(10))
    async let second: Void = clock.sleep(for: .milliseconds(11))
    await clock.wait(for: .sleepers(2))
    clock.tick()
    try await first
    await clock.wait(for: .sleeper(until: .init(offset: .milliseconds(11))))
    clock.tick()
    try await second
    await clock.wait(for: .noSleepers)
    #expect(clock.nextDeadline == nil)
    #expect(clock.now.offset == .milliseconds(20))
  }

  @Test func `a sleeper that is cancelled wakes at once and throws, before and while it sleeps`() async {
    let clock = TickClock(tick: .milliseconds(10))
    let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
    await clock.wait(for: .sleepers(1))
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(1))
    }
    await #expect(throws: CancellationError.self) { try await late.value }
    #expect(clock.nextDeadline == nil)
  }
}

extension String {
  /// When something of that name happens.
  fileprivate var due: Duration {
    .seconds(1) / 60 * (hasSuffix("1") ? 3 : hasSuffix("2") ? 6 : 5)
  }
}
