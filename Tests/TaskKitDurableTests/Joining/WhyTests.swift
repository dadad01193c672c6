import Foundation
import TaskKit
import TaskKitDurable
import TaskKitDurableTesting
import TaskKitTesting
import Testing

/// Two attempts, all that ended is kept.
private struct Kept: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = "kept"
  static var options: JobOptions<Kept> {
    JobOptions(attempts: 2, backoff: .fixed(.seconds(10)), retention: JobRetention(finished: nil))
  }
}

/// Held when its attempts are used up, or when the process dies in it twice.
private struct Fragile: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = "fragile"
  static var options: JobOptions<Fragile> {
    JobOptions(attempts: 2, backoff: .none, crashes: 2, exhaustion: .hold, parentFailure: .hold)
  }
}

/// One at a time, with a deadline.
private struct Slow: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = "slow"
  static var options: JobOptions<Slow> {
    JobOptions(attempts: .unlimited, deadline: .seconds(5), limit: 1, keyLimit: .by { _ in "all" })
  }
}

/// What `why` says, for every state and every reason.
@Suite struct WhyTests {
  private func bench(
    store: MemoryStore = MemoryStore(), workers: Int = 4, constraints: ManualConstraints = ManualConstraints([:])
  ) throws -> JobBench {
    try JobBench(
      Kept.self, Fragile.self, Slow.self, store: store,
      jobs: JobConfiguration(
        queues: ["narrow": QueueOptions(workers: workers)], defaultQueue: QueueOptions(workers: 4),
        monitors: [constraints], owner: "probe 7"))
  }

  private func why(_ bench: JobBench, _ id: JobID) async throws -> String {
    let text = try await bench.center.jobs.why(id)
    let prefix = "job \(id) of kind "
    #expect(text.hasPrefix(prefix))
    return String(text.dropFirst(prefix.count))
  }

  @Test func `a job, a store and a schedule can be read on one line each`() async throws {
    let bench = try JobBench(Kept.self, Fragile.self, Scheduled<Hourly>.self)
    bench.probe.on("fails") { _ in throw Failure() }
    func words(_ id: JobID) async throws -> String {
      try #require(try await bench.center.jobs.snapshot(of: id)).description
    }
    #expect("\(bench.center.jobs.stores)".contains("store 'memory' is not open"))
    let first = try await bench.center.enqueue(Kept("fails"))
    #expect(try await words(first) == "job \(first) of kind 'kept' in queue 'default': ready, attempt 1 of 2")
    let second = try await bench.center.enqueue(Fragile("fails"))
    await bench.run()
    let due = try #require(try await bench.center.jobs.snapshot(of: first)?.due)
    let date = due.formatted(.iso8601.dateTimeSeparator(.space)).replacing("Z", with: " UTC")
    #expect(
      try await words(first)
        == "job \(first) of kind 'kept' in queue 'default': delayed until \(date), attempt 2 of 2, the last error: \(Failure())"
    )
    #expect(
      try await words(second)
        == "job \(second) of kind 'fragile' in queue 'default': held (its attempts are used up), attempt 2 of 2, the last error: "
        + "\(Failure())")
    let third = try await bench.center.enqueue(Kept("child"), EnqueueOptions(after: [first]))
    #expect(try await words(third).contains("waiting for job \(first), attempt 1 of 2"))
    #expect("\(bench.center.jobs.stores)".contains("store 'memory' is open"))
    let schedule = try #require(try await bench.center.jobs.schedules().first)
    #expect(schedule.description.hasPrefix("'Hourly' every 1 h, 0 occurrences, next at "))
  }

  @Test func `what a body says on several lines takes one line of a reason, and of its job`() async throws {
    let bench = try bench()
    let text = "a\nb\r\nc\u{2028}d"
    bench.probe.on("fails") { _ in throw Failure(text) }
    let failing = try await bench.center.enqueue(Kept("fails"))
    let held = try await bench.center.enqueue(Kept("held"), .delayed(.seconds(99)))
    try await bench.center.jobs.hold(held, because: text)
    await bench.run()
    #expect(try await why(bench, failing).hasSuffix("; attempt 1 ended with: a b c d"))
    #expect(try await why(bench, held).hasSuffix(": it is held: a b c d"))
    for id in [failing, held] {
      let words = try #require(try await bench.center.jobs.snapshot(of: id)).description
      #expect(words.contains("a b c d") && !words.contains(where: \.isNewline))
    }
  }

  @Test func `jobs that have ended`() async throws {
    let bench = try bench()
    bench.probe.on("fails") { _ in throw Failure() }
    let finished = try await bench.center.enqueue(Kept("a"))
    let dead = try await bench.center.enqueue(Kept("fails"))
    let cancelled = try await bench.center.enqueue(Kept("c"), .delayed(.seconds(99)))
    try await bench.center.jobs.cancel(cancelled)
    await bench.run()
    #expect(
      try await why(bench, dead)
        == "'kept', attempt 2 of 2: it is delayed until 2026-01-01T00:00:10Z; attempt 1 ended with: no luck")
    await bench.time.advance(by: .seconds(10), driving: bench.center)
    #expect(try await why(bench, finished) == "'kept', attempt 1 of 2: it has finished at 2026-01-01T00:00:00Z")
    #expect(
      try await why(bench, dead)
        == "'kept', attempt 2 of 2: it has given up; attempt 2 ended with: no luck; 'retry' lets it run again")
    #expect(try await why(bench, cancelled) == "'kept', attempt 1 of 2: it was cancelled")
    #expect(
      try await bench.center.jobs.why(JobID(rawValue: 99))
        == "there is no job 99: it ended and was not kept, was deleted, or never was")
  }

  @Test func `jobs that are held`() async throws {
    let constraints = ManualConstraints([:])
    let first = try bench(constraints: constraints)
    let crashed = try await first.center.enqueue(Fragile("dies"))
    await first.die(in: "dies")
    await (try bench(store: MemoryStore(sharing: first.store))).die(in: "dies")
    let bench = try bench(store: MemoryStore(sharing: first.store))
    bench.probe.on("fails") { _ in throw Failure() }
    bench.probe.on("asks") { try $0.hold("nobody is signed in", until: ["signed in", "vpn"]) }
    let gaveUp = try await bench.center.enqueue(Fragile("fails"))
    let asks = try await bench.center.enqueue(Fragile("asks"))
    let asked = try await bench.center.enqueue(Fragile("c"))
    try await bench.center.jobs.hold(asked, because: "asked by support")
    let parent = try await bench.center.enqueue(Kept("p"), .delayed(.seconds(99)))
    let child = try await bench.center.enqueue(Fragile("d"), .after(parent))
    try await bench.center.jobs.cancel(parent)
    let unreadable = try await bench.store.enqueue([
      NewJob(kind: "kept", payload: JobPayload(version: 9, bytes: Data("{}".utf8)))
    ])[0].id
    await bench.run()
    #expect(
      try await why(bench, crashed)
        == "'fragile', attempt 2 of 2: it is held because the process died in it 2 times, one after the other")
    #expect(
      try await why(bench, gaveUp)
        == "'fragile', attempt 2 of 2: it is held because its attempts are used up; attempt 2 ended with: no luck")
    #expect(
      try await why(bench, asks)
        == """
        'fragile', attempt 1 of 2: it is held until 'signed in' and 'vpn' holds: nobody is signed in
          no monitor of the center knows constraint 'signed in'
          no monitor of the center knows constraint 'vpn'
        """)
    #expect(try await why(bench, asked) == "'fragile', attempt 1 of 2: it is held: asked by support")
    #expect(
      try await why(bench, child)
        == "'fragile', attempt 1 of 2: it is held because job \(parent), which it waited for, did not succeed")
    #expect(
      try await why(bench, unreadable)
        == """
        'kept', attempt 1 of 3: it is held because this build cannot read it: it is of version 9, and Kept of this build \
        reads up to 1
        """)
  }

  @Test func `jobs that run, wait, or are behind others`() async throws {
    let bench = try bench(workers: 2)
    let gate = Gate()
    for name in ["1", "2", "slow"] { bench.probe.on(name) { _ in await gate.pass() } }
    let narrow = EnqueueOptions(queue: "narrow")
    let running = try await bench.center.enqueue(Kept("1"), narrow)
    try await bench.center.enqueue(Kept("2"), narrow)
    let slow = try await bench.center.enqueue(Slow("slow"))
    bench.center.start()
    await gate.arrivals(3)
    let next = try await bench.center.enqueue(Kept("3"), narrow)
    let second = try await bench.center.enqueue(Kept("4"), narrow)
    let third = try await bench.center.enqueue(Kept("5"), narrow)
    let limited = try await bench.center.enqueue(Slow("6"))
    let child = try await bench.center.enqueue(Kept("7"), .after(running, slow))
    let delayed = try await bench.center.enqueue(Kept("8"), .delayed(.seconds(60)))
    let unknown = try await bench.center.enqueue(Work("9"))
    #expect(
      try await why(bench, running) == "'kept', attempt 1 of 2: it is running in probe 7 since 2026-01-01T00:00:00Z")
    let busy = "'kept', attempt 1 of 2: all 2 workers of queue 'narrow' are busy, and it is"
    #expect(try await why(bench, next) == "\(busy) next")
    #expect(try await why(bench, second) == "\(busy) behind 1 other")
    #expect(try await why(bench, third) == "\(busy) behind 2 others")
    #expect(
      try await why(bench, limited)
        == """
        'slow', attempt 1: 1 of its kind run, as many as its limit allows
          1 of key 'slow/all' run, as many as its limit allows
        """)
    #expect(try await why(bench, child) == "'kept', attempt 1 of 2: it waits for job \(running), job \(slow)")
    #expect(try await why(bench, delayed) == "'kept', attempt 1 of 2: it is delayed until 2026-01-01T00:01:00Z")
    #expect(try await why(bench, unknown) == "'work', attempt 1 of 3: its kind is not registered in this build")
    var events = bench.center.jobs.events().makeAsyncIterator()
    bench.time.advance(by: .seconds(5))
    while let event = await events.next() { if case .overdue = event.kind { break } }
    #expect(
      try await why(bench, slow)
        == """
        'slow', attempt 1: it is running in probe 7 since 2026-01-01T00:00:00Z, was cancelled at its deadline, and has \
        not returned
        """)
    gate.open()
    await bench.center.jobs.idle()
  }

  @Test func `jobs that something holds up`() async throws {
    let constraints = ManualConstraints([.network: .unsatisfied, .charging: .unknown])
    let bench = try bench(constraints: constraints)
    let job = try await bench.center.enqueue(
      Kept("a"), EnqueueOptions(requires: [.network, .charging, "vpn"], requiresUntil: .after(.seconds(600))))
    let other = try await bench.center.enqueue(Kept("b"), EnqueueOptions(queue: "narrow"))
    #expect(try await why(bench, other) == "'kept', attempt 1 of 2: the center of this process was not started")
    try await bench.center.jobs.pause(queue: "narrow", by: "Ada")
    try await bench.center.jobs.pause(kind: "slow", by: "Bob")
    try await bench.center.jobs.pause(key: "slow/all", by: "Cem")
    try await bench.center.jobs.pause(key: "slow/other", by: "Cem")
    let slow = try await bench.center.enqueue(Slow("c"))
    await bench.run()
    let until = "and is asked for until 2026-01-01T00:10:00Z"
    #expect(
      try await why(bench, job)
        == """
        'kept', attempt 1 of 2: constraint 'network' does not hold, \(until)
          nobody knows whether constraint 'charging' holds, \(until)
          no monitor of the center knows constraint 'vpn', \(until)
        """)
    #expect(
      try await why(bench, other)
        == "'kept', attempt 1 of 2: queue 'narrow' is paused by Ada since 2026-01-01T00:00:00Z")
    #expect(
      try await why(bench, slow)
        == """
        'slow', attempt 1: its kind is paused by Bob since 2026-01-01T00:00:00Z
          key 'slow/all' is paused by Cem since 2026-01-01T00:00:00Z
        """)
    await bench.center.jobs.stop()
    try await bench.center.jobs.resume(queue: "narrow")
    #expect(try await why(bench, other) == "'kept', attempt 1 of 2: the workers are stopped; 'resume' lets them run")
    try await bench.center.jobs.setRate(RateLimit(1, per: .seconds(60)), ofQueue: "narrow")
    bench.center.jobs.resume()
    await bench.center.jobs.idle()
    let rated = try await bench.center.enqueue(Kept("d"), EnqueueOptions(queue: "narrow"))
    await bench.center.jobs.idle()
    #expect(
      try await why(bench, rated)
        == """
        'kept', attempt 1 of 2: 1 of queue 'narrow' start in 60.0 seconds, as many as its rate allows; the next may at \
        2026-01-01T00:01:00Z
        """)
  }

  @Test func `a store that cannot be used for a while`() async throws {
    let (bench, store) = try JobBench.flaky(Work.self)
    await bench.run()
    store.fail("exchange", .full, times: 100)
    let id = try await bench.center.enqueue(Work("a"))
    await bench.time.continuous.waitForSleepers(1)
    #expect(
      try await why(bench, id)
        == "'work', attempt 1 of 3: the store could not be used, and is tried again in a while")
  }
}
