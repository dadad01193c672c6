import TaskKit
import TaskKitTesting
import Testing

/// A send that would wait for itself returns at once, refused, with the chain (DESIGN 7).
///
/// Where a wrong runtime would wait for ever, the inner send has a deadline on a clock that a task keeps moving.
@Suite struct SelfWaitingTests {
  static let advice = "which sends it; use begin(_:_:), which does not wait"

  private func refusal(_ event: String, _ chain: String) -> EventReport.Status {
    .refused("sending '\(event)' here would wait for itself: \(chain), \(SelfWaitingTests.advice)")
  }

  @Test(arguments: [Int.max, 1])
  func `directly: a task sends the event that it runs for`(limit: Int) async throws {
    let statuses = Values<EventReport.Status>()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "a") { context in
          let report = await context.center.send(.alpha)
          statuses.append(report.status)
          #expect(report.tasks.isEmpty)
        }
      ], limit: limit)
    #expect(await center.send(.alpha).isSuccess)
    #expect(statuses.values == [refusal("alpha", "'alpha'")])
    // Nothing of it is left behind.
    #expect(await center.send(.alpha).isSuccess)
  }

  @Test(arguments: [Int.max, 1])
  func `through another event`(limit: Int) async throws {
    let statuses = Values<EventReport.Status>()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "a") { context in statuses.append(await context.center.send(.beta).status) },
        .event(.beta, name: "b") { context in statuses.append(await context.center.send(.alpha).status) },
      ], limit: limit)
    #expect(await center.send(.alpha).isSuccess)
    #expect(statuses.values == [refusal("alpha", "'alpha' waits for 'beta'"), .completed])
  }

  @Test(arguments: [Int.max, 1])
  func `a task that a synchronous body starts is not taken for the body: its send waits its turn`(limit: Int)
    async throws
  {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    let inside = Values<TaskCenter>()
    let sends = Values<Task<EventReport, Never>>()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "starts") { _ in
          guard sends.values.isEmpty, let center = inside.values.first else { return }
          // It sends at once, on the thread of the body.
          sends.append(Task.immediate { await center.send(.alpha) })
        }
      ], limit: limit)
    inside.append(center)
    #expect(await center.send(.alpha).isSuccess)
    #expect(sends.values.count == 1)
    for send in sends.values { #expect(await send.value.isSuccess) }
  }

  @Test @MainActor func `through what a body has begun, and what of that runs on its thread`() throws {
    let statuses = Values<EventReport.Status>()
    // On the clock of the machine: its deadline is all that could free a main actor that waits in vain.
    let center = TaskCenter()
    try center.inject([
      .event(.alpha, name: "outer") { context in _ = context.center.begin(.beta) },
      .event(.beta, name: "inner") { context in
        statuses.append(context.center.sendAndWait(.gamma, deadline: .seconds(5)).status)
      },
      .event(.gamma, name: "needy", dependencies: ["outer"]) { _ in await Task.yield() },
    ])
    #expect(center.begin(.alpha).unended == [])
    #expect(statuses.values == [refusal("gamma", "'gamma' waits for 'alpha' waits for 'beta'")])
  }

  /// Its first occurrence is a run from the beginning, or walks until the body begins the other event.
  @Test(arguments: [false, true])
  @MainActor func `through what an asynchronous body has begun, and what of that runs inside of it`(isSent: Bool)
    async throws
  {
    let statuses = Values<EventReport.Status>()
    // On the clock of the machine: its deadline is all that could free a main actor that waits in vain.
    let center = TaskCenter()
    try center.inject([
      .event(.alpha, name: "outer") { @MainActor (context: TaskContext<Void>) async in
        _ = context.center.begin(.beta)
      },
      .event(.beta, name: "inner") { context in
        statuses.append(context.center.sendAndWait(.gamma, deadline: .seconds(5)).status)
      },
      .event(.gamma, name: "needy", dependencies: ["outer"]) { _ in await Task.yield() },
    ])
    let report = isSent ? await center.send(.alpha) : await center.begin(.alpha).report
    #expect(report.isSuccess)
    #expect(statuses.values == [refusal("gamma", "'gamma' waits for 'alpha' waits for 'beta'")])
  }

  /// The body goes on while what it has left behind blocks.
  @Test(.timeLimit(.minutes(2)), arguments: [false, true])
  @MainActor func `an asynchronous body does not wait for what a task begins that it has left behind`(isSent: Bool)
    async throws
  {
    let statuses = Values<EventReport.Status>()
    let gate = Gate()
    let center = TaskCenter()
    try center.inject([
      .event(.alpha, name: "outer") { (context: TaskContext<Void>) async in
        let center = context.center
        Task { @MainActor in _ = center.begin(.beta) }
        await gate.pass()
      },
      .event(.beta, name: "inner") { context in statuses.append(context.center.sendAndWait(.gamma).status) },
      .event(.gamma, name: "opener") { _ in gate.open() },
      .event(.gamma, name: "needy", dependencies: ["outer"]) { _ in await Task.yield() },
    ])
    let report = isSent ? await center.send(.alpha) : await center.begin(.alpha).report
    #expect(report.isSuccess)
    #expect(statuses.values == [.completed])
  }

  @Test func `through two other events`() async throws {
    let statuses = Values<EventReport.Status>()
    let center = try TaskCenter.with([
      .event(.alpha, name: "a") { context in statuses.append(await context.center.send(.beta).status) },
      .event(.beta, name: "b") { context in statuses.append(await context.center.send(.gamma).status) },
      .event(.gamma, name: "c") { context in statuses.append(await context.center.send(.alpha).status) },
    ])
    #expect(await center.send(.alpha).isSuccess)
    #expect(
      statuses.values == [refusal("alpha", "'alpha' waits for 'beta' waits for 'gamma'"), .completed, .completed])
  }

  @Test func `through a send that waits its turn`() async throws {
    let statuses = Values<EventReport.Status>()
    let (first, queued) = (Gate(), Gate())
    let center = try TaskCenter.with([
      // Its first occurrence is held; the second, queued behind it, is awaited by a task of beta.
      .event(.alpha, name: "a") { context in
        await first.pass()
        statuses.append(await context.center.send(.beta).status)
      },
      .event(.beta, name: "b") { context in
        queued.open()
        statuses.append(await context.center.send(.alpha).status)
      },
    ])
    let alpha = center.begin(.alpha)
    await first.arrivals()
    let beta = center.begin(.beta)
    await queued.pass()
    await waitUntil { center.queueLength(of: "alpha") > 0 }
    // Now alpha's task sends beta, which is running and waits for the alpha behind this one.
    first.open()
    #expect(await alpha.report.isSuccess)
    #expect(statuses.values.first == refusal("beta", "'beta' waits for 'alpha' waits for 'alpha'"))
    _ = await beta.report
  }

  /// `x` of alpha does something behind the first occurrence of beta, which `first` holds; then `g` of gamma waits for `x`, and
  /// `b` of beta, from the second on, for `g`.
  private func centerWithLateCircle(
    limit: Int, first: Gate, recorder: Recorder, _ x: @escaping @Sendable (TaskContext<Void>) async -> Void
  ) throws -> TaskCenter {
    try TaskCenter.with(
      [
        .event(.alpha, name: "x") { context in await x(context) },
        .event(.gamma, name: "g", dependencies: ["x"]) { _ in },
        .event(.beta, name: "held") { _ in
          recorder.note("held")
          await first.pass()
        },
        .event(.beta, name: "b", dependencies: ["g"]) { _ in recorder.note("b") },
      ], limit: limit)
  }

  @Test(.timeLimit(.minutes(15)), arguments: [Int.max, 2])
  func `a circle that closes while a send waits its turn is refused at its turn, and nothing of it runs`(limit: Int)
    async throws
  {
    let (first, recorder, statuses) = (Gate(), Recorder(), Values<EventReport.Status>())
    let center = try centerWithLateCircle(limit: limit, first: first, recorder: recorder) { context in
      statuses.append(await context.center.send(.beta).status)
    }
    let beta = center.begin(.beta)
    await first.arrivals()
    let alpha = center.begin(.alpha)
    await waitUntil { center.reportWaitersOfQueued == 1 }
    let gamma = center.begin(.gamma)
    first.open()
    #expect(await alpha.report.isSuccess)
    #expect(await gamma.report.isSuccess)
    #expect(await beta.report.outcomes["held"] == "succeeded")
    #expect(statuses.values == [refusal("beta", "'beta' waits for 'gamma' waits for 'alpha'")])
    #expect(recorder.notes == ["held"])
    await center.quiet()
    #expect(center.leftOfRuns == 0)
    // The next one finds that all has ended.
    #expect(await center.send(.beta).isSuccess)
  }

  @Test(.timeLimit(.minutes(15)), arguments: [Int.max, 2])
  func `a circle through a send further behind is refused, and the one before it goes on`(limit: Int) async throws {
    let (first, recorder, statuses) = (Gate(), Recorder(), Values<EventReport.Status>())
    let center = try centerWithLateCircle(limit: limit, first: first, recorder: recorder) { context in
      statuses.append(await context.center.send(.beta).status)
    }
    _ = center.begin(.beta)
    await first.arrivals()
    let second = center.begin(.beta)
    let alpha = center.begin(.alpha)
    await waitUntil { center.reportWaitersOfQueued == 1 }
    let gamma = center.begin(.gamma)
    first.open()
    #expect(await alpha.report.isSuccess)
    #expect(await gamma.report.isSuccess)
    #expect(await second.report.isSuccess)
    #expect(statuses.values == [refusal("beta", "'beta' waits for 'gamma' waits for 'alpha'")])
    #expect(recorder.notes.filter { $0 == "b" }.count == 1)
    await center.quiet()
    #expect(center.leftOfRuns == 0)
  }

  @Test(.timeLimit(.minutes(15)), arguments: [Int.max, 2])
  func `who only reads the report of a send that waits its turn is refused alone, and a gate of it opens`(limit: Int)
    async throws
  {
    let (first, recorder, statuses) = (Gate(), Recorder(), Values<EventReport.Status>())
    let runs = Values<EventRun>()
    let center = try centerWithLateCircle(limit: limit, first: first, recorder: recorder) { _ in
      async let ready: Void = runs.values[0].ready(.low)
      statuses.append(await runs.values[0].report.status)
      await ready
    }
    _ = center.begin(.beta)
    await first.arrivals()
    let second = center.begin(.beta)
    runs.append(second)
    let alpha = center.begin(.alpha)
    await waitUntil { center.reportWaitersOfQueued == 1 && center.hasReadyWaitersOfQueued }
    let gamma = center.begin(.gamma)
    first.open()
    #expect(await alpha.report.isSuccess)
    #expect(await gamma.report.isSuccess)
    #expect(await second.report.isSuccess)
    #expect(
      statuses.values == [
        .refused(
          "awaiting the report of 'beta' here would wait for itself: 'beta' waits for 'gamma' waits for 'alpha', which "
            + "awaits it; await it after this task has ended")
      ])
    #expect(recorder.notes.filter { $0 == "b" }.count == 1)
    await center.quiet()
    #expect(center.leftOfRuns == 0)
  }

  @Test(.timeLimit(.minutes(15)), arguments: [Int.max, 2])
  func `who is refused at the turn of a send has left it: the others for which it stands can cancel it`(limit: Int)
    async throws
  {
    let (first, second, recorder) = (Gate(), Gate(), Recorder())
    let statuses = Values<EventReport.Status>()
    let merged = LifecycleEvent<Void, Void>("merged", burst: .coalesce)
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "x") { context in statuses.append(await context.center.send(merged).status) },
        .event(.gamma, name: "g", dependencies: ["x"]) { _ in },
        .event(merged, name: "held") { _ in
          recorder.note("held")
          if recorder.notes.count == 1 { await first.pass() } else { try await second.passUnlessCancelled() }
        },
        .event(merged, name: "b", dependencies: ["g"]) { _ in },
      ], limit: limit)
    center.begin(merged)
    await first.arrivals()
    let other = Task { await center.send(merged) }
    await waitUntil { center.reportWaitersOfQueued == 1 }
    let alpha = center.begin(.alpha)
    await waitUntil { center.reportWaitersOfQueued == 2 }
    let gamma = center.begin(.gamma)
    first.open()
    #expect(await alpha.report.isSuccess)
    #expect(await gamma.report.isSuccess)
    #expect(statuses.values == [refusal("merged", "'merged' waits for 'gamma' waits for 'alpha'")])
    await second.arrivals()
    other.cancel()
    #expect(await other.value.outcomes["held"] == "cancelled")
    await center.quiet()
    #expect(center.leftOfRuns == 0)
  }

  @Test(arguments: [Int.max, 1])
  func `begin is never refused, also for the event that is running`(limit: Int) async throws {
    let recorder = Recorder()
    let runs = Values<EventRun>()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "a") { context in
          recorder.note("a")
          if recorder.notes.count < 4 { runs.append(context.center.begin(.alpha)) }
        }
      ], limit: limit)
    #expect(await center.send(.alpha).isSuccess)
    _ = await recorder.notes(4)
    for run in runs.values { #expect(await run.report.status == .completed) }
    #expect(runs.values.allSatisfy { $0.isQueued })
  }

  @Test func `an occurrence that needs the sending task itself is refused, not waited for`() async throws {
    let clock = VirtualClock()
    let statuses = Values<EventReport.Status>()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "a") { context in
          statuses.append(await context.center.send(.beta, deadline: .seconds(5)).status)
        },
        .event(.beta, name: "b", dependencies: ["a"]) { _ in },
      ], clock: clock)
    let run = center.begin(.alpha)
    await clock.advance(whileRunning: run)
    #expect(await run.report.isSuccess)
    #expect(statuses.values == [refusal("beta", "'beta' waits for 'alpha'")])
  }

  @Test func `an occurrence that needs another task of the sending one is waited for`() async throws {
    let statuses = Values<EventReport.Status>()
    let gate = Gate()
    let center = try TaskCenter.with([
      .event(.alpha, name: "a") { context in
        gate.open()
        statuses.append(await context.center.send(.beta).status)
      },
      .event(.alpha, name: "other") { _ in await gate.pass() },
      .event(.beta, name: "b", dependencies: ["other"]) { _ in },
    ])
    #expect(await center.send(.alpha).isSuccess)
    #expect(statuses.values == [.completed])
  }

  @Test func `an occurrence that needs the lane of the sending task is refused`() async throws {
    let clock = VirtualClock()
    let statuses = Values<EventReport.Status>()
    let lane = Lane("line")
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "a", lane: lane) { context in
          statuses.append(await context.center.send(.beta, deadline: .seconds(5)).status)
        },
        .event(.beta, name: "b", lane: lane) { _ in },
      ], clock: clock)
    let run = center.begin(.alpha)
    await clock.advance(whileRunning: run)
    #expect(await run.report.isSuccess)
    #expect(statuses.values == [refusal("beta", "'beta' waits for lane 'line', which 'alpha' holds")])
  }

  @Test func `two centers know nothing of each other`() async throws {
    let inner = try TaskCenter.with([.event(.alpha, name: "a") { _ in }])
    let outer = try TaskCenter.with([
      .event(.alpha, name: "a") { _ in
        let report = await inner.send(.alpha)
        #expect(report.isSuccess)
      }
    ])
    #expect(await outer.send(.alpha).isSuccess)
  }

  @Test func `a task that awaits the report of what it began for its own event is told at once`() async throws {
    let statuses = Values<EventReport.Status>()
    let center = try TaskCenter.with([
      .event(.alpha, name: "a") { context in
        guard statuses.values.isEmpty else { return }
        let run = context.center.begin(.alpha)
        statuses.append(await run.report.status)
      }
    ])
    #expect(await center.send(.alpha).isSuccess)
    #expect(
      statuses.values == [
        .refused(
          "awaiting the report of 'alpha' here would wait for itself: 'alpha' waits for 'alpha', which awaits it; await "
            + "it after this task has ended")
      ])
  }

  @Test func `an event that drops what comes while it runs does not wait, and is dropped`() async throws {
    let statuses = Values<EventReport.Status>()
    let event = LifecycleEvent<Void, Void>("dropping", burst: .drop)
    let center = try TaskCenter.with([
      .event(event, name: "a") { context in statuses.append(await context.center.send(event).status) }
    ])
    #expect(await center.send(event).isSuccess)
    #expect(statuses.values == [.dropped])
  }

  @Test func `a task that replaces itself and sends what its successor runs for is refused`() async throws {
    let statuses = Values<EventReport.Status>()
    let center = try TaskCenter.with([
      .event(.alpha, name: "a") { context in
        try context.center.inject(.event(.beta, name: "a") { _ in }, replacing: true)
        statuses.append(await context.center.send(.beta).status)
      }
    ])
    await center.send(.alpha)
    #expect(statuses.values == [refusal("beta", "'beta' waits for 'alpha'")])
    #expect(await center.send(.beta).isSuccess)
  }

  @Test func `a single task that needs the one that runs it is not run`() async throws {
    let errors = Values<String>()
    let center = try TaskCenter.with([
      .event(.alpha, name: "a") { context in
        do { try await context.center.run("b") } catch { errors.append("\(error)") }
      },
      .event(.beta, name: "b", dependencies: ["a"]) { _ in },
    ])
    #expect(await center.send(.alpha).isSuccess)
    #expect(
      errors.values == [
        "running 'b' here would wait for itself: 'b' waits for 'alpha', which runs it; run it from outside"
      ])
  }

  @Test func `an output that waits for the one that asks for it is refused`() async throws {
    let errors = Values<String>()
    let started = Gate()
    let center = try TaskCenter.with([
      .event(.alpha, name: "a") { context in
        await started.pass()
        do {
          let output: Int = try await context.center.output(named: "b")
          errors.append("\(output)")
        } catch {
          errors.append("\(error)")
        }
      },
      .event(.beta, name: "b", dependencies: ["a"], returning: { _ in 7 }),
    ])
    let alpha = center.begin(.alpha)
    let beta = center.begin(.beta)
    started.open()
    #expect(await alpha.report.isSuccess)
    #expect(await beta.report.isSuccess)
    #expect(
      errors.values == [
        "awaiting the output of 'b' here would wait for itself: 'beta' waits for 'alpha', which awaits it; read it after "
          + "this task has ended"
      ])
  }

  @Test(arguments: [Int.max, 1])
  func `a gate of an occurrence that waits for the task opens at once, directly and through others`(limit: Int)
    async throws
  {
    let recorder = Recorder()
    let statuses = Values<EventReport.Status>()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "direct") { context in
          await context.center.begin(.alpha).ready(.low)
          recorder.note("direct")
        },
        .event(.beta, name: "through") { context in
          await context.center.begin(.gamma).ready(.low)
          recorder.note("through")
        },
        .event(.gamma, name: "sends") { context in
          // A limit keeps the other one from awaiting the gate while this one runs.
          while limit == .max, !context.center.hasReadyWaiters { await Task.yield() }
          statuses.append(await context.center.send(.beta).status)
        },
      ], limit: limit)
    async let alpha = center.send(.alpha)
    _ = await recorder.notes(1)
    try center.destroy("direct")
    #expect(await alpha.isSuccess)
    #expect(await center.send(.beta).isSuccess)
    #expect(recorder.notes.prefix(2) == ["direct", "through"])
    #expect(statuses.values == [refusal("beta", "'beta' waits for 'gamma'")])
  }

  @Test func `a task may wait for the more urgent ones of its own occurrence, not for itself`() async throws {
    let runs = Values<EventRun>()
    let (handed, urgent) = (Gate(), Gate())
    let recorder = Recorder()
    let center = try TaskCenter.with([
      .event(.alpha, name: "urgent", priority: .critical) { _ in
        await urgent.pass()
        recorder.note("urgent")
      },
      .event(.alpha, name: "patient", priority: .low) { _ in
        await handed.pass()
        await runs.values[0].ready(.critical)
        recorder.note("patient")
        await runs.values[0].ready(.low)
        recorder.note("refused")
      },
    ])
    runs.append(center.begin(.alpha))
    handed.open()
    await waitUntil { center.hasReadyWaiters }
    urgent.open()
    #expect(await runs.values[0].report.isSuccess)
    #expect(recorder.notes == ["urgent", "patient", "refused"])
  }

  @Test(arguments: [Int.max, 1])
  func `a task does not wait for the end of its own body, nor for that of one that waits for it`(limit: Int)
    async throws
  {
    let recorder = Recorder()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "itself") { context in
          try context.center.destroy("itself")
          await context.center.destroyed("itself")
          recorder.note("itself")
        },
        .event(.beta, name: "sender") { context in
          await context.center.send(.gamma)
          recorder.note("sender")
        },
        .event(.gamma, name: "destroyer") { context in
          try context.center.destroy("sender")
          await context.center.destroyed("sender")
          recorder.note("destroyer")
        },
      ], limit: limit)
    await center.send(.alpha)
    await center.send(.beta)
    #expect(recorder.notes == ["itself", "destroyer", "sender"])
  }

  @Test func `a task that waits for the end of a destroyed one lends its slot`() async throws {
    let gate = Gate()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "deaf", priority: .high) { _ in await gate.pass() },
        .event(.alpha, name: "destroyer", priority: .default) { context in
          try context.center.destroy("deaf")
          await context.center.destroyed("deaf")
          #expect(context.center.usedSlots == 1)
        },
        .event(.alpha, name: "opener", priority: .low) { _ in gate.open() },
      ], limit: 2)
    #expect(
      await center.send(.alpha).outcomes == ["deaf": "succeeded", "destroyer": "succeeded", "opener": "succeeded"])
    #expect(center.usedSlots == 0)
  }

  @Test(.timeLimit(.minutes(15)), arguments: [Int.max, 2])
  func `what a task that has timed out waits for is known after its occurrence has ended`(limit: Int) async throws {
    let clock = VirtualClock()
    let (asks, answers) = (Gate(), Gate())
    let recorder = Recorder()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "asks", timeout: .seconds(5)) { context in
          asks.open()
          let output: Int = try await context.center.output(named: "answers")
          recorder.note("\(output)")
        },
        .event(
          .beta, name: "answers",
          returning: { context -> Int in
            await answers.pass()
            // Its body waits for this one.
            await context.center.destroyed("asks")
            recorder.note("returned")
            return 7
          }),
      ], limit: limit, clock: clock)
    let beta = center.begin(.beta)
    await answers.arrivals()
    let alpha = center.begin(.alpha)
    await asks.pass()
    await waitUntil { center.hasOutputWaiters }
    await clock.step(to: .seconds(5))
    #expect(await alpha.report.outcomes == ["asks": "timed out"])
    try center.destroy("asks")
    answers.open()
    #expect(await beta.report.isSuccess)
    #expect(await recorder.notes(2) == ["returned", "7"])
    await center.quiet()
    #expect(center.usedSlots == 0)
  }

  @Test(.timeLimit(.minutes(15)), arguments: [Int.max, 1])
  func `a task that a synchronous body leaves behind is not taken for who sent its event`(limit: Int) async throws {
    let sends = Values<Task<EventReport, Never>>()
    let gate = Gate()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "outer") { context in
          await context.center.send(.beta)
          await gate.pass()
        },
        .event(.beta, name: "inner") { context in
          guard sends.values.isEmpty else { return }
          let center = context.center
          sends.append(Task { await center.send(.alpha) })
        },
      ], limit: limit)
    let outer = center.begin(.alpha)
    await gate.arrivals()
    let isOver = Values<Bool>()
    let watch = Task {
      for send in sends.values { _ = await send.value }
      isOver.append(true)
    }
    await waitUntil { center.queueLength(of: "alpha") > 0 || !isOver.values.isEmpty }
    #expect(center.usedSlots == 1 || limit == .max)
    gate.open()
    #expect(await outer.report.isSuccess)
    await watch.value
    #expect(sends.values.count == 1)
    for send in sends.values { #expect(await send.value.status == .completed) }
  }

  @Test(.timeLimit(.minutes(15)), arguments: [Int.max, 2])
  func `a task that a body of the main actor leaves behind is not taken for what runs beside it`(limit: Int)
    async throws
  {
    let sends = Values<Task<EventReport, Never>>()
    let isOver = Values<Bool>()
    let gate = Gate()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "first") { _ in await Task.yield() },
        .event(.alpha, name: "beside", dependencies: ["first"]) { _ in await gate.pass() },
        .event(.alpha, name: "main", dependencies: ["first"]) { @MainActor context in
          guard sends.values.isEmpty else { return }
          let center = context.center
          sends.append(
            Task {
              defer { isOver.append(true) }
              return await center.send(.alpha)
            })
        },
      ], limit: limit)
    let run = center.begin(.alpha)
    await gate.arrivals()
    await waitUntil { center.queueLength(of: "alpha") > 0 || !isOver.values.isEmpty }
    gate.open()
    #expect(await run.report.isSuccess)
    for send in sends.values { #expect(await send.value.status == .completed) }
    #expect(sends.values.count == 1)
  }

  @Test(arguments: [Int.max, 2])
  func `an occurrence in which the one run of the waiting task is still to be passed over is not waited for`(limit: Int)
    async throws
  {
    let statuses = Values<EventReport.Status>()
    let runs = Values<EventRun>()
    let gate = Gate()
    let center = try TaskCenter.with(
      [
        .event(.beta, name: "long") { _ in await gate.pass() },
        .events([.alpha, .beta], name: "once", after: ["long"], runs: .once) { _ in
          statuses.append(await runs.values[0].report.status)
        },
        .event(.beta, name: "last", dependencies: ["once"]) { _ in },
      ], limit: limit)
    runs.append(center.begin(.beta))
    await gate.arrivals()
    let alpha = center.begin(.alpha)
    await waitUntil { !statuses.values.isEmpty || alpha.progress.ended > 0 }
    gate.open()
    #expect(await alpha.report.isSuccess)
    #expect(statuses.values.first.map { "\($0)".hasPrefix("refused") } == true, "\(statuses.values)")
    #expect(await runs.values[0].report.outcomes["last"] == "succeeded")
  }
}
