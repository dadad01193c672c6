import Foundation
import Synchronization
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

  @Test(arguments: [Int.max, 1])
  func `the end of an occurrence brings its report, whoever has begun it`(limit: Int) async throws {
    let time = VirtualTime()
    let center = TaskCenter(configuration: .init(maximumConcurrency: limit), time: time.source)
    try center.inject([
      .schedule(name: "tick", every: .seconds(1), count: 1) { _ in throw Broken() },
      .notification("sale", name: "sold") { _ in },
      .event(.opening, name: "early") { _ in },
      .event(.alpha, name: "sent") { _ in },
    ])
    await center.send(.opening)
    let events = center.events.makeAsyncIterator()
    center.start()
    await time.advance(by: .seconds(1), driving: center)
    NotificationCenter.default.post(name: Notification.Name("sale"), object: nil)
    try center.inject(.event(.opening, name: "late") { _ in }, ifPassed: .runNow)
    await center.send(.alpha)
    await center.quiet()
    var reports: [String: (report: EventReport, occurrence: UInt64?)] = [:]
    while reports.count < 4, let event = await events.next() {
      guard case .eventEnded(let report) = event.kind else { continue }
      reports[try #require(report.tasks.first?.name.rawValue)] = (report, event.occurrence)
    }
    #expect(reports["tick"]?.report.tasks.map(\.outcome.description) == ["failed: broken"])
    for name in ["sold", "late", "sent"] { #expect(reports[name]?.report.isSuccess == true) }
    #expect(reports["sent"]?.report.event == "alpha")
    #expect(Set(reports.values.map(\.occurrence)).count == 4)
  }

  @Test func `the end of a send that never had its turn is told too`() async throws {
    let gate = Gate()
    let center = try TaskCenter.with([.event(.alpha, name: "task") { _ in await gate.pass() }])
    let first = center.begin(.alpha)
    await gate.arrivals()
    let second = center.begin(.alpha)
    let events = center.events.makeAsyncIterator()
    second.cancel()
    let told = try #require(await events.next())
    guard case .eventEnded(let report) = told.kind else {
      Issue.record("\(told.words) was told first")
      return gate.open()
    }
    #expect(report.status == .cancelled)
    #expect(report.outcomes == ["task": "cancelled"])
    gate.open()
    #expect(await first.report.isSuccess)
    while let event = await events.next() {
      guard case .eventEnded(let report) = event.kind else { continue }
      #expect(report.isSuccess)
      #expect(event.occurrence != told.occurrence)
      break
    }
  }

  /// Nobody else would want to know what time it is there.
  @Test(arguments: [Int.max, 1])
  func `where reports tell no times, what happens has its time all the same`(limit: Int) async throws {
    let clock = VirtualClock()
    let center = TaskCenter(
      configuration: .init(maximumConcurrency: limit, reporting: .problems), time: .virtual(clock))
    try center.inject([
      .event(.alpha, name: "good") { _ in },
      .event(.alpha, name: "slow", dependencies: ["good"]) { _ in clock.advance(by: .seconds(5)) },
    ])
    clock.advance(by: .seconds(10))
    let events = center.events.makeAsyncIterator()
    await center.send(.alpha)
    var times: [Duration] = []
    while times.count < 6, let event = await events.next() { times.append(event.time) }
    #expect(times == [10, 10, 10, 10, 15, 15].map { Duration.seconds($0) })
  }

  @Test func `what is told of occurrences that go on beside each other says of which it is`() async throws {
    let gate = Gate()
    let center = try TaskCenter.with([
      .events([.alpha, .beta], name: "both", returning: { _ in await gate.pass() })
    ])
    let events = center.events.makeAsyncIterator()
    let runs = [center.begin(.alpha), center.begin(.beta)]
    await gate.arrivals(2)
    gate.open()
    for run in runs { #expect(await run.report.isSuccess) }
    var told: [UInt64: [String]] = [:]
    while told.values.joined().count(where: { $0.hasPrefix("eventEnded") }) < 2, let event = await events.next() {
      told[try #require(event.occurrence), default: []].append(event.words)
    }
    for words in told.values {
      #expect(words.map { $0.prefix { $0 != " " } } == ["eventStarted", "taskStarted", "taskEnded", "eventEnded"])
    }
    #expect(told.count == 2)
  }

  @Test(.timeLimit(.minutes(15))) func `what an observer has not read is let go without the center's lock`()
    async throws
  {
    /// Calls the center when it is let go.
    final class Output: Sendable {
      weak let center: TaskCenter?
      init(_ center: TaskCenter) { self.center = center }
      deinit { _ = try? center?.statistics(of: "task") }
    }
    let center = try TaskCenter.with([.event(.alpha, name: "task", returning: { Output($0.center) })])
    do {
      let slow = center.events(bufferingNewest: 1).makeAsyncIterator()
      for _ in 0..<3 { await center.send(.alpha) }
      #expect(await slow.next()?.words.hasPrefix("lost") == true)
    }
    #expect(await center.send(.alpha).isSuccess)
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
    await waitUntil { center.hasObservers }
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

  @Test func `nothing is told with a time before that of what was told before, whoever has read the clocks first`()
    async throws
  {
    let clock = InterruptedClock()
    let date = Mutex(Date(timeIntervalSince1970: 0))
    let meanwhile = Mutex<(@Sendable () -> Void)?>(nil)
    let time = TimeSource(
      continuous: clock, suspending: clock,
      wall: {
        if let meanwhile = meanwhile.withLock({ $0.take() }) { clock.afterNextReading(meanwhile) }
        return date.withLock { $0 }
      })
    let center = TaskCenter(time: time)
    try center.inject(.event(.alpha, name: "task") { _ in })
    let events = center.events.makeAsyncIterator()
    center.clockDidChange()
    date.withLock { $0 = Date(timeIntervalSince1970: 3600) }
    meanwhile.withLock {
      $0 = {
        clock.advance(by: .seconds(5))
        try? center.pause("task")
      }
    }
    center.clockDidChange()
    let told = [await events.next(), await events.next()]
    #expect(told.compactMap { $0?.words } == ["taskPaused task", "clockChanged by 3600.0 seconds"])
    #expect(told.compactMap { $0?.time } == [.seconds(5), .seconds(5)])
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
    // By when it is asked, the run has been counted.
    #expect(await events.words(until: "eventEnded alpha").contains("taskEnded fails: failed: 1 runs"))
    #expect(try center.statistics(of: "fails").lastOutcome == "failed: 0 runs")
  }

  @Test @MainActor func `of two copies that wait at once, the first gets the end and the other what comes`()
    async throws
  {
    let center = try TaskCenter.with([.event(.alpha, name: "a") { _ in }])
    let events = center.events.makeAsyncIterator()
    let first = Task { @MainActor in await events.next() }
    await waitUntil { center.hasWaitingObserver }
    let second = Task { @MainActor in await events.next() }
    #expect(await first.value == nil)
    await waitUntil { center.hasWaitingObserver }
    await center.send(.alpha)
    #expect(await second.value?.words == "eventStarted alpha")
  }
}
