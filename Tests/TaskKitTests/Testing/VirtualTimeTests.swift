import Foundation
import TaskKit
import TaskKitTesting
import Testing

@Suite struct VirtualTimeTests {
  @Test func `a month of schedules is driven through, step by step`() async throws {
    let time = VirtualTime(timeZone: try #require(TimeZone(identifier: "Europe/Berlin")))
    let center = TaskCenter(time: time.source)
    // From the first of March on, with the beginning of summer time in it.
    time.setWall(to: try Date.ISO8601FormatStyle().parse("2026-02-28T23:00:00Z"))
    try center.inject([
      .schedule(name: "minutes", every: .seconds(600)) { _ in },
      .schedule(name: "hours", cron: "0 * * * *") { _ in },
      .schedule(name: "nights", daily: "02:30") { _ in },
      .schedule(name: "Mondays", cron: "0 9 * * MON") { _ in },
      .schedule(name: "pauses", every: .seconds(3600), pace: .fixedDelay) { _ in },
    ])
    center.start()
    let hours = 31 * 24 - 1
    await time.advance(by: .seconds(hours * 3600), driving: center)
    let runs = try ["minutes", "hours", "nights", "Mondays", "pauses"].map { try center.schedule(of: $0).runs }
    #expect(runs == [hours * 6, hours, 31, 5, hours])
    #expect(try Date.ISO8601FormatStyle().parse("2026-03-31T22:00:00Z") == time.wall)
  }

  @Test func `what somebody asks for meanwhile that was due before is heard of, and no clock goes back`() async throws {
    let time = VirtualTime()
    let center = TaskCenter(time: time.source)
    let calls = Values<Int>()
    // Ended by its last call.
    let asking = Task.detached {
      for number in 0..<2000 {
        center.at(time.wall.addingTimeInterval(-10)) { calls.append(number) }
        await Task.yield()
      }
    }
    while calls.values.count < 2000 {
      await time.advance(by: .seconds(1), driving: center)
      // While nothing is due it does not give up the thread, of which there may be one only.
      await Task.yield()
    }
    await asking.value
    #expect(calls.values == Array(0..<2000))
  }

  @Test(arguments: [false, true])
  func `a body may let the machine sleep for longer than was to pass`(isScript: Bool) async throws {
    let time = VirtualTime()
    let center = TaskCenter(time: time.source)
    try center.inject(.schedule(name: "lid", every: .seconds(30), count: 1) { _ in time.sleep(for: .seconds(3600)) })
    center.start()
    if isScript {
      _ = await LifecycleScript([.pass(.seconds(60))]).run(in: center, time: time)
    } else {
      await time.advance(by: .seconds(60), driving: center)
    }
    #expect(time.continuous.now.offset == .seconds(3630))
  }

  /// What could start waits for the main actor, until somebody lets time pass; the rest needs what a closed lane holds.
  @Test(.timeLimit(.minutes(2)), arguments: [false, true])
  func `who lets time pass goes on when what could start does not, and the rest waits for a closed lane`(
    isDestroyed: Bool
  ) async throws {
    let (isBusy, main) = (Gate(), BlockingGate())
    let closed = Lane("closed", opens: .whenOpened)
    let time = VirtualTime()
    let center = TaskCenter(time: time.source)
    try center.inject([
      .event(.beta, name: "held", lane: closed) { _ in },
      .event(.alpha, name: "needy", dependencies: ["held"]) { _ in },
      .event(.alpha, name: "ready") { @MainActor _ in },
    ])
    let beta = center.begin(.beta)
    await waitUntil { center.parkedCount(in: closed) == 1 }
    // Ended below.
    let busy = Task { @MainActor in
      isBusy.open()
      main.pass()
    }
    await isBusy.pass()
    let alpha = center.begin(.alpha)
    let passed = Values<Bool>()
    // Ended by the center, when nothing can go on.
    let driver = Task {
      await time.advance(by: .zero, driving: center)
      passed.append(true)
    }
    await waitUntil { center.quietWaiters == 1 }
    if isDestroyed {
      try center.destroy("ready")
    } else {
      try center.pause("ready")
      main.open()
    }
    await waitUntil { !passed.values.isEmpty }
    #expect(center.lane(closed).waiting == ["held"])
    main.open()
    await busy.value
    center.lane(closed).open()
    #expect(await beta.report.isSuccess)
    #expect(await alpha.report.outcomes["needy"] == "succeeded")
    await driver.value
  }

  @Test func `whoever wakes on one of the clocks sees all of them moved`() async throws {
    let time = VirtualTime()
    let start = time.wall
    // Many, so that the first of them look while the last are still being woken.
    let sleepers = (0..<2000).map { _ in
      Task {
        try await time.suspending.sleep(until: .init(offset: .seconds(1)))
        return (time.continuous.now.offset, time.wall.timeIntervalSince(start))
      }
    }
    await time.suspending.waitForSleepers(2000)
    time.advance(by: .seconds(1))
    for sleeper in sleepers {
      let (offset, wall) = try await sleeper.value
      #expect(offset == .seconds(1))
      #expect(wall == 1)
    }
  }
}
