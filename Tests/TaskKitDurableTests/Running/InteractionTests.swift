import Foundation
import TaskKit
import TaskKitDurable
import TaskKitTesting
import Testing

/// Values of version 2, with a step from version 1 that does not take every value.
private struct Moved: DurableTask {
  var number: Int

  static let payloadVersion = 3
  static let migrations = [
    PayloadMigration(from: 1) { (old: [String: String]) in
      guard let number = old["number"].flatMap(Int.init) else { throw Failure("no number") }
      return ["number": number]
    },
    PayloadMigration(from: 2) { (old: [String: Int]) in old },
  ]
  static var registration: DurableRegistration {
    DurableRegistration(
      __kind: "moved", type: Self.self, collected: (), at: ("Tests/Moved.swift", 1, 1), options: JobOptions(),
      run: { job, context in context.center[Probe.Key.self]?.note("\(job.number)") })
  }
}

private struct OldMoved: DurableTask {
  var number: String

  static var registration: DurableRegistration {
    DurableRegistration(
      __kind: "moved", type: Self.self, collected: (), at: ("Tests/OldMoved.swift", 1, 1), options: JobOptions(),
      run: { _, _ in })
  }
}

/// Waits for ever when it has given up.
private struct Endless: DurableTask {
  static var registration: DurableRegistration {
    DurableRegistration(
      __kind: "endless", type: Self.self, collected: (), at: ("Tests/Endless.swift", 1, 1),
      options: JobOptions(attempts: 1), run: { _, _ in throw Failure() })
  }

  static func didGiveUp(_ job: Self, _ failure: DurableFailure) async {
    failure.center[Probe.Key.self]?.note("told")
    await failure.center[Gate.Key.self]?.pass()
  }
}

extension Gate {
  enum Key: SharedKey { typealias Value = Gate }
}

/// Adds what its parents came to.
private struct Sum: DurableTask {
  static var registration: DurableRegistration {
    DurableRegistration(
      __kind: "sum", type: Self.self, collected: (), at: ("Tests/Sum.swift", 1, 1), options: JobOptions(),
      run: { _, context in
        context.center[Probe.Key.self]?.note("\(try context.results(as: Int.self))")
      })
  }
}

/// Kept in the second store.
private struct Elsewhere: DurableTask {
  static var registration: DurableRegistration {
    DurableRegistration(
      __kind: "elsewhere", type: Self.self, collected: (), at: ("Tests/Elsewhere.swift", 1, 1),
      options: JobOptions(store: "b"), run: { _, _ in })
  }
}

/// What happens while something else does.
@Suite struct InteractionTests {
  @Test func `a job that is cancelled by what is true of it while a step runs keeps nothing of the step`() async throws
  {
    let bench = try JobBench(Work.self)
    let gate = Gate()
    bench.probe.on("a") { context in
      do {
        try await context.once("charge") {
          bench.probe.note("charge \(context.attempt)")
          await gate.pass()
        }
      } catch { bench.probe.note("\((error as? DurableError)?.code.rawValue ?? "\(error)")") }
    }
    let id = try await bench.center.enqueue(Work("a"))
    bench.center.start()
    await gate.arrivals(1)
    #expect(try await bench.center.jobs.cancel { $0.kind == "work" && $0.state == .running } == 1)
    gate.open()
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == ["a", "charge 1", "staleAttempt"])
    #expect(try await bench.states() == ["1 cancelled 1"])
    // Tried again after all, the step has not happened.
    #expect(try await bench.center.jobs.retry(id))
    await bench.center.jobs.idle()
    #expect(bench.probe.notes.dropFirst(3) == ["a", "charge 1"])
    #expect(try await bench.states() == [])
  }

  @Test func `a held job that is released in a paused queue waits for the queue`() async throws {
    let bench = try JobBench(Work.self)
    let id = try await bench.center.enqueue(Work("a"))
    try await bench.center.jobs.hold(id, because: "support asks for it")
    try await bench.center.jobs.pause(queue: "default", by: "Ada")
    await bench.run()
    #expect(try await bench.center.jobs.why(id).hasSuffix("it is held: support asks for it"))
    try await bench.center.jobs.release(id)
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == [])
    #expect(try await bench.center.jobs.why(id).contains("paused by Ada"))
    try await bench.center.jobs.resume(queue: "default")
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == ["a"])
  }

  @Test func `a job that fails after its kind was unregistered keeps its delay and its last hook`() async throws {
    let bench = try JobBench(Chore.self)
    let gate = Gate()
    bench.probe.on("a") { _ in
      await gate.pass()
      throw Failure()
    }
    try await bench.center.enqueue(Chore("a"), EnqueueOptions(attempts: 2))
    bench.center.start()
    await gate.arrivals(1)
    bench.center.jobs.unregister(Chore.self)
    gate.open()
    await bench.center.jobs.idle()
    #expect(try await bench.states() == ["1 delayed 1"])
    await bench.time.advance(by: .seconds(10), driving: bench.center)
    #expect(bench.probe.notes == ["a"])
    #expect(try await bench.center.jobs.why(JobID(rawValue: 1)).contains("its kind is not registered in this build"))
    try bench.center.jobs.register(Chore.self)
    #expect(await bench.probe.notes(3) == ["a", "a", "a gave up after 2: error, no luck"])
    await bench.center.jobs.idle()
    #expect(try await bench.states() == ["1 dead 2"])
  }

  #if Durable && !os(Windows)
  @Test func `two centers of one process on one file do each job once, also when one of them ends`() async throws {
    let fixture = try SQLiteFixture(isFast: true)
    let (time, probe, gate) = (VirtualTime(), Probe(), Gate())
    func center() throws -> TaskCenter {
      let center = try TaskCenter(
        registry: TaskRegistry().adding(Work.self), time: time.source, stores: [.sqlite(at: fixture.file)],
        jobs: JobConfiguration(monitors: []))
      center[Probe.Key.self] = probe
      return center
    }
    let (first, second) = (try center(), try center())
    probe.on("stopped") { _ in try await gate.passUnlessCancelled() }
    try await first.enqueue(Work("stopped"))
    first.start()
    await gate.arrivals(1)
    try await second.jobs.open()
    try await first.enqueue((1...20).map { Work("\($0)") })
    try await second.enqueue((21...40).map { Work("\($0)") })
    second.start()
    await probe.notes(41)
    gate.open()
    await first.terminate()
    try await second.enqueue(Work("last"))
    await second.jobs.idle()
    #expect(Set(probe.notes).count == 42)
    #expect(probe.notes.count { $0 != "stopped" } == 41)
    #expect(try await second.jobs.count() == 0)
    await second.terminate()
  }
  #endif

  @Test func `jobs of several stores are not enqueued together, and do not wait for each other`() async throws {
    let center = try TaskCenter(
      registry: TaskRegistry().adding(Work.self, Elsewhere.self), time: VirtualTime().source,
      stores: [.memory("a"), .memory("b")], jobs: JobConfiguration(monitors: []))
    var batch = JobBatch()
    let parent = batch.add(Work("a"))
    batch.add(Elsewhere(), after: [parent])
    let error = await #expect(throws: DurableError.self) { try await center.enqueue(batch) }
    #expect(error?.code == .severalStores)
    #expect(try await center.jobs.count() == 0)
    // An id is one of the store that keeps the job: here there is none of that number.
    let id = try await center.enqueue(Work("a"))
    await #expect(throws: JobStoreError.self) { try await center.enqueue(Elsewhere(), .after(id)) }
  }

  @Test func `a value that a migration does not take is held with what it said, and the next is done`() async throws {
    let old = try JobBench(OldMoved.self)
    let id = try await old.center.enqueue(OldMoved(number: "no"))
    try await old.center.enqueue(OldMoved(number: "7"))
    let new = try JobBench(Moved.self, store: MemoryStore(sharing: old.store))
    // Written as version 1, read as version 3.
    await new.run()
    #expect(new.probe.notes == ["7"])
    #expect(try await new.states() == ["1 held 0"])
    #expect(try await new.center.jobs.why(id).contains("cannot be read as Moved: no number"))
  }

  @Test func `the deadline of an attempt does not run while the job is held, and does again afterwards`() async throws {
    let bench = try JobBench(Work.self)
    let gate = Gate()
    bench.probe.on("a") { context in try await gate.passUnlessCancelled() }
    let id = try await bench.center.enqueue(Work("a"), EnqueueOptions(attempts: 1, deadline: .seconds(60)))
    try await bench.center.jobs.hold(id, because: "later")
    await bench.run()
    await bench.time.advance(by: .seconds(3600), driving: bench.center)
    #expect(try await bench.states() == ["1 held 0"])
    try await bench.center.jobs.release(id)
    await gate.arrivals(1)
    await bench.time.continuous.waitForSleepers(1)
    bench.time.advance(by: .seconds(59))
    #expect(bench.probe.notes == ["a"])
    bench.time.advance(by: .seconds(1))
    #expect(await bench.probe.notes(2).last?.hasPrefix("a gave up after 1: deadline") == true)
  }

  @Test func `a body that asks to be held after its deadline is held`() async throws {
    let bench = try JobBench(Work.self)
    let gate = Gate()
    bench.probe.on("a") { context in
      try? await gate.passUnlessCancelled()
      try context.hold("too slow today")
    }
    let id = try await bench.center.enqueue(Work("a"), EnqueueOptions(deadline: .seconds(60)))
    bench.center.start()
    await gate.arrivals(1)
    await bench.time.continuous.waitForSleepers(1)
    bench.time.advance(by: .seconds(60))
    await bench.center.jobs.idle()
    #expect(try await bench.states() == ["1 held 0"])
    #expect(try await bench.center.jobs.why(id).hasSuffix("held: too slow today"))
  }

  @Test func `appended jobs of a key run in their order, whatever becomes of those before`() async throws {
    let bench = try JobBench(Work.self)
    let gate = Gate()
    bench.probe.on("1") { _ in try await gate.passUnlessCancelled() }
    bench.probe.on("2") { _ in throw Failure() }
    let key = EnqueueOptions(attempts: 1, unique: UniqueKey("k", .append))
    var ids: [JobID] = []
    for name in ["1", "2", "3", "4"] { ids.append(try await bench.center.enqueue(Work(name), key)) }
    bench.center.start()
    await gate.arrivals(1)
    #expect(try await bench.center.jobs.why(ids[2]).contains("it waits for job 2"))
    try await bench.center.jobs.delete(ids[2])
    try await bench.center.jobs.cancel(ids[0])
    await bench.center.jobs.idle()
    #expect(bench.probe.notes.filter { $0.count == 1 } == ["1", "2", "4"])
  }

  @Test func `a child gets the result of a parent that was deleted before its other parent had ended`() async throws {
    let bench = try JobBench(Measure.self, Sum.self)
    let first = try await bench.center.enqueue(Measure(value: 4))
    let second = try await bench.center.enqueue(Measure(value: 5), .delayed(.seconds(3600)))
    let gone = try await bench.center.enqueue(Measure(value: 6))
    try await bench.center.enqueue(Sum(), .after(first, second, gone))
    await bench.run()
    try await bench.center.jobs.delete(gone)
    // Longer than finished ones are kept.
    await bench.time.advance(by: .seconds(600), driving: bench.center)
    #expect(try await bench.center.jobs.all().map(\.id) == [second, JobID(rawValue: 4)])
    await bench.time.advance(by: .seconds(3600), driving: bench.center)
    #expect(bench.probe.notes == ["[8, 10, 12]"])
  }

  @Test func `when the clock is set back by hours, delays last as much longer, and nothing is lost or done twice`()
    async throws
  {
    let bench = try JobBench(Chore.self, Scheduled<Hourly>.self)
    bench.probe.on("a") { context in if context.attempt == 1 { throw Failure() } }
    let id = try await bench.center.enqueue(Chore("a"))
    bench.center.start()
    await bench.time.advance(by: .seconds(3 * 3600 - 5), driving: bench.center)
    #expect(bench.probe.notes.count { $0 == "a" } == 2)
    bench.probe.on("b") { context in if context.attempt == 1 { throw Failure() } }
    let late = try await bench.center.enqueue(Chore("b"))
    await bench.center.jobs.idle()
    bench.time.setWall(to: bench.time.wall - 2 * 3600)
    bench.center.clockDidChange()
    await bench.time.advance(by: .seconds(60), driving: bench.center)
    #expect(try await bench.center.jobs.why(late).contains("it is delayed until 2026-01-01T03:00:05Z"))
    await bench.time.advance(by: .seconds(3 * 3600), driving: bench.center)
    #expect(try await bench.center.jobs.snapshot(of: id) == nil)
    #expect(bench.probe.notes.count { $0 == "b" } == 2)
    let slots = bench.probe.notes.filter { $0.hasPrefix("2026") }
    #expect(slots == (1...4).map { "2026-01-01T0\($0):00:00Z" })
  }

  @Test func `a hook that never returns holds up no job, and nobody who has all the time`() async throws {
    let bench = try JobBench(Endless.self, Work.self)
    let gate = Gate()
    bench.center[Gate.Key.self] = gate
    try await bench.center.enqueue(Endless())
    bench.center.start()
    await gate.arrivals(1)
    try await bench.center.enqueue(Work("a"))
    #expect(await bench.center.jobs.idle())
    #expect(bench.probe.notes == ["told", "a"])
    #expect(await bench.center.jobs.stop().isEmpty)
    gate.open()
  }

  @Test func `no jobs are enqueued as none`() async throws {
    let bench = try JobBench(Work.self)
    #expect(try await bench.center.enqueue([any DurableTask]()) == [])
    #expect(try await bench.center.enqueue(chain: []) == [])
    #expect(try await bench.center.enqueue(JobBatch()) == [])
    #expect(await bench.center.jobs.idle())
  }
}
