import Synchronization
import TaskKit
import TaskKitTesting
import Testing

/// Retries on the virtual clock (DESIGN 7: "retry").
@Suite struct RetryTests {
  /// The times at which attempts begin are those of the policy.
  @Test(
    arguments: [
      (RetryPolicy.attempts(4), [0, 0, 0, 0]),
      (.attempts(4, backoff: .fixed(.seconds(3))), [0, 3, 6, 9]),
      (.attempts(4, backoff: .linear(.seconds(2))), [0, 2, 6, 12]),
      (.attempts(4, backoff: .linear(.seconds(2), maximum: .seconds(3))), [0, 2, 5, 8]),
      (.attempts(4, backoff: .exponential(.seconds(1))), [0, 1, 3, 7]),
      (.attempts(4, backoff: .exponential(.seconds(1), factor: 10, maximum: .seconds(20))), [0, 1, 11, 31]),
      (.attempts(4, backoff: .fixed(.seconds(8), jitter: 0.5)), [0, 6, 12, 18]),
    ])
  func `attempts begin when the backoff says`(policy: RetryPolicy, seconds: [Int]) async throws {
    let clock = VirtualClock()
    let recorder = Recorder()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "flaky", retry: policy) { context in
          recorder.note("\(context.attempt) of \(clock.now.offset), final \(context.isFinalAttempt)")
          throw Broken()
        }
      ], clock: clock, chance: { 0.5 })
    let run = center.begin(.alpha)
    for time in seconds.dropFirst() where time > 0 { await clock.step(to: .seconds(time)) }
    let report = await run.report
    #expect(
      recorder.notes
        == seconds.enumerated().map { "\($0 + 1) of \(Duration.seconds($1)), final \($0 == seconds.count - 1)" })
    #expect(report.outcomes == ["flaky": "failed: broken"])
    #expect(report["flaky"]?.attempts == 4)
    #expect(report["flaky"]?.waits.retry == .seconds(seconds[3]))
    #expect(report["flaky"]?.duration == .seconds(seconds[3]))
  }

  /// Otherwise all that timed out together come again together.
  @Test func `jitter spreads the attempts after a timeout as well`() async throws {
    var delays: Set<Duration> = []
    for chance in stride(from: 0, to: 1, by: 0.1) {
      let clock = VirtualClock()
      let center = try TaskCenter.with(
        [
          .event(
            .alpha, name: "slow", timeout: .seconds(1), retry: .attempts(2, backoff: .fixed(.seconds(8), jitter: 0.5))
          ) { context in
            if !context.isFinalAttempt { try await Gate().passUnlessCancelled() }
          }
        ], clock: clock, chance: { chance })
      let run = center.begin(.alpha)
      await clock.step(to: .seconds(1))
      await waitUntil { (center.nextTimer ?? 0) > 1_000_000_000 }
      let waiting = Duration.nanoseconds(center.nextTimer ?? 0)
      delays.insert(waiting)
      #expect((Duration.seconds(5)...Duration.seconds(9)).contains(waiting))
      await clock.step(to: waiting)
      #expect(await run.report.isSuccess)
    }
    #expect(delays.count > 5)
  }

  /// In a moment, and without an overflow that would end the process.
  @Test(
    arguments: [
      (RetryPolicy.Backoff.exponential(.seconds(1), factor: 1), Int.max, Duration.seconds(1)),
      (.exponential(.seconds(1), factor: 0.5), .max, .zero),
      (.exponential(.zero, factor: .infinity), .max, .zero),
      (.exponential(.seconds(1), factor: .infinity), 1, .seconds(1)),
      (.exponential(.seconds(1), factor: .infinity, maximum: .seconds(60)), 2, .seconds(60)),
      (.exponential(.seconds(1), factor: 1e30), 3, .seconds(3_155_760_000)),
      (.exponential(.seconds(1), factor: .nan), 5, .seconds(3_155_760_000)),
      (.exponential(.seconds(9), factor: 2, maximum: .seconds(4)), 1, .seconds(4)),
      (.exponential(.seconds(1), factor: 3), 5, .seconds(81)),
      (.exponential(.seconds(1)), .max, .seconds(3_155_760_000)),
      (.exponential(.seconds(1), factor: -.infinity), 2, .zero),
      (.exponential(.seconds(1), factor: -2), 3, .seconds(4)),
      (.linear(.seconds(2)), 3, .seconds(6)),
      (.linear(.seconds(2)), .max, .seconds(3_155_760_000)),
      (.linear(.seconds(9), maximum: .seconds(4)), 1, .seconds(4)),
      (.linear(.zero), .max, .zero),
    ])
  func `any number of failures and any factor give a delay`(
    backoff: RetryPolicy.Backoff, failures: Int, delay: Duration
  ) {
    #expect(backoff.delay(after: failures, chance: 0) == delay)
  }

  @Test(.timeLimit(.minutes(5)), arguments: [Int.max, 1])
  func `two hundred thousand attempts may fail, and the report counts them`(limit: Int) async throws {
    let center = try TaskCenter.with(
      [.event(.alpha, name: "flaky", retry: .attempts(200_000)) { _ in throw Broken() }], limit: limit)
    let report = await center.send(.alpha)
    #expect(report["flaky"]?.attempts == 200_000)
    #expect(report.outcomes == ["flaky": "failed: broken"])
  }

  /// A connection may be tried for as long as the process lives.
  @Test(arguments: [Int.max, 1])
  func `who has come for an attempt leaves nothing behind for the next ones`(limit: Int) async throws {
    let clock = VirtualClock()
    let center = try TaskCenter.with(
      [.event(.alpha, name: "flaky", retry: .attempts(100, backoff: .fixed(.seconds(1)))) { _ in throw Broken() }],
      limit: limit, clock: clock)
    let run = center.begin(.alpha)
    for time in 1..<99 { await clock.step(to: .seconds(time)) }
    await clock.waitForSleeper(until: .seconds(99))
    // Of a few it may not be known yet that they have left.
    #expect(center.workerPlaces < 10)
    await clock.step(to: .seconds(99))
    let report = await run.report
    #expect(report["flaky"]?.attempts == 100)
    #expect(report["flaky"]?.waits.retry == .seconds(99))
  }

  @Test(arguments: [Int.max, 1])
  func `an attempt that succeeds ends it, and dependents see that one`(limit: Int) async throws {
    let center = try TaskCenter.with(
      [
        .event(
          .alpha, name: "flaky", retry: .attempts(5),
          returning: { context -> Int in
            if context.attempt < 3 { throw Broken() }
            return context.attempt
          }),
        .event(.alpha, name: "needy", dependencies: ["flaky"]) { context in
          let output = try context.output(named: "flaky", as: Int.self)
          #expect(output == 3)
        },
      ], limit: limit)
    let report = await center.send(.alpha)
    #expect(report.outcomes == ["flaky": "succeeded", "needy": "succeeded"])
    #expect(report["flaky"]?.attempts == 3)
  }

  @Test func `the same seed draws the same jitter, between a part of the delay and the whole`() async throws {
    func times(_ seed: UInt64) async throws -> [Duration] {
      let clock = VirtualClock()
      let random = Mutex(SeededGenerator(seed: seed))
      let starts = Mutex<[Duration]>([])
      let center = try TaskCenter.with(
        [
          .event(.alpha, name: "flaky", retry: .attempts(6, backoff: .fixed(.seconds(8), jitter: 0.5))) { _ in
            starts.withLock { $0.append(clock.now.offset) }
            throw Broken()
          }
        ], clock: clock, chance: { random.withLock { Double.random(in: 0...1, using: &$0) } })
      let run = center.begin(.alpha)
      for _ in 1..<6 {
        await clock.waitForSleepers()
        if let next = clock.nextDeadline { await clock.step(to: next) }
      }
      _ = await run.report
      return starts.withLock { $0 }
    }
    let one = try await times(1)
    #expect(try await times(1) == one)
    #expect(try await times(2) != one)
    #expect(zip(one, one.dropFirst()).allSatisfy { (.seconds(4))...(.seconds(8)) ~= $1 - $0 })
  }

  @Test func `while a task waits for its next attempt, its slot and its lane are free`() async throws {
    let clock = VirtualClock()
    let recorder = Recorder()
    let lane = Lane("line")
    let center = try TaskCenter.with(
      [
        .event(
          .alpha, name: "flaky", priority: .high, retry: .attempts(2, backoff: .fixed(.seconds(1))), lane: lane
        ) { context in
          recorder.note("flaky \(context.attempt)")
          if context.attempt == 1 { throw Broken() }
        },
        .event(.alpha, name: "other", lane: lane) { _ in recorder.note("other") },
      ], limit: 1, clock: clock)
    let run = center.begin(.alpha)
    #expect(await recorder.notes(2) == ["flaky 1", "other"])
    await clock.step(to: .seconds(1))
    #expect(await run.report.isSuccess)
    #expect(recorder.notes == ["flaky 1", "other", "flaky 2"])
  }

  @Test func `a body that throws a cancellation is not tried again`() async throws {
    let recorder = Recorder()
    let center = try TaskCenter.with([
      .event(.alpha, name: "cancelled", retry: .attempts(5)) { _ in
        recorder.note("attempt")
        throw CancellationError()
      }
    ])
    let report = await center.send(.alpha)
    #expect(report.outcomes == ["cancelled": "cancelled"])
    #expect(report["cancelled"]?.attempts == 1)
    #expect(recorder.notes == ["attempt"])
  }

  @Test func `an attempt that is cancelled is no failed one, whatever it throws`() async throws {
    let gate = Gate()
    let center = try TaskCenter.with([
      .event(.alpha, name: "busy", retry: .attempts(5)) { _ in
        do { try await gate.passUnlessCancelled() } catch { throw Broken() }
      }
    ])
    let run = center.begin(.alpha)
    await gate.arrivals()
    run.cancel()
    let report = await run.report
    #expect(report.outcomes == ["busy": "cancelled"])
    #expect(report["busy"]?.attempts == 1)
    #expect(report.status == .cancelled)
  }

  @Test func `a run that is cancelled between two attempts ends with the failure of the first`() async throws {
    let clock = VirtualClock()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "flaky", retry: .attempts(5, backoff: .fixed(.seconds(1)))) { _ in throw Broken() },
        .event(.alpha, name: "needy", dependencies: ["flaky"]) { _ in },
      ], clock: clock)
    let run = center.begin(.alpha)
    await clock.waitForSleeper(until: .seconds(1))
    run.cancel()
    let report = await run.report
    #expect(report.outcomes == ["flaky": "failed: broken", "needy": "cancelled"])
    #expect(report["flaky"]?.attempts == 1)
    #expect(center.nextTimer == nil)
  }

  @Test func `an observer hears of each further attempt`() async throws {
    let center = try TaskCenter.with([
      .event(.alpha, name: "flaky", retry: .attempts(3)) { context in
        if context.attempt < 3 { throw Broken() }
      }
    ])
    let events = center.events.makeAsyncIterator()
    await center.send(.alpha)
    #expect(
      await events.words(until: "eventEnded alpha") == [
        "eventStarted alpha", "taskStarted flaky", "taskRetried flaky 2", "taskStarted flaky", "taskRetried flaky 3",
        "taskStarted flaky", "taskEnded flaky: succeeded", "eventEnded alpha",
      ])
  }

  @Test func `switched off between two attempts it ends with the failure of the first`() async throws {
    let center = try TaskCenter.with([
      .event(.alpha, name: "flaky", retry: .attempts(3)) { context in
        if context.attempt == 1 { throw Broken() }
        throw TaskDisabled()
      },
      .event(.alpha, name: "needy", dependencies: ["flaky"]) { _ in },
    ])
    let report = await center.send(.alpha)
    #expect(report.outcomes == ["flaky": "failed: broken", "needy": "skipped: 'flaky' did not end well"])
    #expect(report["flaky"]?.attempts == 1)
  }

  /// As little as what fails then.
  @Test(arguments: ["is cancelled", "is stopped"], [Int.max, 2])
  func `what times out in an occurrence that nothing may start in any more is not tried again`(way: String, limit: Int)
    async throws
  {
    let clock = VirtualClock()
    let (gate, other) = (Gate(), Gate())
    let recorder = Recorder()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "slow", timeout: .seconds(5), retry: .attempts(3, backoff: .fixed(.seconds(1)))) {
          context in
          recorder.note("attempt \(context.attempt)")
          await gate.pass()
        },
        .event(.alpha, name: "fails", onFailure: .stopEvent) { _ in
          await other.pass()
          throw Broken()
        },
      ], limit: limit, clock: clock)
    let run = center.begin(.alpha)
    await gate.arrivals()
    await other.arrivals()
    if way == "is cancelled" { run.cancel() }
    other.open()
    await waitUntil { run.progress.ended == 1 }
    await clock.step(to: .seconds(5))
    await waitUntil { center.nextTimer != 5_000_000_000 }
    gate.open()
    await clock.advance(whileRunning: run)
    let report = await run.report
    #expect(report.outcomes["slow"] == "timed out")
    #expect(report["slow"]?.attempts == 1)
    #expect(report.duration == .seconds(5))
    await center.quiet()
    #expect(recorder.notes == ["attempt 1"])
  }

  @Test(arguments: [Int.max, 1])
  func `what fails after it has been destroyed does not hold the event up for another attempt`(limit: Int) async throws
  {
    let centers = Values<TaskCenter>()
    let recorder = Recorder()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "flaky", retry: .attempts(3, backoff: .fixed(.seconds(3600)))) { _ in
          try centers.values[0].destroy("flaky")
          recorder.note("destroyed")
          throw Broken()
        }
      ], limit: limit)
    centers.append(center)
    // On the sender's thread: nobody can cancel that.
    let sending = Task { await center.send(.alpha) }
    _ = await recorder.notes(1)
    await waitUntil { center.nextTimer != nil || center.activeRuns == 0 }
    #expect(center.nextTimer == nil)
    sending.cancel()
    #expect(await sending.value["flaky"]?.attempts == 1)
  }
}
