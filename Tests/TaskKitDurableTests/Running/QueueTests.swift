import TaskKit
import TaskKitDurable
import TaskKitTesting
import Testing

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
}
