import TaskKit
import TaskKitTesting
import Testing

/// The critical path in cases that can be worked out by hand: each link is what the next start really waited for.
@Suite struct CriticalPathTests {
  /// A segment in words: `a run 2`, `b slot 3`, `scheduling 1`, in seconds.
  private func words(_ report: EventReport) -> [String] {
    report.criticalPath.segments.map { segment in
      [segment.task?.rawValue, segment.kind.rawValue, "\(segment.duration.components.seconds)"].compactMap { $0 }
        .joined(separator: " ")
    }
  }

  /// A synchronous task that takes that long.
  private func work(
    _ name: TaskName, _ seconds: Int, _ clock: VirtualClock, priority: Priority = .default,
    dependencies: [TaskDependency] = [], after: [TaskReference] = [], fails: Bool = false
  ) -> TaskDefinition {
    .event(.alpha, name: name, priority: priority, dependencies: dependencies, after: after) { _ in
      clock.advance(by: .seconds(seconds))
      if fails { throw Broken() }
    }
  }

  /// An asynchronous task that takes that long.
  private func sleep(
    _ name: TaskName, _ seconds: Int, _ clock: VirtualClock, priority: Priority = .default,
    dependencies: [TaskDependency] = [], lane: Lane? = nil
  ) -> TaskDefinition {
    .event(.alpha, name: name, priority: priority, dependencies: dependencies, lane: lane) { _ in
      try await clock.sleep(for: .seconds(seconds))
    }
  }

  @Test func `one at a time: what left its slot, whether needed or not`() async throws {
    let clock = VirtualClock()
    let center = try TaskCenter.with(
      [
        work("a", 2, clock), work("b", 3, clock, priority: .low), work("c", 1, clock, dependencies: ["a"]),
      ], limit: 1, clock: clock)
    let report = await center.send(.alpha)
    // 'c' is ready at 2 and starts at once; 'b' could start at 0 and gets the slot that 'c' leaves.
    #expect(words(report) == ["a run 2", "c run 1", "b run 3"])
    #expect(report.criticalPath.tasks == ["a", "c", "b"])
    #expect(report.duration == .seconds(6))
    #expect(report["b"]?.waits.slot == .seconds(3))
    #expect(report["c"]?.waits.dependency == .seconds(2))
    #expect(report["c"]?.waits.slot == .zero)
  }

  @Test func `in parallel: the longest chain of dependencies`() async throws {
    let clock = VirtualClock()
    let center = try TaskCenter.with(
      [
        sleep("a", 2, clock), sleep("b", 3, clock, dependencies: ["a"]), sleep("c", 5, clock, dependencies: ["a"]),
        sleep("d", 1, clock, dependencies: ["b", "c"]), sleep("aside", 6, clock),
      ], clock: clock)
    let run = center.begin(.alpha)
    await clock.waitForSleepers(2)
    await clock.step(to: .seconds(2))
    await clock.waitForSleepers(3)
    for time in [5, 6, 7, 8] { await clock.step(to: .seconds(time)) }
    let report = await run.report
    #expect(words(report) == ["a run 2", "c run 5", "d run 1"])
    #expect(report["d"]?.waits.dependency == .seconds(7))
    #expect(report["d"]?.started == .seconds(7))
  }

  @Test func `through a task that was skipped: what blocked it`() async throws {
    let clock = VirtualClock()
    let center = try TaskCenter.with(
      [
        work("fails", 2, clock, fails: true), work("skipped", 9, clock, dependencies: ["fails"]),
        work("polite", 1, clock, after: ["skipped"]),
      ], limit: 1, clock: clock)
    let report = await center.send(.alpha)
    #expect(words(report) == ["fails run 2", "polite run 1"])
    #expect(report["skipped"]?.started == nil)
  }

  @Test(arguments: [Int.max, 1])
  func `retries: attempts and delays of their own`(limit: Int) async throws {
    let clock = VirtualClock()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "flaky", retry: .attempts(3, backoff: .linear(.seconds(4)))) { context in
          clock.advance(by: .seconds(context.attempt))
          if context.attempt < 3 { throw Broken() }
        },
        .event(.alpha, name: "needy", dependencies: ["flaky"]) { _ in clock.advance(by: .seconds(1)) },
      ], limit: limit, clock: clock)
    let run = center.begin(.alpha)
    // 0-1 attempt, to 5 delay, to 7 attempt, to 15 delay, to 18 attempt, to 19 'needy'.
    for time in [5, 15] { await clock.step(to: .seconds(time)) }
    let report = await run.report
    #expect(
      words(report) == [
        "flaky run 1", "flaky retry 4", "flaky run 2", "flaky retry 8", "flaky run 3", "needy run 1",
      ])
    #expect(report["flaky"]?.waits.retry == .seconds(12))
    #expect(report["flaky"]?.duration == .seconds(18))
    #expect(report.duration == .seconds(19))
  }

  @Test func `a run that ends between two attempts ends with a delay`() async throws {
    let clock = VirtualClock()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "flaky", retry: .attempts(3, backoff: .fixed(.seconds(60)))) { _ in
          clock.advance(by: .seconds(1))
          throw Broken()
        }
      ], clock: clock)
    let run = center.begin(.alpha)
    await clock.waitForSleeper(until: .seconds(61))
    clock.advance(by: .seconds(3))
    run.cancel()
    let report = await run.report
    #expect(words(report) == ["flaky run 1", "flaky retry 3"])
    #expect(report["flaky"]?.waits.retry == .seconds(3))
  }

  @Test(arguments: [Int.max, 1])
  func `the main actor: whoever held it, by name only if it was of this event`(limit: Int) async throws {
    let clock = VirtualClock()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "first", priority: .high) { @MainActor _ in clock.advance(by: .seconds(2)) },
        .event(.alpha, name: "second") { @MainActor _ in clock.advance(by: .seconds(3)) },
      ], limit: limit, clock: clock)
    let held = Gate()
    let run = await MainActor.run {
      // Somebody else has the main actor until 4.
      let run = Task.detached { center.begin(.alpha) }
      while center.activeRuns == 0 {}
      clock.advance(by: .seconds(4))
      held.open()
      return run
    }
    let report = await run.value.report
    #expect(words(report) == ["first mainActor 4", "first run 2", "second run 3"])
    #expect(report["first"]?.waits.mainActor == .seconds(4))
    #expect(report["first"]?.waits.slot == .zero)
    // With one slot, the second waits for that; without a limit, for the main actor.
    #expect(report["second"]?.waits.slot == .seconds(limit == 1 ? 6 : 0))
    #expect(report["second"]?.waits.mainActor == .seconds(limit == 1 ? 0 : 6))
  }

  @Test(arguments: [Int.max, 3])
  func `a lane: the task that left it, whoever takes over`(limit: Int) async throws {
    let clock = VirtualClock()
    let lane = Lane("line")
    let center = try TaskCenter.with(
      [
        sleep("holder", 5, clock, priority: .high, lane: lane), sleep("waits", 3, clock, lane: lane),
        // Takes the worker that 'holder' leaves, so that another one comes for 'waits'.
        sleep("urgent", 1, clock, priority: .critical, dependencies: ["holder"]),
      ], limit: limit, clock: clock)
    let run = center.begin(.alpha)
    await clock.step(to: .seconds(5))
    await clock.waitForSleepers(2)
    await clock.step(to: .seconds(6))
    await run.ready(.critical)
    await clock.step(to: .seconds(8))
    let report = await run.report
    #expect(words(report) == ["holder run 5", "waits run 3"])
    #expect(report["waits"]?.waits.slot == .seconds(5))
  }

  @Test func `a lane that is held by a body that has timed out`() async throws {
    let clock = VirtualClock()
    let gate = Gate()
    let lane = Lane("line")
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "deaf", priority: .high, timeout: .seconds(5), lane: lane) { _ in await gate.pass() },
        sleep("waits", 3, clock, lane: lane),
      ], clock: clock)
    let run = center.begin(.alpha)
    await clock.step(to: .seconds(5))
    await run.ready(.high)
    clock.advance(by: .seconds(4))
    gate.open()
    await clock.step(to: .seconds(12))
    let report = await run.report
    #expect(words(report) == ["deaf run 5", "waits slot 4", "waits run 3"])
  }

  @Test(arguments: [true, false])
  func `another event: the time in which it was waited for`(succeeds: Bool) async throws {
    let clock = VirtualClock()
    let center = try TaskCenter.with(
      [
        .event(.beta, name: "other") { _ in
          try await clock.sleep(for: .seconds(5))
          if !succeeds { throw Broken() }
        },
        work("quick", 0, clock, priority: .high), work("needy", 2, clock, dependencies: ["other"]),
      ], clock: clock)
    let beta = center.begin(.beta)
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(1))
    let alpha = center.begin(.alpha)
    await alpha.ready(.high)
    await clock.step(to: .seconds(5))
    let report = await alpha.report
    #expect(words(report) == (succeeds ? ["needy otherEvent 4", "needy run 2"] : ["needy otherEvent 4"]))
    #expect(report.criticalPath.duration == report.duration)
    if succeeds { #expect(report.criticalPath.description == "(needy waits for another event 4.00 s) → needy 2.00 s") }
    _ = await beta.report
  }

  @Test func `a task that has its one run in another event: the time until that has ended`() async throws {
    let clock = VirtualClock()
    let center = try TaskCenter.with(
      [
        .events([.alpha, .beta], name: "once", runs: .once) { _ in try await clock.sleep(for: .seconds(10)) },
        work("quick", 2, clock, priority: .high),
      ], clock: clock)
    let beta = center.begin(.beta)
    await clock.waitForSleeper(until: .seconds(10))
    clock.advance(by: .seconds(1))
    let alpha = center.begin(.alpha)
    // From 1 to 3 'quick' runs, and 'once' is put off.
    await alpha.ready(.high)
    await waitUntil { center.waitingElsewhere == 1 }
    await clock.step(to: .seconds(10))
    let report = await alpha.report
    #expect(report.outcomes == ["once": "skipped: already ran", "quick": "succeeded"])
    #expect(report["once"]?.waits.dependency == .seconds(9))
    #expect(words(report) == ["once otherEvent 9"])
    _ = await beta.report
  }

  @Test func `a timeout, and a deadline`() async throws {
    let clock = VirtualClock()
    let never = Gate()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "slow", timeout: .seconds(5)) { _ in try await never.passUnlessCancelled() },
        .event(.alpha, name: "polite", after: ["slow"]) { _ in try await never.passUnlessCancelled() },
      ], clock: clock)
    let run = center.begin(.alpha, deadline: .seconds(7))
    await clock.step(to: .seconds(5))
    await clock.step(to: .seconds(7))
    #expect(words(await run.report) == ["slow run 5", "polite run 2"])
  }

  @Test func `nothing to do takes no time, and has no path`() async throws {
    let center = try TaskCenter.with([.event(.alpha, name: "task") { _ in }])
    #expect(await center.send(.alpha).criticalPath.segments.isEmpty)
    try center.pause("task")
    #expect(await center.send(.alpha).criticalPath.segments.isEmpty)
  }

  @Test func `a slot that an attempt has waited for: who had it, and not the delay`() async throws {
    let clock = VirtualClock()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "flaky", priority: .high, retry: .attempts(2, backoff: .fixed(.seconds(2)))) { context in
          clock.advance(by: .seconds(1))
          if context.attempt == 1 { throw Broken() }
        },
        sleep("long", 9, clock),
      ], limit: 1, clock: clock)
    let run = center.begin(.alpha)
    // 0-1 attempt, 1-10 'long', the delay is over at 3, 10-11 attempt.
    await clock.waitForSleepers(2)
    await clock.step(to: .seconds(3))
    await waitUntil { center.hasReady }
    await clock.step(to: .seconds(10))
    #expect(words(await run.report) == ["flaky run 1", "long run 9", "flaky run 1"])
  }

  @Test func `one at a time: the slot that a task has left which has timed out`() async throws {
    let clock = VirtualClock()
    let never = Gate()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "slow", priority: .high, timeout: .seconds(5)) { _ in try await never.passUnlessCancelled()
        },
        work("other", 2, clock),
      ], limit: 1, clock: clock)
    let run = center.begin(.alpha)
    await clock.step(to: .seconds(5))
    #expect(words(await run.report) == ["slow run 5", "other run 2"])
  }

  // Of two who have read the clock, the one who has read it first may be heard last.

  @Test(arguments: [0, 100])
  func `an occurrence that begins just as another event's task ends, for which it waits, is ready from then on`(
    seconds: Int
  ) async throws {
    let clock = InterruptedClock()
    let gate = Gate()
    let runs = Values<EventRun>()
    let center = TaskCenter(time: .interrupted(clock))
    try center.inject([
      .event(.beta, name: "other") { _ in await gate.pass() },
      .event(.alpha, name: "needy", dependencies: ["other"]) { _ in clock.advance(by: .seconds(10)) },
    ])
    clock.advance(by: .seconds(seconds))
    let beta = center.begin(.beta)
    await gate.arrivals()
    clock.afterNextReading {
      clock.advance(by: .seconds(5))
      runs.append(center.begin(.alpha))
    }
    gate.open()
    _ = await beta.report
    let report = await runs.values[0].report
    #expect(words(report) == ["needy run 10"])
    #expect(report.criticalPath.duration == report.duration)
    #expect(report["needy"]?.waits.slot == .zero)
    #expect(report["needy"]?.started == .zero)
  }

  @Test func `what begins just as a body lends its slot is over no sooner than it has begun`() async throws {
    let clock = InterruptedClock()
    let runs = Values<EventRun>()
    let center = TaskCenter(
      configuration: TaskCenter.Configuration(maximumConcurrency: 1), time: .interrupted(clock))
    try center.inject([
      .event(.beta, name: "lends its slot") { [unowned center] _ in
        clock.afterNextReading {
          clock.advance(by: .seconds(5))
          runs.append(center.begin(.alpha))
        }
        await center.lendSlot()?.reclaim()
      },
      .event(.alpha, name: "is paused") { _ in },
    ])
    try center.pause("is paused")
    _ = await center.send(.beta)
    #expect(await runs.values[0].report.duration == .zero)
  }

  @Test func `what is cancelled just as it gets its turn has taken no time, and not less`() async throws {
    let clock = InterruptedClock()
    let gate = Gate()
    let center = TaskCenter(
      configuration: TaskCenter.Configuration(maximumConcurrency: 1), time: .interrupted(clock))
    try center.inject([
      .event(.beta, name: "has the slot") { _ in await gate.pass() },
      .event(.alpha, name: "waits") { _ in },
    ])
    clock.advance(by: .seconds(100))
    let beta = center.begin(.beta)
    await gate.arrivals()
    let (first, second) = (center.begin(.alpha), center.begin(.alpha))
    clock.afterNextReading {
      clock.advance(by: .seconds(5))
      first.cancel()
    }
    second.cancel()
    #expect(await first.report.duration == .seconds(5))
    #expect(await second.report.duration == .zero)
    #expect(await second.report.criticalPath.duration == .zero)
    gate.open()
    _ = await beta.report
  }
}
