import TaskKit
import TaskKitTesting
import Testing

/// The critical path on graphs that nobody has thought of, the same for the same seed.
@Suite struct RandomPathTests {
  /// The graph of a case, with how long each task takes, in seconds.
  private struct Timed {
    let law: LawCase
    let seconds: [Int]

    init(upTo count: Int, random: inout SeededGenerator, failures: Bool = false) {
      law = LawCase(count: Int.random(in: 1...count, using: &random), random: &random, failures: failures)
      seconds = law.nodes.map { _ in Int.random(in: 1...9, using: &random) }
    }

    /// When each task ends, where nothing holds it up but what it waits for.
    var ends: [Int] {
      var ends = [Int](repeating: 0, count: seconds.count)
      // As often as a chain can be long.
      for _ in seconds {
        for (index, node) in law.nodes.enumerated() {
          ends[index] = (node.prerequisites.map { ends[$0] }.max() ?? 0) + seconds[index]
        }
      }
      return ends
    }
  }

  /// Whether the pieces are some, and add up to the time of the event.
  private func addsUp(_ report: EventReport) -> Bool {
    report.criticalPath.segments.allSatisfy { $0.duration > .zero }
      && report.criticalPath.segments.reduce(.zero) { $0 + $1.duration } == report.duration
  }

  @Test func `in parallel the pieces are a longest chain of what waits for each other, without a gap`() async throws {
    var random = SeededGenerator(seed: 4_711)
    for number in 0..<60 {
      let timed = Timed(upTo: 40, random: &random)
      let clock = VirtualClock()
      let definitions = timed.law.nodes.enumerated().map { index, node -> TaskDefinition in
        .event(
          .alpha, name: TaskName(LawCase.name(index)), priority: Priority(node.priority),
          dependencies: node.requires.sorted().map { TaskDependency(TaskName(LawCase.name($0))) },
          after: node.follows.sorted().map { TaskReference(TaskName(LawCase.name($0))) }
        ) { _ in
          try await clock.sleep(for: .seconds(timed.seconds[index]))
        }
      }
      let center = try TaskCenter.with(definitions, clock: clock)
      let events = center.events.makeAsyncIterator()
      let run = center.begin(.alpha)
      let ends = timed.ends
      var now = 0
      var ended = 0
      for end in Set(ends).sorted() {
        // All that run at this time sleep before the time goes on.
        await clock.waitForSleepers(ends.indices.count { ends[$0] > now && ends[$0] - timed.seconds[$0] <= now })
        clock.advance(by: .seconds(end - now))
        now = end
        // And all that have woken have ended.
        while ended < ends.count(where: { $0 <= now }), let event = await events.next() {
          if case .taskEnded = event.kind { ended += 1 }
        }
      }
      let report = await run.report
      #expect(report.duration == .seconds(now), "graph \(number)")
      #expect(addsUp(report), "graph \(number)")
      let path = report.criticalPath.segments
      #expect(path.allSatisfy { $0.kind == .run }, "graph \(number)")
      let chain = path.compactMap { segment in timed.law.nodes.indices.first { segment.task == "t\($0)" } }
      #expect(chain.count == path.count, "graph \(number)")
      #expect(path.map(\.duration) == chain.map { .seconds(timed.seconds[$0]) }, "graph \(number)")
      #expect(
        zip(chain, chain.dropFirst()).allSatisfy { timed.law.nodes[$1].prerequisites.contains($0) }, "graph \(number)")
    }
  }

  /// Bodies that move the clock themselves: nothing else takes time.
  @Test(arguments: [false, true])
  func `one at a time the pieces are all bodies that ran, in the order of their starts`(onMainActor: Bool)
    async throws
  {
    var random = SeededGenerator(seed: onMainActor ? 2 : 1)
    for number in 0..<60 {
      let timed = Timed(upTo: 30, random: &random, failures: number % 2 == 0)
      let clock = VirtualClock()
      let definitions = timed.law.nodes.enumerated().map { index, node -> TaskDefinition in
        let name = TaskName(LawCase.name(index))
        let dependencies = node.requires.sorted().map { TaskDependency(TaskName(LawCase.name($0))) }
        let after = node.follows.sorted().map { TaskReference(TaskName(LawCase.name($0))) }
        let onFailure = node.failureIsIgnored ? FailurePolicy.ignore : .skipDependents
        @Sendable func body() throws {
          clock.advance(by: .seconds(timed.seconds[index]))
          if node.fails { throw Broken() }
        }
        return onMainActor && Bool.random(using: &random)
          ? .event(
            .alpha, name: name, priority: Priority(node.priority), dependencies: dependencies, after: after,
            onFailure: onFailure
          ) { @MainActor _ in try body() }
          : .event(
            .alpha, name: name, priority: Priority(node.priority), dependencies: dependencies, after: after,
            onFailure: onFailure
          ) { _ in try body() }
      }
      let center = try TaskCenter.with(definitions, limit: 1, clock: clock)
      let report = await center.send(.alpha)
      let order = timed.law.verdict().order
      #expect(addsUp(report), "graph \(number)")
      #expect(report.criticalPath.segments.allSatisfy { $0.kind == .run }, "graph \(number)")
      #expect(report.criticalPath.segments.map(\.task) == order.map { TaskName($0) }, "graph \(number)")
      #expect(
        report.criticalPath.segments.map(\.duration)
          == order.map { .seconds(timed.seconds[Int($0.dropFirst()) ?? 0]) }, "graph \(number)")
    }
  }

  /// What runs beside what is left to the threads here; the sums are the same whatever they do.
  @Test(arguments: [Int.max, 1, 2, 3])
  func `with retries, time limits, lanes, pauses and the main actor the pieces add up, and so do each task's waits`(
    limit: Int
  ) async throws {
    var random = SeededGenerator(seed: UInt64(limit & 7))
    for number in 0..<25 {
      let timed = Timed(upTo: 25, random: &random, failures: true)
      let clock = VirtualClock()
      let definitions = timed.law.nodes.enumerated().map { index, node -> TaskDefinition in
        let name = TaskName(LawCase.name(index))
        let dependencies = node.requires.sorted().map { TaskDependency(TaskName(LawCase.name($0))) }
        let after = node.follows.sorted().map { TaskReference(TaskName(LawCase.name($0))) }
        let seconds = Duration.seconds(timed.seconds[index])
        let timeout: Duration? = Int.random(in: 0..<4, using: &random) == 0 ? .seconds(5) : nil
        let attempts = Int.random(in: 1...3, using: &random)
        let retry = RetryPolicy.attempts(
          attempts, backoff: .fixed(.seconds(Int.random(in: 0...4, using: &random))))
        let onFailure = [FailurePolicy.skipDependents, .ignore, .ignore].randomElement(using: &random) ?? .ignore
        let lane = Int.random(in: 0..<3, using: &random) == 0 ? Lane("line") : nil
        // The last attempt decides; those before it fail.
        @Sendable func end(_ attempt: Int) throws { if node.fails || attempt < attempts { throw Broken() } }
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
          return .event(
            .alpha, name: name, priority: Priority(node.priority), dependencies: dependencies, after: after,
            timeout: timeout, retry: retry, onFailure: onFailure, lane: lane
          ) { context in
            clock.advance(by: seconds)
            try end(context.attempt)
          }
        case 1:
          return .event(
            .alpha, name: name, priority: Priority(node.priority), dependencies: dependencies, after: after,
            timeout: timeout, retry: retry, onFailure: onFailure, lane: lane
          ) { @MainActor context in
            clock.advance(by: seconds)
            try end(context.attempt)
          }
        default:
          return .event(
            .alpha, name: name, priority: Priority(node.priority), dependencies: dependencies, after: after,
            timeout: timeout, retry: retry, onFailure: onFailure, lane: lane
          ) { context in
            try await clock.sleep(for: seconds)
            try end(context.attempt)
          }
        }
      }
      let center = try TaskCenter.with(definitions, limit: limit, clock: clock)
      for index in timed.law.nodes.indices where Int.random(in: 0..<10, using: &random) == 0 {
        try center.pause(TaskName(LawCase.name(index)))
      }
      let run = center.begin(.alpha)
      await clock.advance(whileRunning: run)
      let report = await run.report
      #expect(report.status == .completed, "graph \(number)")
      #expect(addsUp(report), "graph \(number)")
      for task in report.tasks {
        guard let started = task.started else { continue }
        let waits = task.waits
        #expect(waits.dependency + waits.slot + waits.mainActor + waits.pause == started, "graph \(number)")
        #expect(waits.retry <= task.duration, "graph \(number)")
        #expect(started + task.duration <= report.duration, "graph \(number)")
        let told = report.criticalPath.segments.filter { $0.task == task.name }
        #expect(total(told, .run) + total(told, .retry) <= task.duration, "graph \(number)")
        #expect(total(told, .retry) <= waits.retry, "graph \(number)")
      }
    }
  }

  private func total(_ segments: [CriticalPath.Segment], _ kind: CriticalPath.Segment.Kind) -> Duration {
    segments.filter { $0.kind == kind }.reduce(.zero) { $0 + $1.duration }
  }
}
