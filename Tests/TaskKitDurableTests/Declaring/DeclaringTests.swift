import Foundation
import TaskKit
import TaskKitDurable
import TaskKitTesting
import Testing

/// The same kind in three versions of a program.
private enum First {
  struct Note: DurableTask {
    var text: String
    static var registration: DurableRegistration {
      DurableRegistration(
        __kind: "note", type: Self.self, collected: (), at: ("Tests/First.swift", 1, 1),
        run: { job, context in context.center[Probe.Key.self]?.note(job.text) })
    }
  }
}

private enum Third {
  struct Note: DurableTask {
    var lines: [String]
    var isBold: Bool
    static var payloadVersion: Int { 3 }
    static var migrations: [PayloadMigration] {
      [
        PayloadMigration(from: 1) { (old: First.Note) in ["lines": [old.text]] },
        PayloadMigration(bytesFrom: 2) { bytes in
          var object = try JSONSerialization.jsonObject(with: bytes) as? [String: Any] ?? [:]
          object["isBold"] = true
          return try JSONSerialization.data(withJSONObject: object)
        },
      ]
    }
    static var registration: DurableRegistration {
      DurableRegistration(
        __kind: "note", type: Self.self, collected: (), at: ("Tests/Third.swift", 7, 1),
        run: { job, context in context.center[Probe.Key.self]?.note("\(job.lines) \(job.isBold)") })
    }
  }
}

private enum ThirdWithGap {
  struct Note: DurableTask {
    var lines: [String]
    static var payloadVersion: Int { 3 }
    static var migrations: [PayloadMigration] {
      [PayloadMigration(from: 1) { (old: First.Note) in ["lines": [old.text]] }]
    }
    static var registration: DurableRegistration {
      DurableRegistration(
        __kind: "note", type: Self.self, collected: (), at: ("Tests/ThirdWithGap.swift", 7, 1),
        run: { job, context in context.center[Probe.Key.self]?.note("\(job.lines)") })
    }
  }
}

private struct Keyed: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = "keyed"
  static var options: JobOptions<Keyed> { JobOptions(unique: .by(\.name), keyLimit: .by({ _ in "all" })) }
}

private struct Short: DurableTask {
  var name: String
  static var registration: DurableRegistration {
    DurableRegistration(
      __kind: "a", type: Self.self, collected: (), at: ("Tests/Short.swift", 1, 1),
      options: JobOptions(unique: .by(\.name)), run: { _, _ in })
  }
}

private struct Long: DurableTask {
  var name: String
  static var registration: DurableRegistration {
    DurableRegistration(
      __kind: "a/b", type: Self.self, collected: (), at: ("Tests/Long.swift", 1, 1),
      options: JobOptions(unique: .by(\.name)), run: { _, _ in })
  }
}

@Suite struct DeclaringTests {
  @Test func `the defaults are those of ZLTaskManager (Z3, Zt87, Zt88)`() async throws {
    let bench = try JobBench(First.Note.self)
    let id = try await bench.center.enqueue(First.Note(text: "x"))
    let job = try #require(try await bench.center.jobs.snapshot(of: id))
    #expect(job.priority == JobPriority(major: 10, minor: 10))
    #expect(job.maximumAttempts == 3)
    #expect(job.queue == "default")
    #expect(job.constraints == [])
    #expect(job.state == .ready)
    #expect(job.attempts == 0)
    #expect(job.created == bench.time.wall)
    #expect(QueueOptions().workers == 4)
    #expect(JobPriority.userInitiated.major == 100_000_000)
  }

  @Test func `what the call says wins over the kind`() async throws {
    let bench = try JobBench(First.Note.self)
    let id = try await bench.center.enqueue(
      First.Note(text: "x"),
      EnqueueOptions(
        queue: "other", priority: .userInitiated, attempts: .unlimited, deadline: .seconds(9), requires: [.charging],
        tags: ["t"]))
    let job = try #require(try await bench.center.jobs.snapshot(of: id))
    #expect(job.queue == "other")
    #expect(job.priority == .userInitiated)
    #expect(job.maximumAttempts == nil)
    #expect(job.deadline == .seconds(9))
    #expect(job.constraints == ["charging"])
    #expect(job.tags == ["t"])
  }

  @Test func `a kind that is declared twice is an error that names both places`() throws {
    let error = #expect(throws: DurableError.self) { try JobBench(First.Note.self, Third.Note.self) }
    #expect(error?.code == .kindDeclaredTwice)
    #expect(error?.description.contains("Tests/First.swift:1:1") == true)
    #expect(error?.description.contains("Tests/Third.swift:7:1") == true)
  }

  @Test func `a value of an older version comes by way of the migrations`() async throws {
    let old = try JobBench(First.Note.self)
    try await old.center.enqueue(First.Note(text: "hello"))
    let new = try JobBench(Third.Note.self, store: MemoryStore(sharing: old.store))
    await new.run()
    #expect(new.probe.notes == [#"["hello"] true"#])
  }

  @Test func `a gap in the migrations holds the job and says where it is, until a build fills it`() async throws {
    let old = try JobBench(First.Note.self)
    let id = try await old.center.enqueue(First.Note(text: "hello"))
    let new = try JobBench(ThirdWithGap.Note.self, store: MemoryStore(sharing: old.store))
    await new.run()
    #expect(new.probe.notes == [])
    let job = try #require(try await new.center.jobs.snapshot(of: id))
    #expect(
      job.hold == .unreadable("it is of version 1, and no migration of Note leads on from version 2"))
    #expect(job.attempts == 0)
    await new.center.jobs.stop()
    let next = try JobBench(Third.Note.self, store: MemoryStore(sharing: old.store))
    #expect(try await next.center.jobs.release(id))
    await next.run()
    #expect(next.probe.notes == [#"["hello"] true"#])
  }

  @Test func `a value of a later version is held and reported, never dropped`() async throws {
    let new = try JobBench(Third.Note.self)
    let id = try await new.center.enqueue(Third.Note(lines: ["a"], isBold: false))
    let old = try JobBench(First.Note.self, store: MemoryStore(sharing: new.store))
    await old.run()
    #expect(old.probe.notes == [])
    let job = try #require(try await old.center.jobs.snapshot(of: id))
    #expect(job.state == .held)
    guard case .unreadable(let text) = job.hold else { throw Failure("\(job.hold as Any)") }
    #expect(text == "it is of version 3, and Note of this build reads up to 1")
    #expect(try await old.center.jobs.why(id).contains(text))
    // The build that knows it goes on with it.
    await old.center.jobs.stop()
    try await new.center.jobs.release(id)
    await new.run()
    #expect(new.probe.notes == [#"["a"] false"#])
  }

  @Test
  func `a job of an unknown kind waits, is reported, and starts when the kind is registered (Z10, Z29, Zw2, Zw7)`()
    async throws
  {
    let bench = try JobBench(Chore.self)
    let id = try await bench.center.enqueue(Work("a"))
    await bench.run()
    #expect(bench.probe.notes == [])
    #expect(try await bench.center.jobs.orphans().map(\.kind) == ["work"])
    #expect(try await bench.center.jobs.why(id).contains("its kind is not registered in this build"))
    try bench.center.jobs.register(Work.self)
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == ["a"])
  }

  @Test func `kinds can be registered again and unregistered (Zt21, Zt22, Zt23, Zt24, Zt25, Z30)`() async throws {
    let bench = try JobBench(Work.self, Chore.self)
    try bench.center.jobs.register(Work.self)
    #expect(bench.center.jobs.kinds.map(\.kind) == ["chore", "work"])
    #expect(!bench.center.jobs.unregister(Measure.self))
    #expect(bench.center.jobs.unregister(Work.self))
    #expect(bench.center.jobs.kinds.map(\.kind) == ["chore"])
    try await bench.center.enqueue(Work("a"))
    try await bench.center.enqueue(Chore("b"))
    await bench.run()
    #expect(bench.probe.notes == ["b"])
    #expect(try await bench.states() == ["1 ready 0"])
  }

  @Test func `a running job of an unregistered kind goes on (Z30)`() async throws {
    let bench = try JobBench(Work.self)
    let gate = Gate()
    bench.probe.on("a") { _ in await gate.pass() }
    try await bench.center.enqueue(Work("a"))
    bench.center.start()
    await gate.arrivals(1)
    bench.center.jobs.unregister(Work.self)
    gate.open()
    await bench.center.jobs.idle()
    #expect(try await bench.states() == [])
  }

  @Test func `several jobs are written all or nothing (Z11, Zt14, Zt16)`() async throws {
    let bench = try JobBench(Work.self)
    #expect(try await bench.center.enqueue([Work("a"), Chore("b")]).count == 2)
    #expect(try await bench.center.jobs.all().map(\.kind) == ["work", "chore"])
    await #expect(throws: JobStoreError.self) {
      var batch = JobBatch()
      batch.add(Work("c"))
      batch.add(Work("d"), EnqueueOptions(after: [JobID(rawValue: 99)]))
      try await bench.center.enqueue(batch)
    }
    #expect(try await bench.center.jobs.count() == 2)
  }

  @Test func `a key from the value keeps the first, and limits how many run`() async throws {
    let bench = try JobBench(Keyed.self)
    let gate = Gate()
    for name in ["a", "b"] { bench.probe.on(name) { _ in await gate.pass() } }
    let first = try await bench.center.enqueue(Keyed("a"))
    #expect(try await bench.center.enqueue(Keyed("a")) == first)
    let second = try await bench.center.enqueue(Keyed("b"))
    bench.center.start()
    await gate.arrivals(1)
    #expect(try await bench.center.jobs.snapshot(of: first)?.uniqueKey == "keyed/a")
    #expect(try await bench.center.jobs.why(second).contains("1 of key 'keyed/all' run, as many as its limit allows"))
    gate.open()
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == ["a", "b"])
  }

  @Test func `kinds whose names contain a slash share no keys with others`() async throws {
    let bench = try JobBench(Short.self, Long.self)
    let first = try await bench.center.enqueue(Short(name: "b/c"))
    let second = try await bench.center.enqueue(Long(name: "c"))
    #expect(first != second)
    let keys = try await bench.center.jobs.all().map(\.uniqueKey)
    #expect(keys == ["a/b/c", "a%2Fb/c"])
  }

  @Test func `a replaced job is cancelled while it runs, and what it comes to counts for nothing`() async throws {
    let bench = try JobBench(Work.self)
    let gate = Gate()
    bench.probe.on("old") { _ in try await gate.passUnlessCancelled() }
    try await bench.center.enqueue(Work("old"), EnqueueOptions(unique: UniqueKey("k")))
    bench.center.start()
    await gate.arrivals(1)
    try await bench.center.enqueue(Work("new"), EnqueueOptions(unique: UniqueKey("k", .replace)))
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == ["old", "new"])
    #expect(try await bench.states() == [])
  }

  @Test func `the store that a kind names keeps its jobs`() async throws {
    let time = VirtualTime()
    let center = try TaskCenter(
      registry: TaskRegistry().adding(Work.self), time: time.source, stores: [.memory("a"), .memory("b")],
      jobs: JobConfiguration(monitors: []))
    try await center.enqueue(Work("x"))
    #expect(try await center.jobs(in: "a").count() == 1)
    #expect(try await center.jobs(in: "b").count() == 0)
    #expect(throws: DurableError.self) { try center.jobs(in: "c") }
    #expect(throws: DurableError.self) { try TaskCenter(stores: [.memory(), .memory()]) }
  }

  @Test func `a store that is not there is told with who names it, and with the one that is near`() async throws {
    let center = try TaskCenter(
      registry: TaskRegistry().adding(Work.self), time: VirtualTime().source, stores: [.memory("jobs"), .memory("b")],
      jobs: JobConfiguration(monitors: []))
    let misspelt = #expect(throws: DurableError.self) { try center.jobs(in: "jbos") }
    #expect(misspelt?.description == "the center has no store 'jbos'; it has 'jobs', 'b'; did you mean 'jobs'?")
    let other = #expect(throws: DurableError.self) { try center.jobs(in: "c") }
    #expect(other?.description == "the center has no store 'c'; it has 'jobs', 'b'")
    // As for tasks: a third of the letters, however many of them are too many.
    let longer = #expect(throws: DurableError.self) { try center.jobs(in: "jobsarchive") }
    #expect(longer?.description == "the center has no store 'jobsarchive'; it has 'jobs', 'b'")
    let lone = try TaskCenter(time: VirtualTime().source, stores: [.memory("a")], jobs: JobConfiguration(monitors: []))
    let text = """
      kind 'elsewhere' keeps its jobs in store 'b', which the center does not have; it has 'a'
        declared at Tests/elsewhere.swift:1:1
      """
    let registering = #expect(throws: DurableError.self) { try lone.jobs.register(Elsewhere.self) }
    #expect(registering?.description == text)
    let enqueuing = await #expect(throws: DurableError.self) { try await lone.enqueue(Elsewhere("x")) }
    #expect(enqueuing?.description == text)
  }

  @Test func `jobs of several stores that are enqueued together are told with their kinds`() async throws {
    let center = try TaskCenter(
      registry: TaskRegistry().adding(Work.self, Chore.self, Elsewhere.self), time: VirtualTime().source,
      stores: [.memory("a"), .memory("b")], jobs: JobConfiguration(monitors: []))
    let error = await #expect(throws: DurableError.self) {
      try await center.enqueue([Work("x"), Elsewhere("y"), Chore("z"), Work("x")])
    }
    #expect(
      error?.description == """
        jobs that are enqueued together belong to one store, not to 'a' (kind 'work', kind 'chore') and 'b' (kind \
        'elsewhere'); enqueue them apart, or give their kinds one 'store:'
        """)
  }

  @Test func `a result that no parent has left is told with those that have`() async throws {
    let bench = try JobBench(Measure.self, Work.self)
    bench.probe.on("child") { context in
      do { _ = try context.result(of: JobID(rawValue: 99), as: Int.self) } catch { bench.probe.note("\(error)") }
    }
    bench.probe.on("orphan") { context in
      do { _ = try context.result(of: JobID(rawValue: 99), as: Int.self) } catch { bench.probe.note("\(error)") }
    }
    var batch = JobBatch()
    let parent = batch.add(Measure(value: 2))
    batch.add(Work("child"), after: [parent])
    try await bench.center.enqueue(batch)
    await bench.run()
    try await bench.center.enqueue(Work("orphan"))
    await bench.center.jobs.idle()
    #expect(
      bench.probe.notes == [
        "child",
        """
        job 99 is no parent of job 2 that has left a result; those that have are 1. Let its 'run' return a value, and add \
        both to one 'JobBatch', job 2 with 'after:'
        """,
        "orphan",
        """
        job 99 is no parent of job 3 that has left a result; none has. Let its 'run' return a value, and add both to one \
        'JobBatch', job 3 with 'after:'
        """,
      ])
  }

  @Test func `an id reaches no job of another store`() async throws {
    let center = try TaskCenter(
      registry: TaskRegistry().adding(Work.self, Elsewhere.self), time: VirtualTime().source,
      stores: [.memory("a"), .memory("b")], jobs: JobConfiguration(monitors: []))
    let id = try await center.enqueue(Work("x"))
    #expect(try await center.enqueue(Elsewhere("y")) == id)
    let jobs = center.jobs
    let calls: [@Sendable () async throws -> Void] = [
      { try await jobs.cancel(id) }, { try await jobs.delete(id) }, { try await jobs.retry(id) },
      { try await jobs.delete(where: JobSelection(ids: [id])) }, { _ = try await jobs.snapshot(of: id) },
      { _ = try await jobs.all(where: JobSelection(ids: [id])) }, { _ = try await jobs.why(id) },
      { _ = try await jobs.count(where: JobSelection(ids: [id])) },
      { try await jobs.cancel(where: JobSelection(ids: [id])) { _ in true } },
    ]
    for call in calls {
      let error = await #expect(throws: DurableError.self) { try await call() }
      #expect(error?.code == .severalStores)
    }
    for await _ in jobs.updates(of: id) { Issue.record("of which store?") }
    #expect(try await center.jobs(in: "b").cancel(id))
    #expect(try await center.jobs(in: "a").all().map(\.state) == [.ready])
    #expect(try await jobs.cancel(where: JobSelection(states: [.ready])) == 1)
  }

  @Test func `a list of jobs is that of all stores, up to its limit, but one of ids is that of a store`() async throws {
    let center = try TaskCenter(
      registry: TaskRegistry().adding(Work.self, Elsewhere.self), time: VirtualTime().source,
      stores: [.memory("a"), .memory("b")], jobs: JobConfiguration(monitors: []))
    try await center.enqueue((1...3).map { Elsewhere("\($0)") })
    try await center.enqueue(Work("x"))
    var list = center.jobs.updates(where: .all, limit: 3).makeAsyncIterator()
    #expect(await list.next()?.map { "\($0.kind) \($0.id)" } == ["work 1", "elsewhere 1", "elsewhere 2"])
    var none = center.jobs.updates(where: .all, limit: 0).makeAsyncIterator()
    #expect(await none.next() == [])
    for await _ in center.jobs.updates(where: JobSelection(ids: [JobID(rawValue: 1)]), limit: 3) {
      Issue.record("of which store?")
    }
    await center.terminate()
  }

  @Test func `a center without stores says so`() async throws {
    let error = await #expect(throws: DurableError.self) { try await TaskCenter().enqueue(Work("a")) }
    #expect(error?.code == .noStores)
  }

  @Test func `a durable schedule in a center that has no stores is told when that is started, and only there`()
    async throws
  {
    let reports = Probe()
    let registry = TaskRegistry().adding(Work.self, Scheduled<Hourly>.self)
    let center = TaskCenter(registry: registry, configuration: .reporting(to: reports), time: VirtualTime().source)
    #expect(reports.notes.isEmpty)
    center.start()
    center.start()
    let sentence =
      "the durable schedule 'Hourly' (Tests/Hourly.swift:1:1) makes no jobs: the center keeps no jobs, because it was made "
      + "without stores; say where: 'TaskCenter(registry: .generated, stores: [.sqlite()])'"
    #expect(reports.notes == [sentence])
    try center.add(TaskRegistry().adding(Scheduled<HourlyAll>.self))
    #expect(reports.notes.count == 2 && reports.notes.last?.hasPrefix("the durable schedule 'HourlyAll'") == true)
    // One that joins before the start is told at once.
    let later = TaskCenter(configuration: .reporting(to: reports), time: VirtualTime().source)
    try later.add(TaskRegistry().adding(Scheduled<Hourly>.self))
    #expect(reports.notes.count == 3 && reports.notes.last == sentence)
    later.start()

    let keeping = try TaskCenter(
      registry: registry, configuration: .reporting(to: reports), time: VirtualTime().source, stores: [.memory()],
      jobs: JobConfiguration(monitors: []))
    keeping.start()
    await keeping.terminate()
    #expect(reports.notes.count == 3)
  }

  @Test func `kinds of a registry that is added join the center, and run what waits for them`() async throws {
    let bench = try JobBench()
    try await bench.center.enqueue(Work("early"))
    await bench.run()
    #expect(bench.probe.notes.isEmpty)
    try bench.center.add(TaskRegistry().adding(Work.self, Scheduled<Hourly>.self))
    // The second time each is there already.
    try bench.center.add(TaskRegistry().adding(Work.self))
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == ["early"])
    #expect(bench.center.jobs.kinds.map(\.kind) == ["Hourly", "work"])
    await bench.time.advance(by: .seconds(3600), driving: bench.center)
    #expect(bench.probe.notes.count == 2)
  }

  @Test func `a registry whose kinds make no sense adds nothing`() async throws {
    let bench = try JobBench(Work.self)
    var module = ModuleTasks(module: "Uploads", count: 0)
    module.add(Elsewhere.registration)
    let tasks = try TaskRegistry(modules: [module]).adding(Namesake.self)
    let error = #expect(throws: DurableError.self) { try bench.center.add(tasks) }
    #expect(error?.code == .kindDeclaredTwice)
    for words in ["kind 'work' of Namesake is that of Work, too", "keeps its jobs in store 'b'"] {
      #expect(error?.description.contains(words) == true, "\(words)")
    }
    #expect(bench.center.jobs.kinds.map(\.kind) == ["work"])
  }

  @Test func `a module that is there does not bring back a kind that another type has taken over`() throws {
    var uploads = ModuleTasks(module: "Uploads", count: 0)
    uploads.add(Work.registration)
    var plugin = ModuleTasks(module: "Plugin", count: 0)
    plugin.add(Chore.registration)
    let center = try TaskCenter(
      registry: TaskRegistry(modules: [uploads]), time: VirtualTime().source, stores: [.memory()],
      jobs: JobConfiguration(monitors: []))
    #expect(center.jobs.unregister(Work.self))
    try center.jobs.register(Namesake.self)
    try center.add(TaskRegistry(modules: [uploads, plugin]))
    #expect(center.jobs.kinds.map(\.kind) == ["chore", "work"])
    // It is still that of the other type.
    let error = #expect(throws: DurableError.self) { try center.jobs.register(Work.self) }
    #expect(error?.code == .kindDeclaredTwice)
  }

  @Test func `a module that is left out takes its kinds with it`() throws {
    var module = ModuleTasks(module: "Uploads", count: 0)
    module.add(Work.registration)
    let registry = try TaskRegistry(modules: [module])
    #expect(registry.kinds.map(\.kind) == ["work"])
    #expect(try registry.excluding(module: "Uploads").kinds.isEmpty)
  }
}

/// Kept in the second store.
private struct Elsewhere: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = "elsewhere"
  static var options: JobOptions<Elsewhere> { JobOptions(store: "b") }
}

/// Another type with the name of a kind that is there.
private struct Namesake: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = "work"
  static var options: JobOptions<Namesake> { JobOptions() }
}
