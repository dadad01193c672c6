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
/// No test here: Zt89, which asked that a factory that was not overridden raises, since a type without `run` does not compile
/// (`DurableTypeTests`, and `DurableRuns` of the mistakes that are built from outside); Zt90 and Zt91, which were placeholders.
@Suite struct SeedTests {
  /// Decided otherwise than Zt77, which kept the number of attempts, and than Zt1, which released what was held: an attempt in
  /// which the process died counts, so that a job that kills its process comes to an end.
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

  /// Decided otherwise than Zt2, which asked that the shared manager is always the same: a center is a value of the program,
  /// and there may be several.
  @Test func `two centers of one process have jobs, workers and stops of their own (Zt2)`() async throws {
    let (first, second) = (try JobBench(Work.self), try JobBench(Work.self))
    for (bench, name) in [(first, "a"), (second, "b")] {
      #expect(try await bench.center.enqueue(Work(name)) == JobID(rawValue: 1))
    }
    await first.run()
    #expect(first.probe.notes == ["a"])
    #expect(second.probe.notes == [])
    #expect(try await second.states() == ["1 ready 0"])
    await first.center.terminate()
    await second.run()
    #expect(second.probe.notes == ["b"])
    #expect(first.probe.notes == ["a"])
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

  /// Decided otherwise than Zt37, which had every failed job ready again at once: that is what a kind says with no delay, and
  /// by default it waits (`RunningJobsTests`).
  @Test func `a failure below the limit is counted, and ready again at once where its kind has no delay (Zt37)`()
    async throws
  {
    let bench = try JobBench(Work.self)
    bench.probe.on("a") { context in
      guard context.attempt == 1 else { return }
      // So that it can be seen before its next attempt.
      try await context.center.jobs.pause(kind: "work")
      throw Failure()
    }
    try await bench.center.enqueue(Work("a"))
    await bench.run()
    #expect(try await bench.states() == ["1 ready 1"])
    try await bench.center.jobs.resume(kind: "work")
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == ["a", "a"])
    #expect(try await bench.states() == [])
  }

  /// Decided otherwise than Zt40, which had it deleted: it is kept as dead, for somebody to look at and to try again, unless its
  /// kind discards what has given up.
  @Test func `the last failure of a kind that was unregistered meanwhile is written down (Zt40)`() async throws {
    let bench = try JobBench(Work.self, Discarded.self)
    let gate = Gate()
    for name in ["a", "b"] {
      bench.probe.on(name) { _ in
        await gate.pass()
        throw Failure()
      }
    }
    try await bench.center.enqueue([Work("a"), Discarded("b")], EnqueueOptions(attempts: 1))
    bench.center.start()
    await gate.arrivals(2)
    #expect(bench.center.jobs.unregister(Work.self))
    #expect(bench.center.jobs.unregister(Discarded.self))
    gate.open()
    await bench.center.jobs.idle()
    #expect(try await bench.states() == ["1 dead 1"])
  }

  /// Decided otherwise than Zt43, whose table had twelve columns in an order: there are several tables, in which everything
  /// stands that stood there. That statements are kept, as its were not, is shown by `SQLiteEconomyTests`; errors are thrown,
  /// where it wrote them into a log.
  @Test func `the first use makes the file with its tables, the second uses them (Zt43, Zt44)`() async throws {
    let fixture = try SQLiteFixture()
    #expect(!FileManager.default.fileExists(atPath: fixture.file.path))
    let first = SQLiteStore(at: fixture.file)
    #expect(!FileManager.default.fileExists(atPath: fixture.file.path))
    let identity = try await first.open(StoreEnvironment(owner: "first")).identity
    let id = try await first.enqueue([NewJob(kind: "Upload", payload: JobPayload(bytes: Data([1, 2])))])[0].id
    await first.close()
    let database = try DatabaseQueue(path: fixture.file.path)
    let columns = try await database.read { db in
      try ["job", "state"].reduce(into: [String: Set<String>]()) { columns, table in
        columns[table] = Set(try db.columns(in: "taskkit_\(table)").map(\.name))
      }
    }
    // Its twelve: id, type and task's id, payload, state, two priorities, retries, creation, internet, most of them, hold.
    #expect(
      columns["job"]?.isSuperset(of: [
        "id", "kind", "payload", "state", "major", "minor", "created", "needs", "maximum_attempts", "exhaustion",
      ]) == true)
    #expect(columns["state"]?.isSuperset(of: ["id", "state", "major", "minor", "attempts", "hold"]) == true)
    try database.close()
    let second = SQLiteStore(at: fixture.file)
    #expect(try await second.open(StoreEnvironment(owner: "second")).identity == identity)
    #expect(try await second.jobs(.all, after: nil, limit: 9).map(\.id) == [id])
    await second.close()
  }

  @Test func `without its tables a store says so, for a new job and for an end (Zt69, Zt72)`() async throws {
    let fixture = try SQLiteFixture()
    let store = SQLiteStore(at: fixture.file)
    _ = try await store.open(StoreEnvironment(owner: "test"))
    let id = try await store.enqueue([NewJob(kind: "Upload", payload: JobPayload(bytes: Data()))])[0].id
    let claim = JobExchange.Claim(queue: "default", limit: 1, kinds: [.init("Upload", limit: 1)])
    let token = try #require(try await store.exchange(JobExchange(claims: [claim])).claimed.first).token
    try await DatabaseQueue(path: fixture.file.path, configuration: .patient).write { db in
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

/// A kind that keeps nothing of what has given up.
private struct Discarded: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = "discarded"
  static var options: JobOptions<Discarded> { JobOptions(backoff: .none, exhaustion: .discard) }
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
