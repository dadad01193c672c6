import TaskKit
import TaskKitDurable
import TaskKitTesting
import Testing

@Suite struct CheckpointTests {
  @Test func `a checkpoint that was removed is there for no later attempt`() async throws {
    let bench = try JobBench(Work.self)
    bench.probe.on("a") { [probe = bench.probe] context in
      probe.note("\(try context.checkpoint(as: Int.self).map(String.init) ?? "none")")
      switch context.attempt {
      case 1: try await context.checkpoint(7)
      case 2:
        try await context.removeCheckpoint()
        probe.note("\(try context.checkpoint(as: Int.self).map(String.init) ?? "none")")
      default: return
      }
      throw Failure()
    }
    try await bench.center.enqueue(Work("a"))
    await bench.run()
    #expect(bench.probe.notes == ["a", "none", "a", "7", "none", "a", "none"])
  }

  @Test func `the next attempt goes on from the checkpoint (Z26)`() async throws {
    let bench = try JobBench(Work.self)
    bench.probe.on("a") { context in
      let done = try context.checkpoint(as: Int.self) ?? 0
      bench.probe.note("from \(done)")
      try await context.checkpoint(done + 5)
      if context.attempt < 3 { throw Failure() }
    }
    try await bench.center.enqueue(Work("a"))
    await bench.run()
    #expect(bench.probe.notes == ["a", "from 0", "a", "from 5", "a", "from 10"])
  }

  @Test func `a step runs once for all attempts`() async throws {
    let bench = try JobBench(Work.self)
    bench.probe.on("a") { context in
      let receipt = try await context.once("charge") {
        bench.probe.note("charged")
        return "receipt \(context.attempt)"
      }
      try await context.once("mail") { bench.probe.note("mailed") }
      bench.probe.note(receipt)
      if context.attempt < 3 { throw Failure() }
    }
    try await bench.center.enqueue(Work("a"))
    await bench.run()
    #expect(
      bench.probe.notes == ["a", "charged", "mailed", "receipt 1", "a", "receipt 1", "a", "receipt 1"])
  }

  @Test func `a step that throws has not happened`() async throws {
    let bench = try JobBench(Work.self)
    bench.probe.on("a") { context in
      try await context.once("charge") {
        bench.probe.note("try \(context.attempt)")
        if context.attempt == 1 { throw Failure() }
      }
    }
    try await bench.center.enqueue(Work("a"))
    await bench.run()
    #expect(bench.probe.notes == ["a", "try 1", "a", "try 2"])
  }

  @Test(arguments: [false, true])
  func `an attempt that is cancelled may still do a step, and find out what was done`(onDisk: Bool) async throws {
    let fixture = onDisk ? try SQLiteFixture() : nil
    let bench = try JobBench(Work.self, wrapping: { memory in fixture?.makeStore() ?? memory })
    let gate = Gate()
    bench.probe.on("a") { context in
      let receipt = try await context.once("charge") { "receipt" }
      guard context.attempt == 1, !bench.probe.notes.contains("refunded") else { return bench.probe.note(receipt) }
      do { try await gate.passUnlessCancelled() } catch {
        // In another attempt it would be found as well.
        try await context.once("refund") { bench.probe.note("refunded") }
        throw error
      }
    }
    try await bench.center.enqueue(Work("a"))
    bench.center.start()
    await gate.arrivals(1)
    await bench.center.jobs.stop()
    #expect(bench.probe.notes == ["a", "refunded"])
    bench.center.jobs.resume()
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == ["a", "refunded", "a", "receipt"])
    await bench.center.terminate()
  }

  @Test func `a step's name is used once in an attempt`() async throws {
    let bench = try JobBench(Work.self)
    bench.probe.on("a") { context in
      try await context.once("charge") {}
      let error = await #expect(throws: DurableError.self) { try await context.once("charge") {} }
      #expect(error?.code == .stepUsedTwice)
    }
    try await bench.center.enqueue(Work("a"))
    await bench.run()
    #expect(try await bench.states() == [])
  }

  @Test func `the idempotency key is the same for all attempts, and another for each job`() async throws {
    let bench = try JobBench(Work.self)
    bench.probe.on("a") { context in
      bench.probe.note(context.idempotencyKey)
      if context.attempt == 1 { throw Failure() }
    }
    bench.probe.on("b") { context in bench.probe.note(context.idempotencyKey) }
    try await bench.center.enqueue(Work("a"))
    try await bench.center.enqueue(Work("b"))
    await bench.run()
    let keys = bench.probe.notes.filter { $0.count > 1 }
    #expect(keys.count == 3)
    #expect(Set(keys).count == 2)
  }

  @Test func `progress is seen from outside, at the latest after a second`() async throws {
    let bench = try JobBench(Work.self)
    let gate = Gate()
    bench.probe.on("a") { context in
      for step in 1...50 { context.progress(Int64(step), of: 50) }
      await gate.pass()
    }
    let id = try await bench.center.enqueue(Work("a"))
    bench.center.start()
    await gate.arrivals(1)
    var states = bench.center.jobs.updates(of: id).makeAsyncIterator()
    bench.time.advance(by: .seconds(1))
    var seen: JobProgress?
    while seen == nil, let job = await states.next() { seen = job.progress }
    #expect(seen == JobProgress(completed: 50, of: 50))
    gate.open()
    await bench.center.jobs.idle()
  }

  @Test func `progress is that of an attempt that is going, and is gone with it`() async throws {
    let bench = try JobBench(Work.self)
    bench.probe.on("a") { context in
      context.progress(50, of: 50)
      throw Failure()
    }
    let id = try await bench.center.enqueue(Work("a"), EnqueueOptions(attempts: 1))
    await bench.run()
    bench.time.advance(by: .seconds(1))
    await bench.center.jobs.idle()
    let job = try #require(try await bench.center.jobs.snapshot(of: id))
    #expect(job.state == .dead)
    #expect(job.progress == nil)
  }

  @Test func `children get what their parents returned, and run after them`() async throws {
    let bench = try JobBench(Work.self, Measure.self)
    bench.probe.on("sum") { context in
      bench.probe.note("\(try context.results(as: Int.self).reduce(0, +))")
    }
    var batch = JobBatch()
    let parts = (1...3).map { batch.add(Measure(value: $0)) }
    batch.add(Work("sum"), after: parts)
    try await bench.center.enqueue(batch)
    await bench.run()
    #expect(bench.probe.notes == ["sum", "12"])
  }

  @Test func `a chain runs in order, each when the one before has succeeded`() async throws {
    let bench = try JobBench(Work.self, Chore.self)
    bench.probe.on("b") { if $0.attempt == 1 { throw Failure() } }
    try await bench.center.enqueue(chain: [Work("a"), Chore("b"), Work("c")])
    await bench.run()
    #expect(bench.probe.notes == ["a", "b"])
    await bench.time.advance(by: .seconds(10), driving: bench.center)
    #expect(bench.probe.notes == ["a", "b", "b", "c"])
  }

  @Test func `what a finished job returned can be read while it is kept`() async throws {
    let bench = try JobBench(Measure.self)
    let id = try await bench.center.enqueue(Measure(value: 21))
    await bench.run()
    #expect(try await bench.center.jobs.result(of: id, as: Int.self) == 42)
  }
}
