import TaskKit
import TaskKitTesting
import Testing

/// Circles that only the program can see, in a registry that the build took for proved.
@Suite struct UnprovedCircleTests {
  private static func center(_ definitions: [TaskDefinition], limit: Int = .max) -> TaskCenter {
    TaskCenter(
      registry: TaskRegistry(__proved: [.of("App", definitions)]), configuration: .init(maximumConcurrency: limit),
      time: .virtual(VirtualClock()))
  }

  private static let sentence =
    "failed: these tasks wait for each other: 'first' runs after 'second', 'second' needs 'first'; "
    + "remove one of these dependencies"

  @Test(arguments: [Int.max, 1])
  func `tasks that wait for each other fail with their circle, and the others run`(limit: Int) async {
    let center = Self.center(
      [
        .event(.alpha, name: "first", after: ["second"]) { _ in },
        .event(.alpha, name: "second", dependencies: ["first"]) { _ in },
        .event(.alpha, name: "dependent", dependencies: ["second"]) { _ in },
        .event(.alpha, name: "follower", after: ["first"]) { _ in },
        .event(.alpha, name: "other") { _ in },
      ], limit: limit)
    for _ in 0..<2 {
      #expect(
        await center.send(.alpha).outcomes == [
          "first": Self.sentence, "second": Self.sentence, "dependent": "skipped: 'second' did not end well",
          "follower": "succeeded", "other": "succeeded",
        ])
    }
  }

  @Test func `a task that needs itself fails and says so`() async {
    let center = Self.center([.event(.alpha, name: "task", dependencies: ["task"]) { _ in }])
    #expect(
      await center.send(.alpha).outcomes == ["task": "failed: task 'task' needs itself; remove this dependency"])
  }

  @Test func `of circles that hang together each is broken`() async {
    let names = ["first", "second", "third"]
    let center = Self.center([
      .event(.alpha, name: "first", dependencies: ["second"]) { _ in },
      .event(.alpha, name: "second", dependencies: ["first", "third"]) { _ in },
      .event(.alpha, name: "third", dependencies: ["second"]) { _ in },
    ])
    let outcomes = await center.send(.alpha).outcomes
    for name in names {
      #expect(outcomes[name]?.hasPrefix("failed: these tasks wait for each other: ") == true)
      #expect(outcomes[name]?.contains("'\(name)'") == true)
    }
  }

  @Test func `a circle through several events is found where a task is run by itself`() async throws {
    let center = Self.center([
      .event(.alpha, name: "first", dependencies: ["second"]) { _ in },
      .event(.beta, name: "second", dependencies: ["first"]) { _ in },
    ])
    let sentence =
      "failed: these tasks wait for each other: 'first' needs 'second', 'second' needs 'first'; "
      + "remove one of these dependencies"
    #expect(try await center.run("first").outcomes == ["first": sentence, "second": sentence])
    #expect(await center.send(.beta).outcomes == ["second": sentence])
  }

  @Test(arguments: [Int.max, 1])
  func `what is found at one event counts at the others, and what has run there is not forgotten`(
    limit: Int
  ) async throws {
    let center = Self.center(
      [
        .events([.beta, .alpha], name: "first", after: ["second"]) { _ in },
        .event(.alpha, name: "second", dependencies: ["first"]) { _ in },
        .event(.beta, name: "other", after: ["first"]) { _ in },
      ], limit: limit)
    for _ in 0..<3 { #expect(await center.send(.beta).isSuccess) }
    #expect(await center.send(.alpha).outcomes == ["first": Self.sentence, "second": Self.sentence])
    #expect(await center.send(.beta).outcomes == ["first": Self.sentence, "other": "succeeded"])
    #expect(try center.statistics(of: "other").count == 4)
  }

  @Test(arguments: [false, true])
  func `schedules that wait for each other fail when they are due together, and others run`(
    isAskedBefore: Bool
  ) async throws {
    let time = VirtualTime()
    let recorder = Recorder()
    let every = TaskSchedule(every: .seconds(10))
    let center = TaskCenter(
      registry: TaskRegistry(__proved: [
        .of(
          "App",
          [
            .schedule(every, name: "first", dependencies: ["second"]) { _ in recorder.note("first") },
            .schedule(every, name: "second", dependencies: ["first"]) { _ in recorder.note("second") },
            .schedule(every, name: "other") { _ in recorder.note("other") },
          ])
      ]), time: time.source)
    if isAskedBefore {
      #expect(try center.order(ofSchedules: ["second", "first", "other"]) == ["first", "second", "other"])
    }
    center.start()
    await time.advance(by: .seconds(20), driving: center)
    #expect(recorder.notes == ["other", "other"])
    for name in ["first", "second"] as [TaskName] {
      let outcome = try center.statistics(of: name).lastOutcome
      #expect(outcome?.contains("these tasks wait for each other") == true)
    }
  }

  @Test func `a task that is injected to a circle that was found is proved without it`() async throws {
    let center = Self.center([
      .event(.alpha, name: "first", after: ["second"]) { _ in },
      .event(.alpha, name: "second", dependencies: ["first"]) { _ in },
    ])
    await center.send(.alpha)
    try center.inject(.event(.alpha, name: "third", dependencies: ["first"], after: ["second"]) { _ in })
    let error = try #require(throws: TaskGraphError.self) {
      try center.inject(.event(.alpha, name: "fourth", dependencies: ["absent"]) { _ in })
    }
    #expect(
      error.sentences == [
        "task 'fourth' needs 'absent', which is not registered; register it, or remove the dependency"
      ])
    #expect(await center.send(.alpha).outcomes["third"] == "skipped: 'first' did not end well")
  }
}
