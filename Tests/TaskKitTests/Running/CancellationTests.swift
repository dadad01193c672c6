import Foundation
import TaskKit
import TaskKitTesting
import Testing

/// Cancellation of a send and of a run (DESIGN 5 and 7).
@Suite struct CancellationTests {
  /// A task that waits for a gate, one that needs it, one that only comes after it.
  private func definitions(_ gate: Gate) -> [TaskDefinition] {
    [
      .event(.alpha, name: "busy") { _ in try await gate.passUnlessCancelled() },
      .event(.alpha, name: "needy", dependencies: ["busy"]) { _ in },
      .event(.alpha, name: "polite", after: ["busy"]) { _ in },
    ]
  }

  private static let allCancelled = ["busy": "cancelled", "needy": "cancelled", "polite": "cancelled"]

  @Test(arguments: [Int.max, 1])
  func `a send whose task is cancelled cancels what runs, and what has not started never does`(limit: Int)
    async throws
  {
    let gate = Gate()
    let center = try TaskCenter.with(definitions(gate), limit: limit)
    let send = Task { await center.send(.alpha) }
    await gate.arrivals()
    send.cancel()
    let report = await send.value
    #expect(report.status == .cancelled)
    #expect(report.outcomes == CancellationTests.allCancelled)
    #expect(report["busy"]?.attempts == 1)
    #expect(report["needy"]?.attempts == 0)
    #expect(center.usedSlots == 0)
    // The center goes on.
    gate.open()
    #expect(await center.send(.alpha).isSuccess)
  }

  @Test(arguments: [Int.max, 1])
  func `what a body throws after it was told to end is told, and is in the report`(limit: Int) async throws {
    let gate = Gate()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "broken") { _ in
          do { try await gate.passUnlessCancelled() } catch { throw Broken() }
        },
        .event(.beta, name: "obedient") { _ in try await gate.passUnlessCancelled() },
      ], limit: limit)
    let events = center.events.makeAsyncIterator()
    let run = center.begin(.alpha)
    await gate.arrivals()
    run.cancel()
    let report = await run.report
    #expect(report.outcomes == ["broken": "cancelled"])
    #expect(report["broken"]?.errorAfterCancellation is Broken)
    #expect(report.description.contains("cancelled (threw: broken)"))
    #expect(
      await events.words(until: "eventEnded alpha") == [
        "eventStarted alpha", "taskStarted broken", "taskThrewAfterCancellation broken: broken",
        "taskEnded broken: cancelled", "eventEnded alpha",
      ])
    let decoded = try JSONDecoder().decode(EventReport.self, from: JSONEncoder().encode(report))
    #expect(decoded.outcomes == report.outcomes)
    #expect(decoded["broken"]?.errorAfterCancellation.map { "\($0)" } == "broken")
    // That it was cancelled is nothing that need be told.
    let other = center.begin(.beta)
    await gate.arrivals(2)
    other.cancel()
    #expect(await other.report["obedient"]?.errorAfterCancellation.map { "\($0)" } == nil)
    #expect(
      await events.words(until: "eventEnded beta") == [
        "eventStarted beta", "taskStarted obedient", "taskEnded obedient: cancelled", "eventEnded beta",
      ])
  }

  @Test func `a run that is cancelled does the same, once`() async throws {
    let gate = Gate()
    let center = try TaskCenter.with(definitions(gate))
    let run = center.begin(.alpha)
    await gate.arrivals()
    run.cancel()
    run.cancel()
    let report = await run.report
    #expect(report.status == .cancelled)
    #expect(report.outcomes == CancellationTests.allCancelled)
    run.cancel()
    #expect(await run.report.status == .cancelled)
  }

  @Test(arguments: [Int.max, 20_000])
  func `very many bodies that are cancelled together all end, and give back their slots`(limit: Int) async throws {
    let count = 20_000
    let gate = Gate()
    let center = try TaskCenter.with(
      (0..<count).map { number in
        .event(.alpha, name: TaskName("\(number)")) { _ in try await gate.passUnlessCancelled() }
      }, limit: limit)
    let run = center.begin(.alpha)
    await gate.arrivals(count)
    run.cancel()
    #expect(await run.report.tasks.count { $0.outcome.description == "cancelled" } == count)
    await center.quiet()
    #expect(center.usedSlots == 0)
  }

  @Test func `the report comes when the bodies have returned`() async throws {
    let gate = Gate()
    let recorder = Recorder()
    let center = try TaskCenter.with([
      .event(.alpha, name: "deaf") { _ in
        await gate.pass()
        recorder.note("returned")
      }
    ])
    let run = center.begin(.alpha)
    await gate.arrivals()
    run.cancel()
    #expect(run.progress.ended == 0)
    gate.open()
    let report = await run.report
    #expect(recorder.notes == ["returned"])
    // It heeded nothing and succeeded.
    #expect(report.outcomes == ["deaf": "succeeded"])
    #expect(report.status == .cancelled)
  }

  @Test(arguments: [Int.max, 1])
  func `a send from a task that is cancelled already runs nothing`(limit: Int) async throws {
    let recorder = Recorder()
    let gate = Gate()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "synchronous", priority: .low) { _ in recorder.note("synchronous") },
        .event(.alpha, name: "needy", dependencies: ["asynchronous"]) { _ in recorder.note("needy") },
        .event(.alpha, name: "asynchronous") { _ in try await gate.passUnlessCancelled() },
      ], limit: limit)
    let send = Task {
      await gate.arrivals()
      return await center.send(.alpha)
    }
    send.cancel()
    // Lets the sender, cancelled by now, come to its send.
    async let pass: Void = gate.passUnlessCancelled()
    let report = await send.value
    gate.open()
    _ = try await pass
    #expect(report.status == .cancelled)
    #expect(report.outcomes["needy"] == "cancelled")
    #expect(report.outcomes["asynchronous"] == "cancelled")
    #expect(recorder.notes.isEmpty)
  }

  @Test func `a send inside a task is cancelled with it`() async throws {
    let never = Gate()
    let inner = Values<EventReport>()
    let center = try TaskCenter.with([
      .event(.alpha, name: "outer") { context in
        let report = await context.center.send(.beta)
        inner.append(report)
        try Task.checkCancellation()
      },
      .event(.beta, name: "inner") { _ in try await never.passUnlessCancelled() },
    ])
    let run = center.begin(.alpha)
    await never.arrivals()
    run.cancel()
    #expect(await run.report.outcomes == ["outer": "cancelled"])
    #expect(inner.values.first?.status == .cancelled)
    #expect(inner.values.first?.outcomes == ["inner": "cancelled"])
  }

  @Test func `another event that needs a cancelled task is told`() async throws {
    let gate = Gate()
    let center = try TaskCenter.with(
      definitions(gate) + [.event(.beta, name: "foreign", dependencies: ["needy"]) { _ in }])
    let run = center.begin(.alpha)
    await gate.arrivals()
    let beta = center.begin(.beta)
    run.cancel()
    #expect(await beta.report.outcomes == ["foreign": "skipped: 'needy' did not end well"])
    _ = await run.report
  }

  @Test(arguments: [Int.max, 2])
  func `a run may be over by what its cancellation ends elsewhere`(limit: Int) async throws {
    let gate = Gate()
    let center = try TaskCenter.with(
      [
        .event(.gamma, name: "slow") { _ in await gate.pass() },
        .events([.gamma, .beta], name: "once", after: ["slow"], runs: .once) { _ in },
        .event(.gamma, name: "middle", after: ["once"]) { _ in },
        .event(.beta, name: "needy", dependencies: ["middle"]) { _ in },
      ], limit: limit)
    let gamma = center.begin(.gamma)
    await gate.arrivals()
    // Waits for 'once' in the occurrence that is going, and 'needy' waits for it.
    let single = Task { try await center.run("middle") }
    await waitUntil { center.activeRuns == 2 }
    let beta = center.begin(.beta)
    await waitUntil { beta.progress.ended == 1 }
    // Without it 'beta' is over, with that the life of 'once', and with that everything that 'middle' has waited for.
    single.cancel()
    let report = try await single.value
    #expect(report.status == .cancelled)
    #expect(report.outcomes == ["middle": "cancelled"])
    #expect(await beta.report.outcomes == ["once": "succeeded", "needy": "skipped: 'middle' did not end well"])
    gate.open()
    #expect(
      await gamma.report.outcomes == ["slow": "succeeded", "once": "skipped: already ran", "middle": "succeeded"])
    await center.quiet()
    #expect(center.usedSlots == 0)
  }

  @Test func `cancelling one occurrence does not touch the next`() async throws {
    let gate = Gate()
    let center = try TaskCenter.with(definitions(gate))
    let first = center.begin(.alpha)
    let second = center.begin(.alpha)
    await gate.arrivals()
    first.cancel()
    #expect(await first.report.status == .cancelled)
    gate.open()
    #expect(await second.report.isSuccess)
  }

  @Test func `a body that throws a cancellation of its own is cancelled, and the event is not`() async throws {
    let center = try TaskCenter.with([
      .event(.alpha, name: "gives up") { _ in throw CancellationError() },
      .event(.alpha, name: "needy", dependencies: ["gives up"]) { _ in },
    ])
    let report = await center.send(.alpha)
    #expect(report.status == .completed)
    #expect(report.outcomes == ["gives up": "cancelled", "needy": "skipped: 'gives up' did not end well"])
  }

  @Test func `of two workers only the one whose task is meant is cancelled`() async throws {
    let (first, second) = (Gate(), Gate())
    let center = try TaskCenter.with([
      .event(.alpha, name: "destroyed") { _ in try await first.passUnlessCancelled() },
      .event(.alpha, name: "left alone") { _ in try await second.passUnlessCancelled() },
      .event(.alpha, name: "later", after: ["destroyed"]) { _ in try Task.checkCancellation() },
    ])
    let run = center.begin(.alpha)
    await first.arrivals()
    await second.arrivals()
    try center.destroy("destroyed")
    await center.destroyed("destroyed")
    second.open()
    #expect(
      await run.report.outcomes == ["destroyed": "cancelled", "left alone": "succeeded", "later": "succeeded"])
  }
}
