import TaskKit
import TaskKitTesting
import Testing

/// `center.events`: what happens, for any number of observers (DESIGN 5; A13, At9).
@Suite struct EventStreamTests {
  @Test(arguments: [Int.max, 1])
  func `every observer hears everything once and in order, from its subscription on, At9`(limit: Int) async throws {
    let center = TaskCenter(configuration: .init(maximumConcurrency: limit), time: .virtual(VirtualClock()))
    let early = center.events.makeAsyncIterator()
    try center.inject([
      .event(.alpha, name: "good") { _ in },
      .event(.alpha, name: "bad", dependencies: ["good"]) { _ in throw Broken() },
      .event(.alpha, name: "needy", dependencies: ["bad"]) { _ in },
    ])
    let late = center.events.makeAsyncIterator()
    try center.pause("needy", missed: .skip)
    try center.resume("needy")
    await center.send(.alpha)
    try center.destroy("needy")
    let changes = ["taskPaused needy", "taskResumed needy"]
    let occurrence = [
      "eventStarted alpha", "taskStarted good", "taskEnded good: succeeded", "taskStarted bad",
      "taskEnded bad: failed: broken", "taskEnded needy: skipped: 'bad' did not end well", "eventEnded alpha",
    ]
    #expect(
      await early.words(until: "taskDestroyed needy")
        == ["taskInjected good", "taskInjected bad", "taskInjected needy"] + changes + occurrence
        + ["taskDestroyed needy"])
    #expect(await late.words(until: "taskDestroyed needy") == changes + occurrence + ["taskDestroyed needy"])
  }

  @Test func `whoever subscribes in the middle of an occurrence hears the rest of it`() async throws {
    let gate = Gate()
    let center = try TaskCenter.with([
      .event(.alpha, name: "first") { _ in await gate.pass() },
      .event(.alpha, name: "second", dependencies: ["first"]) { _ in },
    ])
    let run = center.begin(.alpha)
    await gate.arrivals()
    let events = center.events.makeAsyncIterator()
    gate.open()
    #expect(
      await events.words(until: "eventEnded alpha") == [
        "taskEnded first: succeeded", "taskStarted second", "taskEnded second: succeeded", "eventEnded alpha",
      ])
    _ = await run.report
  }

  @Test func `whoever subscribes from a synchronous task of a plain run hears its end`() async throws {
    let iterators = Values<Task<[String], Never>>()
    let center = try TaskCenter.with([
      .event(.alpha, name: "first") { context in
        let events = context.center.events.makeAsyncIterator()
        iterators.append(Task { await events.words(until: "eventEnded alpha") })
      },
      .event(.alpha, name: "second") { _ in },
    ])
    await center.send(.alpha)
    let words = await iterators.values.first?.value ?? []
    #expect(words.contains("taskEnded first: succeeded"))
    #expect(words.contains("taskEnded second: succeeded"))
  }

  @Test func `what is skipped as an occurrence starts is told too`() async throws {
    let center = try TaskCenter.with([
      .event(.beta, name: "other") { _ in },
      .event(.alpha, name: "needy", dependencies: ["other"]) { _ in },
      .event(.alpha, name: "needier", dependencies: ["needy"]) { _ in },
    ])
    let events = center.events.makeAsyncIterator()
    await center.send(.alpha)
    #expect(
      await events.words(until: "eventEnded alpha") == [
        "eventStarted alpha", "taskEnded needy: skipped: 'other' has not run yet",
        "taskEnded needier: skipped: 'other' did not end well", "eventEnded alpha",
      ])
  }

  @Test func `what is cancelled, stopped or times out is told too`() async throws {
    let clock = VirtualClock()
    let gate = Gate()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "busy", timeout: .seconds(5), onFailure: .stopEvent) { _ in
          try await gate.passUnlessCancelled()
        },
        .event(.alpha, name: "later", after: ["busy"]) { _ in },
        .event(.beta, name: "cancelled") { _ in try await gate.passUnlessCancelled() },
      ], clock: clock)
    let events = center.events.makeAsyncIterator()
    let run = center.begin(.alpha)
    await clock.step(to: .seconds(5))
    _ = await run.report
    #expect(
      await events.words(until: "eventEnded alpha").suffix(3) == [
        "taskEnded busy: timed out", "taskEnded later: skipped: event stopped", "eventEnded alpha",
      ])
    let late = "taskReturnedLate busy: failed: CancellationError()"
    #expect(await events.words(until: late) == [late])
    let beta = center.begin(.beta)
    await gate.arrivals(2)
    beta.cancel()
    #expect(
      await events.words(until: "eventEnded beta") == [
        "eventStarted beta", "taskStarted cancelled", "taskEnded cancelled: cancelled", "eventEnded beta",
      ])
  }

  @Test func `a slow observer delays nobody, and is told how many it lost`() async throws {
    let center = try TaskCenter.with([.event(.alpha, name: "task") { _ in }])
    let slow = center.events(bufferingNewest: 3).makeAsyncIterator()
    let quick = center.events(bufferingNewest: 100).makeAsyncIterator()
    for _ in 0..<5 { await center.send(.alpha) }
    // Of 20 the newest 3 are left.
    var words: [String] = []
    for _ in 0..<4 { words.append(await slow.next()?.words ?? "end") }
    #expect(words == ["lost 17", "taskStarted task", "taskEnded task: succeeded", "eventEnded alpha"])
    // From then on it misses nothing.
    await center.send(.beta)
    #expect(await slow.next()?.words == "eventStarted beta")
    #expect(await quick.words(until: "eventEnded beta").count == 22)
  }

  @Test func `an iterator that goes ends its subscription`() async throws {
    let center = try TaskCenter.with([.event(.alpha, name: "task") { _ in }])
    do {
      let events = center.events.makeAsyncIterator()
      #expect(center.hasObservers)
      await center.send(.alpha)
      _ = await events.next()
    }
    #expect(!center.hasObservers)
  }

  @Test func `a task that is cancelled while it waits for the next gets the end`() async throws {
    let center = TaskCenter(time: .virtual(VirtualClock()))
    let waiting = Gate()
    let observer = Task {
      var count = 0
      for await _ in center.events {
        count += 1
        waiting.open()
      }
      return count
    }
    while !center.hasObservers { await Task.yield() }
    await center.send(.alpha)
    await waiting.pass()
    observer.cancel()
    #expect(await observer.value <= 2)
    #expect(!center.hasObservers)
  }

  @Test func `times are those of the center's clock`() async throws {
    let clock = VirtualClock()
    let center = try TaskCenter.with(
      [.event(.alpha, name: "task") { _ in clock.advance(by: .seconds(2)) }], clock: clock)
    clock.advance(by: .seconds(5))
    let events = center.events.makeAsyncIterator()
    await center.send(.alpha)
    var times: [Duration] = []
    for _ in 0..<4 { times.append(await events.next()?.time ?? .zero) }
    #expect(times == [.seconds(5), .seconds(5), .seconds(7), .seconds(7)])
  }

  /// Many events on many threads: every observer sees the same story, and each occurrence is told from start to end.
  @Test func `concurrent occurrences are told in one order to all`() async throws {
    let center = try TaskCenter.with(
      [LifecycleEvent<Void, Void>.alpha, .beta, .gamma].flatMap { event in
        (0..<5).map { number in
          .event(event, name: TaskName("\(event.name) \(number)")) { _ in await Task.yield() }
        }
      })
    let observers = (0..<3).map { _ in center.events(bufferingNewest: 10_000).makeAsyncIterator() }
    await withTaskGroup(of: Void.self) { group in
      for event in [LifecycleEvent<Void, Void>.alpha, .beta, .gamma] {
        for _ in 0..<10 { group.addTask { await center.send(event) } }
      }
    }
    await center.send(LifecycleEvent<Void, Void>("last"))
    var stories: [[String]] = []
    for observer in observers { stories.append(await observer.words(until: "eventEnded last")) }
    #expect(stories[0].count == 3 * 10 * 12 + 2)
    #expect(stories[1] == stories[0])
    #expect(stories[2] == stories[0])
    for event in ["alpha", "beta", "gamma"] {
      let story = stories[0].filter { $0.contains(event) }
      #expect(story.first == "eventStarted \(event)")
      for start in stride(from: 0, to: story.count, by: 12) {
        let occurrence = story[start..<start + 12]
        #expect(occurrence.first == "eventStarted \(event)")
        #expect(occurrence.last == "eventEnded \(event)")
        #expect(Set(occurrence).count == 12)
      }
    }
  }

  /// What it says of itself is a user's code, which may call the center.
  private struct NosyError: Error, CustomStringConvertible {
    let center: TaskCenter
    var description: String { "\((try? center.statistics(of: "fails").count) ?? -1) runs" }
  }

  @Test(.timeLimit(.minutes(15))) func `an error that asks the center what to say of itself is told`() async throws {
    let center = try TaskCenter.with([
      .event(.alpha, name: "fails") { context in throw NosyError(center: context.center) }
    ])
    let events = center.events.makeAsyncIterator()
    let report = await center.send(.alpha)
    #expect(report.outcomes == ["fails": "failed: 1 runs"])
    #expect(await events.words(until: "eventEnded alpha").contains("taskEnded fails: failed: 0 runs"))
    #expect(try center.statistics(of: "fails").lastOutcome == "failed: 0 runs")
  }

  @Test @MainActor func `of two copies that wait at once, the first gets the end and the other what comes`()
    async throws
  {
    let center = try TaskCenter.with([.event(.alpha, name: "a") { _ in }])
    let events = center.events.makeAsyncIterator()
    let first = Task { @MainActor in await events.next() }
    while !center.hasWaitingObserver { await Task.yield() }
    let second = Task { @MainActor in await events.next() }
    #expect(await first.value == nil)
    while !center.hasWaitingObserver { await Task.yield() }
    await center.send(.alpha)
    #expect(await second.value?.words == "eventStarted alpha")
  }
}
