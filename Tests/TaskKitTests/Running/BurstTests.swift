import TaskKit
import Testing

/// The same event sent again while it runs (DESIGN 7).
@Suite struct BurstTests {
  /// A center whose one task notes each payload, and holds the first occurrence at a gate.
  private func center(_ event: LifecycleEvent<String, Void>, _ recorder: Recorder, _ gate: Gate) throws -> TaskCenter {
    try TaskCenter.with([
      .event(event, name: "task") { context in
        recorder.note(context.payload)
        if context.payload == "first" { await gate.pass() }
      }
    ])
  }

  @Test func `sends of a running event wait behind it, in order, and each gets a report of its own, At11`() async throws
  {
    let (recorder, gate) = (Recorder(), Gate())
    let event = LifecycleEvent<String, Void>("message")
    let center = try center(event, recorder, gate)
    let first = center.begin(event, "first")
    await gate.arrivals()
    let others = ["second", "third", "fourth"].map { center.begin(event, $0) }
    #expect(!first.isQueued)
    #expect(others.allSatisfy { $0.isQueued })
    #expect(recorder.notes == ["first"])
    #expect(others[0].progress.total == 1)
    #expect(others[0].progress.fraction == 0)
    gate.open()
    for run in [first] + others {
      let report = await run.report
      #expect(report.status == .completed)
      #expect(report.outcomes == ["task": "succeeded"])
    }
    #expect(recorder.notes == ["first", "second", "third", "fourth"])
  }

  @Test func `waiting sends of a coalescing event become one, with the newest payload and one report for all`()
    async throws
  {
    let (recorder, gate) = (Recorder(), Gate())
    let event = LifecycleEvent<String, Void>("message", burst: .coalesce)
    let center = try center(event, recorder, gate)
    let first = center.begin(event, "first")
    await gate.arrivals()
    let others = ["second", "third", "fourth"].map { center.begin(event, $0) }
    gate.open()
    for run in [first] + others {
      let report = await run.report
      #expect(report.outcomes == ["task": "succeeded"])
    }
    #expect(recorder.notes == ["first", "fourth"])
    #expect(try center.statistics(of: "task").count == 2)
  }

  @Test func `a coalesced send that is cancelled takes nothing from the others`() async throws {
    let (recorder, gate) = (Recorder(), Gate())
    let event = LifecycleEvent<String, Void>("message", burst: .coalesce)
    let center = try center(event, recorder, gate)
    center.begin(event, "first")
    await gate.arrivals()
    let second = center.begin(event, "second")
    let third = center.begin(event, "third")
    second.cancel()
    second.cancel()
    gate.open()
    #expect(await third.report.status == .completed)
    #expect(await second.report.status == .completed)
    #expect(recorder.notes == ["first", "third"])
  }

  @Test func `coalesced sends that are all cancelled never run`() async throws {
    let (recorder, gate) = (Recorder(), Gate())
    let event = LifecycleEvent<String, Void>("message", burst: .coalesce)
    let center = try center(event, recorder, gate)
    center.begin(event, "first")
    await gate.arrivals()
    let others = ["second", "third"].map { center.begin(event, $0) }
    for run in others { run.cancel() }
    for run in others { #expect(await run.report.status == .cancelled) }
    gate.open()
    await center.quiet()
    #expect(recorder.notes == ["first"])
  }

  @Test func `a dropping event does not run what comes while it is going, and says so`() async throws {
    let (recorder, gate) = (Recorder(), Gate())
    let event = LifecycleEvent<String, Void>("message", burst: .drop)
    let center = try center(event, recorder, gate)
    let first = center.begin(event, "first")
    await gate.arrivals()
    let report = await center.send(event, "second")
    #expect(report.status == .dropped)
    #expect(report.tasks.isEmpty)
    #expect(report.description == "message: dropped, an earlier one was still going")
    gate.open()
    _ = await first.report
    #expect(await center.send(event, "third").status == .completed)
    #expect(recorder.notes == ["first", "third"])
  }

  @Test func `a dropped payload is not the latest one`() async throws {
    let (recorder, gate) = (Recorder(), Gate())
    let event = LifecycleEvent<String, Void>("message", burst: .drop)
    let center = try center(event, recorder, gate)
    let first = center.begin(event, "first")
    await gate.arrivals()
    await center.send(event, "dropped")
    gate.open()
    _ = await first.report
    try await center.run("task")
    #expect(recorder.notes == ["first", "first"])
  }

  @Test func `a queued send that is cancelled never runs, and the next one does`() async throws {
    let (recorder, gate) = (Recorder(), Gate())
    let event = LifecycleEvent<String, Void>("message")
    let center = try center(event, recorder, gate)
    center.begin(event, "first")
    await gate.arrivals()
    let second = center.begin(event, "second")
    let third = center.begin(event, "third")
    second.cancel()
    let report = await second.report
    #expect(report.status == .cancelled)
    #expect(report.outcomes == ["task": "cancelled"])
    gate.open()
    #expect(await third.report.status == .completed)
    #expect(recorder.notes == ["first", "third"])
  }

  @Test func `different events do not wait for each other`() async throws {
    let gate = Gate()
    let center = try TaskCenter.with([
      .event(.alpha, name: "a") { _ in await gate.pass() },
      .event(.beta, name: "b") { _ in gate.open() },
    ])
    let run = center.begin(.alpha)
    #expect(await center.send(.beta).isSuccess)
    #expect(await run.report.isSuccess)
  }

  @Test(arguments: [1, 1000])
  func `a long queue of occurrences that are over at once is worked off, however long it is`(thousands: Int)
    async throws
  {
    let gate = Gate()
    let center = try TaskCenter.with([.event(.alpha, name: "once", runs: .once) { _ in await gate.pass() }])
    center.begin(.alpha)
    await gate.arrivals()
    // Nothing is left to run when their turn comes, so each ends as it starts.
    let runs = (0..<thousands * 20).map { _ in center.begin(.alpha) }
    gate.open()
    for run in runs { _ = await run.report }
    #expect(await center.send(.alpha).tasks.isEmpty)
  }
}
