import TaskKit
import TaskKitDurable
import TaskKitTesting
import Testing

/// Of which two queues may have all that their workers can run, and a third one a job.
private struct Broad: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = "broad"
  static var options: JobOptions<Broad> { JobOptions(backoff: .none, limit: 9) }
}

@Suite struct QueueTests {
  @Test func `queues without jobs are forgotten where there are many, and known again when they have some`()
    async throws
  {
    let (bench, flaky) = try JobBench.flaky(Work.self)
    var dead: JobID?
    for number in 1...400 {
      let id = try await bench.center.enqueue(Work("\(number)"), EnqueueOptions(queue: "user-\(number)"))
      if number == 7 { dead = id }
    }
    // One of them has ended, and can be retried.
    try await bench.center.jobs.cancel(try #require(dead))
    let late = try await bench.center.enqueue(
      Work("late"), EnqueueOptions(start: .after(.seconds(60)), queue: "user-late"))
    await bench.run()
    #expect(bench.probe.notes.count == 399)
    // What is asked from now on is asked for the queues that are left.
    for number in 401...900 {
      try await bench.center.enqueue(Work("\(number)"), EnqueueOptions(queue: "user-\(number)"))
      await bench.center.jobs.idle()
    }
    #expect(bench.probe.notes.count == 899)
    let before = flaky.exchanged.count
    try await bench.center.enqueue(Work("last"), EnqueueOptions(queue: "user-1"))
    await bench.center.jobs.idle()
    #expect(bench.probe.notes.last == "last")
    #expect(flaky.exchanged[before...].map(\.claims).max()! <= 129)
    #expect(try await bench.center.jobs.retry(try #require(dead)))
    await bench.center.jobs.idle()
    #expect(bench.probe.notes.last == "7")
    #expect(try await bench.center.jobs.why(late).contains("it is delayed"))
    await bench.time.advance(by: .seconds(60), driving: bench.center)
    #expect(bench.probe.notes.last == "late")
  }

  @Test func `a forgotten queue is known again when another process puts a job into it, and its limit holds`()
    async throws
  {
    let bench = try JobBench(Work.self, jobs: JobConfiguration(defaultQueue: QueueOptions(workers: 1), monitors: []))
    await bench.run()
    for number in 1...200 {
      try await bench.center.enqueue(Work("\(number)"), EnqueueOptions(queue: "user-\(number)"))
      await bench.center.jobs.idle()
    }
    let other = try JobBench(Work.self, store: MemoryStore(sharing: bench.store))
    let gate = Gate()
    for name in ["x", "y"] { bench.probe.on(name) { _ in await gate.pass() } }
    for name in ["x", "y"] { try await other.center.enqueue(Work(name), EnqueueOptions(queue: "user-1")) }
    await bench.time.continuous.waitForSleepers(1)
    bench.time.advance(by: .milliseconds(100))
    await gate.arrivals(1)
    #expect(bench.probe.notes.last == "x")
    gate.open()
    #expect(await bench.probe.notes(202).last == "y")
    await bench.center.jobs.idle()
  }

  @Test func `where a kind has a limit the end of a job does not cost the square of the number of queues`() async throws
  {
    let (bench, flaky) = try JobBench.flaky(Work.self, Chore.self)
    let queues = (1...50).map { "user-\($0)" }
    for queue in queues { try await bench.center.enqueue(Work("a"), EnqueueOptions(queue: queue)) }
    await bench.run()
    let before = flaky.exchanged.count
    try await bench.center.enqueue(Work("b"))
    await bench.center.jobs.idle()
    #expect(bench.probe.notes.last == "b")
    // Of each queue both kinds are wanted, and what has a limit once more.
    #expect(flaky.exchanged[before...].reduce(0) { $0 + $1.claims } <= 4 * (queues.count + 1))
    // And nobody is passed by for it.
    for queue in queues { try await bench.center.enqueue(Chore(queue), EnqueueOptions(queue: queue)) }
    await bench.center.jobs.idle()
    #expect(Set(bench.probe.notes).isSuperset(of: queues))
  }

  @Test(.timeLimit(.minutes(2)))
  func `what somebody held when it was asked for is looked for again, whatever is said to the store meanwhile`()
    async throws
  {
    let (bench, flaky) = try JobBench.flaky(Work.self)
    let (gate, told, last) = (Gate(), Gate(), Gate())
    bench.probe.on("a") { context in
      await gate.pass()
      try await context.checkpoint("halfway")
      told.open()
      await last.pass()
    }
    try await bench.center.enqueue(Work("a"))
    bench.center.start()
    await gate.arrivals(1)
    flaky.contend()
    let before = flaky.exchanged.count
    try await bench.center.enqueue(Work("b"))
    try await waitUntil { flaky.exchanged.count > before }
    gate.open()
    await told.pass()
    await bench.time.continuous.waitForSleeper(until: .milliseconds(20))
    bench.time.advance(by: .milliseconds(20))
    #expect(await bench.probe.notes(2) == ["a", "b"])
    last.open()
    await bench.center.jobs.idle()
  }

  @Test func `a kind's limit is used up where it has room for several queues at once, and holds`() async throws {
    let bench = try JobBench(Broad.self)
    let gate = Gate()
    let names = (1...5).flatMap { queue in (1...4).map { (queue: "user-\(queue)", name: "\(queue) \($0)") } }
    for (queue, name) in names {
      bench.probe.on(name) { _ in await gate.pass() }
      try await bench.center.enqueue(Broad(name), EnqueueOptions(queue: queue))
    }
    bench.center.start()
    await gate.arrivals(9)
    #expect(try await bench.center.jobs.count(where: JobSelection(states: [.running])) == 9)
    gate.open()
    await bench.center.jobs.idle()
    #expect(Set(bench.probe.notes) == Set(names.map(\.name)))
  }
}
