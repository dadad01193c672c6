import TaskKit
import TaskKitTesting
import Testing

/// The deadline of a send (DESIGN 5: `deadline:` for the whole).
@Suite struct DeadlineTests {
  @Test(arguments: [Int.max, 1])
  func `when it passes, what runs has timed out, the rest is skipped, and the report comes at once`(limit: Int)
    async throws
  {
    let clock = VirtualClock()
    let gate = Gate()
    let recorder = Recorder()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "done", priority: .critical) { _ in },
        .event(.alpha, name: "deaf", priority: .high) { _ in
          await gate.pass()
          recorder.note("cancelled \(Task.isCancelled)")
        },
        .event(.alpha, name: "needy", dependencies: ["deaf"]) { _ in },
        .event(.alpha, name: "polite", after: ["deaf"]) { _ in },
      ], limit: limit, clock: clock)
    async let sent = center.send(.alpha, deadline: .seconds(5))
    await clock.step(to: .seconds(5))
    let report = await sent
    #expect(report.status == .deadlineExceeded)
    #expect(
      report.outcomes == [
        "done": "succeeded", "deaf": "timed out", "needy": "skipped: event stopped", "polite": "skipped: event stopped",
      ])
    #expect(report.duration == .seconds(5))
    #expect(report["deaf"]?.isStillRunning == true)
    #expect(report.criticalPath.duration == .seconds(5))
    gate.open()
    #expect(await recorder.notes(1) == ["cancelled true"])
    await center.quiet()
    #expect(center.usedSlots == 0)
  }

  @Test func `an event that ends in time leaves no timer behind`() async throws {
    let clock = VirtualClock()
    let center = try TaskCenter.with([.event(.alpha, name: "task") { _ in }], clock: clock)
    #expect(await center.send(.alpha, deadline: .seconds(5)).status == .completed)
    #expect(center.nextTimer == nil)
    #expect(await center.begin(.alpha, deadline: .seconds(5)).report.isSuccess)
    #expect(center.nextTimer == nil)
  }

  @Test func `of a send that waits, it counts from its turn`() async throws {
    let clock = VirtualClock()
    let (first, never) = (Gate(), Gate())
    let event = LifecycleEvent<Int, Void>("numbers")
    let center = try TaskCenter.with(
      [
        .event(event, name: "task") { context in
          if context.payload == 1 { await first.pass() } else { try await never.passUnlessCancelled() }
        }
      ], clock: clock)
    let one = center.begin(event, 1)
    let two = center.begin(event, 2, deadline: .seconds(5))
    await first.arrivals()
    clock.advance(by: .seconds(100))
    first.open()
    #expect(await one.report.status == .completed)
    await clock.step(to: .seconds(105))
    #expect(await two.report.status == .deadlineExceeded)
  }

  @Test func `it counts from there also where nobody had wanted to know what time it is`() async throws {
    let clock = VirtualClock()
    let gate = Gate()
    let center = TaskCenter(
      configuration: TaskCenter.Configuration(maximumConcurrency: 1, reporting: .problems), time: .virtual(clock))
    try center.inject([
      .event(.beta, name: "has the slot") { _ in await gate.pass() },
      .event(.alpha, name: "waits") { _ in },
    ])
    clock.advance(by: .seconds(100))
    center.begin(.beta)
    await gate.arrivals()
    let one = center.begin(.alpha)
    let two = center.begin(.alpha, deadline: .seconds(5))
    center.cancelWithoutTime("alpha")
    #expect(await one.report.status == .cancelled)
    #expect(center.nextTimer == 105_000_000_000)
    gate.open()
    #expect(await two.report.status == .completed)
    #expect(center.nextTimer == nil)
  }

  @Test func `retries and delays end with it`() async throws {
    let clock = VirtualClock()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "flaky", retry: .attempts(9, backoff: .fixed(.seconds(60)))) { _ in throw Broken() }
      ], clock: clock)
    let run = center.begin(.alpha, deadline: .seconds(5))
    await clock.step(to: .seconds(5))
    let report = await run.report
    #expect(report.status == .deadlineExceeded)
    #expect(report.outcomes == ["flaky": "failed: broken"])
    #expect(center.nextTimer == nil)
  }

  @Test(arguments: [Duration.seconds(Int64.max), .seconds(10_000_000_000), .nanoseconds(Int64.max)])
  func `the longest times there are do not overflow`(forever: Duration) async throws {
    for time in [TimeSource.system, .virtual(VirtualClock())] {
      let center = TaskCenter(time: time)
      try center.inject(
        .event(
          .alpha, name: "patient", timeout: forever, retry: .attempts(2, backoff: .fixed(forever))
        ) { _ in await Task.yield() })
      #expect(await center.send(.alpha, deadline: forever).isSuccess)
    }
  }

  @Test func `no time at all is a time`() async throws {
    let clock = VirtualClock()
    let never = Gate()
    let center = try TaskCenter.with(
      [.event(.alpha, name: "task") { _ in try await never.passUnlessCancelled() }], clock: clock)
    #expect(await center.send(.alpha, deadline: .zero).status == .deadlineExceeded)
  }

  @Test func `a deadline before all time has passed at once`() async throws {
    let gate = Gate()
    let center = TaskCenter()
    try center.inject(.event(.alpha, name: "task") { _ in try await gate.passUnlessCancelled() })
    #expect(await center.send(.alpha, deadline: .seconds(Int64.min)).status == .deadlineExceeded)
  }

  @Test(arguments: [false, true])
  func `a task that waits for its next attempt ends as the one before did`(failsFirst: Bool) async throws {
    let clock = VirtualClock()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "slow", timeout: .seconds(1), retry: .attempts(3, backoff: .fixed(.seconds(1)))) {
          context in
          if failsFirst, context.attempt == 1 { throw Broken() }
          try await Gate().passUnlessCancelled()
        }
      ], clock: clock)
    async let sent = center.send(.alpha, deadline: .milliseconds(failsFirst ? 2500 : 1500))
    if failsFirst {
      // The second attempt begins after one second and has timed out after two.
      await clock.step(to: .seconds(1))
      await clock.step(to: .seconds(2))
      await clock.step(to: .milliseconds(2500))
    } else {
      await clock.step(to: .seconds(1))
      await clock.step(to: .milliseconds(1500))
    }
    let report = await sent
    #expect(report.outcomes == ["slow": "timed out"])
    #expect(report["slow"]?.attempts == (failsFirst ? 2 : 1))
    #expect(try center.statistics(of: "slow").count == 1)
  }
}
