import Foundation
import Synchronization
import TaskKit
import TaskKitTesting
import Testing

/// Bodies that block a thread, and the one send that does (DESIGN 7: `sendAndWait`, synchronous timeouts).
///
/// One at a time: each blocks a thread of the few that there are, never more than one.
@Suite(.serialized) struct BlockingTests {
  /// Does something on a thread of its own, which belongs to no actor and to no task.
  private func onThread<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: work()) }
    }
  }

  @Test(arguments: [Int.max, 1])
  func `sendAndWait from a plain thread returns when every task has ended`(limit: Int) async throws {
    let recorder = Recorder()
    let center = try TaskCenter.with(
      [
        .event(.willTerminate, name: "synchronous") { _ in recorder.note("synchronous") },
        .event(.willTerminate, name: "asynchronous") { _ in
          await Task.yield()
          recorder.note("asynchronous")
        },
        .event(.willTerminate, name: "main", dependencies: ["asynchronous"]) { @MainActor _ in
          MainActor.assertIsolated()
          recorder.note("main")
        },
        .event(.willTerminate, name: "main, asynchronous", dependencies: ["main"]) { @MainActor _ in
          await Task.yield()
          recorder.note("main, asynchronous")
        },
      ], limit: limit)
    let report = await onThread { center.sendAndWait(.willTerminate) }
    #expect(report.isSuccess)
    #expect(report.tasks.count == 4)
    #expect(recorder.notes.count == 4)
    // The one on the calling thread may be overtaken by all the others.
    #expect(recorder.notes.filter { $0 != "synchronous" } == ["asynchronous", "main", "main, asynchronous"])
  }

  @Test func `it runs what is synchronous on the calling thread`() async throws {
    let threads = Values<ObjectIdentifier>()
    let center = try TaskCenter.with([
      .event(.alpha, name: "task") { _ in threads.append(ObjectIdentifier(Thread.current)) }
    ])
    let caller = await onThread {
      center.sendAndWait(.alpha)
      return ObjectIdentifier(Thread.current)
    }
    #expect(threads.values == [caller])
  }

  @Test func `it waits its turn like any other send, and is told of an event that has passed`() async throws {
    let gate = Gate()
    let recorder = Recorder()
    let center = try TaskCenter.with([
      .event(.alpha, name: "task") { _ in
        await gate.pass()
        recorder.note("task")
      }
    ])
    let first = center.begin(.alpha)
    await gate.arrivals()
    async let second = onThread { center.sendAndWait(.alpha) }
    await waitUntil { center.queueLength(of: "alpha") > 0 }
    gate.open()
    #expect(await second.isSuccess)
    #expect(recorder.notes == ["task", "task"])
    _ = await first.report
    await center.send(.opening)
    #expect(await onThread { center.sendAndWait(.opening) }.status == .alreadyHappened)
  }

  @Test func `a deadline frees the thread, whatever a body does`() async throws {
    let clock = VirtualClock()
    let gate = Gate()
    let center = try TaskCenter.with([.event(.alpha, name: "deaf") { _ in await gate.pass() }], clock: clock)
    async let sent = onThread { center.sendAndWait(.alpha, deadline: .seconds(5)) }
    await gate.arrivals()
    await clock.step(to: .seconds(5))
    let report = await sent
    #expect(report.status == .deadlineExceeded)
    #expect(report.outcomes == ["deaf": "timed out"])
    gate.open()
  }

  @Test(arguments: [false, true])
  func `behind an earlier send a deadline frees the thread as well, whether that has its turn by then`(hasTurn: Bool)
    async throws
  {
    let clock = VirtualClock()
    let (first, never) = (Gate(), Gate())
    let numbers = LifecycleEvent<Int, Void>("numbers")
    let center = try TaskCenter.with(
      [
        .event(numbers, name: "task") { context in
          if context.payload == 1 { await first.pass() } else { try await never.passUnlessCancelled() }
        }
      ], clock: clock)
    let earlier = center.begin(numbers, 1)
    await first.arrivals()
    async let sent = onThread { center.sendAndWait(numbers, 2, deadline: .seconds(5)) }
    await waitUntil { center.queueLength(of: "numbers") > 0 }
    clock.advance(by: .seconds(3))
    if hasTurn {
      first.open()
      await never.arrivals()
    }
    await clock.step(to: .seconds(5))
    let report = await sent
    #expect(report.status == .deadlineExceeded)
    #expect(report.outcomes == ["task": hasTurn ? "timed out" : "skipped: event stopped"])
    first.open()
    #expect(await earlier.report.isSuccess)
  }

  @Test func `the deadline of a blocking send ends no send of others with which it goes together`() async throws {
    let (clock, gate, recorder) = (VirtualClock(), Gate(), Recorder())
    let numbers = LifecycleEvent<Int, Void>("numbers", burst: .coalesce)
    let center = try TaskCenter.with(
      [
        .event(numbers, name: "task") { context in
          if context.payload == 1 { await gate.pass() }
          recorder.note("\(context.payload)")
        }
      ], clock: clock)
    let earlier = center.begin(numbers, 1)
    await gate.arrivals()
    let other = center.begin(numbers, 2)
    async let sent = onThread { center.sendAndWait(numbers, 3, deadline: .seconds(5)) }
    await clock.step(to: .seconds(5))
    #expect(await sent.status == .deadlineExceeded)
    gate.open()
    #expect(await earlier.report.isSuccess)
    #expect(await other.report.isSuccess)
    #expect(recorder.notes == ["1", "3"])
  }

  @Test func `a deadline frees a main actor that an earlier send waits for`() async throws {
    let (clock, gate) = (VirtualClock(), Gate())
    let center = try TaskCenter.with(
      [.event(.alpha, name: "main") { @MainActor _ in await gate.pass() }], clock: clock)
    async let passed: Void = clock.step(to: .seconds(5))
    let (earlier, report) = await MainActor.run {
      (center.begin(.alpha), center.sendAndWait(.alpha, deadline: .seconds(5)))
    }
    await passed
    #expect(report.status == .deadlineExceeded)
    #expect(report.outcomes == ["main": "skipped: event stopped"])
    gate.open()
    #expect(await earlier.report.isSuccess)
  }

  @Test @MainActor func `on the main actor, its synchronous tasks run inline`() throws {
    let recorder = Recorder()
    let center = try TaskCenter.with([
      .event(.alpha, name: "main") { @MainActor _ in recorder.note("main") },
      .event(.alpha, name: "of no actor", dependencies: ["main"]) { _ in
        recorder.note("of no actor: \(isOnMainActor)")
      },
    ])
    let report = center.sendAndWait(.alpha)
    #expect(report.isSuccess)
    #expect(recorder.notes == ["main", "of no actor: true"])
  }

  @Test func `a handler of the main actor is called while that waits for the task whose wait has ended`() async throws {
    let (clock, recorder, kept) = (VirtualClock(), Recorder(), Kept<Completion<Int>>())
    // On the clock of the machine: its deadline is all that could free a main actor that waits in vain.
    let center = TaskCenter()
    try center.inject(
      .event(.alpha, name: "asks") { _ in
        _ = try? await withCompletion(of: Int.self, timeout: .seconds(1), clock: clock) { completion in
          kept.put(completion)
          completion.onCancel { @MainActor in recorder.note("handler: \(isOnMainActor)") }
        }
        recorder.note("ended")
      })
    async let passed: Void = clock.step(to: .seconds(1))
    let report = await MainActor.run { center.sendAndWait(.alpha, deadline: .seconds(60)) }
    await passed
    #expect(report.status == .completed)
    #expect(recorder.notes == ["handler: true", "ended"])
    withExtendedLifetime(kept) {}
  }

  @Test func `inside a task it lends the slot, and is refused where it would wait for itself`() async throws {
    let statuses = Values<EventReport.Status>()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "outer") { context in
          statuses.append(context.center.sendAndWait(.beta).status)
          statuses.append(context.center.sendAndWait(.gamma).status)
          statuses.append(context.center.sendAndWait(.alpha).status)
          #expect(context.center.usedSlots == 1)
        },
        .event(.beta, name: "synchronous") { _ in },
        .event(.gamma, name: "asynchronous") { _ in await Task.yield() },
      ], limit: 1)
    let report = await onThread { center.sendAndWait(.alpha) }
    #expect(report.isSuccess)
    #expect(statuses.values.prefix(2) == [.completed, .completed])
    #expect(statuses.values.last != .completed)
    #expect(center.usedSlots == 0)
  }

  @Test func `a synchronous body cannot be cancelled: it has timed out at once all the same, and still runs`()
    async throws
  {
    let clock = VirtualClock()
    let door = BlockingGate()
    let recorder = Recorder()
    let lane = Lane("line")
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "stuck", priority: .high, timeout: .seconds(5), lane: lane) { _ in
          recorder.note("stuck")
          door.pass()
          recorder.note("returned")
        },
        .event(.alpha, name: "same lane", lane: lane) { _ in recorder.note("same lane") },
        .event(.beta, name: "alone", timeout: .seconds(5)) { _ in door.pass() },
      ], clock: clock)
    let run = center.begin(.alpha)
    // The time of an attempt counts from a moment before its body begins.
    _ = await recorder.notes(1)
    await clock.step(to: .seconds(5))
    await run.ready(.high)
    #expect(recorder.notes == ["stuck"])
    door.open()
    let report = await run.report
    #expect(report.outcomes == ["stuck": "timed out", "same lane": "succeeded"])
    #expect(report["stuck"]?.attempts == 1)
    #expect(recorder.notes == ["stuck", "returned", "same lane"])
  }

  @Test func `a stuck synchronous body does not hold the report up`() async throws {
    let clock = VirtualClock()
    let door = BlockingGate()
    let center = try TaskCenter.with(
      [.event(.alpha, name: "stuck", timeout: .seconds(5)) { _ in door.pass() }], clock: clock)
    async let sent = center.send(.alpha)
    await clock.step(to: .seconds(5))
    let report = await sent
    #expect(report.outcomes == ["stuck": "timed out"])
    #expect(report["stuck"]?.isStillRunning == true)
    door.open()
    await center.quiet()
  }

  @Test func `a deadline frees a sender whose task is synchronous and stuck`() async throws {
    let clock = VirtualClock()
    let door = BlockingGate()
    let center = try TaskCenter.with([.event(.alpha, name: "stuck") { _ in door.pass() }], clock: clock)
    async let sent = center.send(.alpha, deadline: .seconds(5))
    await clock.step(to: .seconds(5))
    #expect(await sent.status == .deadlineExceeded)
    door.open()
    await center.quiet()
  }

  /// A body that never suspends runs on the thread of its sender, and is cancelled all the same.
  @Test(arguments: [true, false])
  func `an asynchronous body that only looks whether it is cancelled is told`(destroys: Bool) async throws {
    let isLong = Atomic(false)
    let isRunning = Gate()
    let center = try TaskCenter.with([
      .event(.alpha, name: "polls") { _ in
        await nothing()
        guard isLong.load(ordering: .relaxed) else { return }
        isRunning.open()
        while !Task.isCancelled { sched_yield() }
        throw CancellationError()
      }
    ])
    for _ in 0..<2 { #expect(await center.send(.alpha).isSuccess) }
    isLong.store(true, ordering: .relaxed)
    let sender = Task { await center.send(.alpha) }
    await isRunning.pass()
    if destroys { try center.destroy("polls") } else { sender.cancel() }
    #expect(await sender.value.outcomes == ["polls": "cancelled"])
  }

  @Test(arguments: ["is cancelled", "misses its deadline", "is stopped"])
  func `an occurrence that ends before its task had its turn in the lane holds nobody up`(way: String) async throws {
    let clock = VirtualClock()
    let busy = BlockingGate()
    let isBusy = Gate()
    let gate = Gate()
    let lane = Lane("line")
    let center = try TaskCenter.with(
      [
        // Keeps the main actor, so that 'urgent' could start and does not.
        .event(.gamma, name: "main") { @MainActor _ in
          isBusy.open()
          busy.pass()
        },
        .event(.alpha, name: "urgent", priority: .critical, lane: lane) { @MainActor _ in },
        .event(.alpha, name: "fails", onFailure: .stopEvent) { _ in
          try await gate.passUnlessCancelled()
          throw Broken()
        },
        .event(.beta, name: "patient", lane: lane) { _ in },
      ], clock: clock)
    let main = center.begin(.gamma)
    await isBusy.pass()
    let alpha = center.begin(.alpha, deadline: way == "misses its deadline" ? .seconds(1) : nil)
    await gate.arrivals()
    let patient = center.begin(.beta)
    await waitUntil { center.parkedCount(in: lane) > 0 }
    switch way {
    case "is cancelled": alpha.cancel()
    case "misses its deadline": await clock.step(to: .seconds(1))
    default: gate.open()
    }
    #expect(await patient.report.isSuccess)
    #expect(await center.lane(lane).enqueue("put in") {}.outcome.isSuccess)
    busy.open()
    #expect(await alpha.report.outcomes["urgent"] != "succeeded")
    _ = await main.report
  }

  /// The task has its slot when the main actor is told of it, which has something else to do.
  @Test(
    arguments: [
      "is paused", "is cancelled", "is destroyed", "is stopped", "is stopped by one that was switched off",
      "misses its deadline",
    ], [Int.max, 2])
  @MainActor
  func `what has not begun on the main actor never does once its end has been decided`(way: String, limit: Int)
    async throws
  {
    let (first, other) = (Gate(), Gate())
    let recorder = Recorder()
    let clock = VirtualClock()
    let isSwitchedOff = way == "is stopped by one that was switched off"
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "first") { _ in await first.pass() },
        .event(.alpha, name: "other", retry: isSwitchedOff ? .attempts(2) : .never, onFailure: .stopEvent) { context in
          if isSwitchedOff, context.attempt == 1 { throw Broken() }
          await other.pass()
          if isSwitchedOff { throw TaskDisabled() }
          throw Broken()
        },
        .event(.alpha, name: "main", dependencies: ["first"]) { @MainActor _ in recorder.note("main") },
      ], limit: limit, clock: clock)
    let run = center.begin(.alpha, deadline: way == "misses its deadline" ? .seconds(5) : nil)
    await first.arrivals()
    await other.arrivals()
    if way == "misses its deadline" { await clock.waitForSleeper(until: .seconds(5)) }
    // From here on to the next suspension, one turn of the main actor.
    first.open()
    while run.progress.ended < 1 { sched_yield() }
    let outcome: String
    switch way {
    case "is paused":
      try center.pause("main")
      outcome = "skipped: paused"
    case "is cancelled":
      run.cancel()
      outcome = "cancelled"
    case "is destroyed":
      try center.destroy("main")
      outcome = "cancelled"
    case "is stopped", "is stopped by one that was switched off":
      other.open()
      while run.progress.ended < 3 { sched_yield() }
      outcome = "skipped: event stopped"
    default:
      clock.advance(by: .seconds(5))
      while run.progress.ended < 3 { sched_yield() }
      outcome = "skipped: event stopped"
    }
    // A pause is looked at when the main actor comes to the task.
    await waitUntil { run.progress.ended >= 2 }
    other.open()
    let report = await run.report
    #expect(report.outcomes["main"] == outcome)
    #expect(report["main"]?.started == nil)
    #expect(report["main"]?.attempts == 0)
    #expect(report.names.last == "main")
    await center.quiet()
    #expect(recorder.notes == [])
    #expect(center.usedSlots == 0)
    if way == "is destroyed" { await center.destroyed("main") }
  }

  @Test @MainActor func `a task that was paused and resumed before it began on the main actor runs`() async throws {
    let first = Gate()
    let recorder = Recorder()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "first") { _ in await first.pass() },
        .event(.alpha, name: "main", dependencies: ["first"]) { @MainActor _ in recorder.note("main") },
      ], limit: 2)
    let events = center.events.makeAsyncIterator()
    let run = center.begin(.alpha)
    await first.arrivals()
    first.open()
    while run.progress.ended < 1 { sched_yield() }
    try center.pause("main")
    try center.resume("main")
    #expect(await run.report.isSuccess)
    #expect(recorder.notes == ["main"])
    #expect(
      await events.words(until: "eventEnded alpha") == [
        "eventStarted alpha", "taskStarted first", "taskEnded first: succeeded", "taskPaused main", "taskResumed main",
        "taskStarted main", "taskEnded main: succeeded", "eventEnded alpha",
      ])
  }

  private func nothing() async {}

  @Test(arguments: [Int.max, 2]) @MainActor
  func `the time of an attempt does not run while that waits for the main actor`(limit: Int) async throws {
    let first = Gate()
    let clock = VirtualClock()
    let attempts = Values<Int>()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "first") { _ in await first.pass() },
        .event(.alpha, name: "main", dependencies: ["first"], timeout: .seconds(5), retry: .attempts(2)) {
          @MainActor context in attempts.append(context.attempt)
        },
      ], limit: limit, clock: clock)
    let run = center.begin(.alpha)
    await first.arrivals()
    // From here on to the next suspension, one turn of the main actor.
    first.open()
    while run.progress.ended < 1 { sched_yield() }
    clock.advance(by: .seconds(5))
    while center.nextTimer == 5_000_000_000 { sched_yield() }
    let report = await run.report
    #expect(report.outcomes == ["first": "succeeded", "main": "succeeded"])
    #expect(report["main"]?.attempts == 1)
    #expect(report["main"]?.waits.mainActor == .seconds(5))
    #expect(attempts.values == [1])
  }

  @Test(arguments: [Int.max, 2]) @MainActor
  func `a body that blocks the main actor in a send leaves to others what was for the main actor alone`(limit: Int)
    throws
  {
    let statuses = Values<EventReport.Status>()
    // On the clock of the machine: nobody could move another one while the main thread waits.
    let center = TaskCenter(configuration: TaskCenter.Configuration(maximumConcurrency: limit))
    try center.inject([
      .event(.alpha, name: "blocks") { context in
        statuses.append(context.center.sendAndWait(.beta, deadline: .seconds(2)).status)
      },
      .event(.alpha, name: "other") { _ in },
      .event(.beta, name: "needy", dependencies: ["other"]) { _ in },
    ])
    center.begin(.alpha)
    #expect(statuses.values == [.completed])
  }

  @Test func `a body that blocks its thread in a send leaves what is ready to others, however short all was before`()
    async throws
  {
    let statuses = Values<EventReport.Status>()
    let center = try TaskCenter.with([
      .event(.alpha, name: "blocks") { context in
        guard statuses.values.count == 1 else { return statuses.append(.completed) }
        let report = context.center.sendAndWait(.beta)
        statuses.append(report.status)
      },
      .event(.alpha, name: "other") { _ in },
      .event(.beta, name: "needy", dependencies: ["other"]) { _ in },
    ])
    for _ in 0..<2 { #expect(await center.send(.alpha).isSuccess) }
    #expect(statuses.values == [.completed, .completed])
  }

  @Test(arguments: [false, true])
  func `what a body throws that was told to end is its cancellation, on whichever thread it runs`(isBegun: Bool)
    async throws
  {
    let recorder = Recorder()
    let center = try TaskCenter.with([
      .event(.alpha, name: "body") { _ in
        recorder.note("runs")
        while !Task.isCancelled { sched_yield() }
        throw Broken()
      }
    ])
    let report: EventReport
    if isBegun {
      let run = center.begin(.alpha)
      _ = await recorder.notes(1)
      run.cancel()
      report = await run.report
    } else {
      let send = Task { await center.send(.alpha) }
      _ = await recorder.notes(1)
      send.cancel()
      report = await send.value
    }
    #expect(report.outcomes == ["body": "cancelled"])
  }
}
