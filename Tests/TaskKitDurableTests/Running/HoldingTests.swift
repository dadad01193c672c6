import Foundation
import TaskKit
import TaskKitDurable
import TaskKitDurableTesting
import TaskKitTesting
import Testing

@Suite struct HoldingTests {
  private func bench(_ constraints: ManualConstraints, store: MemoryStore = MemoryStore()) throws -> JobBench {
    try JobBench(Work.self, store: store, jobs: JobConfiguration(monitors: [constraints]))
  }

  private func holding(until constraints: [Constraint]) -> Probe.Body {
    { context in
      if context.attempt == 1, try context.checkpoint(as: Bool.self) == nil {
        try await context.checkpoint(true)
        try context.hold("the server is away", until: constraints)
      }
    }
  }

  @Test func `a job is held until what its body asked for holds (Z25, Zw12)`() async throws {
    let constraints = ManualConstraints(["server": .unsatisfied, "power": .unsatisfied])
    let bench = try bench(constraints)
    bench.probe.on("a", holding(until: ["server", "power"]))
    let id = try await bench.center.enqueue(Work("a"))
    await bench.run()
    #expect(bench.probe.notes == ["a"])
    #expect(
      try await bench.center.jobs.why(id).hasSuffix(
        """
        held until 'server' and 'power' holds: the server is away
          constraint 'server' does not hold
          constraint 'power' does not hold
        """))
    constraints.set("server", .satisfied)
    constraints.set("power", .satisfied)
    #expect(await bench.probe.notes(2) == ["a", "a"])
    await bench.center.jobs.idle()
    #expect(try await bench.states() == [])
  }

  @Test func `a job that is held until nothing waits for somebody`() async throws {
    let bench = try bench(ManualConstraints([:]))
    bench.probe.on("a", holding(until: []))
    let id = try await bench.center.enqueue(Work("a"))
    await bench.run()
    await bench.time.advance(by: .seconds(3600), driving: bench.center)
    #expect(bench.probe.notes == ["a"])
    #expect(try await bench.center.jobs.snapshot(of: id)?.hold == .asked("the server is away"))
    try await bench.center.jobs.release(id)
    #expect(await bench.probe.notes(2) == ["a", "a"])
  }

  @Test func `what held when the program begins releases what an earlier one held`() async throws {
    let first = try bench(ManualConstraints(["server": .unsatisfied]))
    first.probe.on("a", holding(until: ["server"]))
    try await first.center.enqueue(Work("a"))
    await first.run()
    await first.center.terminate()
    let second = try bench(ManualConstraints(["server": .satisfied]), store: MemoryStore(sharing: first.store))
    second.center.start()
    #expect(await second.probe.notes(1) == ["a"])
  }

  @Test func `what held before a kind joined releases what is held of it when it joins`() async throws {
    let first = try bench(ManualConstraints(["server": .unsatisfied]))
    first.probe.on("a", holding(until: ["server"]))
    let id = try await first.center.enqueue(Work("a"))
    await first.run()
    await first.center.terminate()
    let late = try JobBench(
      Chore.self, store: MemoryStore(sharing: first.store),
      jobs: JobConfiguration(monitors: [ManualConstraints(["server": .satisfied])]))
    var events = late.center.jobs.events().makeAsyncIterator()
    late.center.start()
    while let event = await events.next() { if case .constraint = event.kind { break } }
    await late.center.jobs.idle()
    #expect(try await late.center.jobs.snapshot(of: id)?.state == .held)
    try late.center.jobs.register(Work.self)
    await late.center.jobs.idle()
    #expect(late.probe.notes == ["a"])
    #expect(try await late.states() == [])
  }

  @Test func `one that waits for what holds already is tried again after ten seconds`() async throws {
    let constraints = ManualConstraints(["server": .satisfied])
    let bench = try bench(constraints)
    bench.probe.on("a", holding(until: ["server"]))
    bench.probe.on("known") { _ in }
    try await bench.center.enqueue(Work("known"), EnqueueOptions(requires: ["server"]))
    bench.center.start()
    await bench.probe.notes(1)
    try await bench.center.enqueue(Work("a"))
    await bench.center.jobs.idle()
    #expect(try await bench.states() == ["2 delayed 0"])
    await bench.time.advance(by: .seconds(10), driving: bench.center)
    #expect(bench.probe.notes == ["known", "a", "a"])
  }

  @Test(arguments: [true, false])
  func `attempts are forgotten where a job was parked, and not where what it waits for held already`(
    holds: Bool
  ) async throws {
    let constraints = ManualConstraints(["server": holds ? .satisfied : .unsatisfied])
    let bench = try bench(constraints)
    bench.probe.on("a") { context in
      bench.probe.note("attempt \(context.attempt)")
      if try context.checkpoint(as: Bool.self) != nil { return }
      if context.attempt == 1 { throw Failure() }
      try await context.checkpoint(true)
      try context.hold("the server is away", until: ["server"])
    }
    // Where it holds, the job begins when that has been heard.
    try await bench.center.enqueue(Work("a"), EnqueueOptions(requires: holds ? ["server"] : []))
    await bench.run()
    #expect(bench.probe.notes == ["a", "attempt 1", "a", "attempt 2"])
    #expect(try await bench.states() == [holds ? "1 delayed 1" : "1 held 1"])
    if holds {
      await bench.time.advance(by: .seconds(10), driving: bench.center)
    } else {
      constraints.set("server", .satisfied)
    }
    let notes = await bench.probe.notes(6)
    #expect(notes.last == (holds ? "attempt 2" : "attempt 1"))
    await bench.center.jobs.idle()
    #expect(try await bench.states() == [])
  }

  @Test func `what one process holds another one releases in which that holds, if it runs the kind`() async throws {
    let offline = try bench(ManualConstraints(["server": .unsatisfied]))
    let satisfied = JobConfiguration(monitors: [ManualConstraints(["server": .satisfied])])
    let online = try JobBench(Work.self, store: MemoryStore(sharing: offline.store), jobs: satisfied)
    let stranger = try JobBench(Chore.self, store: MemoryStore(sharing: offline.store), jobs: satisfied)
    for bench in [online, stranger] {
      var events = bench.center.jobs.events().makeAsyncIterator()
      bench.center.start()
      while let event = await events.next() { if case .constraint = event.kind { break } }
      await bench.center.jobs.stop()
    }
    offline.probe.on("a", holding(until: ["server"]))
    let id = try await offline.center.enqueue(Work("a"))
    await offline.run()
    #expect(try await offline.center.jobs.snapshot(of: id)?.state == .held)
    await stranger.time.advance(by: .seconds(20), driving: stranger.center)
    #expect(try await offline.center.jobs.snapshot(of: id)?.state == .held)
    await online.time.advance(by: .seconds(20), driving: online.center)
    #expect(await offline.probe.notes(2) == ["a", "a"])
    await offline.center.jobs.idle()
    #expect(try await offline.states() == [])
  }

  @Test func `a job that somebody holds until something holds goes on then (Z25, Zw12)`() async throws {
    let constraints = ManualConstraints(["server": .unsatisfied, "power": .unsatisfied])
    let bench = try bench(constraints)
    let jobs = bench.center.jobs
    var ids: [JobID] = []
    for name in ["a", "b", "c", "d"] {
      ids.append(try await bench.center.enqueue(Work(name), EnqueueOptions(tags: [name])))
    }
    #expect(try await jobs.hold(ids[0], because: "the server is away", until: ["server", "power"]))
    #expect(try await jobs.hold(where: JobSelection(tags: ["b"]), because: "later", until: ["server"]) == 1)
    let third = ids[2]
    #expect(try await jobs.hold(because: "later", until: ["server"]) { $0.id == third } == 1)
    #expect(try await jobs.hold(ids[3], because: "asked"))
    #expect(
      try await jobs.why(ids[0]).hasSuffix(
        """
        held until 'server' and 'power' holds: the server is away
          nobody knows whether constraint 'server' holds
          nobody knows whether constraint 'power' holds
        """))
    await bench.run()
    #expect(bench.probe.notes == [])
    constraints.set("server", .satisfied)
    #expect(await Set(bench.probe.notes(2)) == ["b", "c"])
    await jobs.idle()
    constraints.set("power", .satisfied)
    #expect(await Set(bench.probe.notes(3)) == ["a", "b", "c"])
    await jobs.idle()
    #expect(try await bench.states() == ["4 held 0"])
  }

  @Test func `one that somebody holds until what holds already goes on after ten seconds, whoever holds it`()
    async throws
  {
    let bench = try bench(ManualConstraints(["server": .satisfied]))
    var events = bench.center.jobs.events().makeAsyncIterator()
    bench.center.start()
    while let event = await events.next() { if case .constraint = event.kind { break } }
    await bench.center.jobs.stop()
    let here = try await bench.center.enqueue(Work("a"))
    try await bench.center.enqueue(Work("b"))
    #expect(try await bench.center.jobs.hold(here, because: "wait", until: ["server"]))
    bench.center.jobs.resume()
    await bench.time.advance(by: .seconds(10), driving: bench.center)
    #expect(Set(bench.probe.notes) == ["a", "b"])
    await bench.center.jobs.stop()
    let third = try await bench.center.enqueue(Work("c"))
    // A program without workers, for one that shows jobs.
    let other = try JobBench(Chore.self, store: MemoryStore(sharing: bench.store))
    #expect(try await other.center.jobs.hold(third, because: "wait", until: ["server"]))
    #expect(try await bench.center.jobs.snapshot(of: third)?.state == .held)
    bench.center.jobs.resume()
    await bench.time.advance(by: .seconds(20), driving: bench.center)
    #expect(await bench.probe.notes(3).last == "c")
  }

  @Test func `somebody may release it before`() async throws {
    let bench = try bench(ManualConstraints(["server": .unsatisfied]))
    bench.probe.on("a", holding(until: ["server"]))
    let id = try await bench.center.enqueue(Work("a"))
    await bench.run()
    #expect(try await bench.center.jobs.release(id))
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == ["a", "a"])
  }

  @Test func `jobs are not looked through for held ones where none is held`() async throws {
    let memory = MemoryStore()
    let flaky = FlakyStore(memory)
    let bench = try JobBench(
      Work.self, store: memory, wrapping: { _ in flaky },
      jobs: JobConfiguration(monitors: [ManualConstraints(["server": .satisfied])]))
    var events = bench.center.jobs.events().makeAsyncIterator()
    bench.center.start()
    while let event = await events.next() { if case .constraint = event.kind { break } }
    let other = try JobBench(Chore.self, store: MemoryStore(sharing: memory))
    try await other.center.enqueue(Chore("a"))
    await bench.time.advance(by: .seconds(20), driving: bench.center)
    await bench.center.jobs.idle()
    #expect(flaky.calls("counts") > 0)
    #expect(flaky.calls("jobs") == 0)
    #expect(flaky.calls("change") == 0)
  }

  @Test func `what holds while the store fails releases when it can be used again`() async throws {
    let constraints = ManualConstraints(["server": .unsatisfied])
    let (bench, flaky) = try JobBench.flaky(Work.self, jobs: JobConfiguration(monitors: [constraints]))
    bench.probe.on("a", holding(until: ["server"]))
    try await bench.center.enqueue(Work("a"))
    await bench.run()
    flaky.fail("jobs", .locked, times: 2)
    var events = bench.center.jobs.events().makeAsyncIterator()
    constraints.set("server", .satisfied)
    while let event = await events.next() { if case .storeFailed = event.kind { break } }
    await bench.time.advance(by: .seconds(1), driving: bench.center)
    #expect(bench.probe.notes == ["a", "a"])
  }

  @Test func `a store that fails is asked once after each delay for what may go on, however often that was wanted`()
    async throws
  {
    let (memory, constraints) = (MemoryStore(), ManualConstraints(["server": .unsatisfied]))
    let flaky = FlakyStore(memory)
    let bench = try JobBench(
      Work.self, store: memory, wrapping: { _ in flaky }, jobs: JobConfiguration(monitors: [constraints]))
    let (center, time) = (bench.center, bench.time)
    bench.probe.on("a", holding(until: ["server"]))
    try await center.enqueue(Work("a"))
    await bench.run()
    flaky.fail("jobs", .locked, times: .max)
    var events = center.jobs.events().makeAsyncIterator()
    for _ in 1...3 {
      constraints.set("server", .unsatisfied)
      constraints.set("server", .satisfied)
      while let event = await events.next() { if case .storeFailed = event.kind { break } }
    }
    await time.advance(by: .zero, driving: center)
    let before = flaky.calls("jobs")
    for (delay, count) in [(100, 0), (200, 1)] {
      await time.advance(by: .milliseconds(delay - 1), driving: center)
      #expect(flaky.calls("jobs") == before + count)
      await time.advance(by: .milliseconds(1), driving: center)
      #expect(flaky.calls("jobs") == before + count + 1)
    }
    flaky.fail("jobs", .locked, times: 0)
    await time.advance(by: .milliseconds(400), driving: center)
    #expect(bench.probe.notes == ["a", "a"])
  }
}
