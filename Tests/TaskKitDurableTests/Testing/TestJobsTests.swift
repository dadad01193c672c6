import Foundation
import TaskKit
import TaskKitDurable
import TaskKitDurableTesting
import TaskKitTesting
import Testing

@Suite struct TestJobsTests {
  private func jobs(_ probe: Probe, chance: Double = 0) throws -> TestJobs {
    let jobs = try TestJobs(
      Work.self, Chore.self, Scheduled<Hourly>.self, constraints: [.network: .unsatisfied], chance: chance)
    jobs.center[Probe.Key.self] = probe
    return jobs
  }

  @Test func `nothing runs before the test says so, and what was enqueued can be asked for`() async throws {
    let jobs = try jobs(Probe())
    try await jobs.center.enqueue([Work("a"), Work("b"), Chore("c")])
    #expect(try await jobs.enqueued(Work.self).map(\.job.name) == ["a", "b"])
    #expect(try await jobs.enqueued(Work.self) { $0.name == "b" }.map(\.id.rawValue) == [2])
    #expect(try await jobs.enqueued(Chore.self).first?.snapshot.state == .ready)
    #expect(try await jobs.enqueued(Scheduled<Hourly>.self).isEmpty)
  }

  @Test func `one attempt runs, the next by the law`() async throws {
    let probe = Probe()
    let jobs = try jobs(probe)
    try await jobs.center.enqueue(Work("a"))
    try await jobs.center.enqueue(Work("b"), EnqueueOptions(priority: .userInitiated))
    try await jobs.center.enqueue(Chore("c"))
    try await jobs.center.enqueue(Work("d"), EnqueueOptions(queue: "other"))
    #expect(try await jobs.performNext(in: "default")?.id == JobID(rawValue: 2))
    #expect(try await jobs.performNext(Chore.self)?.id == JobID(rawValue: 3))
    #expect(try await jobs.performNext(in: "other")?.end == .succeeded)
    #expect(probe.notes == ["b", "c", "d"])
    #expect(try await jobs.performNext(Chore.self) == nil)
    #expect(try await jobs.performNext()?.id == JobID(rawValue: 1))
    #expect(try await jobs.performNext() == nil)
  }

  @Test func `what became of an attempt is told, a failure with its delay`() async throws {
    let probe = Probe()
    let jobs = try jobs(probe)
    probe.on("c") { _ in throw Failure() }
    probe.on("a") { try $0.hold("wait") }
    try await jobs.center.enqueue(Chore("c"))
    #expect(try await jobs.performNext()?.end == .failed("no luck", retryAfter: .seconds(10)))
    try await jobs.center.enqueue(Work("a"))
    #expect(try await jobs.performNext()?.end == .held(.asked("wait")))
    #expect(try await jobs.performNext() == nil)
  }

  @Test func `a drain runs what is there and what comes meanwhile`() async throws {
    let probe = Probe()
    let jobs = try jobs(probe)
    probe.on("a") { try await $0.center.enqueue(Work("child")) }
    try await jobs.center.enqueue(Work("a"))
    try await jobs.center.enqueue(Work("offline"), EnqueueOptions(requires: [.network]))
    #expect(try await jobs.drain().map(\.end) == [.succeeded, .succeeded])
    #expect(probe.notes == ["a", "child"])
    try await jobs.center.enqueue(Work("b"))
    #expect(probe.notes.count == 2)
  }

  @Test func `a drain within a time has retries, delays and schedules`() async throws {
    let probe = Probe()
    let jobs = try jobs(probe)
    probe.on("c") { if $0.attempt < 3 { throw Failure() } }
    try await jobs.center.enqueue(Chore("c"))
    try await jobs.center.enqueue(Work("later"), .delayed(.seconds(1800)))
    let performed = try await jobs.drain(within: .seconds(3600))
    #expect(probe.notes == ["c", "c", "c", "later", "2026-01-01T01:00:00Z"])
    #expect(performed.map(\.kind) == ["chore", "chore", "chore", "work", "Hourly"])
    #expect(performed.last?.end == .succeeded)
  }

  @Test func `constraints hold when the test says so`() async throws {
    let probe = Probe()
    let jobs = try jobs(probe)
    try await jobs.center.enqueue(Work("offline"), EnqueueOptions(requires: [.network]))
    #expect(try await jobs.drain() == [])
    jobs.constraints.set(.network, .satisfied)
    #expect(try await jobs.drain().map(\.end) == [.succeeded])
    jobs.constraints.set(.network, .unsatisfied)
    try await jobs.center.enqueue(Work("offline"), EnqueueOptions(requires: [.network]))
    #expect(try await jobs.drain() == [])
  }

  @Test(arguments: [ConstraintState.unsatisfied, .satisfied])
  func `a constraint that is set there and back is for the next job what it is then`(last: ConstraintState) async throws
  {
    let jobs = try jobs(Probe())
    jobs.constraints.set(.network, last)
    for _ in 0..<300 {
      try await jobs.center.enqueue(Work("a"), EnqueueOptions(requires: [.network]))
      jobs.constraints.set(.network, last == .satisfied ? .unsatisfied : .satisfied)
      jobs.constraints.set(.network, last)
      let performed = try await jobs.performNext()
      #expect((performed?.end == .succeeded) == (last == .satisfied))
    }
  }

  @Test func `kinds of several stores are tested like those of one`() async throws {
    let probe = Probe()
    let jobs = try TestJobs(Work.self, Scratch.self)
    jobs.center[Probe.Key.self] = probe
    try await jobs.center.enqueue([Scratch("s"), Scratch("t")])
    try await jobs.center.enqueue([Work("a"), Work("b")])
    #expect(try await jobs.enqueued(Scratch.self).map(\.job.name) == ["s", "t"])
    // One, not one of each store: the first store first.
    #expect(try await jobs.performNext()?.kind == "work")
    #expect(try await jobs.performNext(Scratch.self)?.kind == "scratch")
    #expect(probe.notes == ["a", "s"])
    #expect(try await jobs.drain().count == 2)
    #expect(try await jobs.performNext() == nil)
    #expect(Set(probe.notes) == ["a", "b", "s", "t"])
  }

  @Test func `kinds that name the first store of the program are together with those that name none`() async throws {
    let probe = Probe()
    let jobs = try TestJobs(Work.self, Scratch.self, stores: ["scratch"])
    jobs.center[Probe.Key.self] = probe
    let ids = try await jobs.center.enqueue(chain: [Scratch("s"), Work("a")])
    #expect(try await jobs.drain().map(\.id) == ids)
    #expect(probe.notes == ["s", "a"])
    #expect(jobs.center.jobs.stores.map(\.name) == ["scratch"])
  }

  @Test(arguments: [TaskRegistry().adding(Work.self), TaskRegistry().adding(Work.self, Scratch.self)])
  func `an empty list of stores is refused, also where a kind names one`(registry: TaskRegistry) {
    let error = #expect(throws: DurableError.self) { try TestJobs(registry: registry, stores: []) }
    #expect(error?.code == .noStores)
    #expect(
      error?.description == """
        'TestJobs' keeps no jobs, because its list of stores is empty; leave 'stores:' out, or give the names of the program's \
        stores, the first one first
        """)
  }

  @Test func `a call that was cancelled takes nothing away from those after it`() async throws {
    let (probe, gate) = (Probe(), Gate())
    let jobs = try jobs(probe)
    probe.on("a") { _ in await gate.pass() }
    try await jobs.center.enqueue(Work("a"))
    let cancelled = Task { try await jobs.performNext() }
    await gate.arrivals(1)
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    gate.open()
    let id = try await jobs.center.enqueue(Work("b"))
    #expect(try await jobs.performNext()?.id == id)
    for _ in 0..<300 {
      jobs.constraints.set(.network, .unsatisfied)
      try await jobs.center.enqueue(Work("c"), EnqueueOptions(requires: [.network]))
      #expect(try await jobs.performNext() == nil)
      jobs.constraints.set(.network, .satisfied)
      #expect(try await jobs.drain().map(\.end) == [.succeeded])
    }
  }

  @Test func `a call that is cancelled before it begins runs nothing`() async throws {
    let probe = Probe()
    let jobs = try jobs(probe)
    let id = try await jobs.center.enqueue(Work("a"))
    let gate = Gate()
    let cancelled = Task {
      await gate.pass()
      return try await jobs.performNext()
    }
    cancelled.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(probe.notes == [])
    #expect(try await jobs.performNext()?.id == id)
  }

  @Test func `what the clocks have made due is there for the next call`() async throws {
    let jobs = try jobs(Probe())
    #expect(try await jobs.performNext() == nil)
    // The schedule has begun.
    await jobs.time.continuous.waitForSleeper(until: .seconds(3600))
    for _ in 0..<300 {
      jobs.time.advance(by: .seconds(3600))
      #expect(try await jobs.performNext(Scheduled<Hourly>.self)?.end == .succeeded)
    }
  }

  @Test func `an attempt that begins as a drain ends belongs to it, and not to the next call`() async throws {
    let probe = Probe()
    let jobs = try jobs(probe)
    let (enqueueings, enqueueing) = AsyncStream.makeStream(of: Task<JobID, any Error>.self)
    probe.on("a") { context in
      let center = context.center
      enqueueing.yield(Task { try await center.enqueue(Work("late")) })
    }
    var left = enqueueings.makeAsyncIterator()
    for _ in 0..<300 {
      let id = try await jobs.center.enqueue(Work("a"))
      var performed = try await jobs.drain().map(\.id)
      let late = try await left.next()?.value
      if let next = try await jobs.performNext() { performed.append(next.id) }
      #expect(performed.count == 2 && Set(performed) == Set([id, late].compactMap { $0 }))
    }
    #expect(probe.notes.count == 600)
  }

  @Test func `a deadline passes when the test moves the clocks beside the attempt`() async throws {
    let (probe, gate) = (Probe(), Gate())
    let jobs = try TestJobs(Patient.self)
    jobs.center[Probe.Key.self] = probe
    probe.on("a") { _ in try await gate.passUnlessCancelled() }
    try await jobs.center.enqueue(Patient("a"))
    async let performed = jobs.performNext()
    await gate.arrivals(1)
    jobs.time.advance(by: .seconds(120))
    let end = try await performed?.end
    guard case .failed(let text, _)? = end else {
      Issue.record("\(String(describing: end))")
      return
    }
    #expect(text.hasPrefix("its deadline of 120.0 seconds passed"))
  }
}

/// May take two minutes.
private struct Patient: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = "patient"
  static var options: JobOptions<Patient> { JobOptions(backoff: .none, deadline: .seconds(120)) }
}

/// Kept in a store of its own.
private struct Scratch: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = "scratch"
  static var options: JobOptions<Scratch> { JobOptions(store: "scratch") }
}
