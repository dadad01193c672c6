import TaskKit
import TaskKitDurable
import TaskKitDurableTesting
import TaskKitTesting
import Testing

@Suite struct GivingUpTests {
  @Test
  func `whatever becomes of a job that gives up, its kind is told once, after the last attempt (Z24, Zt38, Zt39)`()
    async throws
  {
    let bench = try JobBench(Tried<Kept>.self, Tried<Held>.self, Tried<Discarded>.self)
    for name in ["kept", "held", "discarded"] { bench.probe.on(name) { _ in throw Failure() } }
    try await bench.center.enqueue(Tried<Kept>("kept"))
    try await bench.center.enqueue(Tried<Held>("held"))
    try await bench.center.enqueue(Tried<Discarded>("discarded"))
    bench.center.start()
    await bench.center.jobs.idle(awaitsHooks: true)
    for name in ["kept", "held", "discarded"] {
      let notes = bench.probe.notes.filter { $0.hasPrefix(name) }
      #expect(notes == [name, name, name, "\(name) gave up after 3: error, no luck"])
    }
    #expect(try await bench.states() == ["1 dead 3", "2 held 3"])
    #expect(try await bench.center.jobs.snapshot(of: JobID(rawValue: 2))?.hold == .gaveUp)
  }

  @Test(arguments: [Exhaustion.keep, .hold, .discard])
  func `a job whose last attempt died with its process tells its kind, in the process that finds it`(
    _ exhaustion: Exhaustion
  ) async throws {
    let first = try JobBench(Tried<Kept>.self, Tried<Held>.self, Tried<Discarded>.self)
    let lastAttempt = EnqueueOptions(attempts: 1)
    let id =
      switch exhaustion {
      case .keep: try await first.center.enqueue(Tried<Kept>("a"), lastAttempt)
      case .hold: try await first.center.enqueue(Tried<Held>("a"), lastAttempt)
      case .discard: try await first.center.enqueue(Tried<Discarded>("a"), lastAttempt)
      }
    await first.die(in: "a")
    let second = try JobBench(
      Tried<Kept>.self, Tried<Held>.self, Tried<Discarded>.self, store: MemoryStore(sharing: first.store))
    var events = second.center.jobs.events().makeAsyncIterator()
    second.center.start()
    #expect(await second.probe.notes(1) == ["a gave up after 1: crash, the process died"])
    var told: [String] = []
    while told.count < 2, let event = await events.next() {
      switch event.kind {
      case .rescued(let job): told.append("rescued \(job.id)")
      case .gaveUp(let id, _, let attempt, let text): told.append("gave up \(id) \(attempt) \(text)")
      default: break
      }
    }
    #expect(told == ["rescued \(id)", "gave up \(id) 1 the process died"])
  }

  @Test func `the kind is told of the last death of a job also by a build that cannot read it, with why`() async throws
  {
    let later = try JobBench(Later.Letter.self)
    let id = try await later.center.enqueue(Later.Letter("a"))
    await later.die(in: "a")
    let earlier = try JobBench(Letter.self, store: MemoryStore(sharing: later.store))
    earlier.center.start()
    await earlier.center.jobs.idle(awaitsHooks: true)
    #expect(
      earlier.probe.notes == [
        #"""
        job \#(id), {"lines":["a"]} of version 2, gave up after 1: crash, the process died, and this build cannot read it: \#
        it is of version 2, and Letter of this build reads up to 1; the process died
        """#
      ])
    #expect(try await earlier.states() == ["1 dead 1"])
  }

  @Test func `a job that crashed and is tried again, or is held for that, has not given up`() async throws {
    let first = try JobBench(Fragile.self, Work.self)
    try await first.center.enqueue(Fragile("a"))
    try await first.center.enqueue(Work("b"))
    await first.die(in: "a", "b")
    let second = try JobBench(Fragile.self, Work.self, store: MemoryStore(sharing: first.store))
    await second.run()
    #expect(second.probe.notes == ["b"])
    #expect(try await second.center.jobs.snapshot(of: JobID(rawValue: 1))?.hold == .crashed(times: 1))
  }

  @Test func `a test that runs one attempt finds what followed when the job gave up`() async throws {
    let jobs = try TestJobs(Following.self, Work.self)
    let (probe, gate) = (Probe(), Gate())
    jobs.center[Probe.Key.self] = probe
    jobs.center[Gate.Key.self] = gate
    probe.on("a") { _ in throw Failure() }
    try await jobs.center.enqueue(Following("a"))
    async let performed = jobs.performNext()
    await gate.arrivals(1)
    // Nobody else waits for it.
    #expect(await jobs.center.jobs.idle())
    gate.open()
    #expect(try await performed?.end == .gaveUp("no luck"))
    #expect(try await jobs.enqueued(Work.self).map(\.job.name) == ["follows"])
  }
}

extension GivingUpTests {
  @Test func `who waits for one queue, and for what kinds do when jobs give up, waits for both`() async throws {
    let bench = try JobBench(Following.self, Work.self)
    let gate = Gate()
    bench.center[Gate.Key.self] = gate
    bench.probe.on("a") { _ in throw Failure() }
    try await bench.center.enqueue(Following("a"))
    bench.center.start()
    await gate.arrivals(1)
    #expect(await bench.center.jobs.idle(queue: "default"))
    let waiting = Task {
      await bench.center.jobs.idle(queue: "default", awaitsHooks: true)
      bench.probe.note("idle")
    }
    // It would have returned by now.
    for _ in 0..<1000 { await Task.yield() }
    // Something else happens meanwhile.
    try await bench.center.enqueue(Chore("b"))
    for _ in 0..<1000 { await Task.yield() }
    #expect(bench.probe.notes == ["a"])
    gate.open()
    await waiting.value
    #expect(bench.probe.notes == ["a", "told", "follows", "idle"])
  }

  @Test(.timeLimit(.minutes(2)), arguments: ["stop", "shutdown"], [true, false])
  func `what a kind does as a job gives up is waited for until the deadline of a stop or a shutdown, and named then`(
    how: String, returns: Bool
  ) async throws {
    let bench = try JobBench(Following.self, Work.self)
    let (center, probe, gate) = (bench.center, bench.probe, Gate())
    center[Gate.Key.self] = gate
    probe.on("a") { _ in throw Failure() }
    try await center.enqueue(Following("a"))
    center.start()
    await gate.arrivals(1)
    // Who has all the time waits for jobs alone.
    #expect(await center.jobs.idle())
    #expect(await center.jobs.stop().isEmpty)
    let stopping = Task {
      let unfinished =
        if how == "stop" { await center.jobs.stop(deadline: .seconds(7)) } else {
          await center.terminate(deadline: .seconds(8)).unfinished
        }
      probe.note("stopped")
      return unfinished.map(\.name)
    }
    try await waitUntil { center.timeUntilDue == .seconds(7) }
    if returns { gate.open() } else { bench.time.advance(by: .seconds(7)) }
    #expect(await stopping.value == (returns ? [] : ["didGiveUp of following job 1"]))
    #expect(probe.notes == (returns ? ["a", "told", "stopped"] : ["a", "stopped"]))
    gate.open()
  }

  @Test(.timeLimit(.minutes(2)))
  func `no stop waits for what a kind does when the shutdown has ended, whatever its deadline`() async throws {
    let bench = try JobBench(Following.self, Work.self)
    let (center, gate) = (bench.center, Gate())
    center[Gate.Key.self] = gate
    bench.probe.on("a") { _ in throw Failure() }
    try await center.enqueue(Following("a"))
    center.start()
    await gate.arrivals(1)
    let stopping = Task { await center.jobs.stop(deadline: .seconds(7)).map(\.name) }
    try await waitUntil { center.timeUntilDue == .seconds(7) }
    await center.terminate(deadline: .zero)
    #expect(await stopping.value == ["didGiveUp of following job 1"])
    #expect(await center.jobs.stop(deadline: .seconds(7)).map(\.name) == ["didGiveUp of following job 1"])
    gate.open()
  }

  @Test(.timeLimit(.minutes(2)), arguments: [true, false])
  func `what a kind does is waited for, and named, where its job gives up in the last moment of a shutdown`(
    returns: Bool
  ) async throws {
    let (bench, flaky) = try JobBench.flaky(Following.self, Work.self)
    let (center, probe, gate, writing) = (bench.center, bench.probe, Gate(), Gate())
    center[Gate.Key.self] = gate
    probe.on("a") { _ in
      flaky.holdExchanges(at: writing)
      throw Failure()
    }
    try await center.enqueue(Following("a"))
    center.start()
    await writing.arrivals(1)
    let stopping = Task {
      let unfinished = await center.terminate(deadline: .seconds(8)).unfinished
      probe.note("stopped")
      return unfinished.map(\.name)
    }
    try await waitUntil { center.timeUntilDue == .seconds(7) }
    bench.time.advance(by: .seconds(7))
    // The stores are about to be closed.
    await bench.time.continuous.waitForSleeper(until: .seconds(8))
    writing.open()
    await gate.arrivals(1)
    await flaky.called("close")
    // Who did not wait for it would have time to return.
    for _ in 0..<100 { await Task.yield() }
    if returns { gate.open() } else { bench.time.advance(by: .seconds(1)) }
    #expect(await stopping.value == (returns ? [] : ["didGiveUp of following job 1"]))
    #expect(probe.notes == (returns ? ["a", "told", "stopped"] : ["a", "stopped"]))
    gate.open()
  }

  @Test(.timeLimit(.minutes(2)), arguments: [false, true])
  func `what stops the workers as a job gives up is not waited for by that stop, nor in a task for which it waits`(
    inTask: Bool
  ) async throws {
    let bench = try JobBench(Signing.self)
    let probe = bench.probe
    try bench.center.inject(
      .event(.didBecomeActive, name: "stops") { (context: TaskContext<Void>) async in
        probe.note("stopped, without \(await context.center.jobs.stop(deadline: .seconds(5)).count)")
      })
    probe.on("a") { _ in throw Failure() }
    bench.center[Signing.Out.self] = { center in
      if inTask { await center.send(.didBecomeActive) } else { await center.jobs.stop(deadline: .seconds(5)) }
      probe.note("signed out")
    }
    try await bench.center.enqueue(Signing("a"))
    bench.center.start()
    #expect(await probe.notes(inTask ? 3 : 2) == ["a"] + (inTask ? ["stopped, without 0"] : []) + ["signed out"])
  }

  @Test(.timeLimit(.minutes(2)))
  func `kinds that stop the workers as jobs give up do not wait for each other`() async throws {
    let bench = try JobBench(Signing.self, Following.self, Work.self)
    let (center, probe, gate, slow) = (bench.center, bench.probe, Gate(), Gate())
    center[Gate.Key.self] = slow
    center[Signing.Out.self] = { center in
      await gate.pass()
      probe.note("without \(await center.jobs.stop(deadline: .seconds(5)).count)")
    }
    probe.on("a") { _ in throw Failure() }
    try await center.enqueue([Signing("a"), Signing("a")])
    try await center.enqueue(Following("a"))
    center.start()
    await gate.arrivals(2)
    await slow.arrivals(1)
    gate.open()
    try await waitUntil { center.timeUntilDue == .seconds(5) }
    // One that does not stop them is waited for by both.
    slow.open()
    #expect(await probe.notes(6).suffix(3) == ["told", "without 0", "without 0"])
  }

  @Test(.timeLimit(.minutes(2)), arguments: [false, true])
  func `kinds of two stores that stop the workers as jobs give up do not wait for each other`(
    inTasks: Bool
  ) async throws {
    let (time, probe, gate) = (VirtualTime(), Probe(), Gate())
    let center = try TaskCenter(
      registry: TaskRegistry().adding(Signing.self).adding(SigningElsewhere.self), time: time.source,
      stores: [.memory("a"), .memory("b")], jobs: JobConfiguration(monitors: []))
    let stop: @Sendable (TaskCenter) async -> Void = { center in
      probe.note("without \(await center.jobs.stop(deadline: .seconds(5)).count)")
    }
    try center.inject([
      .event(.didBecomeActive, name: "first") { (context: TaskContext<Void>) async in await stop(context.center) },
      .event(.willResignActive, name: "second") { (context: TaskContext<Void>) async in await stop(context.center) },
    ])
    center[Probe.Key.self] = probe
    center[Signing.Out.self] = { center in
      await gate.pass()
      if inTasks { await center.send(.didBecomeActive) } else { await stop(center) }
    }
    center[SigningElsewhere.Out.self] = { center in
      await gate.pass()
      if inTasks { await center.send(.willResignActive) } else { await stop(center) }
    }
    for name in ["a", "b"] { probe.on(name) { _ in throw Failure() } }
    try await center.enqueue(Signing("a"))
    try await center.enqueue(SigningElsewhere("b"))
    center.start()
    await gate.arrivals(2)
    gate.open()
    #expect(await probe.notes(4).suffix(2) == ["without 0", "without 0"])
  }

  @Test(.timeLimit(.minutes(2)))
  func `a job that stops the workers does not wait for a kind that does so as another one gives up`() async throws {
    let bench = try JobBench(Signing.self, Work.self)
    let (center, probe, gate) = (bench.center, bench.probe, Gate())
    center[Signing.Out.self] = { center in
      await gate.pass()
      probe.note("without \(await center.jobs.stop(deadline: .seconds(5)).count)")
    }
    probe.on("a") { _ in throw Failure() }
    probe.on("b") { context in
      await gate.pass()
      await context.center.jobs.stop(deadline: .seconds(5))
      probe.note("stopped")
    }
    try await center.enqueue(Signing("a"))
    try await center.enqueue(Work("b"))
    center.start()
    await gate.arrivals(2)
    gate.open()
    #expect(await probe.notes(4).suffix(2) == ["stopped", "without 0"])
  }
}

/// Signs out when it gives up.
private struct Signing: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = "signing"
  static var options: JobOptions<Signing> { JobOptions(attempts: 1) }

  static func didGiveUp(_ job: Signing, _ failure: DurableFailure) async {
    await failure.center[Out.self]?(failure.center)
  }

  enum Out: SharedKey { typealias Value = @Sendable (TaskCenter) async -> Void }
}

/// The same in a second store.
private struct SigningElsewhere: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = "signingElsewhere"
  static var options: JobOptions<SigningElsewhere> { JobOptions(attempts: 1, store: "b") }

  static func didGiveUp(_ job: SigningElsewhere, _ failure: DurableFailure) async {
    await failure.center[Out.self]?(failure.center)
  }

  enum Out: SharedKey { typealias Value = @Sendable (TaskCenter) async -> Void }
}

/// What becomes of a ``Tried``.
private protocol Fate: Sendable {
  static var exhaustion: Exhaustion { get }
}

private enum Kept: Fate { static let exhaustion = Exhaustion.keep }
private enum Held: Fate { static let exhaustion = Exhaustion.hold }
private enum Discarded: Fate { static let exhaustion = Exhaustion.discard }

/// Three attempts.
private struct Tried<End: Fate>: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static var kind: String { "\(End.self)" }
  static var options: JobOptions<Self> { JobOptions(attempts: 3, backoff: .none, exhaustion: End.exhaustion) }
}

/// Held after one crash.
private struct Fragile: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = "fragile"
  static var options: JobOptions<Fragile> { JobOptions(attempts: 1, crashes: 1) }
}

/// As this build knows it.
private struct Letter: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = "letter"
  static var options: JobOptions<Letter> { JobOptions(attempts: 1) }

  static func didGiveUp(unreadable payload: JobPayload, _ failure: DurableFailure) async {
    let text = String(decoding: payload.bytes, as: UTF8.self)
    failure.center[Probe.Key.self]?.note(
      """
      job \(failure.id), \(text) of version \(payload.version), gave up after \(failure.attempts): \(failure.cause), \
      \(failure.text); \(failure.error)
      """)
  }
}

/// As a later build knows it.
private enum Later {
  struct Letter: ProbedTask {
    var lines: [String]
    var name: String { lines[0] }
    init(_ name: String) { lines = [name] }
    static let kind = "letter"
    static var payloadVersion: Int { 2 }
    static var options: JobOptions<Letter> { JobOptions(attempts: 1) }
  }
}

/// Enqueues another one when it gives up.
private struct Following: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = "following"
  static var options: JobOptions<Following> { JobOptions(attempts: 1) }

  static func didGiveUp(_ job: Following, _ failure: DurableFailure) async {
    await failure.center[Gate.Key.self]?.pass()
    failure.center[Probe.Key.self]?.note("told")
    _ = try? await failure.center.enqueue(Work("follows"))
  }
}
