import TaskKit
import TaskKitTesting
import Testing

/// Timeouts on the virtual clock (DESIGN 7: "timeout (per attempt)", At12). Bodies that block a thread: BlockingTests.
@Suite struct TimeoutTests {
  @Test(arguments: [Int.max, 1])
  func `a body that overruns is cancelled and counts as timed out at once`(limit: Int) async throws {
    let clock = VirtualClock()
    let recorder = Recorder()
    let never = Gate()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "slow", priority: .high, timeout: .seconds(5)) { _ in
          do {
            try await never.passUnlessCancelled()
          } catch {
            recorder.note("cancelled")
            throw error
          }
        },
        .event(.alpha, name: "needy", dependencies: ["slow"]) { _ in },
        .event(.alpha, name: "free") { _ in },
      ], limit: limit, clock: clock)
    let run = center.begin(.alpha)
    await clock.step(to: .seconds(5))
    let report = await run.report
    #expect(
      report.outcomes == [
        "slow": "timed out", "needy": "skipped: 'slow' did not end well", "free": "succeeded",
      ])
    #expect(report["slow"]?.duration == .seconds(5))
    #expect(report["slow"]?.attempts == 1)
    #expect(await recorder.notes(1) == ["cancelled"])
  }

  @Test func `a body that ends in time is not touched, and leaves no timer behind`() async throws {
    let clock = VirtualClock()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "quick", timeout: .seconds(5)) { _ in try await clock.sleep(for: .seconds(4)) }
      ], clock: clock)
    let run = center.begin(.alpha)
    await clock.waitForSleepers(2)
    await clock.step(to: .seconds(4))
    #expect(await run.report.outcomes == ["quick": "succeeded"])
    #expect(center.nextTimer == nil)
  }

  @Test func `a body that ignores cancellation does not hold the event up, and the report says that it still runs`()
    async throws
  {
    let clock = VirtualClock()
    let gate = Gate()
    let center = try TaskCenter.with(
      [.event(.alpha, name: "deaf", timeout: .seconds(5)) { _ in await gate.pass() }], clock: clock)
    let run = center.begin(.alpha)
    await clock.step(to: .seconds(5))
    let report = await run.report
    #expect(report.outcomes == ["deaf": "timed out"])
    #expect(report["deaf"]?.isStillRunning == true)
    #expect(report.description.contains("timed out (still running)"))
    gate.open()
  }

  @Test func `a body that heeds cancellation before the report is made does not count as still running`() async throws {
    let clock = VirtualClock()
    let never = Gate()
    let later = Gate()
    let recorder = Recorder()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "slow", timeout: .seconds(5)) { _ in
          defer { recorder.note("returned") }
          try await never.passUnlessCancelled()
        },
        .event(.alpha, name: "other") { _ in await later.pass() },
      ], clock: clock)
    let run = center.begin(.alpha)
    await clock.step(to: .seconds(5))
    _ = await recorder.notes(1)
    // The worker hands the late return in after the body's last line: wait until the center has heard of it.
    await waitUntil { !center.hasOverdueBodies }
    later.open()
    #expect(await run.report["slow"]?.isStillRunning == false)
  }

  @Test func `very many bodies whose time is over together are all cancelled, and no other one is`() async throws {
    let count = 20_000
    let clock = VirtualClock()
    let (never, other) = (Gate(), Gate())
    let recorder = Recorder()
    var tasks: [TaskDefinition] = (0..<count).map { number in
      .event(.alpha, name: TaskName("\(number)"), timeout: .seconds(5)) { _ in
        try? await never.passUnlessCancelled()
        if Task.isCancelled { recorder.note("cancelled") }
      }
    }
    tasks.append(
      .event(.alpha, name: "other") { _ in
        await other.pass()
        if Task.isCancelled { recorder.note("other") }
      })
    let center = try TaskCenter.with(tasks, clock: clock)
    let run = center.begin(.alpha)
    await never.arrivals(count)
    await other.arrivals()
    await clock.step(to: .seconds(5))
    #expect(await recorder.notes(count).count == count)
    other.open()
    let report = await run.report
    #expect(report.tasks.count { $0.outcome.description == "timed out" } == count)
    #expect(report.outcomes["other"] == "succeeded")
    #expect(!recorder.notes.contains("other"))
  }

  @Test func `nothing else in its lane starts while a timed-out body still runs`() async throws {
    let clock = VirtualClock()
    let gate = Gate()
    let recorder = Recorder()
    let lane = Lane("line")
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "deaf", timeout: .seconds(5), lane: lane) { _ in
          await gate.pass()
          recorder.note("deaf returned")
        },
        .event(.alpha, name: "next", lane: lane) { _ in recorder.note("next") },
        .event(.alpha, name: "outside", after: ["deaf"]) { _ in recorder.note("outside") },
      ], clock: clock)
    let run = center.begin(.alpha)
    await clock.step(to: .seconds(5))
    #expect(await recorder.notes(1) == ["outside"])
    gate.open()
    #expect(await run.report.outcomes == ["deaf": "timed out", "next": "succeeded", "outside": "succeeded"])
    #expect(recorder.notes == ["outside", "deaf returned", "next"])
  }

  @Test func `a timed-out body that still runs stops counting against the limit`() async throws {
    let clock = VirtualClock()
    let gate = Gate()
    let meter = Meter()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "deaf", priority: .critical, timeout: .seconds(5)) { _ in await gate.pass() },
        .event(.alpha, name: "next") { _ in
          meter.enter()
          await Task.yield()
          meter.leave()
        },
        .event(.alpha, name: "next but one") { _ in
          meter.enter()
          await Task.yield()
          meter.leave()
        },
      ], limit: 1, clock: clock)
    let run = center.begin(.alpha)
    await clock.step(to: .seconds(5))
    #expect(
      await run.report.outcomes == ["deaf": "timed out", "next": "succeeded", "next but one": "succeeded"])
    gate.open()
    await center.quiet()
    // Its return gives back nothing that it no longer had.
    #expect(center.usedSlots == 0)
    await center.send(.alpha)
    #expect(meter.maximum == 1)
  }

  @Test func `each attempt has the whole time`() async throws {
    let clock = VirtualClock()
    let never = Gate()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "slow", timeout: .seconds(5), retry: .attempts(3, backoff: .fixed(.seconds(1)))) { _ in
          try await never.passUnlessCancelled()
        }
      ], clock: clock)
    let run = center.begin(.alpha)
    for time in [5, 6, 11, 12, 17] { await clock.step(to: .seconds(time)) }
    let report = await run.report
    #expect(report.outcomes == ["slow": "timed out"])
    #expect(report["slow"]?.attempts == 3)
    #expect(report["slow"]?.duration == .seconds(17))
    #expect(report["slow"]?.waits.retry == .seconds(2))
  }

  @Test func `no retry starts while the attempt that timed out still runs`() async throws {
    let clock = VirtualClock()
    let gate = Gate()
    let recorder = Recorder()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "deaf", timeout: .seconds(5), retry: .attempts(2, backoff: .fixed(.seconds(1)))) {
          context in
          recorder.note("attempt \(context.attempt)")
          if context.attempt == 1 { await gate.pass() }
          recorder.note("end of \(context.attempt)")
        }
      ], clock: clock)
    let run = center.begin(.alpha)
    await clock.step(to: .seconds(5))
    // The delay is over, and the first attempt is not: it gets as long again as an attempt may take.
    await clock.step(to: .seconds(6))
    await clock.waitForSleeper(until: .seconds(11))
    #expect(recorder.notes == ["attempt 1"])
    gate.open()
    let report = await run.report
    #expect(recorder.notes == ["attempt 1", "end of 1", "attempt 2", "end of 2"])
    #expect(report.outcomes == ["deaf": "succeeded"])
    #expect(report["deaf"]?.attempts == 2)
  }

  @Test func `a body that never returns has timed out for good when its grace is over`() async throws {
    let clock = VirtualClock()
    let gate = Gate()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "deaf", timeout: .seconds(5), retry: .attempts(3, backoff: .fixed(.seconds(1)))) { _ in
          await gate.pass()
        }
      ], clock: clock)
    let run = center.begin(.alpha)
    for time in [5, 6, 11] { await clock.step(to: .seconds(time)) }
    let report = await run.report
    #expect(report.outcomes == ["deaf": "timed out"])
    #expect(report["deaf"]?.attempts == 1)
    #expect(report["deaf"]?.isStillRunning == true)
    gate.open()
  }
}
