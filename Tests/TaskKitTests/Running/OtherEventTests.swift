@testable import TaskKit
import TaskKitTesting
import Testing

/// Dependencies on tasks of other events (law of order, rule 5, Rt7, Rt8).
@Suite struct OtherEventTests {
  @Test func `if the other event was never sent, the dependent is skipped and says so`() async throws {
    let center = try TaskCenter.with([
      .event(.beta, name: "other") { _ in },
      .event(.alpha, name: "needy", dependencies: ["other"]) { _ in },
      .event(.alpha, name: "needier", dependencies: ["needy"]) { _ in },
      .event(.alpha, name: "free") { _ in },
    ])
    #expect(
      await center.send(.alpha).outcomes == [
        "needy": "skipped: 'other' has not run yet",
        "needier": "skipped: 'other' did not end well", "free": "succeeded",
      ])
    await center.send(.beta)
    #expect(await center.send(.alpha).isSuccess)
  }

  @Test func `its latest occurrence counts`() async throws {
    let fails = Values<Bool>()
    let center = try TaskCenter.with([
      .event(.beta, name: "other") { _ in if fails.values.last == true { throw Broken() } },
      .event(.alpha, name: "needy", dependencies: ["other"]) { _ in },
    ])
    for (doesFail, outcome) in [
      (false, "succeeded"), (true, "skipped: 'other' did not end well"), (false, "succeeded"),
    ] {
      fails.append(doesFail)
      await center.send(.beta)
      #expect(await center.send(.alpha).outcomes == ["needy": outcome])
      #expect(await center.send(.alpha).outcomes == ["needy": outcome])
    }
  }

  @Test func `a failure that is to be ignored counts as its end`() async throws {
    let center = try TaskCenter.with([
      .event(.beta, name: "other", onFailure: .ignore) { _ in throw Broken() },
      .event(.alpha, name: "needy", dependencies: ["other"]) { _ in },
    ])
    await center.send(.beta)
    #expect(await center.send(.alpha).outcomes == ["needy": "succeeded"])
  }

  @Test(arguments: [(true, Int.max), (false, Int.max), (true, 2), (false, 2)])
  func `while it is running it is waited for`(succeeds: Bool, limit: Int) async throws {
    let gate = Gate()
    let recorder = Recorder()
    let center = try TaskCenter.with(
      [
        .event(
          .beta, name: "other",
          returning: { _ -> Int in
            await gate.pass()
            recorder.note("other")
            if !succeeds { throw Broken() }
            return 7
          }),
        .event(.alpha, name: "needy", dependencies: ["other"]) { context in
          let output: Int = try context.output(named: "other")
          recorder.note("needy \(output)")
        },
        .event(.alpha, name: "free") { _ in recorder.note("free") },
      ], limit: limit)
    let beta = center.begin(.beta)
    await gate.arrivals()
    let alpha = center.begin(.alpha)
    #expect(await recorder.notes(1) == ["free"])
    gate.open()
    let outcome = succeeds ? "succeeded" : "skipped: 'other' did not end well"
    #expect(await alpha.report.outcomes == ["needy": outcome, "free": "succeeded"])
    #expect(recorder.notes == ["free", "other"] + (succeeds ? ["needy 7"] : []))
    _ = await beta.report
  }

  @Test func `of a running event, a task that has ended is not waited for`() async throws {
    let gate = Gate()
    let center = try TaskCenter.with([
      .event(.beta, name: "quick") { _ in },
      .event(.beta, name: "slow", after: ["quick"]) { _ in await gate.pass() },
      .event(.alpha, name: "needy", dependencies: ["quick"]) { _ in },
    ])
    let beta = center.begin(.beta)
    await gate.arrivals()
    #expect(await center.send(.alpha).outcomes == ["needy": "succeeded"])
    gate.open()
    #expect(await beta.report.isSuccess)
  }

  @Test func `an edge inside the same occurrence wins over one to another event`() async throws {
    let recorder = Recorder()
    // 'both' belongs to two events; in alpha, its own run in alpha counts, though its run in beta failed.
    let both = TaskDefinition(
      registration: TaskRegistration(
        name: "both", location: TaskLocation("Tests/Both.swift", 1, 1),
        occasions: [
          TaskOccasion(.alpha, __run: { recorder.note("alpha") }),
          TaskOccasion(.beta, __run: { throw Broken() }),
        ], priority: .low, dependencies: [], after: [], timeout: nil, retry: .never, onFailure: .skipDependents,
        runs: .always, lane: nil))
    let center = try TaskCenter.with([
      both, .event(.alpha, name: "needy", priority: .critical, dependencies: ["both"]) { _ in recorder.note("needy") },
    ])
    #expect(await center.send(.beta).outcomes == ["both": "failed: broken"])
    #expect(await center.send(.alpha).outcomes == ["both": "succeeded", "needy": "succeeded"])
    #expect(recorder.notes == ["alpha", "needy"])
  }

  @Test func `a task bound to two events runs once per occurrence of each, Rt8`() async throws {
    let recorder = Recorder()
    let both = TaskRegistration(
      __name: "Tests.Both", type: OtherEventTests.self, collected: (), at: TaskLocation("Tests/Both.swift", 1, 1),
      occasions: [
        TaskOccasion(.alpha, __run: { recorder.note("alpha") }), TaskOccasion(.beta, __run: { recorder.note("beta") }),
      ])
    let center = TaskCenter(registry: try TaskRegistry(tasks: [both]), time: .virtual(VirtualClock()))
    await center.send(.alpha)
    await center.send(.beta)
    await center.send(.beta)
    await center.send(.alpha)
    #expect(recorder.notes == ["alpha", "beta", "beta", "alpha"])
    #expect(try center.statistics(of: "Both").count == 4)
  }

  @Test(arguments: [false, true])
  func `one dependency that has failed does not hide another that is to be waited for`(otherFails: Bool) async throws {
    let gate = Gate()
    let recorder = Recorder()
    let center = try TaskCenter.with([
      .event(.beta, name: "failed") { _ in throw Broken() },
      .event(.gamma, name: "running") { _ in
        await gate.pass()
        recorder.note("running")
        if otherFails { throw Broken() }
      },
      .event(.alpha, name: "first", dependencies: ["failed"]) { _ in },
      .event(.alpha, name: "second", dependencies: ["running"], after: ["first"]) { _ in recorder.note("second") },
    ])
    await center.send(.beta)
    let gamma = center.begin(.gamma)
    await gate.arrivals()
    let alpha = center.begin(.alpha)
    gate.open()
    #expect(
      await alpha.report.outcomes == [
        "first": "skipped: 'failed' did not end well",
        "second": otherFails ? "skipped: 'running' did not end well" : "succeeded",
      ])
    #expect(recorder.notes == (otherFails ? ["running"] : ["running", "second"]))
    _ = await gamma.report
  }

  @Test func `a task that waits for two others of other events is skipped once`() async throws {
    let center = try TaskCenter.with([
      .event(.beta, name: "one") { _ in throw Broken() },
      .event(.gamma, name: "two") { _ in },
      .event(.alpha, name: "needy", dependencies: ["one", "two"]) { _ in },
      .event(.alpha, name: "needier", dependencies: ["needy", "two"]) { _ in },
    ])
    await center.send(.beta)
    let report = await center.send(.alpha)
    #expect(report.tasks.count == 2)
    #expect(report["needy"]?.outcome.description == "skipped: 'one' did not end well")
    #expect(report["needier"]?.outcome.isSuccess == false)
  }

  @Test func `a launch task that has run counts for every later event`() async throws {
    let center = try TaskCenter.with([
      .event(.willFinishLaunching, name: "config", returning: { _ in "secret" }),
      .event(.didBecomeActive, name: "refresh", dependencies: ["config"]) { context in
        let secret: String = try context.output(named: "config")
        #expect(secret == "secret")
      },
    ])
    await center.send(.willFinishLaunching, LaunchOptions())
    for _ in 0..<3 { #expect(await center.send(.didBecomeActive).isSuccess) }
  }

  @Test func `'after' orders nothing between different occasions: what is running is not waited for`() async throws {
    let gate = Gate()
    let center = try TaskCenter.with([
      .event(.beta, name: "other") { _ in await gate.pass() },
      .event(.alpha, name: "polite", after: ["other"]) { _ in },
    ])
    let beta = center.begin(.beta)
    await gate.arrivals()
    #expect(await center.send(.alpha).outcomes == ["polite": "succeeded"])
    gate.open()
    _ = await beta.report
  }

  @Test func `a task of two events waits by 'after' only where the other one takes part`() async throws {
    let gate = Gate()
    let center = try TaskCenter.with([
      .event(.beta, name: "other") { _ in await gate.pass() },
      .events([.alpha, .beta], name: "polite", after: ["other"], returning: { _ in }),
    ])
    let beta = center.begin(.beta)
    await gate.arrivals()
    #expect(await center.send(.alpha).outcomes == ["polite": "succeeded"])
    gate.open()
    #expect(await beta.report.isSuccess)
  }

  @Test func `the latest occurrence is the one that has begun last, though an earlier one goes on for longer`()
    async throws
  {
    let gate = Gate()
    let runs = Values<Int>()
    let center = try TaskCenter.with([
      .events(
        [.beta, .gamma], name: "other",
        returning: { _ in
          runs.append(runs.values.count + 1)
          if runs.values.count == 1 { throw Broken() }
          return runs.values.count
        }),
      .event(.beta, name: "slow", after: ["other"]) { _ in await gate.pass() },
      .event(.alpha, name: "needy", dependencies: ["other"]) { _ in },
    ])
    let beta = center.begin(.beta)
    await gate.arrivals()
    #expect(await center.send(.alpha).outcomes == ["needy": "skipped: 'other' did not end well"])
    #expect(await center.send(.gamma).outcomes == ["other": "succeeded"])
    // The first occurrence is still going, and not the latest.
    #expect(await center.send(.alpha).outcomes == ["needy": "succeeded"])
    #expect(try await center.output(named: "other", as: Int.self) == 2)
    gate.open()
    _ = await beta.report
    #expect(await center.send(.alpha).outcomes == ["needy": "succeeded"])
    #expect(try await center.output(named: "other", as: Int.self) == 2)
  }

  @Test func `occurrences that waited for a task and ended before it are not kept until it ends`() async throws {
    let gate = Gate()
    let center = try TaskCenter.with([
      .event(.beta, name: "long") { _ in await gate.pass() },
      .event(.alpha, name: "needy", dependencies: ["long"]) { _ in },
    ])
    let beta = center.begin(.beta)
    await gate.arrivals()
    for _ in 0..<1000 {
      let run = center.begin(.alpha)
      run.cancel()
      _ = await run.report
    }
    #expect(center.waitingElsewhere < 50)
    let alpha = center.begin(.alpha)
    gate.open()
    #expect(await alpha.report.outcomes == ["needy": "succeeded"])
    _ = await beta.report
  }
}
