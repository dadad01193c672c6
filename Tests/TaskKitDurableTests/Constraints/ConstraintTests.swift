import Foundation
import Synchronization
import TaskKit
@testable import TaskKitDurable
import TaskKitDurableTesting
import TaskKitTesting
import Testing

private struct Wired: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = "wired"
  static var options: JobOptions<Wired> { JobOptions(requires: [.network], cancelsWhenLost: true) }
}

private struct Nightly: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = "nightly"
  static var options: JobOptions<Nightly> {
    JobOptions(requires: [.idle, .network, .unmetered], requiresFor: .seconds(60))
  }
}

private struct Plugged: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = "plugged"
  static var options: JobOptions<Plugged> { JobOptions(requires: [.charging]) }
}

/// Says what it is told to say.
private struct Late: ConstraintMonitor {
  let constraints: [Constraint] = [.network]
  let words: AsyncStream<[Constraint: ConstraintState]>
  func states() -> AsyncStream<[Constraint: ConstraintState]> { words }
}

/// Does something whenever it is asked what it watches.
private final class Asking: ConstraintMonitor {
  let asks = Mutex<(@Sendable () -> Void)?>(nil)
  let words: AsyncStream<[Constraint: ConstraintState]>

  init(words: AsyncStream<[Constraint: ConstraintState]>) { self.words = words }

  var constraints: [Constraint] {
    asks.withLock { $0 }?()
    return [.network]
  }

  func states() -> AsyncStream<[Constraint: ConstraintState]> { words }
}

@Suite struct ConstraintTests {
  private func bench(_ constraints: ManualConstraints) throws -> JobBench {
    try JobBench(Work.self, Wired.self, jobs: JobConfiguration(monitors: [constraints]))
  }

  @Test func `offline jobs run when online, only then, and all of them (Z13, Z14, Zt34, Zt63)`() async throws {
    let constraints = ManualConstraints([.network: .unsatisfied])
    let bench = try bench(constraints)
    try await bench.center.enqueue([Wired("w1"), Wired("w2"), Wired("w3"), Wired("w4"), Wired("w5"), Work("free")])
    await bench.run()
    #expect(bench.probe.notes == ["free"])
    constraints.set(.network, .satisfied)
    #expect(Set(await bench.probe.notes(6)) == ["free", "w1", "w2", "w3", "w4", "w5"])
    await bench.center.jobs.idle()
    #expect(try await bench.states() == [])
  }

  @Test func `unknown counts as not satisfied, and is reported`() async throws {
    let constraints = ManualConstraints([.network: .unknown])
    let bench = try bench(constraints)
    let events = bench.center.jobs.events()
    let id = try await bench.center.enqueue(Wired("w"))
    await bench.run()
    #expect(bench.probe.notes == [])
    #expect(try await bench.center.jobs.why(id).contains("nobody knows whether constraint 'network' holds"))
    await bench.center.terminate()
    let reports = await events.reduce(0) { count, event in
      if case .constraint(.network, .unknown) = event.kind { count + 1 } else { count }
    }
    #expect(reports == 1)
  }

  @Test func `a kind that requires what no monitor can tell of is told of once, when it joins workers that run`()
    async throws
  {
    let probe = Probe()
    let constraints = ManualConstraints([.network: .unsatisfied])
    let center = try TaskCenter(
      registry: TaskRegistry().adding(Wired.self).adding(Nightly.self),
      configuration: .reporting(to: probe), time: VirtualTime().source, stores: [.memory()],
      jobs: JobConfiguration(monitors: [constraints]))
    let id = try await center.enqueue(Nightly("a"))
    #expect(probe.notes == [])
    center.start()
    let first = """
      kind 'nightly' requires 'idle' and 'unmetered', of which no monitor of the center can tell; its jobs wait until their \
      'requiresFor:' of 60.0 seconds has passed. Add one that does: 'JobConfiguration(monitors: .system + […])'
        declared at Tests/nightly.swift:1:1
      """
    #expect(probe.notes == [first])
    let why = try await center.jobs.why(id)
    #expect(why.contains("no monitor of the center knows constraint 'idle'"))
    try center.jobs.register(Plugged.self)
    try center.jobs.register(Plugged.self)
    center.jobs.resume()
    let second = """
      kind 'plugged' requires 'charging', of which no monitor of the center can tell; its jobs wait for ever. Add one that \
      does: 'JobConfiguration(monitors: .system + […])'
        declared at Tests/plugged.swift:1:1
      """
    #expect(probe.notes == [first, second])
    await center.terminate()
  }

  @Test func `a kind that requires what no monitor can tell of is told of once, too, when workers run without a start`()
    async throws
  {
    let probe = Probe()
    let center = try TaskCenter(
      registry: TaskRegistry().adding(Plugged.self), configuration: .reporting(to: probe), time: VirtualTime().source,
      stores: [.memory()], jobs: JobConfiguration(monitors: []))
    center.jobs.resume()
    #expect(probe.notes.count == 1)
    #expect(probe.notes.first?.hasPrefix("kind 'plugged' requires 'charging', of which no monitor") == true)
    center.jobs.resume()
    center.start()
    #expect(probe.notes.count == 1)
    await center.terminate()
  }

  @Test func `an attempt is cancelled when what it needs is lost, and that is no attempt`() async throws {
    let constraints = ManualConstraints([.network: .satisfied])
    let bench = try bench(constraints)
    let gate = Gate()
    bench.probe.on("w") { _ in try await gate.passUnlessCancelled() }
    var events = bench.center.jobs.events().makeAsyncIterator()
    try await bench.center.enqueue(Wired("w"))
    bench.center.start()
    await gate.arrivals(1)
    constraints.set(.network, .unsatisfied)
    while let event = await events.next() {
      if case .interrupted = event.kind { break }
    }
    #expect(try await bench.states() == ["1 ready 0"])
    gate.open()
    constraints.set(.network, .satisfied)
    await bench.probe.notes(2)
    await bench.center.jobs.idle()
    #expect(try await bench.states() == [])
  }

  @Test(arguments: [true, false])
  func `a body that has lost what it needs, and hangs beyond its deadline, has had its attempt`(
    returns: Bool
  ) async throws {
    let constraints = ManualConstraints([.network: .satisfied])
    let bench = try bench(constraints)
    let (gate, center) = (Gate(), bench.center)
    bench.probe.on("w") { context in
      try await bench.stubborn(gate)(context)
      throw Failure("too late")
    }
    let id = try await center.enqueue(Wired("w"), EnqueueOptions(attempts: 1, deadline: .seconds(5)))
    var events = center.jobs.events().makeAsyncIterator()
    center.start()
    await gate.arrivals(1)
    constraints.set(.network, .unsatisfied)
    await bench.probe.notes(2)
    bench.time.advance(by: .seconds(5))
    while let event = await events.next() { if case .overdue = event.kind { break } }
    if returns { gate.open() }
    while returns, let event = await events.next() {
      if case .interrupted = event.kind { break }
      if case .gaveUp = event.kind { break }
    }
    await center.terminate(deadline: .zero)
    while await events.next() != nil {}
    let other = try JobBench(Work.self, store: MemoryStore(sharing: bench.store))
    let job = try #require(try await other.center.jobs.snapshot(of: id))
    #expect(job.state == .dead)
    let words = returns ? ": too late" : ", and it had not returned when the process ended"
    #expect(job.errors.map(\.text) == ["its deadline of 5.0 seconds passed" + words])
    gate.open()
  }

  @Test func `an attempt that is cancelled for what it has lost does not give up because of that`() async throws {
    let constraints = ManualConstraints([.network: .satisfied])
    let bench = try bench(constraints)
    let gate = Gate()
    bench.probe.on("w") { context in
      do { try await gate.passUnlessCancelled() } catch { try context.giveUp(because: error) }
    }
    var events = bench.center.jobs.events().makeAsyncIterator()
    try await bench.center.enqueue(Wired("w"))
    bench.center.start()
    await gate.arrivals(1)
    constraints.set(.network, .unsatisfied)
    var words: [String] = []
    while let event = await events.next() {
      if case .interrupted = event.kind { words.append("interrupted") }
      if case .gaveUp = event.kind { words.append("gave up") }
      if !words.isEmpty { break }
    }
    #expect(words == ["interrupted"])
    #expect(try await bench.states() == ["1 ready 0"])
    await bench.center.terminate()
  }

  @Test(arguments: [false, true])
  func `an attempt whose constraint is lost while the store gives it out does not begin`(cancelsWhenLost: Bool)
    async throws
  {
    let constraints = ManualConstraints([.network: .satisfied])
    let memory = MemoryStore()
    let flaky = FlakyStore(memory)
    let bench = try JobBench(
      Work.self, Wired.self, store: memory, wrapping: { _ in flaky },
      jobs: JobConfiguration(monitors: [constraints]))
    var events = bench.center.jobs.events().makeAsyncIterator()
    bench.center.start()
    while let event = await events.next() { if case .constraint(.network, .satisfied) = event.kind { break } }
    await bench.center.jobs.idle()
    let gate = Gate()
    flaky.holdExchanges(at: gate)
    if cancelsWhenLost {
      try await bench.center.enqueue(Wired("w"))
    } else {
      try await bench.center.enqueue(Work("w"), EnqueueOptions(requires: [.network]))
    }
    await gate.arrivals(1)
    constraints.set(.network, .unsatisfied)
    while let event = await events.next() { if case .constraint(.network, .unsatisfied) = event.kind { break } }
    gate.open()
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == [])
    #expect(try await bench.states() == ["1 ready 0"])
  }

  @Test func `one that is wanted no more is not missed: the attempt goes on when it is lost`() async throws {
    let constraints = ManualConstraints([.network: .satisfied])
    let bench = try bench(constraints)
    let gate = Gate()
    bench.probe.on("w") { _ in try await gate.passUnlessCancelled() }
    var events = bench.center.jobs.events().makeAsyncIterator()
    try await bench.center.enqueue(Wired("w"), EnqueueOptions(requiresUntil: .at(.distantPast)))
    bench.center.start()
    await gate.arrivals(1)
    while let event = await events.next() { if case .constraint(.network, .satisfied) = event.kind { break } }
    constraints.set(.network, .unsatisfied)
    while let event = await events.next() { if case .constraint(.network, .unsatisfied) = event.kind { break } }
    gate.open()
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == ["w"])
    #expect(try await bench.states() == [])
  }

  @Test(.timeLimit(.minutes(2)))
  func `the monitors end in the shutdown, though a store is never closed`() async throws {
    let (closing, ended) = (Gate(), Gate())
    let (words, continuation) = AsyncStream.makeStream(of: [Constraint: ConstraintState].self)
    continuation.onTermination = { _ in ended.open() }
    let (bench, flaky) = try JobBench.flaky(Work.self, jobs: JobConfiguration(monitors: [Late(words: words)]))
    flaky.holdClosing(at: closing)
    continuation.yield([.network: .satisfied])
    await bench.run()
    await bench.center.terminate(deadline: .zero)
    await ended.pass()
    #expect(flaky.calls("close") == 0)
    closing.open()
  }

  @Test func `what a monitor has said last does not hold when it has ended`() async throws {
    struct Ending: ConstraintMonitor {
      let constraints: [Constraint] = [.network]
      func states() -> AsyncStream<[Constraint: ConstraintState]> {
        AsyncStream { continuation in
          continuation.yield([.network: .satisfied])
          continuation.finish()
        }
      }
    }
    let bench = try JobBench(Wired.self, jobs: JobConfiguration(monitors: [Ending()]))
    var events = bench.center.jobs.events().makeAsyncIterator()
    bench.center.start()
    while let event = await events.next() { if case .constraint(.network, .unknown) = event.kind { break } }
    try await bench.center.enqueue(Wired("w"))
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == [])
  }

  /// Whether all has been done that can be by now, and somebody waits for more.
  private func isWaitedFor(_ center: TaskCenter) -> Bool {
    center.jobs.engines[0].inspect { machine in
      machine.isOpen && machine.inFlight == nil && machine.errands == 0 && !machine.mayClaim
        && !machine.idleWaiters.isEmpty
    }
  }

  @Test func `idle waits for what each monitor says first, and for no second word`() async throws {
    let (words, said) = AsyncStream.makeStream(of: [Constraint: ConstraintState].self)
    let other = ManualConstraints([.charging: .unsatisfied])
    let bench = try JobBench(Wired.self, jobs: JobConfiguration(monitors: [other, Late(words: words)]))
    try await bench.center.enqueue(Wired("w"))
    let events = bench.center.jobs.events()
    bench.center.start()
    #expect(await told(1, in: events) == ["charging unsatisfied"])
    // Whoever asked now would be told that nothing can run.
    async let idle = bench.center.jobs.idle()
    try await waitUntil { isWaitedFor(bench.center) }
    said.yield([.network: .satisfied])
    #expect(await idle)
    #expect(bench.probe.notes == ["w"])
    #expect(await bench.center.jobs.idle())
  }

  @Test(.timeLimit(.minutes(2)))
  func `idle waits for what may run since a constraint holds, also where the store was just being asked`()
    async throws
  {
    let constraints = ManualConstraints([.network: .unsatisfied])
    let (bench, flaky) = try JobBench.flaky(Wired.self, jobs: JobConfiguration(monitors: [constraints]))
    let (center, first, second) = (bench.center, Gate(), Gate())
    let engine = center.jobs.engines[0]
    try await center.enqueue(Wired("a"))
    flaky.holdExchanges(at: first)
    center.start()
    await first.arrivals(1)
    async let idle = center.jobs.idle()
    try await waitUntil { engine.inspect { !$0.idleWaiters.isEmpty && $0.errands == 0 } }
    // The next exchange goes after the wait has begun, and asks for what needs no network.
    flaky.holdExchanges(at: second)
    try await center.enqueue(Wired("b"))
    first.open()
    await second.arrivals(1)
    constraints.set(.network, .satisfied)
    try await waitUntil { engine.inspect { $0.satisfied.contains("network") && $0.errands == 0 } }
    second.open()
    #expect(await idle)
    #expect(bench.probe.notes.sorted() == ["a", "b"])
  }

  @Test func `a monitor that ends without a word keeps nobody`() async throws {
    let (words, said) = AsyncStream.makeStream(of: [Constraint: ConstraintState].self)
    let bench = try JobBench(Wired.self, jobs: JobConfiguration(monitors: [Late(words: words)]))
    bench.center.start()
    async let idle = bench.center.jobs.idle()
    try await waitUntil { isWaitedFor(bench.center) }
    said.finish()
    #expect(await idle)
  }

  @Test(.timeLimit(.minutes(15)))
  func `a monitor that asks for the jobs when it is asked what it watches holds up nothing, also when it ends`()
    async throws
  {
    let (words, said) = AsyncStream.makeStream(of: [Constraint: ConstraintState].self)
    let monitor = Asking(words: words)
    let bench = try JobBench(Work.self, jobs: JobConfiguration(monitors: [monitor]))
    let (center, probe) = (bench.center, bench.probe)
    center.start()
    monitor.asks.withLock { asks in
      asks = {
        center.jobs.resume()
        probe.note("asked")
      }
    }
    defer { monitor.asks.withLock { $0 = nil } }
    said.finish()
    await probe.notes(1)
    #expect(await center.jobs.idle())
  }

  @Test func `a monitor that does not know takes nothing away from one that does`() async throws {
    let own = ManualConstraints([.unmetered: .satisfied])
    let system = ManualConstraints([.network: .unsatisfied, .unmetered: .unknown])
    for monitors in [[own, system], [system, own]] {
      system.set(.network, .unsatisfied)
      let bench = try JobBench(Work.self, jobs: JobConfiguration(monitors: monitors))
      try await bench.center.enqueue(Work("a"), EnqueueOptions(requires: [.network, .unmetered]))
      await bench.run()
      #expect(bench.probe.notes == [])
      // It tells of everything at each change.
      system.set(.network, .satisfied)
      #expect(await bench.probe.notes(1) == ["a"])
      await bench.center.terminate()
    }
  }

  /// What is told next of constraints.
  private func told(_ count: Int, in events: AsyncStream<JobEvent>) async -> [String] {
    var words: [String] = []
    for await event in events {
      if case .constraint(let constraint, let state) = event.kind { words.append("\(constraint) \(state)") }
      if words.count == count { break }
    }
    return words
  }

  @Test func `of two monitors that know the one counts that has told of a change last, until it ends`() async throws {
    let (words, said) = AsyncStream.makeStream(of: [Constraint: ConstraintState].self)
    let own = ManualConstraints([.network: .satisfied, "other": .unsatisfied])
    let bench = try JobBench(Work.self, jobs: JobConfiguration(monitors: [own, Late(words: words)]))
    let events = bench.center.jobs.events()
    bench.center.start()
    #expect(await told(2, in: events) == ["network satisfied", "other unsatisfied"])
    said.yield([.network: .unsatisfied])
    #expect(await told(1, in: events) == ["network unsatisfied"])
    // Nothing new of the network.
    own.set("other", .satisfied)
    #expect(await told(1, in: events) == ["other satisfied"])
    said.finish()
    #expect(await told(1, in: events) == ["network satisfied"])
    await bench.center.terminate()
  }

  @Test(arguments: [59, 60])
  func `an attempt is cancelled for a constraint only as long as that is more than preferred`(seconds: Int) async throws
  {
    let constraints = ManualConstraints([.network: .satisfied])
    let bench = try bench(constraints)
    let gate = Gate()
    bench.probe.on("w") { _ in try await gate.passUnlessCancelled() }
    var events = bench.center.jobs.events().makeAsyncIterator()
    try await bench.center.enqueue(Wired("w"), EnqueueOptions(requiresUntil: .after(.seconds(60))))
    bench.center.start()
    await gate.arrivals(1)
    bench.time.advance(by: .seconds(seconds))
    constraints.set(.network, .unsatisfied)
    while let event = await events.next() { if case .constraint(.network, .unsatisfied) = event.kind { break } }
    gate.open()
    await bench.center.jobs.idle()
    #expect(try await bench.states() == (seconds < 60 ? ["1 ready 0"] : []))
  }

  @Test func `one that is only preferred is waited for until its time, then the job runs anyway`() async throws {
    let bench = try bench(ManualConstraints([.network: .unsatisfied]))
    try await bench.center.enqueue(Wired("w"), EnqueueOptions(requiresUntil: .after(.seconds(3600))))
    await bench.run()
    await bench.time.advance(by: .seconds(3599), driving: bench.center)
    #expect(bench.probe.notes == [])
    await bench.time.advance(by: .seconds(1), driving: bench.center)
    #expect(bench.probe.notes == ["w"])
  }

  #if os(Linux)
  @Test(arguments: [
    (["AC/type": "Mains", "AC/online": "1", "BAT0/type": "Battery"], ConstraintState.satisfied),
    (["AC/type": "Mains", "AC/online": "0", "BAT0/type": "Battery"], .unsatisfied),
    (["AC/type": "Mains", "AC/online": "0", "C1/type": "USB", "C1/online": "1", "BAT0/type": "Battery"], .satisfied),
    (["C1/type": "USB", "C1/online": "2", "BAT0/type": "Battery"], .satisfied),
    (["BAT0/type": "Battery"], .unknown),
    (["mouse/type": "Battery", "mouse/scope": "Device"], .satisfied),
    // What is listed and cannot be read.
    (["BAT0/status": "Discharging"], .unknown),
    (["AC/type": "Mains", "AC/online": "0", "BAT0/status": "Discharging"], .unknown),
    (["AC/type": "Mains", "AC/online": "1", "BAT0/status": "Charging"], .satisfied),
    (["mouse/status": "Discharging", "mouse/scope": "Device"], .satisfied),
    ([:], .satisfied),
  ])
  func `the power supply is read from sysfs`(_ files: [String: String], _ expected: ConstraintState) throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "power-\(UUID())")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    for (path, text) in files {
      let file = directory.appending(path: path)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("\(text)\n".utf8).write(to: file)
    }
    #expect(PowerMonitor.state(in: directory.path()) == expected)
  }

  @Test func `where nothing is known about power supplies that is said`() {
    #expect(PowerMonitor.state(in: "/nonexistent") == .unknown)
  }

  @Test func `the monitors of this machine say at once how it stands`() async {
    for monitor in [any ConstraintMonitor].system {
      var states = monitor.states().makeAsyncIterator()
      let first = await states.next()
      #expect(Set((first ?? [:]).keys) == Set(monitor.constraints))
    }
  }
  #endif
}
