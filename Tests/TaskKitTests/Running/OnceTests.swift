import TaskKitTesting
import Testing

@testable import TaskKit

/// Events that happen once (R13) and tasks that run once (R54).
@Suite struct OnceTests {
  @Test func `an event that happens once runs its tasks once, another one each time, Rt9`() async throws {
    let recorder = Recorder()
    let center = try TaskCenter.with([
      .event(.opening, name: "once") { _ in recorder.note("once") },
      .event(.alpha, name: "often") { _ in recorder.note("often") },
    ])
    #expect(await center.send(.opening).status == .completed)
    let second = await center.send(.opening)
    #expect(second.status == .alreadyHappened)
    #expect(second.tasks.isEmpty)
    #expect(second.duration == .zero)
    #expect(second.description == "opening: already happened, and happens once")
    for _ in 0..<3 { await center.send(.alpha) }
    #expect(recorder.notes == ["once", "often", "often", "often"])
  }

  @Test func `the second send of a once-only event that is running returns at once`() async throws {
    let gate = Gate()
    let center = try TaskCenter.with([.event(.opening, name: "once") { _ in await gate.pass() }])
    let run = center.begin(.opening)
    await gate.arrivals()
    #expect(await center.send(.opening).status == .alreadyHappened)
    #expect(await center.begin(.opening).report.status == .alreadyHappened)
    gate.open()
    #expect(await run.report.isSuccess)
  }

  @Test func `once means once in each center`() async throws {
    for _ in 0..<2 {
      let center = try TaskCenter.with([.event(.opening, name: "once") { _ in }])
      #expect(await center.send(.opening).outcomes == ["once": "succeeded"])
    }
  }

  @Test func `the launch events happen once`() async throws {
    let center = TaskCenter()
    #expect(await center.send(.willFinishLaunching, LaunchOptions()).status == .completed)
    #expect(await center.send(.didFinishLaunching, LaunchOptions()).status == .completed)
    #expect(await center.send(.willFinishLaunching, LaunchOptions()).status == .alreadyHappened)
    #expect(await center.send(.didFinishLaunching, LaunchOptions()).status == .alreadyHappened)
    #expect(await center.send(.didBecomeActive).status == .completed)
    #expect(await center.send(.didBecomeActive).status == .completed)
  }

  @Test func `a task that runs once runs at the first of two occurrences, and its name is free, Rt29`() async throws {
    let recorder = Recorder()
    let center = try TaskCenter.with([
      .event(.alpha, name: "once", runs: .once) { _ in recorder.note("once") },
      .event(.alpha, name: "often") { _ in },
    ])
    // Both in the same turn.
    let runs = [center.begin(.alpha), center.begin(.alpha)]
    #expect(await runs[0].report.outcomes == ["once": "succeeded", "often": "succeeded"])
    #expect(await runs[1].report.outcomes == ["often": "succeeded"])
    #expect(recorder.notes == ["once"])
    #expect(throws: TaskError.self) { try center.pause("once") }
    try center.inject(.event(.alpha, name: "once", runs: .once) { _ in recorder.note("again") })
    await center.send(.alpha)
    #expect(recorder.notes == ["once", "again"])
  }

  @Test func `one that others depend on stays, and counts as it ended`() async throws {
    let recorder = Recorder()
    let center = try TaskCenter.with([
      .event(
        .alpha, name: "once", runs: .once,
        returning: { _ -> Int in
          recorder.note("once")
          return 7
        }),
      .event(.alpha, name: "needy", dependencies: ["once"]) { context in
        recorder.note("\(try context.output(named: "once", as: Int.self))")
      },
    ])
    #expect(await center.send(.alpha).outcomes == ["once": "succeeded", "needy": "succeeded"])
    let second = await center.send(.alpha)
    #expect(second.outcomes == ["once": "skipped: already ran", "needy": "succeeded"])
    #expect(second.isSuccess)
    #expect(recorder.notes == ["once", "7", "7"])
    let successor = TaskDefinition.event(.alpha, name: "once") { _ in }
    #expect(throws: TaskGraphError.self) { try center.inject(successor) }
  }

  @Test func `one that failed counts as failed ever after`() async throws {
    let center = try TaskCenter.with([
      .event(.alpha, name: "once", runs: .once) { _ in throw Broken() },
      .event(.alpha, name: "needy", dependencies: ["once"]) { _ in },
    ])
    await center.send(.alpha)
    #expect(
      await center.send(.alpha).outcomes == [
        "once": "skipped: already ran", "needy": "skipped: 'once' did not end well",
      ])
  }

  @Test func `an occurrence in which it did not start does not count`() async throws {
    let recorder = Recorder()
    let center = try TaskCenter.with([.event(.alpha, name: "once", runs: .once) { _ in recorder.note("once") }])
    try center.pause("once")
    #expect(await center.send(.alpha).outcomes == ["once": "skipped: paused"])
    try center.resume("once")
    #expect(await center.send(.alpha).outcomes == ["once": "succeeded"])
    #expect(await center.send(.alpha).outcomes == [:])
    #expect(recorder.notes == ["once"])
  }

  @Test func `one whose only run was cancelled has run`() async throws {
    let gate = Gate()
    let center = try TaskCenter.with([
      .event(.alpha, name: "once", runs: .once) { _ in try await gate.passUnlessCancelled() }
    ])
    let run = center.begin(.alpha)
    await gate.arrivals()
    run.cancel()
    #expect(await run.report.outcomes == ["once": "cancelled"])
    #expect(await center.send(.alpha).outcomes == [:])
  }

  @Test func `retries belong to the one run`() async throws {
    let recorder = Recorder()
    let center = try TaskCenter.with([
      .event(.alpha, name: "once", retry: .attempts(3), runs: .once) { context in
        recorder.note("\(context.attempt)")
        if context.attempt < 3 { throw Broken() }
      }
    ])
    #expect(await center.send(.alpha).outcomes == ["once": "succeeded"])
    #expect(await center.send(.alpha).outcomes == [:])
    #expect(recorder.notes == ["1", "2", "3"])
  }

  @Test func `its name is free again when the last task that depends on it has gone`() async throws {
    let center = try TaskCenter.with([
      .event(.alpha, name: "once", runs: .once) { _ in },
      .event(.alpha, name: "needy", dependencies: ["once"]) { _ in },
    ])
    await center.send(.alpha)
    try center.destroy("needy")
    #expect(await center.send(.alpha).outcomes == [:])
    try center.inject(.event(.alpha, name: "once") { _ in })
  }

  @Test func `an occurrence that has not come to it tells that it has already run`() async throws {
    let gate = Gate()
    let center = try TaskCenter.with([
      .events([.alpha, .beta], name: "once", after: ["slow"], runs: .once, returning: { _ in }),
      .event(.beta, name: "slow") { _ in await gate.pass() },
    ])
    let beta = center.begin(.beta)
    await gate.arrivals()
    #expect(await center.send(.alpha).isSuccess)
    gate.open()
    #expect(await beta.report.outcomes == ["once": "skipped: already ran", "slow": "succeeded"])
  }

  @Test func `one that runs at one event is waited for at another one`() async throws {
    let gate = Gate()
    let recorder = Recorder()
    let center = try TaskCenter.with([
      .events(
        [.alpha, .beta], name: "once", runs: .once,
        returning: { _ in
          await gate.pass()
          recorder.note("once")
        }),
      .event(.beta, name: "needy", dependencies: ["once"]) { _ in recorder.note("needy") },
      .event(.beta, name: "free") { _ in recorder.note("free") },
    ])
    let alpha = center.begin(.alpha)
    await gate.arrivals()
    let beta = center.begin(.beta)
    #expect(await recorder.notes(1) == ["free"])
    gate.open()
    #expect(
      await beta.report.outcomes == ["once": "skipped: already ran", "needy": "succeeded", "free": "succeeded"])
    #expect(await alpha.report.isSuccess)
    #expect(recorder.notes == ["free", "once", "needy"])
  }

  @Test func `one that has run well at an event that goes on counts as that at another one`() async throws {
    let gate = Gate()
    let center = try TaskCenter.with([
      .events([.alpha, .beta], name: "once", runs: .once, returning: { _ in }),
      .event(.alpha, name: "slow", after: ["once"]) { _ in await gate.pass() },
      .event(.beta, name: "needy", dependencies: ["once"]) { _ in },
    ])
    let alpha = center.begin(.alpha)
    await gate.arrivals()
    #expect(await center.send(.beta).outcomes == ["once": "skipped: already ran", "needy": "succeeded"])
    gate.open()
    #expect(await alpha.report.isSuccess)
  }

  /// It has left when it is destroyed, and has no second time to leave when its body has returned.
  @Test(arguments: [Int.max, 2])
  func `one that is destroyed or replaced while it runs leaves once`(limit: Int) async throws {
    for replaces in [false, true] {
      let gate = Gate()
      let once = TaskDefinition.event(.alpha, name: "once", runs: .once) { _ in await gate.pass() }
      let center = try TaskCenter.with([once], limit: limit)
      let run = center.begin(.alpha)
      await gate.arrivals()
      let events = center.events.makeAsyncIterator()
      if replaces { try center.inject(once, replacing: true) } else { try center.destroy("once") }
      gate.open()
      _ = await run.report
      #expect(await events.words(until: "eventEnded alpha").count { $0 == "taskDestroyed once" } == 1)
    }
  }

  @Test(arguments: [Int.max, 2])
  func `one that runs is not run again, whatever became of it meanwhile at another event`(limit: Int) async throws {
    let gate = Gate()
    let recorder = Recorder()
    let center = try TaskCenter.with(
      [
        .events(
          [.alpha, .beta, .gamma], name: "once", runs: .once,
          returning: { _ in
            recorder.note("once")
            await gate.pass()
          })
      ], limit: limit)
    let alpha = center.begin(.alpha)
    await gate.arrivals()
    let beta = center.begin(.beta)
    beta.cancel()
    #expect(await beta.report.outcomes == ["once": "cancelled"])
    let gamma = center.begin(.gamma)
    gate.open()
    #expect(await alpha.report.outcomes == ["once": "succeeded"])
    #expect(await gamma.report.outcomes == ["once": "skipped: already ran"])
    #expect(recorder.notes == ["once"])
  }

  @Test(arguments: [Int.max, 1])
  func `what its one run came to counts, whatever became of it meanwhile at another event`(limit: Int) async throws {
    let (gate, other) = (Gate(), Gate())
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "slow") { _ in await other.pass() },
        .events(
          [.alpha, .beta], name: "once", after: ["slow"], runs: .once,
          returning: { _ in
            await gate.pass()
            return 7
          }),
        .event(.gamma, name: "needy", dependencies: ["once"]) { _ in },
      ], limit: limit)
    let alpha = center.begin(.alpha)
    await other.arrivals()
    // Skipped before its run begins, and cancelled while it goes on.
    try center.pause("once")
    if limit > 1 { #expect(await center.send(.beta).outcomes == ["once": "skipped: paused"]) }
    try center.resume("once")
    other.open()
    await gate.arrivals()
    let beta = center.begin(.beta)
    beta.cancel()
    #expect(await beta.report.outcomes == ["once": "cancelled"])
    gate.open()
    #expect(await alpha.report.isSuccess)
    #expect(await center.send(.gamma).outcomes == ["needy": "succeeded"])
    #expect(try await center.output(named: "once", as: Int.self) == 7)
  }

  @Test(arguments: [Int.max, 2])
  func `one that is switched off at one event and runs at another does not run at a third`(limit: Int) async throws {
    let (gate, slow) = (Gate(), Gate())
    let recorder = Recorder()
    let center = try TaskCenter.with(
      [
        .events(
          [.alpha, .beta, .gamma], name: "once", runs: .once,
          returning: { _ in
            recorder.note("asked")
            if recorder.notes.count == 1 { throw TaskDisabled() }
            await gate.pass()
          }),
        .event(.alpha, name: "slow", after: ["once"]) { _ in await slow.pass() },
      ], limit: limit)
    let alpha = center.begin(.alpha)
    await slow.arrivals()
    let beta = center.begin(.beta)
    await gate.arrivals()
    slow.open()
    #expect(await alpha.report.outcomes == ["once": "skipped: disabled", "slow": "succeeded"])
    let gamma = center.begin(.gamma)
    gate.open()
    #expect(await beta.report.outcomes == ["once": "succeeded"])
    #expect(await gamma.report.outcomes == ["once": "skipped: already ran"])
    #expect(recorder.notes == ["asked", "asked"])
  }

  @Test(arguments: [Int.max, 1], [nil, Lane("line")])
  func `one whose next attempt waits for its turn does not run at another event`(limit: Int, lane: Lane?) async throws {
    let (gate, inLane) = (Gate(), Gate())
    let attempts = Recorder()
    let center = try TaskCenter.with(
      [
        TaskDefinition(
          registration: TaskRegistration(
            name: "once", location: TaskLocation("Tests/Once.swift", 1, 1),
            occasions: [LifecycleEvent.alpha, .beta].map { event in
              TaskOccasion(event, in: lane) { (context: TaskContext<Void>) in
                attempts.note("\(context.attempt)")
                guard context.attempt == 1 else { return }
                await gate.pass()
                throw Broken()
              }
            }, priority: .default, dependencies: [], after: [], timeout: nil, retry: .attempts(2),
            onFailure: .skipDependents, runs: .once, lane: lane)),
        // At beta it is more urgent than at alpha.
        .event(.beta, name: "urgent", priority: .critical, dependencies: ["once"]) { _ in },
        .event(.gamma, name: "other", priority: .critical, lane: lane) { _ in await inLane.pass() },
      ], limit: limit)
    let alpha = center.begin(.alpha)
    await gate.arrivals()
    let beta = center.begin(.beta)
    let gamma = lane == nil ? nil : center.begin(.gamma)
    for _ in 0..<100 { await Task.yield() }
    gate.open()
    if gamma != nil {
      await inLane.arrivals()
      inLane.open()
    }
    #expect(await alpha.report.outcomes == ["once": "succeeded"])
    #expect(await beta.report.outcomes == ["once": "skipped: already ran", "urgent": "succeeded"])
    _ = await gamma?.report
    #expect(attempts.notes == ["1", "2"])
  }

  @Test(arguments: [Int.max, 2])
  func `what its one run came to counts also while another event goes on that could not run it`(limit: Int) async throws
  {
    let (gate, deaf) = (Gate(), Gate())
    let center = try TaskCenter.with(
      [
        .events(
          [.alpha, .beta], name: "once", runs: .once,
          returning: { _ in
            await gate.pass()
            return 7
          }),
        .event(.beta, name: "deaf") { _ in await deaf.pass() },
        .event(.gamma, name: "needy", dependencies: ["once"]) { _ in },
      ], limit: limit)
    let alpha = center.begin(.alpha)
    await gate.arrivals()
    let beta = center.begin(.beta)
    await deaf.arrivals()
    beta.cancel()
    async let output = center.output(named: "once", as: Int.self)
    for _ in 0..<100 { await Task.yield() }
    gate.open()
    #expect(try await output == 7)
    #expect(await alpha.report.isSuccess)
    #expect(await center.send(.gamma).outcomes == ["needy": "succeeded"])
    #expect(try await center.output(named: "once", as: Int.self) == 7)
    deaf.open()
    #expect(await beta.report.outcomes == ["once": "cancelled", "deaf": "succeeded"])
    #expect(await center.send(.gamma).outcomes == ["needy": "succeeded"])
  }

  @Test func `what has ended counts for an occurrence that begins because a task of the same one ran once`()
    async throws
  {
    let (slow, other) = (Gate(), Gate())
    let rounds = Values<Void>()
    let center = try TaskCenter.with([
      .event(.gamma, name: "base") { _ in
        rounds.append(())
        if rounds.values.count == 2 { await other.pass() }
      },
      .events([.alpha, .beta], name: "once", dependencies: ["base"], runs: .once, returning: { _ in }),
      .event(.alpha, name: "slow") { _ in await slow.pass() },
    ])
    await center.send(.gamma)
    let alpha = center.begin(.alpha)
    await slow.arrivals()
    await waitUntil { alpha.progress.ended == 1 }
    let gamma = center.begin(.gamma)
    await other.arrivals()
    // Its 'once' waits for 'base', so the next one of its event is queued.
    let first = center.begin(.beta)
    try center.inject(.event(.beta, name: "needy", dependencies: ["slow"]) { _ in })
    let second = center.begin(.beta)
    slow.open()
    #expect(await alpha.report.isSuccess)
    #expect(await first.report.outcomes == ["once": "skipped: already ran"])
    #expect(await second.report.outcomes == ["needy": "succeeded"])
    other.open()
    #expect(await gamma.report.isSuccess)
  }
}
