import Synchronization
import TaskKit
import TaskKitTesting
import Testing

/// `maximumConcurrency`: what counts against it, and how a task that waits lends its slot (DESIGN 5 and 7).
@Suite struct SlotTests {
  /// Asynchronous tasks that stay inside for a while.
  private func crowd(_ event: LifecycleEvent<Void, Void>, _ count: Int, _ meter: Meter) -> [TaskDefinition] {
    (0..<count).map { number in
      .event(event, name: TaskName("\(event.name) \(number)")) { _ in
        meter.enter()
        for _ in 0..<5 { await Task.yield() }
        meter.leave()
      }
    }
  }

  @Test(arguments: [1, 2, 3, 7])
  func `no more bodies than the limit are started and not ended, over all events, suspended ones included`(limit: Int)
    async throws
  {
    let meter = Meter()
    let center = try TaskCenter.with(
      crowd(.alpha, 20, meter) + crowd(.beta, 20, meter) + crowd(.gamma, 20, meter), limit: limit)
    let runs = [center.begin(.alpha), center.begin(.beta), center.begin(.gamma)]
    for run in runs { #expect(await run.report.isSuccess) }
    #expect(meter.maximum <= limit)
    #expect(center.usedSlots == 0)
  }

  @Test func `the limit is reached where there is work for it`() async throws {
    let gate = Gate()
    let center = try TaskCenter.with(
      (0..<5).map { number in .event(.alpha, name: TaskName("\(number)")) { _ in await gate.pass() } }, limit: 3)
    let run = center.begin(.alpha)
    await gate.arrivals(3)
    #expect(center.usedSlots == 3)
    gate.open()
    #expect(await run.report.isSuccess)
  }

  @Test func `without a limit, any number of bodies may be suspended`() async throws {
    let gate = Gate()
    let center = try TaskCenter.with(
      (0..<500).map { number in .event(.alpha, name: TaskName("\(number)")) { _ in await gate.pass() } })
    let run = center.begin(.alpha)
    await gate.arrivals(500)
    gate.open()
    #expect(await run.report.isSuccess)
  }

  /// The forms in which the tasks of the inner event run decide who runs them: the sender itself, a worker, the main
  /// actor.
  @Test(arguments: ["synchronous", "asynchronous", "main"])
  func `a task that awaits a send lends its slot, and has it back before it goes on`(form: String) async throws {
    let meter = Meter()
    let inner: TaskDefinition =
      switch form {
      case "synchronous":
        .event(.beta, name: "inner") { _ in
          meter.enter()
          meter.leave()
        }
      case "asynchronous":
        .event(.beta, name: "inner") { _ in
          meter.enter()
          await Task.yield()
          meter.leave()
        }
      default:
        .event(.beta, name: "inner") { @MainActor _ in
          meter.enter()
          meter.leave()
        }
      }
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "outer") { context in
          for _ in 0..<3 {
            let report = await context.center.send(.beta)
            #expect(report.outcomes == ["inner": "succeeded"])
            meter.enter()
            for _ in 0..<5 { await Task.yield() }
            #expect(context.center.usedSlots == 1)
            meter.leave()
          }
        },
        inner,
      ] + crowd(.alpha, 5, meter), limit: 1)
    #expect(await center.send(.alpha).isSuccess)
    #expect(meter.maximum == 1)
    #expect(center.usedSlots == 0)
  }

  @Test func `a task that sends several events at once and awaits them all does not starve them`() async throws {
    let meter = Meter()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "outer") { context in
          async let one = context.center.send(.beta)
          async let other = context.center.send(.gamma)
          let reports = await [one, other]
          #expect(reports.allSatisfy { $0.isSuccess })
        }
      ] + crowd(.beta, 3, meter) + crowd(.gamma, 3, meter), limit: 1)
    #expect(await center.send(.alpha).isSuccess)
    #expect(meter.maximum == 1)
    #expect(center.usedSlots == 0)
  }

  @Test func `a task that awaits what it began lends its slot`() async throws {
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "outer") { context in
          let run = context.center.begin(.beta)
          await run.ready(.default)
          let report = await run.report
          #expect(report.isSuccess)
        },
        .event(.beta, name: "inner") { _ in await Task.yield() },
      ], limit: 1)
    #expect(await center.send(.alpha).isSuccess)
    #expect(center.usedSlots == 0)
  }

  @Test func `a task that awaits an output of another event lends its slot`() async throws {
    let begun = Gate()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "outer") { context in
          await begun.pass()
          let output: Int = try await context.center.output(named: "inner")
          #expect(output == 7)
        },
        .event(
          .beta, name: "inner",
          returning: { _ -> Int in
            await Task.yield()
            return 7
          }),
      ], limit: 1)
    let outer = center.begin(.alpha)
    await begun.arrivals()
    let inner = center.begin(.beta)
    begun.open()
    #expect(await outer.report.outcomes == ["outer": "succeeded"])
    #expect(await inner.report.isSuccess)
    #expect(center.usedSlots == 0)
  }

  @Test func `one that times out while it lends its slot gives back nothing twice`() async throws {
    let clock = VirtualClock()
    let gate = Gate()
    let meter = Meter()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "outer", timeout: .seconds(5)) { context in await context.center.send(.beta) },
        .event(.beta, name: "inner") { _ in await gate.pass() },
      ] + crowd(.gamma, 5, meter), limit: 1, clock: clock)
    let outer = center.begin(.alpha)
    await gate.arrivals()
    await clock.step(to: .seconds(5))
    #expect(await outer.report.outcomes == ["outer": "timed out"])
    #expect(center.usedSlots == 1)
    gate.open()
    await center.quiet()
    #expect(center.usedSlots == 0)
    #expect(await center.send(.gamma).isSuccess)
    #expect(meter.maximum == 1)
  }

  @Test func `one that times out while it waits for its slot again does not take it`() async throws {
    let clock = VirtualClock()
    let (inner, busy) = (Gate(), Gate())
    let meter = Meter()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "outer", timeout: .seconds(5)) { context in await context.center.send(.beta) },
        // The most urgent there is: it takes the slot that the inner task leaves.
        .event(.alpha, name: "busy", priority: .critical, after: ["never"]) { _ in await busy.pass() },
        .event(.beta, name: "inner") { _ in await inner.pass() },
      ] + crowd(.gamma, 5, meter), limit: 1, clock: clock)
    try center.pause("busy")
    let outer = center.begin(.alpha)
    await inner.arrivals()
    try center.resume("busy")
    let second = Task { try await center.run("busy") }
    await waitUntil { center.hasReady }
    inner.open()
    await busy.arrivals()
    await clock.step(to: .seconds(5))
    #expect(await outer.report.outcomes == ["outer": "timed out", "busy": "skipped: paused"])
    busy.open()
    #expect(try await second.value.isSuccess)
    await center.quiet()
    #expect(center.usedSlots == 0)
    #expect(await center.send(.gamma).isSuccess)
    #expect(meter.maximum == 1)
  }

  @Test(arguments: ["get them back", "time out"])
  func `very many bodies that lend their slots at once get them back, or need none any more`(way: String) async throws {
    let count = 20_000
    let clock = VirtualClock()
    let gate = Gate()
    let recorder = Recorder()
    let awaited = Values<EventRun>()
    let timeout: Duration? = way == "time out" ? Duration.seconds(5) : nil
    var tasks: [TaskDefinition] = (0..<count).map { number in
      .event(.alpha, name: TaskName("\(number)"), timeout: timeout) { _ in
        recorder.note("waits")
        for run in awaited.values { _ = await run.report }
      }
    }
    tasks.append(.event(.beta, name: "inner") { _ in await gate.pass() })
    let center = try TaskCenter.with(tasks, limit: 2, clock: clock)
    awaited.append(center.begin(.beta))
    let outer = center.begin(.alpha)
    _ = await recorder.notes(count)
    if timeout == nil { gate.open() } else { await clock.step(to: .seconds(5)) }
    let outcome = timeout == nil ? "succeeded" : "timed out"
    let report = await outer.report
    #expect(report.tasks.count { $0.outcome.description == outcome } == count)
    gate.open()
    await center.quiet()
    #expect(center.usedSlots == 0)
  }

  @Test func `a send that a body left behind does not shift the count`() async throws {
    let gate = Gate()
    let meter = Meter()
    let left = Values<Task<Void, Never>>()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "outer") { context in
          let center = context.center
          left.append(Task { await center.send(.beta) })
          await gate.arrivals()
        },
        .event(.beta, name: "inner") { _ in await gate.pass() },
      ] + crowd(.gamma, 5, meter), limit: 1)
    #expect(await center.send(.alpha).isSuccess)
    gate.open()
    for task in left.values { await task.value }
    await center.quiet()
    #expect(center.usedSlots == 0)
    #expect(await center.send(.gamma).isSuccess)
    #expect(meter.maximum == 1)
  }

  @Test func `a task that is skipped in another event while slots change hands does not hang that event`() async throws
  {
    let gate = Gate()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "busy") { _ in await gate.pass() },
        .event(.beta, name: "paused") { _ in },
      ], limit: 1)
    let alpha = center.begin(.alpha)
    await gate.arrivals()
    let beta = center.begin(.beta)
    // It could start, and waits for the slot; when the slot is free it must not.
    try center.pause("paused")
    gate.open()
    #expect(await alpha.report.isSuccess)
    #expect(await beta.report.outcomes == ["paused": "skipped: paused"])
  }

  @Test func `with one slot, the most urgent task of all events that are going comes first`() async throws {
    let gate = Gate()
    let recorder = Recorder()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "holder", priority: .critical) { _ in await gate.pass() },
        .event(.alpha, name: "alpha low", priority: .low) { _ in recorder.note("alpha low") },
        .event(.alpha, name: "alpha default") { _ in recorder.note("alpha default") },
        .event(.beta, name: "beta high", priority: .high) { _ in recorder.note("beta high") },
        .event(.beta, name: "beta default") { _ in recorder.note("beta default") },
      ], limit: 1)
    let alpha = center.begin(.alpha)
    await gate.arrivals()
    let beta = center.begin(.beta)
    gate.open()
    _ = await (alpha.report, beta.report)
    // Among equals the older occurrence goes first.
    #expect(recorder.notes == ["beta high", "alpha default", "beta default", "alpha low"])
  }

  @Test func `a task of a limited center sends an event none of whose tasks may run, and goes on`() async throws {
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "outer") { context in
          let report = await context.center.send(.beta)
          #expect(report["inner"]?.outcome.description == "skipped: paused")
        },
        .event(.beta, name: "inner") { _ in },
      ], limit: 1)
    try center.pause("inner")
    #expect(await center.send(.alpha).isSuccess)
    #expect(center.usedSlots == 0)
  }

  @Test(.timeLimit(.minutes(15)))
  func `parts of one task that await different things go on together once it has its slot again`() async throws {
    let (between, second) = (Gate(), Gate())
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "outer", priority: .high) { context in
          let center = context.center
          async let first = center.send(.beta)
          async let other: EventReport = {
            await second.pass()
            // Nothing runs for it, so that no slot is given back.
            return await center.send(.numbered(1))
          }()
          let reports = await [first, other]
          #expect(reports.allSatisfy { $0.isSuccess })
        },
        .event(.beta, name: "inner") { _ in },
        // Has the slot that the inner task leaves.
        .event(.gamma, name: "between") { _ in await between.pass() },
      ], limit: 1)
    let outer = center.begin(.alpha)
    await second.arrivals()
    let other = center.begin(.gamma)
    await between.arrivals()
    await waitUntil { center.reclaimingCount >= 1 }
    second.open()
    await waitUntil { center.reclaimingCount >= 2 }
    between.open()
    #expect(await outer.report.isSuccess)
    #expect(await other.report.isSuccess)
    await center.quiet()
    #expect(center.usedSlots == 0)
  }

  @Test func `a task of another event does not wait for tiny ones while a slot is free`() async throws {
    let gate = Gate()
    let others = Values<EventRun>()
    let slots = Values<Int>()
    let isLast = Atomic(false)
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "a") { context in
          if isLast.load(ordering: .relaxed) { others.append(context.center.begin(.beta)) }
        },
        // Chosen for the worker that has run the first, and another one comes for what the other event has ready by then.
        .event(.alpha, name: "b", dependencies: ["a"]) { context in slots.append(context.center.usedSlots) },
        .event(.beta, name: "c", dependencies: ["a"]) { _ in await gate.pass() },
      ], limit: 2)
    // Not as a walk, which takes no decisions.
    for _ in 0..<2 { #expect(await center.begin(.alpha).report.isSuccess) }
    #expect(center.isTiny("alpha") == true)
    isLast.store(true, ordering: .relaxed)
    #expect(await center.begin(.alpha).report.isSuccess)
    #expect(slots.values == [1, 1, 2])
    gate.open()
    for other in others.values { #expect(await other.report.isSuccess) }
  }

  @Test func `among equals the event that began first goes first, and not the one that was sent first`() async throws {
    let gate = Gate()
    let recorder = Recorder()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "holder") { _ in
          await gate.pass()
          recorder.note("alpha")
        },
        .event(.beta, name: "beta 1") { _ in recorder.note("beta 1") },
        .event(.beta, name: "beta 2") { _ in recorder.note("beta 2") },
        .event(.beta, name: "beta 3") { _ in recorder.note("beta 3") },
      ], limit: 1)
    let first = center.begin(.alpha)
    await gate.arrivals()
    let queued = center.begin(.alpha)
    let beta = center.begin(.beta)
    #expect(queued.isQueued && !beta.isQueued)
    gate.open()
    _ = await (first.report, queued.report, beta.report)
    #expect(recorder.notes == ["alpha", "beta 1", "beta 2", "beta 3", "alpha"])
  }
}
