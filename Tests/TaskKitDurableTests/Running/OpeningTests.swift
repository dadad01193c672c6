import Foundation
#if Durable && !os(Windows)
import GRDB
#endif
import TaskKit
import TaskKitDurable
import TaskKitTesting
import Testing

/// Stores that cannot be opened, or read, and centers that have none.
@Suite struct OpeningTests {
  #if Durable && !os(Windows)
  @Test func `a store that cannot be opened is told once in words, and in the health, until it can be`() async throws {
    let fixture = try SQLiteFixture()
    let file = fixture.folder.appending(path: "later/jobs.sqlite")
    let (time, probe, reports) = (VirtualTime(), Probe(), Probe())
    let center = try TaskCenter(
      registry: TaskRegistry().adding(Work.self), configuration: .reporting(to: reports), time: time.source,
      stores: [.sqlite(at: file)], jobs: JobConfiguration(monitors: []))
    center[Probe.Key.self] = probe
    var events = center.jobs.events(buffering: .max).makeAsyncIterator()
    #expect(center.jobs.stores == [JobStoreStatus(name: "jobs", isOpen: false, problem: nil)])
    center.start()
    let error = await #expect(throws: JobStoreError.self) { try await center.enqueue(Work("refused")) }
    #expect(error?.reason == .missing)
    await time.advance(by: .seconds(300), driving: center)
    #expect(reports.notes.count == 1)
    for words in ["store 'jobs' cannot be opened", file.path, "there is no folder", "Make its folder"] {
      #expect(reports.notes.first?.contains(words) == true, "\(words)")
    }
    let status = try #require(center.jobs.stores.first)
    #expect(!status.isOpen)
    #expect(status.problem?.contains(file.path) == true)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    await time.advance(by: .seconds(30), driving: center)
    try await center.enqueue(Work("a"))
    await center.jobs.idle()
    #expect(probe.notes == ["a"])
    #expect(center.jobs.stores == [JobStoreStatus(name: "jobs", isOpen: true, problem: nil)])
    #expect(reports.notes.count == 1)
    while let event = await events.next() { if case .storeRecovered = event.kind { break } }
    await center.terminate()
  }

  @Test func `a store that can never be opened is not told as one that is tried until it can be`() async throws {
    let reports = Probe()
    let (bench, flaky) = try JobBench.flaky(Work.self, configuration: .reporting(to: reports))
    flaky.fail("open", .invalid)
    bench.center.start()
    // It is opened in the background.
    await reports.notes(1)
    await bench.time.advance(by: .seconds(1), driving: bench.center)
    #expect(reports.notes.count == 1)
    #expect(reports.notes.first?.contains("store 'memory' cannot be opened") == true)
    #expect(reports.notes.first?.contains("until it can be") == false)
  }

  @Test func `a job whose list of constraints or tags is damaged is held and reported, and never run`() async throws {
    let fixture = try SQLiteFixture(isFast: true)
    let time = VirtualTime()
    func center(_ probe: Probe) throws -> TaskCenter {
      let center = try TaskCenter(
        registry: TaskRegistry().adding(Work.self), time: time.source, stores: [.sqlite(at: fixture.file)],
        jobs: JobConfiguration(monitors: []))
      center[Probe.Key.self] = probe
      return center
    }
    let first = try center(Probe())
    let needy = try await first.enqueue(Work("needy"), EnqueueOptions(requires: [.network]))
    let tagged = try await first.enqueue(Work("tagged"), EnqueueOptions(tags: ["x"]))
    let relaxed = try await first.enqueue(
      Work("relaxed"), EnqueueOptions(requires: [.charging], requiresUntil: .after(.seconds(5))))
    try await first.enqueue(Work("sound"))
    await first.terminate()
    try await damage(
      fixture.file,
      [
        "UPDATE taskkit_shelf SET needs = '[\"netw' WHERE needs LIKE '%network%'",
        "UPDATE taskkit_job SET tags = 'x' WHERE tags IS NOT NULL",
        "UPDATE taskkit_job SET needs = '{}' WHERE needs LIKE '%charging%'",
      ])
    let probe = Probe()
    let second = try center(probe)
    second.start()
    await time.advance(by: .seconds(10), driving: second)
    #expect(probe.notes == ["sound"])
    for (id, words) in [(needy, "constraints"), (tagged, "list of tags is damaged: x"), (relaxed, "damaged: {}")] {
      let job = try #require(try await second.jobs.snapshot(of: id))
      #expect(job.state == .held)
      #expect(job.attempts == 0)
      #expect(try await second.jobs.why(id).contains(words))
    }
    #expect(try await second.jobs.snapshot(of: relaxed)?.constraints == ["{}"])
    await second.terminate()
  }

  private func damage(_ file: URL, _ statements: [String]) async throws {
    let database = try DatabaseQueue(path: file.path)
    try await database.write { db in for statement in statements { try db.execute(sql: statement) } }
    try database.close()
  }
  #endif

  @Test func `a center without stores says how to add one, and traps nowhere`() async throws {
    let center = TaskCenter()
    let jobs = center.jobs
    let calls: [@Sendable () async throws -> Void] = [
      { try await center.enqueue(Work("a")) }, { _ = try await center.enqueue([any DurableTask]()) },
      { try await jobs.open() }, { _ = try await jobs.all() }, { _ = try await jobs.count() },
      { try await jobs.cancel(JobID(rawValue: 1)) }, { try await jobs.cancel { _ in true } },
      { try await jobs.pause(queue: "a") }, { _ = try await jobs.pauses() }, { _ = try await jobs.rates() },
      { try await jobs.setRate(nil, ofKey: "a") }, { _ = try await jobs.why(JobID(rawValue: 1)) },
      { _ = try await jobs.dump() }, { _ = try await jobs.schedules() }, { try jobs.register(Work.self) },
      { _ = try center.jobs(in: "a") },
    ]
    for (place, call) in calls.enumerated() {
      let error = await #expect(throws: DurableError.self, "call \(place)") { try await call() }
      #expect(error?.code == .noStores)
      #expect(error?.description.contains("TaskCenter(registry: .generated, stores: [.sqlite()])") == true)
    }
    #expect(await jobs.idle())
    #expect(await jobs.stop().isEmpty)
    jobs.resume()
    #expect(jobs.kinds.isEmpty)
    #expect(jobs.stores.isEmpty)
    #expect(!jobs.unregister(Work.self))
    for await _ in jobs.events() { Issue.record("an event without a store") }
    for await _ in jobs.updates() { Issue.record("a count without a store") }
    for await _ in jobs.updates(of: JobID(rawValue: 1)) { Issue.record("a job without a store") }
    for await _ in jobs.updates(where: .all, limit: 1) { Issue.record("jobs without a store") }
  }

  @Test(arguments: [true, false])
  func `who asks for jobs after the shutdown of their center is told that it was shut down`(
    isOpened: Bool
  ) async throws {
    let bench = try JobBench(Work.self)
    if isOpened { try await bench.center.jobs.open() }
    await bench.center.terminate()
    let calls: [@Sendable () async throws -> Void] = [
      { try await bench.center.enqueue(Work("a")) }, { _ = try await bench.center.jobs.all() },
      { _ = try await bench.center.jobs.count() }, { try await bench.center.jobs.pause(queue: "a") },
    ]
    for (place, call) in calls.enumerated() {
      let error = await #expect(throws: JobStoreError.self, "call \(place)") { try await call() }
      #expect(error?.reason == .closed)
      #expect(error?.description.contains("the center was shut down") == true)
    }
  }

  @Test func `an observer whose first look fails sees how it stands when that can be read, and it is told`()
    async throws
  {
    let (bench, flaky) = try JobBench.flaky(Work.self)
    let id = try await bench.center.enqueue(Work("a"), .delayed(.seconds(3600)))
    var events = bench.center.jobs.events().makeAsyncIterator()
    flaky.fail("jobs", .locked, times: 2)
    var states = bench.center.jobs.updates(of: id).makeAsyncIterator()
    for delay in [Duration.milliseconds(100), .milliseconds(200)] {
      guard case .storeFailed(_, delay)? = await events.next()?.kind else { throw Failure("no event") }
      await bench.time.continuous.waitForSleepers(1)
      bench.time.advance(by: delay)
    }
    #expect(await states.next()?.state == .delayed)
    flaky.fail("counts", .locked)
    var counts = bench.center.jobs.updates().makeAsyncIterator()
    guard case .storeFailed? = await events.next()?.kind else { throw Failure("no event") }
    await bench.time.continuous.waitForSleepers(1)
    bench.time.advance(by: .milliseconds(100))
    #expect(await counts.next()?.map(\.count) == [1])
  }

  @Test(arguments: [0, 3])
  func `jobs of kinds that nobody knows are told of once, also where the store cannot be read at first`(
    _ failures: Int
  ) async throws {
    let (bench, flaky) = try JobBench.flaky(Work.self)
    let (time, before) = (bench.time, MemoryStore(sharing: bench.store))
    _ = try await before.open(StoreEnvironment(now: { time.wall }, owner: "before"))
    let lost = NewJob(kind: "lost", payload: JobPayload(bytes: Data("{}".utf8)))
    let work = JobPayload(bytes: Data(#"{"name":"a"}"#.utf8))
    _ = try await before.enqueue([lost, lost, NewJob(kind: "work", payload: work, start: .after(.seconds(10)))])
    var events = bench.center.jobs.events(buffering: .max).makeAsyncIterator()
    // The first is that of the opening, which is made good at once.
    flaky.fail("counts", .locked, times: failures)
    bench.center.start()
    await time.advance(by: .seconds(5), driving: bench.center)
    // It is read again when somebody else does something, and told no second time.
    _ = try await before.enqueue([lost])
    await time.advance(by: .seconds(10), driving: bench.center)
    var told: [String] = []
    while let event = await events.next() {
      if case .storeFailed(_, let delay) = event.kind { told.append("again in \(delay)") }
      if case .orphaned(let kind, let count) = event.kind { told.append("\(count) of \(kind)") }
      if case .succeeded = event.kind { break }
    }
    #expect(told == (failures == 0 ? [] : ["again in 0.1 seconds", "again in 0.2 seconds"]) + ["2 of lost"])
  }

  @Test func `a store that two centers were given is opened and closed by one of them`() async throws {
    let bench = try JobBench(Work.self)
    // One that has asked for nothing closes nothing either.
    try await JobBench(Work.self, store: bench.store).center.terminate()
    try await bench.center.enqueue(Work("a"))
    let second = try JobBench(Work.self, store: bench.store)
    let error = await #expect(throws: JobStoreError.self) { try await second.center.enqueue(Work("refused")) }
    #expect(error?.reason == .invalid)
    await second.center.terminate()
    try await bench.center.enqueue(Work("b"))
    await bench.run()
    #expect(bench.probe.notes.sorted() == ["a", "b"])
    #expect(try await bench.states() == [])
  }

  @Test func `a center is not given one store under two names`() {
    let store = MemoryStore()
    let error = #expect(throws: DurableError.self) {
      try TaskCenter(stores: [DurableStore("a", store), .memory("b"), DurableStore("c", store)])
    }
    #expect(error?.description.hasPrefix("store 'c': it is the same one as 'a'; ") == true)
  }

  @Test func `waiting for idle ends with the center, also where a store never answers`() async throws {
    let (bench, flaky) = try JobBench.flaky(Work.self)
    let (body, exchange) = (Gate(), Gate())
    bench.probe.on("a") { _ in
      flaky.holdExchanges(at: exchange)
      await body.pass()
    }
    try await bench.center.enqueue(Work("a"))
    bench.center.start()
    await body.arrivals(1)
    async let before = bench.center.jobs.idle()
    body.open()
    await exchange.arrivals(1)
    await bench.center.terminate(deadline: .zero)
    #expect(await !before)
    #expect(await !bench.center.jobs.idle(deadline: .seconds(5)))
    #expect(await !bench.center.jobs.idle())
    exchange.open()
  }
}
