import TaskKit
@testable import TaskKitDurable
import TaskKitDurableTesting
import TaskKitTesting
import Testing

/// Kept in the second store.
private struct Elsewhere: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = "elsewhere"
  static var options: JobOptions<Elsewhere> { JobOptions(store: "b") }
}

/// Several stores of one center come to rest together.
@Suite struct IdleTests {
  private let time = VirtualTime()
  private let probe = Probe()

  private func makeCenter() throws -> TaskCenter {
    let center = try TaskCenter(
      registry: TaskRegistry().adding(Work.self).adding(Elsewhere.self), time: time.source,
      stores: [.memory("a"), .memory("b")], jobs: JobConfiguration(monitors: []))
    center[Probe.Key.self] = probe
    return center
  }

  @Test func `a task that waits for jobs lends its slot to what they send`() async throws {
    let bench = try JobBench(Work.self, maximumConcurrency: 1)
    let (probe, gate) = (bench.probe, Gate())
    try bench.center.inject([
      .event(.didBecomeActive, name: "waits") { (context: TaskContext<Void>) async in
        await context.center.jobs.idle(deadline: .seconds(60))
        probe.note("idle")
      },
      .event(.willResignActive, name: "asked") { _ in probe.note("asked") },
    ])
    probe.on("a") { context in
      await gate.pass()
      await context.center.send(.willResignActive)
    }
    try await bench.center.enqueue(Work("a"))
    bench.center.start()
    await gate.arrivals(1)
    async let active = bench.center.send(.didBecomeActive)
    await bench.time.continuous.waitForSleeper(until: .seconds(60))
    gate.open()
    _ = await active
    #expect(probe.notes == ["a", "asked", "idle"])
  }

  @Test func `what a job of one store enqueues in another one is waited for`() async throws {
    let center = try makeCenter()
    let (first, second) = (Gate(), Gate())
    probe.on("first") { context in
      await first.pass()
      try await context.center.enqueue(Work("second"))
    }
    probe.on("second") { _ in await second.pass() }
    center.start()
    try await center.enqueue(Elsewhere("first"))
    await first.arrivals(1)
    // Nothing is left in the first store, and that is what it has said.
    let idle = _Concurrency.Task { [probe] in
      let isIdle = await center.jobs.idle()
      probe.note("idle")
      return isIdle
    }
    #expect(try await center.jobs(in: "a").idle())
    first.open()
    await second.arrivals(1)
    #expect(try await center.jobs(in: "b").idle())
    // It would have returned by now: everything else has come to rest.
    for _ in 0..<1000 { await _Concurrency.Task.yield() }
    #expect(probe.notes == ["first", "second"])
    second.open()
    #expect(await idle.value)
    #expect(probe.notes == ["first", "second", "idle"])
  }

  @Test func `a deadline is that of all stores together`() async throws {
    let center = try makeCenter()
    let gate = Gate()
    probe.on("busy") { _ in await gate.pass() }
    center.start()
    try await center.enqueue(Elsewhere("busy"))
    await gate.arrivals(1)
    async let isIdle = center.jobs.idle(deadline: .seconds(5))
    await time.continuous.waitForSleepers(1)
    time.advance(by: .seconds(5))
    #expect(await !isIdle)
    gate.open()
    #expect(await center.jobs.idle(deadline: .seconds(5)))
  }

  @Test(arguments: ["idle", "stop"])
  func `jobs of two stores that wait for everybody do not wait for each other`(how: String) async throws {
    let center = try makeCenter()
    let gate = Gate()
    let body: Probe.Body = { [probe] context in
      await gate.pass()
      if how == "idle" {
        probe.note("\(await context.center.jobs.idle())")
      } else {
        await context.center.jobs.stop()
        probe.note("stopped")
      }
    }
    probe.on("a", body)
    probe.on("b", body)
    center.start()
    try await center.enqueue(Work("a"))
    try await center.enqueue(Elsewhere("b"))
    await gate.arrivals(2)
    gate.open()
    #expect(Set(await probe.notes(4)) == (how == "idle" ? ["a", "b", "true"] : ["a", "b", "stopped"]))
    await center.jobs.idle()
  }

  @Test func `a stop names what it has stopped, and not what has begun in another store since a resume`() async throws {
    let center = try makeCenter()
    let (gate, stubborn) = (Gate(), Gate())
    probe.on("a") { [probe] _ in
      do { try await gate.passUnlessCancelled() } catch {
        probe.note("a ends")
        throw error
      }
    }
    probe.on("b") { [probe] _ in
      await withTaskCancellationHandler {
        await stubborn.pass()
      } onCancel: {
        probe.note("b goes on")
      }
    }
    center.start()
    try await center.enqueue(Work("a"))
    try await center.enqueue(Elsewhere("b"))
    await gate.arrivals(1)
    await stubborn.arrivals(1)
    async let stopped = center.jobs.stop(deadline: .seconds(5))
    #expect(Set(await probe.notes(4)) == ["a", "b", "a ends", "b goes on"])
    center.jobs.resume()
    // The store whose jobs have ended does not wait for the other one.
    await gate.arrivals(2)
    time.advance(by: .seconds(5))
    #expect(await stopped.map(\.name) == ["elsewhere job 1"])
    gate.open()
    stubborn.open()
    await center.jobs.idle()
    #expect(try await center.jobs.count() == 0)
  }

  @Test func `a center is idle when its jobs have rested for a while, and again only after another one`() async throws {
    let center = try makeCenter()
    try center.inject(
      .event(.idle, name: "idle") { [time, probe] _ in probe.note("idle at \(time.continuous.now.offset)") })
    let gate = Gate()
    probe.on("long") { _ in await gate.pass() }
    try await center.enqueue(Elsewhere("long"))
    async let ended = center.run(sources: [.idle(after: .seconds(5))])
    await gate.arrivals(1)
    time.advance(by: .seconds(60))
    // It would have been told by now.
    for _ in 0..<1000 { await _Concurrency.Task.yield() }
    let early = probe.notes
    gate.open()
    guard early == ["long"] else {
      center.shutDown()
      _ = await ended
      throw Failure("\(early)")
    }
    await time.continuous.waitForSleeper(until: .seconds(65))
    time.advance(by: .seconds(5))
    #expect(await probe.notes(2) == ["long", "idle at 65.0 seconds"])
    // What only looks for jobs is none.
    center.jobs.resume()
    await center.jobs.idle()
    time.advance(by: .seconds(60))
    try await center.enqueue(Work("short"))
    await time.continuous.waitForSleeper(until: .seconds(130))
    time.advance(by: .seconds(5))
    #expect(await probe.notes(4) == ["long", "idle at 65.0 seconds", "short", "idle at 130.0 seconds"])
    center.shutDown()
    _ = await ended
  }

  @Test func `a job that waits for everybody waits for those of other stores`() async throws {
    let center = try makeCenter()
    let gate = Gate()
    probe.on("a") { [probe] context in
      await context.center.jobs.idle()
      probe.note("idle")
    }
    probe.on("b") { [probe] _ in
      await gate.pass()
      probe.note("done")
    }
    center.start()
    try await center.enqueue(Elsewhere("b"))
    await gate.arrivals(1)
    try await center.enqueue(Work("a"))
    await probe.notes(2)
    gate.open()
    #expect(await probe.notes(4) == ["b", "a", "done", "idle"])
  }

  @Test(.timeLimit(.minutes(2)), arguments: ["counts", "jobs", "schedule"])
  func `who waits for idle waits for what the store cannot say for a while`(call: String) async throws {
    let (memory, constraints) = (MemoryStore(), ManualConstraints(["server": .unsatisfied]))
    let flaky = FlakyStore(memory)
    let bench = try JobBench(
      Work.self, Scheduled<Hourly>.self, store: memory, wrapping: { _ in flaky },
      jobs: JobConfiguration(monitors: [constraints]))
    let (center, probe, clock) = (bench.center, bench.probe, bench.time.continuous)
    let other = try JobBench(Work.self, store: MemoryStore(sharing: memory))
    var events = center.jobs.events().makeAsyncIterator()
    switch call {
    case "counts":
      try await other.center.enqueue(Work("a"), EnqueueOptions(queue: "of which nobody has heard"))
      // The opening reads them, too.
      flaky.fail(call, .locked, times: 2)
      center.start()
    case "jobs":
      let id = try await center.enqueue(Work("a"))
      try await center.jobs.hold(id, because: "the server is away", until: ["server"])
      await bench.run()
      flaky.fail(call, .locked)
      constraints.set("server", .satisfied)
    default:
      await bench.run()
      flaky.fail(call, .locked)
      bench.time.advance(by: .seconds(3600))
    }
    while let event = await events.next() { if case .storeFailed = event.kind { break } }
    await clock.waitForSleeper(until: clock.now.offset + .milliseconds(100))
    let idle = _Concurrency.Task { probe.note("idle \(await center.jobs.idle())") }
    // It would have returned by now.
    for _ in 0..<1000 { await _Concurrency.Task.yield() }
    bench.time.advance(by: .milliseconds(100))
    await idle.value
    #expect(probe.notes == [call == "schedule" ? "2026-01-01T01:00:00Z" : "a", "idle true"])
  }

  @Test(.timeLimit(.minutes(2)))
  func `who waits for idle does not wait for what no trying again helps against`() async throws {
    let (bench, flaky) = try JobBench.flaky(Work.self)
    flaky.fail("counts", .corrupt, times: .max)
    try await bench.center.enqueue(Work("a"))
    bench.center.start()
    #expect(await bench.center.jobs.idle())
    #expect(bench.probe.notes == ["a"])
  }

  // MARK: Tasks of the center

  @Test(arguments: ["idle", "stop"])
  func `a task that a job has begun and does not wait for waits for that job`(how: String) async throws {
    let bench = try JobBench(Work.self)
    let (time, probe, gate) = (bench.time, bench.probe, Gate())
    try bench.center.inject(
      .event(.didBecomeActive, name: "waits") { (context: TaskContext<Void>) async in
        if how == "idle" {
          await context.center.jobs.idle(deadline: .seconds(5))
        } else {
          await context.center.jobs.stop(deadline: .seconds(5))
        }
        probe.note("\(how) at \(time.continuous.now.offset)")
      })
    probe.on("a") { context in
      context.center.begin(.didBecomeActive)
      await gate.pass()
    }
    try await bench.center.enqueue(Work("a"))
    bench.center.start()
    await time.continuous.waitForSleeper(until: .seconds(5))
    // It would have returned by now.
    for _ in 0..<1000 { await _Concurrency.Task.yield() }
    #expect(probe.notes == ["a"])
    time.advance(by: .seconds(5))
    #expect(await probe.notes(2) == ["a", "\(how) at 5.0 seconds"])
    gate.open()
    await bench.center.jobs.idle()
  }

  @Test(.timeLimit(.minutes(2)), arguments: ["send", "run", "lane", "blocking"])
  func `a task that a job awaits does not wait for that job`(how: String) async throws {
    let bench = try JobBench(Work.self)
    let probe = bench.probe
    try bench.center.inject([
      .event(.didBecomeActive, name: "waits") { (context: TaskContext<Void>) async in
        probe.note("idle \(await context.center.jobs.idle())")
      },
      .event(.willResignActive, name: "blocks") { (context: TaskContext<Void>) in
        context.center.sendAndWait(.didBecomeActive)
      },
    ])
    probe.on("a") { context in
      let center = context.center
      switch how {
      case "blocking": await center.send(.willResignActive)
      case "send": await center.send(.didBecomeActive)
      case "run": try await center.run("waits")
      default:
        let ticket = center.lane(Lane("beside")).enqueue("waits") { probe.note("idle \(await center.jobs.idle())") }
        _ = try await ticket.value
      }
      probe.note("goes on")
    }
    try await bench.center.enqueue(Work("a"))
    bench.center.start()
    #expect(await probe.notes(3) == ["a", "idle true", "goes on"])
    await bench.center.jobs.idle()
  }

  @Test(.timeLimit(.minutes(2)), arguments: [false, true])
  func `a task for which a body waits that a job runs inline on the main actor does not wait for that job`(
    isNested: Bool
  ) async throws {
    let bench = try JobBench(Work.self)
    let probe = bench.probe
    let nested = LifecycleEvent<Void, Void>("nested")
    try bench.center.inject([
      .event(.didBecomeActive, name: "waits") { (context: TaskContext<Void>) async in
        probe.note("idle \(await context.center.jobs.idle())")
      },
      .event(.willResignActive, name: "blocks") { (context: TaskContext<Void>) in
        context.center.sendAndWait(.didBecomeActive)
      },
      .event(nested, name: "begins") { (context: TaskContext<Void>) in
        _ = context.center.begin(.willResignActive)
      },
    ])
    probe.on("a") { context in
      let center = context.center
      await MainActor.run { _ = center.begin(isNested ? nested : .willResignActive) }
      probe.note("goes on")
    }
    try await bench.center.enqueue(Work("a"))
    bench.center.start()
    #expect(await probe.notes(3) == ["a", "idle true", "goes on"])
    await bench.center.jobs.idle()
  }

  @Test(.timeLimit(.minutes(2)))
  func `a task that others have started does not wait for the job that awaits it`() async throws {
    let bench = try JobBench(Work.self)
    let (probe, gate) = (bench.probe, Gate())
    try bench.center.inject(
      .event(.didBecomeActive, name: "waits") { (context: TaskContext<Void>) async in
        if probe.notes.isEmpty {
          probe.note("first")
          await gate.pass()
        } else {
          probe.note("idle \(await context.center.jobs.idle())")
        }
      })
    probe.on("a") { context in
      let run = context.center.begin(.didBecomeActive)
      probe.note("queued \(run.isQueued)")
      gate.open()
      probe.note("ended \(await run.report.isSuccess)")
    }
    bench.center.begin(.didBecomeActive)
    await gate.arrivals(1)
    try await bench.center.enqueue(Work("a"))
    bench.center.start()
    #expect(await probe.notes(5) == ["first", "a", "queued true", "idle true", "ended true"])
    await bench.center.jobs.idle()
  }

  @Test(.timeLimit(.minutes(2)), arguments: [false, true])
  func `a task that waits already goes on when the job for which it waits begins to wait for it`(
    throughAnother: Bool
  ) async throws {
    let bench = try JobBench(Work.self)
    let (probe, gate) = (bench.probe, Gate())
    @Sendable func beginsAndWaits(in center: TaskCenter) async {
      let run = center.begin(.didBecomeActive)
      await gate.pass()
      probe.note("waits")
      probe.note("ended \(await run.report.isSuccess)")
    }
    try bench.center.inject([
      .event(.didBecomeActive, name: "waits") { (context: TaskContext<Void>) async in
        probe.note("idle \(await context.center.jobs.idle(deadline: .seconds(60)))")
      },
      .event(.willResignActive, name: "between") { (context: TaskContext<Void>) async in
        await beginsAndWaits(in: context.center)
      },
    ])
    probe.on("a") { context in
      if throughAnother {
        await context.center.send(.willResignActive)
      } else {
        await beginsAndWaits(in: context.center)
      }
    }
    try await bench.center.enqueue(Work("a"))
    bench.center.start()
    await bench.time.continuous.waitForSleeper(until: .seconds(60))
    // It would have returned by now.
    for _ in 0..<1000 { await _Concurrency.Task.yield() }
    gate.open()
    #expect(await probe.notes(4) == ["a", "waits", "idle true", "ended true"])
    await bench.center.jobs.idle()
  }

  @Test(.timeLimit(.minutes(2)))
  func `a task that waits for a job that waits itself goes on when another one begins to wait for the task`()
    async throws
  {
    let bench = try JobBench(Work.self)
    let (center, probe, begins, gate) = (bench.center, bench.probe, Gate(), Gate())
    let engine = center.jobs.engines[0]
    try center.inject(
      .event(.didBecomeActive, name: "waits") { (context: TaskContext<Void>) async in
        probe.note("idle \(await context.center.jobs.idle(queue: "default"))")
      })
    probe.on("a") { context in await context.center.jobs.idle(queue: "slow") }
    probe.on("b") { _ in await gate.pass() }
    probe.on("c") { context in
      await begins.pass()
      try await context.center.output(named: "waits", as: Void.self)
    }
    try await center.enqueue(Work("b"), EnqueueOptions(queue: "slow"))
    try await center.enqueue(Work("c"), EnqueueOptions(queue: "other"))
    center.start()
    await gate.arrivals(1)
    await begins.arrivals(1)
    try await center.enqueue(Work("a"))
    await probe.notes(3)
    let run = center.begin(.didBecomeActive)
    // One job waits for the slow one, and the task for that job.
    try await waitUntil {
      engine.inspect { $0.idleWaiters.count == 2 && $0.idleWaiters.values.allSatisfy { $0.obstacle != nil } }
    }
    begins.open()
    #expect(await probe.notes(4).last == "idle true")
    #expect(await run.report.isSuccess)
    gate.open()
    await center.jobs.idle()
  }

  @Test(.timeLimit(.minutes(2)))
  func `while jobs begin to wait for a task the center is asked about the latest of them alone, until all do`()
    async throws
  {
    let gates = (0..<50).map { _ in Gate() }
    let queue = QueueOptions(workers: gates.count)
    let bench = try JobBench(Work.self, jobs: JobConfiguration(defaultQueue: queue, monitors: []))
    let (center, engine) = (bench.center, bench.center.jobs.engines[0])
    try center.inject(
      .event(.didBecomeActive, name: "waits") { (context: TaskContext<Void>) async in
        _ = await context.center.jobs.idle()
      })
    for (number, gate) in gates.enumerated() {
      bench.probe.on("\(number)") { context in
        await gate.pass()
        try await context.center.output(named: "waits", as: Void.self)
      }
    }
    try await center.enqueue(gates.indices.map { Work("\($0)") })
    center.start()
    for gate in gates { await gate.arrivals(1) }
    let run = center.begin(.didBecomeActive)
    try await waitUntil { engine.inspect { $0.question() != nil } }
    for (number, gate) in gates.dropLast().enumerated() {
      gate.open()
      try await waitUntil { center.companionLook(for: [], ifAtLeast: number + 1) != nil }
      // What would be asked now: of one attempt, or of all that wait as soon as there are as many as run.
      let question = try #require(engine.inspect { $0.question() })
      #expect(question.least == gates.count)
      #expect(question.suspects.map { $0.count == 1 } ?? true)
    }
    gates.last?.open()
    #expect(await run.report.isSuccess)
    await center.jobs.idle()
  }

  // MARK: One queue

  @Test func `one queue is waited for while others go on (Z42)`() async throws {
    let center = try makeCenter()
    let (busy, slow) = (Gate(), Gate())
    probe.on("busy") { context in
      await busy.pass()
      try await context.center.enqueue(Work("next"), EnqueueOptions(queue: "slow"))
    }
    probe.on("next") { _ in await slow.pass() }
    center.start()
    try await center.enqueue(Work("busy"))
    try await center.enqueue(Elsewhere("quick"), EnqueueOptions(queue: "slow"))
    await busy.arrivals(1)
    #expect(await center.jobs.idle(queue: "slow"))
    #expect(probe.notes.contains("quick"))
    #expect(await center.jobs.idle(queue: "of which nobody has heard"))
    busy.open()
    await slow.arrivals(1)
    #expect(await center.jobs.idle(queue: "default"))
    async let isIdle = center.jobs.idle(queue: "slow", deadline: .seconds(5))
    await time.continuous.waitForSleepers(1)
    time.advance(by: .seconds(5))
    #expect(await !isIdle)
    slow.open()
    #expect(await center.jobs.idle(queue: "slow"))
    #expect(try await center.jobs.count() == 0)
  }

  @Test func `a queue is idle when all of its jobs are written down, however busy another one is`() async throws {
    let center = try makeCenter()
    probe.on("endless") { [probe] context in
      guard !probe.notes.contains("over") else { return }
      try await context.center.enqueue(Work("endless"), EnqueueOptions(queue: "endless"))
    }
    center.start()
    try await center.enqueue(Work("endless"), EnqueueOptions(queue: "endless"))
    for round in 1...20 {
      try await center.enqueue((0..<5).map { Work("\(round) \($0)") })
      #expect(await center.jobs.idle(queue: "default"))
      #expect(try await center.jobs.count(where: JobSelection(queues: ["default"])) == 0)
    }
    probe.note("over")
    #expect(await center.jobs.idle())
  }

  @Test func `a job that waits for its own queue does not wait for itself`() async throws {
    let center = try makeCenter()
    let gate = Gate()
    probe.on("a") { [probe] context in probe.note("\(await context.center.jobs.idle(queue: "default"))") }
    probe.on("b") { _ in await gate.pass() }
    center.start()
    try await center.enqueue(Work("b"), EnqueueOptions(queue: "other"))
    await gate.arrivals(1)
    try await center.enqueue(Work("a"))
    #expect(await probe.notes(3) == ["b", "a", "true"])
    gate.open()
    #expect(await center.jobs.idle())
  }

  @Test func `a queue is waited for whose jobs run when a stop has ended that goes on in another one`() async throws {
    let bench = try JobBench(Work.self)
    let (center, probe, gate) = (bench.center, bench.probe, Gate())
    probe.on("a", bench.stubborn(gate))
    try await center.enqueue(Work("a"), EnqueueOptions(queue: "slow"))
    center.start()
    await gate.arrivals(1)
    async let unfinished = center.jobs.stop()
    await probe.notes(2)
    try await center.enqueue(Work("b"), EnqueueOptions(queue: "quick"))
    // As long as nobody resumes them nothing could run there.
    #expect(await center.jobs.idle(queue: "quick"))
    center.jobs.resume()
    let idle = _Concurrency.Task {
      let isIdle = await center.jobs.idle(queue: "quick")
      probe.note("idle")
      return isIdle
    }
    // It would have returned by now.
    for _ in 0..<1000 { await _Concurrency.Task.yield() }
    gate.open()
    #expect(await idle.value)
    #expect(probe.notes == ["a", "cancelled", "b", "idle"])
    #expect(await unfinished.isEmpty)
    await center.jobs.idle()
  }

  @Test(.timeLimit(.minutes(2)))
  func `nobody waits for a job of another queue when the stop is over that it has held up`() async throws {
    let bench = try JobBench(Work.self)
    let (center, probe, begins, gate) = (bench.center, bench.probe, Gate(), Gate())
    let engine = center.jobs.engines[0]
    try center.inject(
      .event(.didBecomeActive, name: "waits") { (context: TaskContext<Void>) async in
        probe.note("idle \(await context.center.jobs.idle(queue: "default"))")
      })
    probe.on("a") { context in
      await begins.pass()
      _ = await context.center.begin(.didBecomeActive).report
    }
    probe.on("b", bench.stubborn(gate))
    try await center.enqueue(Work("a"))
    try await center.enqueue(Work("b"), EnqueueOptions(queue: "other"))
    center.start()
    await begins.arrivals(1)
    await gate.arrivals(1)
    async let unfinished = center.jobs.stop(deadline: .seconds(5))
    await probe.notes(3)
    center.jobs.resume()
    begins.open()
    // The queue goes on when both have ended, or at the deadline; and the one job waits for the task.
    try await waitUntil {
      center.companionLook(for: [], ifAtLeast: 1) != nil
        && engine.inspect { $0.idleWaiters.values.contains { $0.obstacle != nil && $0.obstacle?.work == nil } }
    }
    bench.time.advance(by: .seconds(5))
    #expect(await probe.notes(4).last == "idle true")
    #expect(await unfinished.map(\.name).contains("work job 2"))
    gate.open()
    await center.jobs.idle()
  }

  @Test func `a queue is idle however long others change the store, which takes its time to say what is in it`()
    async throws
  {
    let (bench, flaky) = try JobBench.flaky(Work.self)
    let other = try JobBench(Chore.self, store: MemoryStore(sharing: bench.store))
    let (first, second, clock) = (Gate(), Gate(), bench.time.continuous)
    await bench.run()
    flaky.holdCounts(at: first)
    for round in 1...4 {
      // What is changed before the look of the round before has begun is seen in that.
      while clock.nextDeadline != .milliseconds(100 * round) {
        try await other.center.enqueue(Chore("\(round)"), .delayed(.seconds(3600)))
        await _Concurrency.Task.yield()
      }
      // The fourth says that the third look has begun, and the second was told to come again when the first is over.
      guard round < 4 else { break }
      bench.time.advance(by: .milliseconds(100))
      await first.arrivals(1)
      flaky.holdCounts(at: second)
    }
    first.open()
    await second.arrivals(1)
    #expect(await bench.center.jobs.idle(queue: "of which nobody has heard"))
    second.open()
    await bench.center.jobs.idle()
  }

  /// A center that runs, each exchange of which with its first store meets a change of another process: a hundred of them, or
  /// until it is noted that it is idle. With what notes each of them as soon as it was heard of.
  private func makeDisturbedCenter(stores: Int = 1) async throws -> (center: TaskCenter, changes: Probe) {
    let (memory, changes) = (MemoryStore(), Probe())
    let flaky = FlakyStore(memory)
    let other = try JobBench(Chore.self, store: MemoryStore(sharing: memory))
    let center = try TaskCenter(
      registry: TaskRegistry().adding(Work.self), time: time.source,
      stores: Array([DurableStore("a", flaky), DurableStore.memory("b")].prefix(stores)),
      jobs: JobConfiguration(monitors: []))
    center[Probe.Key.self] = probe
    center.start()
    await center.jobs.idle()
    let updates = center.jobs.updates()
    // Ends with the center.
    _Concurrency.Task {
      for await counts in updates {
        let count = counts.lazy.filter { $0.kind == "chore" }.reduce(0) { $0 + $1.count }
        for number in changes.notes.count..<max(count, changes.notes.count) { changes.note("\(number)") }
      }
    }
    flaky.whileExchanging { [probe] exchange in
      guard exchange <= 100, !probe.notes.contains("idle") else { return }
      _ = try? await other.center.enqueue(Chore("\(exchange)"), .delayed(.seconds(3600)))
      // Now it has to ask again.
      await changes.notes(exchange)
    }
    center.jobs.allow(nil)
    await changes.notes(3)
    return (center, changes)
  }

  @Test(.timeLimit(.minutes(2)), arguments: [nil, "default"] as [String?], [1, 2])
  func `nobody who waits for idle waits until others rest, though each exchange meets a change of theirs`(
    queue: String?, stores: Int
  ) async throws {
    let (center, changes) = try await makeDisturbedCenter(stores: stores)
    #expect(await center.jobs.idle(queue: queue, awaitsHooks: false))
    probe.note("idle")
    #expect(changes.notes.count < 100)
    await center.jobs.idle()
  }

  @Test(.timeLimit(.minutes(2)), arguments: [nil, "default"] as [String?])
  func `a job that waits for idle does not wait until others rest either`(queue: String?) async throws {
    let (center, changes) = try await makeDisturbedCenter()
    probe.on("waits") { [probe] context in
      probe.note("\(await context.center.jobs.idle(queue: queue, awaitsHooks: false))")
      probe.note("idle")
    }
    try await center.enqueue(Work("waits"))
    #expect(await probe.notes(3) == ["waits", "true", "idle"])
    #expect(changes.notes.count < 100)
    await center.jobs.idle()
  }
}
