import Foundation
import GRDB
import TaskKit
import TaskKitDurable
import TaskKitDurableTesting
import TaskKitTesting
import Testing

/// The tests of ZLTaskManager (SEEDS.md, 5.3) that no other file here has. Where its last column decides otherwise, the test
/// asserts that.
///
/// No test here: Zt2, which asked that the shared manager is always the same, since a center is a value of the program and
/// there may be several; Zt89, which asked that a factory that was not overridden raises, since a type without `run` does not
/// compile (`DurableDiagnosticsTests`); Zt90 and Zt91, which were placeholders.
@Suite struct SeedTests {
  @Test func `at first use what ran is ready again, and what is held stays held (Zt1, Zt77, Zw12)`() async throws {
    let first = try JobBench(Work.self)
    let held = try await first.center.enqueue(Work("held"))
    try await first.center.jobs.hold(held, because: "not yet")
    try await first.center.enqueue(Work("running"))
    await first.die(in: "running")
    let second = try JobBench(Work.self, store: MemoryStore(sharing: first.store))
    #expect(try await second.states() == ["1 held 0", "2 ready 1"])
    await second.run()
    #expect(second.probe.notes == ["running"])
  }

  @Test func `the center is told when a body has ended (Zt3)`() async throws {
    let bench = try JobBench(Work.self)
    var events = bench.center.jobs.events().makeAsyncIterator()
    try await bench.center.enqueue(Work("a"))
    await bench.run()
    var ended: JobID?
    while ended == nil, let event = await events.next() {
      if case .succeeded(let id, _, _) = event.kind { ended = id }
    }
    #expect(ended == JobID(rawValue: 1))
  }

  @Test func `the beginning of a stop starts nothing (Zt10)`() async throws {
    let (bench, flaky) = try JobBench.flaky(
      Work.self, jobs: JobConfiguration(defaultQueue: QueueOptions(workers: 1), monitors: []))
    let gate = Gate()
    bench.probe.on("a", bench.stubborn(gate))
    try await bench.center.enqueue([Work("a"), Work("b")])
    bench.center.start()
    await gate.arrivals(1)
    async let stopped = bench.center.jobs.stop()
    await bench.probe.notes(2)
    let claims = flaky.exchanged.map(\.claims).reduce(0, +)
    gate.open()
    _ = await stopped
    #expect(flaky.exchanged.map(\.claims).reduce(0, +) == claims)
    #expect(bench.probe.notes == ["a", "cancelled"])
  }

  @Test func `no kind: refused, nothing stored, nothing scheduled, alone or with others (Zt12, Zt15)`() async throws {
    let bench = try JobBench(Nameless.self, Work.self)
    await bench.run()
    await #expect(throws: JobStoreError.self) { try await bench.center.enqueue(Nameless()) }
    await #expect(throws: JobStoreError.self) { try await bench.center.enqueue([Work("a"), Nameless()]) }
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == [])
    #expect(try await bench.center.jobs.count() == 0)
  }

  @Test func `at rest there is no timer, of five seconds or another (Zt26, Zw4)`() async throws {
    let bench = try JobBench(Work.self)
    await bench.run()
    #expect(bench.center.timeUntilDue == nil)
    try await bench.center.enqueue(Work("a"))
    await bench.center.jobs.idle()
    #expect(bench.center.timeUntilDue == nil)
  }

  @Test func `online, with nothing stored or nothing of its kinds, no body runs (Zt29, Zt32)`() async throws {
    let constraints = ManualConstraints([.network: .satisfied])
    let bench = try JobBench(Work.self, jobs: JobConfiguration(monitors: [constraints]))
    await bench.run()
    try await bench.center.enqueue(Chore("b"))
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == [])
  }

  @Test func `the last failure of a kind that was unregistered meanwhile is written down (Zt40)`() async throws {
    let bench = try JobBench(Work.self)
    let gate = Gate()
    bench.probe.on("a") { _ in
      await gate.pass()
      throw Failure()
    }
    try await bench.center.enqueue(Work("a"), EnqueueOptions(attempts: 1))
    bench.center.start()
    await gate.arrivals(1)
    bench.center.jobs.unregister(Work.self)
    gate.open()
    await bench.center.jobs.idle()
    #expect(try await bench.states() == ["1 dead 1"])
  }

  @Test func `the first use makes the file with its tables, the second uses them (Zt43, Zt44)`() async throws {
    let fixture = try SQLiteFixture()
    let first = SQLiteStore(at: fixture.file)
    let identity = try await first.open(StoreEnvironment(owner: "first")).identity
    await first.close()
    let tables = try await DatabaseQueue(path: fixture.file.path).read { db in
      try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'taskkit_%'")
    }
    #expect(tables.contains("taskkit_job"))
    let second = SQLiteStore(at: fixture.file)
    #expect(try await second.open(StoreEnvironment(owner: "second")).identity == identity)
    await second.close()
  }

  @Test func `without its tables a store says so, for a new job and for an end (Zt69, Zt72)`() async throws {
    let fixture = try SQLiteFixture()
    let store = SQLiteStore(at: fixture.file)
    _ = try await store.open(StoreEnvironment(owner: "test"))
    let id = try await store.enqueue([NewJob(kind: "Upload", payload: JobPayload(bytes: Data()))])[0].id
    let claim = JobExchange.Claim(queue: "default", limit: 1, kinds: [.init("Upload", limit: 1)])
    let token = try #require(try await store.exchange(JobExchange(claims: [claim])).claimed.first).token
    try await DatabaseQueue(path: fixture.file.path).write { db in
      for table in ["taskkit_job", "taskkit_running"] { try db.execute(sql: "DROP TABLE \(table)") }
    }
    await #expect(throws: JobStoreError.self) {
      try await store.enqueue([NewJob(kind: "Upload", payload: JobPayload(bytes: Data()))])
    }
    let end = (AttemptKey(job: id, token: token), JobExchange.End.succeeded(result: nil))
    await #expect(throws: JobStoreError.self) { try await store.exchange(JobExchange(ends: [end])) }
    await store.close()
  }

  @Test func `what can be changed is changed, and nothing else (Zt71, Zw10)`() async throws {
    let bench = try JobBench(Work.self)
    let id = try await bench.center.enqueue(Work("a"), EnqueueOptions(tags: ["t"]))
    var expected = try #require(try await bench.center.jobs.snapshot(of: id))
    try await bench.center.jobs.prioritise(id, JobPriority(major: .max, minor: .min))
    try await bench.center.jobs.reschedule(id, .after(.seconds(60)))
    expected.priority = JobPriority(major: .max, minor: .min)
    expected.state = .delayed
    expected.due = bench.time.wall + 60
    #expect(try await bench.center.jobs.snapshot(of: id) == expected)
    #expect(try await bench.center.jobs.count() == 1)
  }

  @Test func `a value that cannot be encoded is refused when it is enqueued (Z5)`() async throws {
    let bench = try JobBench(Reading.self, Work.self)
    await #expect(throws: EncodingError.self) { try await bench.center.enqueue(Reading(value: .nan)) }
    await #expect(throws: EncodingError.self) { try await bench.center.enqueue([Work("a"), Reading(value: .nan)]) }
    #expect(try await bench.center.jobs.count() == 0)
  }

  @Test func `everything can be deleted (Zt81)`() async throws {
    let bench = try JobBench(Work.self)
    try await bench.center.enqueue([Work("a"), Work("b")])
    try await bench.center.enqueue(Work("c"), .delayed(.seconds(1)))
    #expect(try await bench.center.jobs.delete(where: .all) == 3)
    #expect(try await bench.center.jobs.counts() == [])
  }

  @Test func `a value is what it was when it was enqueued (Zt84, Zt86)`() async throws {
    let bench = try JobBench(Work.self)
    bench.probe.on("ä \u{1F600} \"\n") { context in bench.probe.note("attempt \(context.attempt)") }
    try await bench.center.enqueue(Work("ä \u{1F600} \"\n"))
    await bench.run()
    #expect(bench.probe.notes == ["ä \u{1F600} \"\n", "attempt 1"])
  }

  @Test func `a payload of no bytes is held and told, where the value needs some (Zt85)`() async throws {
    let bench = try JobBench(Work.self)
    try await bench.center.jobs.open()
    _ = try await bench.store.enqueue([NewJob(kind: "work", payload: JobPayload(bytes: Data()))])
    await bench.run()
    let job = try #require(try await bench.center.jobs.all().first)
    guard case .unreadable = job.hold else { throw Failure("\(job)") }
    #expect(bench.probe.notes == [])
  }

  @Test func `a kind that joins starts what an earlier program has left (Z29, Zw2)`() async throws {
    let first = try JobBench(Work.self)
    try await first.center.enqueue(Work("a"))
    await first.center.terminate()
    let second = try JobBench(store: MemoryStore(sharing: first.store))
    await second.run()
    #expect(second.probe.notes == [])
    try second.center.jobs.register(Work.self)
    await second.center.jobs.idle()
    #expect(second.probe.notes == ["a"])
  }

  @Test func `a checkpoint survives the death of the process (Z26)`() async throws {
    let first = try JobBench(Work.self)
    let gate = Gate()
    first.probe.on("a") { context in
      try await context.checkpoint(7)
      await gate.pass()
    }
    try await first.center.enqueue(Work("a"))
    first.center.start()
    await gate.arrivals(1)
    first.store.die()
    gate.open()
    let second = try JobBench(Work.self, store: MemoryStore(sharing: first.store))
    second.probe.on("a") { second.probe.note("\(try $0.checkpoint(as: Int.self) ?? 0)") }
    await second.run()
    #expect(second.probe.notes == ["a", "7"])
  }
}

/// A job with a value that JSON may not have.
private struct Reading: DurableTask {
  var value: Double
  static var registration: DurableRegistration {
    DurableRegistration(
      __kind: "reading", type: Self.self, collected: (), at: ("Tests/Reading.swift", 1, 1), run: { _, _ in })
  }
}

/// A kind without a name, as only hand-written code can have it.
private struct Nameless: DurableTask {
  static var registration: DurableRegistration {
    DurableRegistration(
      __kind: "", type: Self.self, collected: (), at: ("Tests/Nameless.swift", 1, 1), run: { _, _ in })
  }
}
