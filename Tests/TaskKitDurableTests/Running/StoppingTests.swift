import Dispatch
import Foundation
import Synchronization
import TaskKit
import TaskKitDurable
import TaskKitTesting
import Testing

/// Counts how often a value of it is read.
private struct Weighed: ProbedTask {
  static let reads = Atomic(0)

  var name: String

  init(_ name: String) { self.name = name }

  init(from decoder: any Decoder) throws {
    Self.reads.add(1, ordering: .sequentiallyConsistent)
    name = try decoder.singleValueContainer().decode(String.self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }

  static let kind = "weighed"
  static var options: JobOptions<Weighed> { JobOptions(backoff: .none) }
}

/// Gives up when its attempt fails.
private struct Single: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = "single"
  static var options: JobOptions<Single> { JobOptions(attempts: 1) }
}

@Suite struct StoppingTests {
  @Test func `a stopped job is ready again at once, with no attempt used (Zw1, Zw3, Zt4, Zt5)`() async throws {
    let bench = try JobBench(Work.self)
    let gate = Gate()
    bench.probe.on("a") { _ in try await gate.passUnlessCancelled() }
    try await bench.center.enqueue(Work("a"))
    bench.center.start()
    await gate.arrivals(1)
    let unfinished = await bench.center.jobs.stop()
    #expect(unfinished.isEmpty)
    #expect(try await bench.states() == ["1 ready 0"])
    #expect(bench.probe.notes == ["a"])
    gate.open()
    bench.center.jobs.resume()
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == ["a", "a"])
    #expect(try await bench.states() == [])
  }

  @Test func `a hundred stops use no attempt of a job that has three`() async throws {
    let bench = try JobBench(Work.self)
    let gate = Gate()
    bench.probe.on("a") { _ in try await gate.passUnlessCancelled() }
    try await bench.center.enqueue(Work("a"))
    bench.center.start()
    for round in 1...100 {
      await gate.arrivals(round)
      await bench.center.jobs.stop()
      bench.center.jobs.resume()
    }
    gate.open()
    await bench.center.jobs.idle()
    #expect(bench.probe.notes.count == 101)
    #expect(try await bench.states() == [])
  }

  @Test func `a stopped job is ready again, also where its body ends it for good when it is cancelled`() async throws {
    let bench = try JobBench(Work.self)
    let gate = Gate()
    bench.probe.on("gives up") { context in
      do { try await gate.passUnlessCancelled() } catch { try context.giveUp(because: error) }
    }
    bench.probe.on("cancels") { context in
      do { try await gate.passUnlessCancelled() } catch { try context.cancel() }
    }
    try await bench.center.enqueue([Work("gives up"), Work("cancels")])
    bench.center.start()
    await gate.arrivals(2)
    await bench.center.jobs.stop()
    #expect(try await bench.states() == ["1 ready 0", "2 ready 0"])
    gate.open()
    bench.center.jobs.resume()
    await bench.center.jobs.idle()
    #expect(bench.probe.notes.sorted() == ["cancels", "cancels", "gives up", "gives up"])
    #expect(try await bench.states() == [])
  }

  @Test func `jobs are accepted while the workers stop and are stopped, and start after resume (Z40, Zt6, Zt7, Zt31)`()
    async throws
  {
    let bench = try JobBench(Work.self)
    let gate = try await bench.runStubborn("slow")
    async let stopped = bench.center.jobs.stop()
    await bench.probe.notes(2)
    try await bench.center.enqueue(Work("while stopping"))
    gate.open()
    _ = await stopped
    try await bench.center.enqueue(Work("while stopped"))
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == ["slow", "cancelled"])
    #expect(try await bench.states() == ["2 ready 0", "3 ready 0"])
    bench.center.jobs.resume()
    await bench.center.jobs.idle()
    #expect(Set(bench.probe.notes.dropFirst(2)) == ["while stopping", "while stopped"])
  }

  @Test func `what ended in a stop is written down before the stop returns (Zw18)`() async throws {
    let bench = try JobBench(Work.self)
    let gate = Gate()
    bench.probe.on("a") { _ in try? await gate.passUnlessCancelled() }
    try await bench.center.enqueue(Work("a"))
    bench.center.start()
    await gate.arrivals(1)
    await bench.center.jobs.stop()
    #expect(try await bench.states() == [])
  }

  @Test func `a resume during a stop takes effect when the stop has ended (Z41, Zt8, Zt9)`() async throws {
    let bench = try JobBench(Work.self)
    let gate = Gate()
    bench.probe.on("slow") { context in
      try await bench.stubborn(gate)(context)
      // Written down by an exchange after the resume, which would begin the other one.
      try await context.checkpoint(1)
      bench.probe.note("slow ended")
    }
    try await bench.center.enqueue(Work("slow"))
    bench.center.start()
    await gate.arrivals(1)
    async let stopped = bench.center.jobs.stop()
    await bench.probe.notes(2)
    try await bench.center.enqueue(Work("next"))
    bench.center.jobs.resume()
    gate.open()
    _ = await stopped
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == ["slow", "cancelled", "slow ended", "next"])
  }

  @Test
  func `a task that is taken out while it waits for a stop does not wait for the job that waits for its end`()
    async throws
  {
    let bench = try JobBench(Work.self)
    let (probe, gate) = (bench.probe, Gate())
    try bench.center.inject(
      .event(.didBecomeActive, name: "stops") { (context: TaskContext<Void>) async in
        gate.open()
        await context.center.jobs.stop()
        probe.note("stopped")
      })
    probe.on("a") { context in
      let center = context.center
      _ = center.begin(.didBecomeActive)
      await gate.pass()
      try center.destroy("stops")
      await center.destroyed("stops")
      probe.note("goes on")
    }
    try await bench.center.enqueue(Work("a"))
    bench.center.start()
    #expect(await probe.notes(3) == ["a", "stopped", "goes on"])
    await bench.center.jobs.stop()
  }

  @Test(.timeLimit(.minutes(2)))
  func `a task that waits for a stop waits for the job that has awaited it and does so no longer`() async throws {
    let bench = try JobBench(Work.self)
    let (probe, first, second) = (bench.probe, Gate(), Gate())
    try bench.center.inject(
      .event(.didBecomeActive, name: "stops", timeout: .seconds(5)) { (context: TaskContext<Void>) async in
        await context.center.jobs.stop()
        probe.note("stopped")
      })
    probe.on("a") { context in
      await second.arrivals(1)
      _ = await context.center.begin(.didBecomeActive).report
      probe.note("a goes on")
      await first.pass()
      probe.note("a ends")
    }
    probe.on("b", bench.stubborn(second))
    try await bench.center.enqueue([Work("a"), Work("b")])
    bench.center.start()
    await bench.time.continuous.waitForSleeper(until: .seconds(5))
    #expect(await probe.notes(3).last == "cancelled")
    // The task waits for the stop, and the job for the task.
    for _ in 0..<1000 { await _Concurrency.Task.yield() }
    bench.time.advance(by: .seconds(5))
    #expect(await probe.notes(4).last == "a goes on")
    second.open()
    // It would have returned by now.
    for _ in 0..<1000 { await _Concurrency.Task.yield() }
    first.open()
    #expect(await probe.notes(6).suffix(2) == ["a ends", "stopped"])
    await bench.center.jobs.stop()
  }

  @Test func `a job may stop the workers from inside, and wait until they are idle, without waiting for itself`()
    async throws
  {
    let bench = try JobBench(Work.self)
    let gate = Gate()
    bench.probe.on("beside") { _ in
      await gate.pass()
      bench.probe.note("beside ended")
    }
    bench.probe.on("stops") { context in
      await gate.arrivals(1)
      async let stopped = context.center.jobs.stop()
      gate.open()
      _ = await stopped
      bench.probe.note("stopped")
    }
    try await bench.center.enqueue([Work("beside"), Work("stops")])
    bench.center.start()
    #expect(await bench.probe.notes(4).suffix(2) == ["beside ended", "stopped"])
    await bench.center.jobs.stop()
    #expect(try await bench.states() == [])
    for name in ["c", "d"] {
      bench.probe.on(name) { context in bench.probe.note("idle \(await context.center.jobs.idle())") }
    }
    try await bench.center.enqueue([Work("c"), Work("d")])
    bench.center.jobs.resume()
    #expect(await bench.probe.notes(8).suffix(2) == ["idle true", "idle true"])
    await bench.center.jobs.idle()
  }

  @Test func `of two stops each waits as long as it was asked to`() async throws {
    let bench = try JobBench(Work.self)
    let gate = try await bench.runStubborn("stubborn")
    async let patient: Void = {
      await bench.center.jobs.stop()
      bench.probe.note("the patient one returned")
    }()
    await bench.probe.notes(2)
    async let short = bench.center.jobs.stop(deadline: .seconds(5))
    await bench.time.continuous.waitForSleepers(1)
    bench.time.advance(by: .seconds(5))
    #expect(await short.count == 1)
    #expect(bench.probe.notes == ["stubborn", "cancelled"])
    gate.open()
    await patient
    #expect(try await bench.states() == [])
  }

  @Test func `a stop does not wait for a store that fails where nothing is to be written`() async throws {
    let (bench, flaky) = try JobBench.flaky(Work.self)
    flaky.fail("exchange", .locked, times: .max)
    try await bench.runUntilStoreFails(Work("a"))
    #expect(await bench.center.jobs.stop().isEmpty)
    #expect(try await bench.states() == ["1 ready 0"])
  }

  @Test func `a stop returns at its deadline and names what has not returned`() async throws {
    let bench = try JobBench(Work.self)
    let gate = try await bench.runStubborn("stubborn")
    async let stopped = bench.center.jobs.stop(deadline: .seconds(5))
    await bench.time.continuous.waitForSleepers(1)
    bench.time.advance(by: .seconds(5))
    let unfinished = await stopped
    #expect(unfinished.map(\.name) == ["work job 1"])
    #expect(unfinished.map(\.location.fileID) == ["Tests/work.swift"])
    gate.open()
    bench.center.jobs.resume()
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == ["stubborn", "cancelled"])
    #expect(try await bench.states() == [])
  }

  @Test(.timeLimit(.minutes(2)), arguments: ["stop", "shutdown"])
  func `a stop ends at its deadline however long a call of the program takes`(how: String) async throws {
    // On the machine's clock, whose calls take none of the threads on which tasks run.
    let center = try TaskCenter(
      registry: TaskRegistry().adding(Work.self), stores: [.memory()], jobs: JobConfiguration(monitors: []))
    let (probe, gate, slow) = (Probe(), Gate(), DispatchSemaphore(value: 0))
    center[Probe.Key.self] = probe
    probe.on("stubborn") { _ in await gate.pass() }
    try await center.enqueue(Work("stubborn"))
    center.start()
    await gate.arrivals(1)
    center.after(.zero) {
      probe.note("slow")
      slow.wait()
    }
    await probe.notes(2)
    let unfinished =
      if how == "stop" { await center.jobs.stop(deadline: .milliseconds(1)) } else {
        await center.terminate(deadline: .milliseconds(8)).unfinished
      }
    slow.signal()
    gate.open()
    #expect(unfinished.map(\.name) == ["work job 1"])
  }

  @Test func `the shutdown of the center stops the jobs and writes down what they came to (Z38, Z39)`() async throws {
    let bench = try JobBench(Work.self)
    let gate = Gate()
    bench.probe.on("done") { _ in try? await gate.passUnlessCancelled() }
    bench.probe.on("interrupted") { _ in try await gate.passUnlessCancelled() }
    try await bench.center.enqueue(Work("done"))
    try await bench.center.enqueue(Work("interrupted"))
    bench.center.start()
    await gate.arrivals(2)
    let report = await bench.center.terminate()
    #expect(report.isSuccess)
    let next = try JobBench(Work.self, store: MemoryStore(sharing: bench.store))
    #expect(try await next.states() == ["2 ready 0"])
    await #expect(throws: JobStoreError.self) { try await bench.center.enqueue(Work("too late")) }
  }

  @Test(arguments: ["lane", "event"])
  func `a job that awaits what the shutdown cancels has used no attempt, whatever it throws for it`(
    what: String
  ) async throws {
    // Whether the body returns before it is told that it was stopped is up to the threads.
    for _ in 0..<100 {
      let bench = try JobBench(Single.self)
      let gate = Gate()
      try bench.center.inject(
        .event(.didBecomeActive, name: "endless") { _ in try await gate.passUnlessCancelled() })
      let paused = Lane("paused")
      bench.center.lane(paused).pause()
      bench.probe.on("a") { context in
        if what == "lane" { return try await context.center.lane(paused).enqueue("endless") {}.value }
        guard await context.center.send(.didBecomeActive).status == .completed else { throw Failure() }
      }
      try await bench.center.enqueue(Single("a"))
      bench.center.start()
      if what == "event" { await gate.arrivals(1) }
      if what == "lane" { try await waitUntil { bench.center.lane(paused).waiting == ["endless"] } }
      #expect(await bench.center.terminate().unfinished.isEmpty)
      let next = try JobBench(Single.self, store: MemoryStore(sharing: bench.store))
      #expect(try await next.states() == ["1 ready 0"])
      #expect(bench.probe.notes == ["a"])
    }
  }

  @Test func `a resume begins nothing while the tasks of the center are stopped`() async throws {
    let bench = try JobBench(Work.self)
    let gate = Gate()
    try bench.center.inject(.event(.didBecomeActive, name: "database") { _ in }.stopping { await gate.pass() })
    await bench.center.send(.didBecomeActive)
    await bench.run()
    async let report = bench.center.terminate()
    await gate.arrivals(1)
    try await bench.center.enqueue([Work("a"), Work("b")])
    bench.center.jobs.resume()
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == [])
    gate.open()
    #expect(await report.isSuccess)
    let next = try JobBench(Work.self, store: MemoryStore(sharing: bench.store))
    #expect(try await next.states() == ["1 ready 0", "2 ready 0"])
  }

  @Test func `a resume begins nothing while the shutdown of the center stops the jobs`() async throws {
    let bench = try JobBench(Work.self)
    let (gate, closing) = (Gate(), Gate())
    bench.probe.on("slow", bench.stubborn(gate))
    try bench.center.inject(.event(.didBecomeActive, name: "database") { _ in }.stopping { await closing.pass() })
    await bench.center.send(.didBecomeActive)
    try await bench.center.enqueue(Work("slow"))
    bench.center.start()
    await gate.arrivals(1)
    async let report = bench.center.terminate()
    await bench.probe.notes(2)
    try await bench.center.enqueue(Work("next"))
    bench.center.jobs.resume()
    gate.open()
    // By now the jobs have been stopped.
    await closing.arrivals(1)
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == ["slow", "cancelled"])
    closing.open()
    #expect(await report.isSuccess)
    let next = try JobBench(Work.self, store: MemoryStore(sharing: bench.store))
    #expect(try await next.states() == ["2 ready 0"])
  }

  @Test func `a shutdown names the job that did not return, and its job is given back`() async throws {
    let bench = try JobBench(Work.self)
    let gate = try await bench.runStubborn("stubborn")
    async let report = bench.center.terminate(deadline: .seconds(8))
    await bench.probe.notes(2)
    // The job is told before the center sets the time until which it waits.
    try await waitUntil { bench.center.timeUntilDue == .seconds(7) }
    bench.time.advance(by: .seconds(7))
    #expect(await report.unfinished.map(\.name) == ["work job 1"])
    let next = try JobBench(Work.self, store: MemoryStore(sharing: bench.store))
    #expect(try await next.states() == ["1 ready 0"])
    gate.open()
  }

  @Test func `a center that nobody uses any more goes, with everything of its jobs (Zw16)`() async throws {
    let probe = Probe()
    do {
      let bench = try JobBench(Work.self)
      bench.center[Canary.Key.self] = Canary(probe: probe)
      try await bench.center.enqueue(Work("a"))
      try await bench.center.enqueue(Work("later"), .delayed(.seconds(60)))
      await bench.run()
    }
    #expect(await probe.notes(1) == ["gone"])
  }

  @Test func `idle returns while jobs wait for time, constraints, kinds and people (Z42, Zw14)`() async throws {
    let bench = try JobBench(Work.self)
    try await bench.center.enqueue(Work("a"))
    try await bench.center.enqueue(Work("later"), .delayed(.seconds(60)))
    try await bench.center.enqueue(Work("offline"), EnqueueOptions(requires: [.network]))
    try await bench.center.enqueue(Chore("orphan"))
    let held = try await bench.center.enqueue(Work("held"))
    try await bench.center.jobs.hold(held, because: "not yet")
    bench.center.start()
    #expect(await bench.center.jobs.idle())
    #expect(bench.probe.notes == ["a"])
  }

  @Test func `an attempt that was cancelled before its body could begin does not begin, and its value is not read`()
    async throws
  {
    let count = 200
    let bench = try JobBench(
      Weighed.self, jobs: JobConfiguration(defaultQueue: QueueOptions(workers: count), monitors: []))
    for number in 0..<count {
      // It waits for nothing: whoever begins behind it begins afterwards.
      bench.probe.on("\(number)") { try await $0.center.jobs.cancel(where: .all) }
    }
    try await bench.center.enqueue((0..<count).map { Weighed("\($0)") })
    await bench.run()
    let begun = bench.probe.notes.count
    // A few begin before the first of them has cancelled the others; all of them, if nobody asked.
    #expect((1..<count).contains(begun))
    #expect(Weighed.reads.load(ordering: .sequentiallyConsistent) == begun)
  }

  @Test func `idle has a deadline`() async throws {
    let bench = try JobBench(Work.self)
    let gate = Gate()
    bench.probe.on("a") { _ in await gate.pass() }
    try await bench.center.enqueue(Work("a"))
    bench.center.start()
    await gate.arrivals(1)
    async let isIdle = bench.center.jobs.idle(deadline: .seconds(3))
    await bench.time.continuous.waitForSleepers(1)
    bench.time.advance(by: .seconds(3))
    #expect(await !isIdle)
    gate.open()
    await bench.center.jobs.idle()
  }
}

/// Says when it is let go of.
private final class Canary: Sendable {
  let probe: Probe

  init(probe: Probe) { self.probe = probe }

  deinit { probe.note("gone") }

  enum Key: SharedKey { typealias Value = Canary }
}
