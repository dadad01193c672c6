import Synchronization
import TaskKit
import TaskKitTesting
import Testing

/// A center that nobody holds, and none of whose tasks runs, goes, and takes everything with it.
@Suite(.timeLimit(.minutes(15))) struct LeakTests {
  private final class Captured: Sendable {}

  struct Way: CustomTestStringConvertible {
    let testDescription: String
    let use: @Sendable (TaskCenter) async throws -> Void
  }

  private static let ways: [Way] = [
    Way(testDescription: "never used") { _ in },
    Way(testDescription: "sent") { center in
      await center.send(.alpha)
      await center.send(.beta)
    },
    Way(testDescription: "begun and let go") { center in _ = center.begin(.alpha) },
    Way(testDescription: "begun and cancelled") { center in center.begin(.alpha).cancel() },
    Way(testDescription: "sent from the main actor") { center in
      await MainActor.run { _ = center.begin(.alpha) }
    },
    Way(testDescription: "changed") { center in
      await center.send(.alpha)
      try center.pause("first", missed: .deliver)
      await center.send(.alpha)
      try center.destroy("second", dependents: .detach)
      try center.inject(.event(.alpha, name: "first") { _ in }, replacing: true)
    },
    Way(testDescription: "observed") { center in
      let observer = center.events.makeAsyncIterator()
      await center.send(.alpha)
      withExtendedLifetime(observer) {}
    },
    Way(testDescription: "with a deadline") { center in await center.send(.alpha, deadline: .seconds(3600)) },
  ]

  @Test(arguments: ways, [Int.max, 1])
  func `nothing is left of a center that nobody holds`(way: Way, limit: Int) async throws {
    let clock = VirtualClock()
    weak var center: TaskCenter?
    weak var captured: Captured?
    func use() async throws {
      let value = Captured()
      captured = value
      let used = try TaskCenter.with(
        [
          .event(.alpha, name: "first", timeout: .seconds(60)) { _ in _ = value },
          .event(.alpha, name: "second", dependencies: ["first"], returning: { _ in value }),
          .event(.alpha, name: "main", lane: Lane("lane")) { @MainActor _ in _ = value },
          .event(.alpha, name: "slow", retry: .attempts(2), lane: Lane("lane")) { _ in
            await Task.yield()
            _ = value
          },
          .event(.beta, name: "other", dependencies: ["second"]) { context in _ = context.center },
        ], limit: limit, clock: clock)
      center = used
      try await way.use(used)
    }
    try await use()
    // A worker lets go of its center a moment after the last body has returned.
    await waitUntil { center == nil && captured == nil }
    #expect(center == nil)
    #expect(captured == nil)
    await waitUntil { clock.nextDeadline == nil }
    #expect(clock.nextDeadline == nil)
  }

  /// Values that tasks have made, not held by it.
  private final class Made: Sendable {
    private struct Weak {
      weak var value: Captured?
    }

    private let list = Mutex<[Weak]>([])

    func make() -> Captured {
      let value = Captured()
      list.withLock { $0.append(Weak(value: value)) }
      return value
    }

    /// How many there were, and how many are still held.
    var counts: [Int] { list.withLock { list in [list.count, list.count { $0.value != nil }] } }
  }

  @Test(arguments: [Int.max, 1])
  func `a report that is kept holds neither what tasks have returned nor what they were sent`(limit: Int) async throws {
    let made = Made()
    weak var center: TaskCenter?
    func send() async throws -> EventReport {
      let used = try TaskCenter.with(
        [
          .event(LifecycleEvent<Captured, Void>("sent"), name: "now", returning: { _ in made.make() }),
          .event(
            LifecycleEvent<Captured, Void>("sent"), name: "later",
            returning: { _ async -> Captured in
              await Task.yield()
              return made.make()
            }),
        ], limit: limit)
      center = used
      return await used.send(LifecycleEvent<Captured, Void>("sent"), made.make())
    }
    let report = try await send()
    await waitUntil { center == nil && made.counts == [3, 0] }
    #expect(center == nil)
    #expect(made.counts == [3, 0])
    #expect(report.outcomes == ["now": "succeeded", "later": "succeeded"])
  }

  @Test func `a report of one task does not hold what the event of another one was sent`() async throws {
    let made = Made()
    weak var center: TaskCenter?
    func run() async throws -> EventReport {
      let sent = LifecycleEvent<Captured, Void>("sent")
      let used = try TaskCenter.with([
        .event(sent, name: "first") { (_: TaskContext<Captured>) in throw Broken() },
        .event(.gamma, name: "second", dependencies: ["first"]) { _ in },
      ])
      center = used
      await used.send(sent, made.make())
      return try await used.run("second")
    }
    let report = try await run()
    await waitUntil { center == nil && made.counts == [1, 0] }
    #expect(center == nil)
    #expect(made.counts == [1, 0])
    #expect(report.outcomes == ["first": "failed: broken", "second": "skipped: 'first' did not end well"])
  }

  @Test func `what an observer is told of one task does not hold what the event of another one was sent`() async throws
  {
    let made = Made()
    weak var center: TaskCenter?
    func run() async throws -> [CenterEvent] {
      let sent = LifecycleEvent<Captured, Void>("sent")
      let used = try TaskCenter.with([
        .event(sent, name: "first") { (_: TaskContext<Captured>) in throw Broken() },
        .event(.gamma, name: "second", dependencies: ["first"]) { _ in },
      ])
      center = used
      await used.send(sent, made.make())
      let observer = used.events.makeAsyncIterator()
      try await used.run("second")
      var told: [CenterEvent] = []
      while let event = await observer.next() {
        told.append(event)
        if case .eventEnded = event.kind { break }
      }
      return told
    }
    let told = try await run()
    await waitUntil { center == nil && made.counts == [1, 0] }
    #expect(center == nil)
    #expect(made.counts == [1, 0])
    guard case .eventEnded(let report)? = told.last?.kind else {
      Issue.record("the end was not told")
      return
    }
    #expect(report.outcomes == ["first": "failed: broken", "second": "skipped: 'first' did not end well"])
  }

  @Test func `a process keeps nothing of its launch that its center does not`() async throws {
    let made = Made()
    let clock = VirtualClock()
    let center = TaskCenter(time: .virtual(clock))
    let recorder = Recorder()
    func inject() throws {
      let body = made.make()
      try center.inject([
        .event(.willFinishLaunching, name: "body", runs: .once) { _ in _ = body },
        .event(.didFinishLaunching, name: "once", runs: .once, returning: { _ in made.make() }),
        .event(
          .didFinishLaunching, name: "kept",
          returning: { _ in
            recorder.note("kept")
            return made.make()
          }),
      ])
    }
    try inject()
    async let ended = center.run(sources: [])
    _ = await recorder.notes(1)
    await waitUntil { made.counts == [3, 1] }
    #expect(made.counts == [3, 1])
    try center.destroy("kept")
    await waitUntil { made.counts == [3, 0] }
    #expect(made.counts == [3, 0])
    center.shutDown()
    #expect(await ended.launch.map(\.names) == [["body"], ["once", "kept"]])
  }
}
