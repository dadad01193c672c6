import Synchronization
import TaskKit
import TaskKitTesting
import Testing

/// Code that belongs to others never runs while the center holds its lock: it may call whatever the center offers.
@Suite struct CallingBackTests {
  @Test(arguments: [Int.max, 1])
  func `a body may call everything that the center offers`(limit: Int) async throws {
    let results = Recorder()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "other", after: ["caller"]) { _ in },
        .event(.beta, name: "elsewhere") { _ in },
        .event(.alpha, name: "caller") { (context: TaskContext<Void>) async throws in
          let center = context.center
          try center.pause("other")
          try center.resume("other")
          try center.inject(.event(.alpha, name: "new") { _ in })
          try center.destroy("new")
          await center.destroyed("new")
          try center.add(TaskRegistry())
          results.note(try center.why("caller", before: "other", at: .alpha))
          results.note("\(center.order(of: .alpha))")
          results.note("\(try center.statistics(of: "caller").count)")
          results.note("\(await center.send(.beta).status)")
          results.note("\(try await center.run("elsewhere").status)")
        },
      ], limit: limit)
    #expect(await center.send(.alpha).isSuccess)
    #expect(
      results.notes == [
        "'caller' starts before 'other', because 'other' runs after 'caller'", "[caller, other]", "0", "completed",
        "completed",
      ])
  }

  @Test func `a reply rule may`() async throws {
    let inside = Mutex<TaskCenter?>(nil)
    let rule = ReplyRule<Int>.merge { sofar, next in
      let center = inside.withLock { $0 }
      return sofar + next + (center?.order(of: .beta).count ?? 0)
    }
    let event = LifecycleEvent<Void, Int>("sum", reply: rule)
    let center = try TaskCenter.with([
      .event(event, name: "one", replying: { _ in 1 }), .event(event, name: "two", replying: { _ in 2 }),
      .event(.beta, name: "counted") { _ in },
    ])
    inside.withLock { $0 = center }
    #expect(await center.send(event).reply(to: event) == 4)
    inside.withLock { $0 = nil }
  }

  @Test func `an observer may, at everything that it hears`() async throws {
    let center = try TaskCenter.with([.event(.alpha, name: "task") { _ in await Task.yield() }])
    let events = center.events.makeAsyncIterator()
    let run = center.begin(.alpha)
    var words: [String] = []
    while words.last != "eventEnded alpha", let event = await events.next() {
      words.append(event.words)
      _ = try center.statistics(of: "task")
      // What a change makes it hear is a thing of its own: only one answer to that of the occurrence.
      if case .taskStarted = event.kind { try center.pause("task") }
      if case .taskEnded = event.kind { try center.resume("task") }
    }
    #expect(words.filter { $0.contains("Ended") } == ["taskEnded task: succeeded", "eventEnded alpha"])
    _ = await run.report
  }

  @Test func `so may what draws the chance of a delay`() async throws {
    let clock = VirtualClock()
    let inside = Mutex<TaskCenter?>(nil)
    let attempts = Recorder()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "flaky", retry: .attempts(2, backoff: .fixed(.seconds(8), jitter: 0.5))) { _ in
          attempts.note("attempt")
          if attempts.notes.count == 1 { throw Broken() }
        }
      ], clock: clock,
      chance: {
        let center = inside.withLock { $0 }
        return center?.order(of: .alpha).count == 1 ? 1 : 0
      })
    inside.withLock { $0 = center }
    let run = center.begin(.alpha)
    await clock.step(to: .seconds(4))
    #expect(await run.report.isSuccess)
    inside.withLock { $0 = nil }
  }

  private enum Shared: SharedKey {
    typealias Value = Page
  }

  /// Calls the center as it goes.
  private final class Page: Error, Sendable {
    let what: String
    let ends: Values<String>
    let inside: Values<TaskCenter>

    init(_ what: String, _ ends: Values<String>, _ inside: Values<TaskCenter>) {
      self.what = what
      self.ends = ends
      self.inside = inside
    }

    deinit {
      if inside.values.first?.order(of: .alpha) != nil { ends.append(what) }
    }
  }

  @Test(arguments: [1, Int.max])
  func `so may the deinit of whatever the center has held`(limit: Int) async throws {
    let clock = VirtualClock()
    let ends = Values<String>()
    let inside = Values<TaskCenter>()
    let paged = LifecycleEvent<Page, Void>("page")
    do {
      let held = Page("body", ends, inside)
      let center = try TaskCenter.with(
        [
          .event(.alpha, name: "output", returning: { _ in Page("output", ends, inside) }),
          .event(.alpha, name: "error", retry: RetryPolicy(attempts: 2)) { _ in throw Page("error", ends, inside) },
          .event(.alpha, name: "body") { _ in withExtendedLifetime(held) {} },
          .event(paged, name: "payload") { _ in },
        ], limit: limit, clock: clock)
      inside.append(center)
    }
    let center = try #require(inside.values.first)
    for _ in 0..<2 {
      await center.send(.alpha)
      await center.send(paged, Page("payload", ends, inside))
      center[Shared.self] = Page("shared", ends, inside)
    }
    try center.pause("payload", missed: .deliver)
    for _ in 0..<2 { await center.send(paged, Page("payload", ends, inside)) }
    try center.resume("payload")
    for name in ["output", "error", "body", "payload"] as [TaskName] { try center.destroy(name) }
    center[Shared.self] = nil
    await center.send(.alpha)
    await center.send(paged, Page("payload", ends, inside))
    await center.quiet()
    #expect(Set(ends.values) == ["output", "error", "shared", "body", "payload"])
  }
}
