import Foundation
import TaskKit
import TaskKitDurable
import TaskKitDurableTesting
import TaskKitTesting
import Testing

@Suite struct OperationsTests {
  @Test func `a running job is cancelled, and its result counts for nothing (Z32)`() async throws {
    let bench = try JobBench(Work.self)
    let gate = Gate()
    bench.probe.on("a") { _ in try? await gate.passUnlessCancelled() }
    let id = try await bench.center.enqueue(Work("a"))
    bench.center.start()
    await gate.arrivals(1)
    #expect(try await bench.center.jobs.cancel(id))
    await bench.center.jobs.idle()
    #expect(try await bench.states() == ["1 cancelled 1"])
    #expect(try await !bench.center.jobs.cancel(id))
  }

  @Test func `jobs are deleted by kind, and running ones cancelled (Zt17, Zt74)`() async throws {
    let bench = try JobBench(Work.self, Chore.self)
    let gate = Gate()
    bench.probe.on("a") { _ in try await gate.passUnlessCancelled() }
    try await bench.center.enqueue(Work("a"))
    try await bench.center.enqueue(Work("b"), .delayed(.seconds(5)))
    try await bench.center.enqueue(Chore("c"), .delayed(.seconds(5)))
    bench.center.start()
    await gate.arrivals(1)
    #expect(try await bench.center.jobs.delete(where: JobSelection(kinds: ["work"])) == 2)
    await bench.center.jobs.idle()
    #expect(try await bench.states() == ["3 delayed 0"])
  }

  @Test func `jobs are cancelled by tag, key and what is true of them`() async throws {
    let bench = try JobBench(Work.self)
    try await bench.center.enqueue(Work("a"), EnqueueOptions(tags: ["x"]))
    try await bench.center.enqueue(Work("b"), EnqueueOptions(unique: UniqueKey("k")))
    try await bench.center.enqueue(Work("c"), EnqueueOptions(priority: JobPriority(major: 99)))
    try await bench.center.enqueue(Work("d"))
    #expect(try await bench.center.jobs.cancel(where: JobSelection(tags: ["x"])) == 1)
    #expect(try await bench.center.jobs.cancel(where: JobSelection(uniqueKeys: ["k"])) == 1)
    #expect(try await bench.center.jobs.cancel { $0.priority.major > 50 } == 1)
    await bench.run()
    #expect(bench.probe.notes == ["d"])
  }

  /// Jobs 1 to 6 of kind `work`, the even ones with a tag; the last two dead and cancelled.
  private func six(_ store: SQLiteFixture?) async throws -> JobBench {
    let bench = try JobBench(
      Work.self, wrapping: { memory -> any JobStore in if let store { SQLiteStore(at: store.file) } else { memory } },
      jobs: JobConfiguration(defaultQueue: QueueOptions(workers: 1), monitors: []))
    bench.probe.on("5") { try $0.giveUp(because: Failure()) }
    try await bench.center.enqueue(Work("5"), EnqueueOptions(priority: .userInitiated))
    await bench.run()
    await bench.center.jobs.stop()
    for place in 0..<4 { try await bench.center.enqueue(Work("\(place)"), EnqueueOptions(tags: ["\(place % 2)"])) }
    try await bench.center.jobs.cancel(try await bench.center.enqueue(Work("6")))
    return bench
  }

  @Test(arguments: [false, true])
  func `jobs are changed of which something is true, and no others`(onDisk: Bool) async throws {
    let fixture = onDisk ? try SQLiteFixture() : nil
    let bench = try await six(fixture)
    let jobs = bench.center.jobs
    func ids(_ isMeant: (JobSnapshot) -> Bool) async throws -> [Int64] {
      try await jobs.all().filter(isMeant).map(\.id.rawValue)
    }
    let (early, odd): (@Sendable (JobSnapshot) -> Bool, JobSelection) = (
      { $0.id.rawValue < 4 }, JobSelection(tags: ["1"])
    )
    #expect(try await jobs.prioritise(where: .all, JobPriority(major: 50)) { $0.id.rawValue == 4 } == 1)
    #expect(try await ids { $0.priority.major == 50 } == [4])
    #expect(try await jobs.hold(where: odd, because: "wait", early) == 1)
    #expect(try await ids { $0.state == .held } == [3])
    #expect(try await jobs.hold(because: "wait", early) == 1)
    #expect(try await ids { $0.state == .held } == [2, 3])
    #expect(try await jobs.release { $0.tags == ["0"] } == 1)
    #expect(try await ids { $0.state == .held } == [3])
    #expect(try await jobs.reschedule(.after(.seconds(60))) { $0.id.rawValue == 4 } == 1)
    #expect(try await ids { $0.state == .delayed } == [4])
    #expect(try await jobs.reschedule(where: odd, .now) { _ in false } == 0)
    #expect(try await jobs.reschedule(.now) { $0.state == .delayed } == 1)
    #expect(try await ids { $0.state == .delayed } == [])
    #expect(try await jobs.retry { $0.errors.contains { $0.text == "no luck" } } == 1)
    #expect(try await ids { $0.state == .dead } == [])
    #expect(try await ids { $0.state == .cancelled } == [6])
    #expect(try await jobs.retry(where: JobSelection(states: [.dead]), { _ in true }) == 0)
    #expect(try await jobs.delete(where: odd) { $0.state != .held } == 1)
    #expect(try await jobs.delete { $0.state == .cancelled } == 1)
    #expect(try await ids { _ in true } == [1, 2, 3, 4])
    #expect(try await jobs.cancel { $0.state == .held } == 1)
    #expect(try await ids { $0.state == .cancelled } == [3])
    await #expect(throws: Failure.self) { try await jobs.delete { _ in throw Failure() } }
    #expect(try await ids { _ in true } == [1, 2, 3, 4])
    await bench.center.terminate()
  }

  @Test func `a priority that was changed while it ran survives its failure (Zw10, Zt18, Zt75)`() async throws {
    let bench = try JobBench(Chore.self)
    let gate = Gate()
    bench.probe.on("a") { _ in
      await gate.pass()
      throw Failure()
    }
    let id = try await bench.center.enqueue(Chore("a"))
    bench.center.start()
    await gate.arrivals(1)
    #expect(try await bench.center.jobs.prioritise(where: JobSelection(kinds: ["chore"]), JobPriority(major: 77)) == 1)
    gate.open()
    await bench.center.jobs.idle()
    let job = try #require(try await bench.center.jobs.snapshot(of: id))
    #expect(job.state == .delayed)
    #expect(job.priority == JobPriority(major: 77))
  }

  @Test func `a paused queue begins nothing until it is resumed, over restarts too (Z30)`() async throws {
    let first = try JobBench(Work.self)
    try await first.center.jobs.pause(queue: "default", by: "Ada")
    let second = try JobBench(Work.self, store: MemoryStore(sharing: first.store))
    let id = try await second.center.enqueue(Work("a"))
    await second.run()
    #expect(second.probe.notes == [])
    #expect(try await second.center.jobs.why(id).contains("queue 'default' is paused by Ada since 2026-01-01"))
    try await second.center.jobs.resume(queue: "default")
    await second.center.jobs.idle()
    #expect(second.probe.notes == ["a"])
  }

  @Test func `a paused key begins nothing of any kind, also of what comes later; what runs goes on`() async throws {
    let bench = try JobBench(AccountWork.self, Chore.self)
    let gate = Gate()
    bench.probe.on("a") { _ in try await gate.passUnlessCancelled() }
    try await bench.center.enqueue(AccountWork("a"))
    bench.center.start()
    await gate.arrivals(1)
    try await bench.center.jobs.pause(key: "accountWork/one", by: "Ada")
    #expect(try await bench.center.jobs.pauses().map(\.subject) == [.key("accountWork/one")])
    gate.open()
    let later = try await bench.center.enqueue(AccountWork("later"))
    try await bench.center.enqueue(Chore("b"))
    await bench.center.jobs.idle()
    #expect(Set(bench.probe.notes) == ["a", "b"])
    let paused = "key 'accountWork/one' is paused by Ada since 2026-01-01T00:00:00Z"
    #expect(try await bench.center.jobs.why(later) == "job \(later) of kind 'accountWork', attempt 1 of 3: \(paused)")
    try await bench.center.jobs.resume(key: "accountWork/one")
    await bench.center.jobs.idle()
    #expect(bench.probe.notes.last == "later")
  }

  @Test func `a paused kind begins nothing, others go on`() async throws {
    let bench = try JobBench(Work.self, Chore.self)
    try await bench.center.jobs.pause(kind: "work")
    try await bench.center.enqueue(Work("a"))
    try await bench.center.enqueue(Chore("b"))
    await bench.run()
    #expect(bench.probe.notes == ["b"])
    try await bench.center.jobs.resume(kind: "work")
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == ["b", "a"])
  }

  @Test func `held jobs start when they are released (Z25, Z35, Zw11, Zw12, Zt20, Zt39)`() async throws {
    let bench = try JobBench(Work.self)
    try await bench.center.enqueue([Work("a"), Work("b")])
    #expect(try await bench.center.jobs.hold(where: .all, because: "wait") == 2)
    await bench.run()
    #expect(bench.probe.notes == [])
    #expect(try await bench.center.jobs.release(where: .all) == 2)
    await bench.center.jobs.idle()
    #expect(Set(bench.probe.notes) == ["a", "b"])
  }

  @Test func `a delayed job can be made due now`() async throws {
    let bench = try JobBench(Work.self)
    let id = try await bench.center.enqueue(Work("a"), .delayed(.seconds(1000)))
    await bench.run()
    #expect(try await bench.center.jobs.reschedule(id, .now))
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == ["a"])
  }

  @Test func `counts are by kind, queue and state (Z34, Zt19, Zt78, Zt79, Zt80)`() async throws {
    let bench = try JobBench(Work.self)
    #expect(try await bench.center.jobs.count(where: JobSelection(kinds: ["work"])) == 0)
    try await bench.center.enqueue([Work("a"), Work("b"), Chore("c")])
    #expect(try await bench.center.jobs.count(where: JobSelection(kinds: ["work"])) == 2)
    #expect(try await bench.center.jobs.count(where: JobSelection(kinds: ["none"])) == 0)
    #expect(try await bench.center.jobs.count() == 3)
  }

  @Test(arguments: [false, true])
  func `as many are counted as there are, whatever they are selected by`(onDisk: Bool) async throws {
    let fixture = onDisk ? try SQLiteFixture() : nil
    let bench = try await six(fixture)
    let jobs = bench.center.jobs
    try await jobs.hold(where: JobSelection(ids: [JobID(rawValue: 2)]), because: "wait")
    try await bench.center.enqueue(Work("keyed"), EnqueueOptions(queue: "other", unique: UniqueKey("key")))
    let selections: [(JobSelection, Int)] = [
      (.all, 7), (JobSelection(ids: [JobID(rawValue: 3)]), 1), (JobSelection(kinds: ["work"]), 7),
      (JobSelection(queues: ["other"]), 1), (JobSelection(states: [.dead, .cancelled]), 2),
      (JobSelection(tags: ["1"]), 2), (JobSelection(uniqueKeys: ["key"]), 1), (JobSelection(heldFor: [.asked]), 1),
      (JobSelection(heldFor: [.until]), 0), (JobSelection(states: [.ready], heldFor: [.asked]), 0),
    ]
    for (selection, count) in selections {
      #expect(try await jobs.count(where: selection) == count, "\(selection)")
      #expect(try await jobs.all(where: selection).count == count, "\(selection)")
    }
    await bench.center.terminate()
  }

  @Test(arguments: [false, true])
  func `what is asked in a task that is cancelled is answered`(onDisk: Bool) async throws {
    let fixture = onDisk ? try SQLiteFixture() : nil
    let bench = try await six(fixture)
    let jobs = bench.center.jobs
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      let states = try await jobs.all().map(\.state.rawValue)
      return "\(try await jobs.count()) \(states.count) \(states.first ?? "")"
    }
    #expect(try await task.value == "6 6 dead")
    await bench.center.terminate()
  }

  @Test func `an observer that leaves while it looks is no failure of the store`() async throws {
    let (bench, flaky) = try JobBench.flaky(Work.self)
    try await bench.center.jobs.open()
    let events = bench.center.jobs.events()
    let gate = Gate()
    flaky.holdCounts(at: gate)
    let observer = Task { for await _ in bench.center.jobs.updates() {} }
    await gate.arrivals(1)
    observer.cancel()
    await observer.value
    gate.open()
    try await bench.center.enqueue(Work("a"))
    await bench.run()
    await bench.center.terminate()
    let failures = await events.reduce(0) { count, event in
      if case .storeFailed = event.kind { count + 1 } else { count }
    }
    #expect(failures == 0)
  }

  @Test func `an observer that looks while the center is shut down is no failure of the store`() async throws {
    let bench = try JobBench(Work.self)
    let gate = Gate()
    bench.probe.on("hangs") { _ in await gate.pass() }
    try await bench.center.enqueue(Work("hangs"), EnqueueOptions(attempts: 2, deadline: .seconds(5)))
    var events = bench.center.jobs.events().makeAsyncIterator()
    let all = bench.center.jobs.events()
    var updates = bench.center.jobs.updates().makeAsyncIterator()
    #expect(await updates.next() != nil)
    bench.center.start()
    await gate.arrivals(1)
    bench.time.advance(by: .seconds(5))
    while let event = await events.next() { if case .overdue = event.kind { break } }
    // That it has had its attempt is the last thing that is written down, and what it changes can be looked at no more.
    await bench.center.terminate(deadline: .zero)
    while await updates.next() != nil {}
    let failures = await all.reduce(0) { count, event in
      if case .storeFailed = event.kind { count + 1 } else { count }
    }
    #expect(failures == 0)
    gate.open()
  }

  @Test func `what waiting jobs ask for is changed by id, by selection and by what is true (Z33)`() async throws {
    let constraints = ManualConstraints([.network: .unsatisfied])
    let bench = try JobBench(Work.self, jobs: JobConfiguration(monitors: [constraints]))
    let jobs = bench.center.jobs
    for name in ["a", "b"] { bench.probe.on(name) { context in throw Failure("\(context.isFinalAttempt)") } }
    let ids = try await bench.center.enqueue([Work("a"), Work("b"), Work("c")])
    #expect(try await jobs.change(ids[0], .attempts(1)))
    #expect(try await jobs.change(where: JobSelection(ids: [ids[1]]), .attempts(2)) == 1)
    let third = ids[2]
    #expect(try await jobs.change(.requires([.network])) { $0.id == third } == 1)
    await bench.run()
    #expect(try await bench.states() == ["1 dead 1", "2 dead 2", "3 ready 0"])
    #expect(try await jobs.why(ids[2]).hasSuffix("constraint 'network' does not hold"))
    #expect(try await jobs.change(third, .requires([])))
    await jobs.idle()
    #expect(bench.probe.notes.contains("c"))
    #expect(try await !jobs.change(ids[0], .attempts(9)))
  }

  @Test func `a running attempt ends by what it began with, and the next by what was changed`() async throws {
    let bench = try JobBench(Work.self)
    let gate = Gate()
    bench.probe.on("a") { context in
      if context.attempt == 1 { await gate.pass() }
      throw Failure("\(context.isFinalAttempt)")
    }
    let id = try await bench.center.enqueue(Work("a"), EnqueueOptions(attempts: 5))
    bench.center.start()
    await gate.arrivals(1)
    #expect(try await bench.center.jobs.change(id, .attempts(2)))
    gate.open()
    await bench.center.jobs.idle()
    let job = try #require(try await bench.center.jobs.snapshot(of: id))
    #expect(job.state == .dead)
    #expect(job.errors.map(\.text) == ["false", "true"])
  }

  @Test func `a running job that has fewer attempts left than it has had is tried once more, and gives up aloud`()
    async throws
  {
    let bench = try JobBench(Work.self)
    let gate = Gate()
    bench.probe.on("a") { context in
      if context.attempt == 2 { await gate.pass() }
      throw Failure("\(context.isFinalAttempt)")
    }
    var events = bench.center.jobs.events().makeAsyncIterator()
    let id = try await bench.center.enqueue(Work("a"), EnqueueOptions(attempts: 5))
    bench.center.start()
    await gate.arrivals(1)
    #expect(try await bench.center.jobs.change(id, .attempts(1)))
    gate.open()
    await bench.center.jobs.idle(awaitsHooks: true)
    #expect(bench.probe.notes == ["a", "a", "a", "a gave up after 3: error, true"])
    #expect(try await bench.states() == ["1 dead 3"])
    await bench.center.terminate()
    var ends: [String] = []
    while let event = await events.next() {
      switch event.kind {
      case .failed(_, _, let attempt, _, _): ends.append("failed \(attempt)")
      case .gaveUp(_, _, let attempt, _): ends.append("gave up \(attempt)")
      default: break
      }
    }
    #expect(ends == ["failed 1", "failed 2", "gave up 3"])
  }

  @Test func `a running job that has fewer attempts left has the one again that turns out to be none`() async throws {
    let bench = try JobBench(Work.self)
    let gate = Gate()
    bench.probe.on("a") { context in
      if context.attempt == 2, try context.checkpoint(as: Bool.self) == nil {
        try await context.checkpoint(true)
        await gate.pass()
        try context.snooze(for: .zero)
      }
      throw Failure("\(context.attempt) \(context.isFinalAttempt)")
    }
    let id = try await bench.center.enqueue(Work("a"), EnqueueOptions(attempts: 5))
    bench.center.start()
    await gate.arrivals(1)
    #expect(try await bench.center.jobs.change(id, .attempts(1)))
    gate.open()
    await bench.center.jobs.idle(awaitsHooks: true)
    // Told that it is not the last one, the second has one behind it, however often it begins.
    #expect(try await bench.center.jobs.snapshot(of: id)?.errors.map(\.text) == ["1 false", "2 false", "3 true"])
    #expect(try await bench.states() == ["1 dead 3"])
  }

  @Test(arguments: [JobTerm.attempts(0), .deadline(.zero), .requires(["a\0b"])])
  func `jobs are not changed to what makes no sense`(term: JobTerm) async throws {
    let bench = try JobBench(Work.self)
    let id = try await bench.center.enqueue(Work("a"))
    let before = try await bench.center.jobs.snapshot(of: id)
    await #expect(throws: DurableError.self) { try await bench.center.jobs.change(id, term) }
    await #expect(throws: DurableError.self) { try await bench.center.jobs.change(where: .all, term) }
    await #expect(throws: DurableError.self) { try await bench.center.jobs.change(term) { _ in true } }
    #expect(try await bench.center.jobs.snapshot(of: id) == before)
  }

  @Test func `a dump says what a job was declared with`() async throws {
    let bench = try JobBench(Work.self)
    try await bench.center.jobs.open()
    var new = NewJob(
      kind: "work", payload: JobPayload(bytes: Data("{}".utf8)), parentFailure: .hold, exhaustion: .discard)
    new.retention = JobRetention(finished: .seconds(60), failed: nil)
    new.deadline = .milliseconds(1500)
    new.unique = UniqueKey("nightly", period: .seconds(3600))
    new.occurrence = JobOccurrence(schedule: "nightly", date: Date(timeIntervalSince1970: 1_767_225_630.734))
    _ = try await bench.store.enqueue([new])
    let all = try JSONSerialization.jsonObject(with: await bench.center.jobs.dump()) as? [[String: Any]]
    let job = try #require(all?.first)
    #expect(job["exhaustion"] as? String == "discard")
    #expect(job["parentFailure"] as? String == "hold")
    #expect(job["maximumCrashes"] as? Int == 3)
    let occurrence = ["schedule": "nightly", "date": "2026-01-01T00:00:30.734000Z"]
    #expect(job["occurrence"] as? [String: String] == occurrence)
    #expect(job["retention"] as? [String: Double] == ["finished": 60])
    #expect(job["deadline"] as? Double == 1.5)
    #expect(job["uniquePeriod"] as? Double == 3600)
  }

  @Test(arguments: [
    (-0.25, "1969-12-31T23:59:59.750000Z"), (0.0, "1970-01-01T00:00:00.000000Z"),
    (2.0005, "1970-01-01T00:00:02.000500Z"),
  ])
  func `a dump has dates as they are kept`(seconds: Double, text: String) async throws {
    let bench = try JobBench(Work.self)
    try await bench.center.jobs.open()
    var new = NewJob(kind: "work", payload: JobPayload(bytes: Data("{}".utf8)))
    new.occurrence = JobOccurrence(schedule: "nightly", date: Date(timeIntervalSince1970: seconds))
    _ = try await bench.store.enqueue([new])
    let all = try JSONSerialization.jsonObject(with: await bench.center.jobs.dump()) as? [[String: Any]]
    #expect((all?.first?["occurrence"] as? [String: String])?["date"] == text)
  }

  @Test func `a dump has every job, with its payload as JSON (Z36, Zt35, Zt82)`() async throws {
    let bench = try JobBench(Work.self)
    try await bench.center.enqueue(Work("a"), EnqueueOptions(tags: ["t"]))
    let text = String(decoding: try await bench.center.jobs.dump(), as: UTF8.self)
    let jobs = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]]
    #expect(jobs?.count == 1)
    let payload = jobs?[0]["payload"] as? [String: Any]
    #expect((payload?["value"] as? [String: String]) == ["name": "a"])
    #expect(jobs?[0]["state"] as? String == "ready")
  }

  @Test func `why a job is not running, in words`() async throws {
    let bench = try JobBench(
      Work.self,
      jobs: JobConfiguration(defaultQueue: QueueOptions(workers: 1), monitors: [], owner: "probe 7"))
    let gate = Gate()
    bench.probe.on("busy") { _ in await gate.pass() }
    let busy = try await bench.center.enqueue(Work("busy"))
    let next = try await bench.center.enqueue(Work("next"))
    let later = try await bench.center.enqueue(Work("later"), .delayed(.seconds(60)))
    let child = try await bench.center.enqueue(Work("child"), .after(busy, next))
    let offline = try await bench.center.enqueue(Work("offline"), EnqueueOptions(requires: [.network]))
    func why(_ id: JobID) async throws -> String { try await bench.center.jobs.why(id) }
    #expect(try await why(next) == "job 2 of kind 'work', attempt 1 of 3: the center of this process was not started")
    bench.center.start()
    await gate.arrivals(1)
    #expect(
      try await why(busy)
        == "job 1 of kind 'work', attempt 1 of 3: it is running in probe 7 since 2026-01-01T00:00:00Z")
    #expect(
      try await why(next)
        == "job 2 of kind 'work', attempt 1 of 3: all 1 workers of queue 'default' are busy, and it is next")
    #expect(try await why(later) == "job 3 of kind 'work', attempt 1 of 3: it is delayed until 2026-01-01T00:01:00Z")
    #expect(try await why(child) == "job 4 of kind 'work', attempt 1 of 3: it waits for job 1, job 2")
    #expect(try await why(offline).contains("no monitor of the center knows constraint 'network'"))
    #expect(try await why(JobID(rawValue: 77)).hasPrefix("there is no job 77"))
    gate.open()
    await bench.center.jobs.idle()
    await bench.center.jobs.stop()
    #expect(try await why(offline).contains("the workers are stopped"))
  }

  @Test func `counts are delivered as they change`() async throws {
    let bench = try JobBench(Work.self)
    var updates = bench.center.jobs.updates().makeAsyncIterator()
    #expect(await updates.next() == [])
    try await bench.center.enqueue(Work("a"))
    #expect(await updates.next() == [JobCount(queue: "default", kind: "work", state: .ready, count: 1)])
    await bench.run()
    while let counts = await updates.next(), counts != [] {}
  }

  @Test func `a job's states are delivered up to its end`() async throws {
    let bench = try JobBench(Work.self)
    let id = try await bench.center.enqueue(Work("a"), .delayed(.seconds(1)))
    let states = bench.center.jobs.updates(of: id)
    var iterator = states.makeAsyncIterator()
    #expect(await iterator.next()?.state == .delayed)
    try await bench.center.jobs.cancel(id)
    #expect(await iterator.next()?.state == .cancelled)
    #expect(await iterator.next() == nil)
  }

  @Test func `the first jobs of a selection are delivered as any of them changes`() async throws {
    let bench = try JobBench(Work.self)
    func words(_ jobs: [JobSnapshot]?) -> [String]? { jobs?.map { "\($0.id) \($0.state.rawValue) \($0.tags)" } }
    let selection = JobSelection(states: [.delayed, .held])
    let lists = bench.center.jobs.updates(where: selection, limit: 2)
    var list = lists.makeAsyncIterator()
    #expect(words(await list.next()) == [])
    try await bench.center.enqueue((1...3).map { Work("\($0)") }, .delayed(.seconds(9)))
    #expect(words(await list.next()) == ["1 delayed []", "2 delayed []"])
    // Which are none of the two, and no change of them.
    try await bench.center.jobs.hold(JobID(rawValue: 3), because: "why not")
    try await bench.center.enqueue(Work("4"))
    try await bench.center.jobs.hold(JobID(rawValue: 2), because: "why not")
    #expect(words(await list.next()) == ["1 delayed []", "2 held []"])
    try await bench.center.jobs.cancel(JobID(rawValue: 1))
    #expect(words(await list.next()) == ["2 held []", "3 held []"])
    await bench.center.terminate()
    #expect(await list.next() == nil)
  }

  @Test func `what happens to a job is told in order`() async throws {
    let bench = try JobBench(Chore.self)
    var events = bench.center.jobs.events().makeAsyncIterator()
    bench.probe.on("a") { if $0.attempt == 1 { throw Failure() } }
    try await bench.center.enqueue(Chore("a"))
    await bench.run()
    await bench.time.advance(by: .seconds(10), driving: bench.center)
    var words: [String] = []
    while words.count < 5, let event = await events.next() {
      switch event.kind {
      case .enqueued(let id, _): words.append("enqueued \(id)")
      case .started(let id, _, let attempt): words.append("started \(id) \(attempt)")
      case .failed(_, _, _, let text, let delay): words.append("failed \(text) \(delay)")
      case .succeeded(let id, _, _): words.append("succeeded \(id)")
      default: words.append("\(event.kind)")
      }
    }
    #expect(words == ["enqueued 1", "started 1 1", "failed no luck 10.0 seconds", "started 1 2", "succeeded 1"])
  }

  @Test func `a store that fails is reported to the one who asked, and nothing is written (Zt13)`() async throws {
    let (bench, flaky) = try JobBench.flaky(Work.self)
    flaky.fail("enqueue", .full)
    let error = await #expect(throws: JobStoreError.self) { try await bench.center.enqueue(Work("a")) }
    #expect(error?.reason == .full)
    #expect(try await bench.center.jobs.count() == 0)
    try await bench.center.enqueue(Work("a"))
    #expect(try await bench.center.jobs.count() == 1)
  }

  @Test func `jobs may be enqueued, changed and asked about from inside of jobs (Zw6)`() async throws {
    let bench = try JobBench(Work.self)
    bench.probe.on("a") { context in
      let child = try await context.center.enqueue(Work("child"), .after(context.id))
      #expect(try await context.center.jobs.why(child).contains("it waits for job 1"))
      try await context.center.jobs.prioritise(child, .userInitiated)
    }
    try await bench.center.enqueue(Work("a"))
    await bench.run()
    #expect(bench.probe.notes == ["a", "child"])
  }

  @Test func `a type that is not registered takes no other one of its kind away`() async throws {
    let bench = try JobBench(Work.self)
    #expect(!bench.center.jobs.unregister(OtherWork.self))
    try await bench.center.enqueue(Work("a"))
    await bench.run()
    #expect(bench.probe.notes == ["a"])
    #expect(bench.center.jobs.unregister(Work.self))
    #expect(!bench.center.jobs.unregister(Work.self))
  }
}

/// Of the kind of another type.
private struct OtherWork: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = Work.kind
  static var options: JobOptions<OtherWork> { JobOptions() }
}
