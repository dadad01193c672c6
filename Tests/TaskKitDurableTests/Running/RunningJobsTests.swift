import Foundation
import Synchronization
import TaskKit
import TaskKitDurable
import TaskKitTesting
import Testing

@Suite struct RunningJobsTests {
  @Test func `a job that was enqueued runs and is gone when it has succeeded (Z20, Zt33, Zt36)`() async throws {
    let bench = try JobBench(Work.self)
    try await bench.center.enqueue(Work("a"))
    await bench.run()
    #expect(bench.probe.notes == ["a"])
    #expect(try await bench.states() == [])
  }

  @Test func `before start nothing runs, and jobs are written down all the same (Z37, Zt30)`() async throws {
    let bench = try JobBench(Work.self)
    try await bench.center.enqueue(Work("a"))
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == [])
    #expect(try await bench.states() == ["1 ready 0"])
    await bench.run()
    #expect(bench.probe.notes == ["a"])
  }

  @Test func `a new job of a started center starts at once (Zt11)`() async throws {
    let bench = try JobBench(Work.self)
    await bench.run()
    try await bench.center.enqueue(Work("a"))
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == ["a"])
  }

  @Test func `the order is major, minor, attempts, age (Z4, Z12)`() async throws {
    let bench = try JobBench(
      Work.self, jobs: JobConfiguration(defaultQueue: QueueOptions(workers: 1), monitors: []))
    func enqueue(_ name: String, _ major: Int, _ minor: Int = 10) async throws {
      try await bench.center.enqueue(Work(name), EnqueueOptions(priority: JobPriority(major: major, minor: minor)))
    }
    bench.probe.on("retried") { if $0.attempt == 1 { throw Failure() } }
    try await enqueue("low", 1)
    try await enqueue("retried", 10)
    try await enqueue("old", 10)
    try await enqueue("young", 10)
    try await enqueue("minor", 10, 11)
    try await enqueue("major", 11, 0)
    await bench.run()
    #expect(bench.probe.notes == ["major", "minor", "retried", "old", "young", "retried", "low"])
  }

  @Test func `what has ended is written down while bodies that never suspend hold all threads`() async throws {
    let workers = 100
    let (bench, store) = try JobBench.flaky(
      Work.self, jobs: JobConfiguration(defaultQueue: QueueOptions(workers: workers), monitors: []))
    let written = Mutex<Int?>(nil)
    bench.probe.on("long") { _ in bench.time.advance(by: .seconds(1)) }
    bench.probe.on("last") { _ in written.withLock { $0 = store.exchanged.reduce(0) { $0 + $1.ends } } }
    try await bench.center.enqueue((1..<workers).map { _ in Work("long") } + [Work("last")])
    await bench.run()
    let writtenBeforeLast = try #require(written.withLock { $0 })
    #expect(writtenBeforeLast > 0)
  }

  @Test func `four workers at a time, and the next when one ends (Z15, Zw5, Zt27, Zt28, Zt41)`() async throws {
    let bench = try JobBench(Work.self)
    let gate = Gate()
    for number in 1...6 {
      bench.probe.on("\(number)") { _ in await gate.pass() }
      try await bench.center.enqueue(Work("\(number)"))
    }
    bench.center.start()
    await gate.arrivals(4)
    #expect(try await bench.center.jobs.count(where: JobSelection(states: [.running])) == 4)
    #expect(try await bench.center.jobs.count(where: JobSelection(states: [.ready])) == 2)
    gate.open()
    await bench.center.jobs.idle()
    #expect(Set(bench.probe.notes) == ["1", "2", "3", "4", "5", "6"])
  }

  @Test func `a queue has workers of its own`() async throws {
    let bench = try JobBench(
      Work.self, jobs: JobConfiguration(queues: ["narrow": QueueOptions(workers: 1)], monitors: []))
    let gate = Gate()
    for name in ["n1", "n2", "w1", "w2"] {
      bench.probe.on(name) { _ in await gate.pass() }
      let queue = name.hasPrefix("n") ? "narrow" : "wide"
      try await bench.center.enqueue(Work(name), EnqueueOptions(queue: queue))
    }
    bench.center.start()
    await gate.arrivals(3)
    #expect(Set(bench.probe.notes) == ["n1", "w1", "w2"])
    gate.open()
    await bench.center.jobs.idle()
    #expect(bench.probe.notes.last == "n2")
  }

  @Test func `a kind's limit holds over all queues`() async throws {
    let bench = try JobBench(Chore.self)
    let gate = Gate()
    for (index, queue) in ["a", "b", "c"].enumerated() {
      bench.probe.on("\(index)") { _ in await gate.pass() }
      try await bench.center.enqueue(Chore("\(index)"), EnqueueOptions(queue: queue))
    }
    bench.center.start()
    await gate.arrivals(1)
    #expect(try await bench.center.jobs.count(where: JobSelection(states: [.running])) == 1)
    gate.open()
    await bench.center.jobs.idle()
    #expect(Set(bench.probe.notes) == ["0", "1", "2"])
  }

  @Test func `a queue has its workers in each store of a center`() async throws {
    try await expectOneOfEachStore(
      Work.self, JobConfiguration(defaultQueue: QueueOptions(workers: 1), monitors: []))
  }

  @Test func `a kind's limit holds in each store that has jobs of it`() async throws {
    try await expectOneOfEachStore(Chore.self, JobConfiguration(monitors: []))
  }

  /// Of two jobs of a kind in each of two stores one of each runs at a time.
  private func expectOneOfEachStore<Kind: ProbedTask>(_ kind: Kind.Type, _ jobs: JobConfiguration) async throws {
    let (probe, gate) = (Probe(), Gate())
    func makeCenter(_ stores: [DurableStore]) throws -> TaskCenter {
      let center = try TaskCenter(
        registry: TaskRegistry().adding(kind), time: VirtualTime().source, stores: stores, jobs: jobs)
      center[Probe.Key.self] = probe
      return center
    }
    // Where the kind was kept in an earlier release.
    let former = MemoryStore()
    let earlier = try makeCenter([DurableStore("former", former)])
    for name in ["f1", "f2"] { try await earlier.enqueue(Kind(name)) }
    await earlier.terminate()
    let center = try makeCenter([.memory(), DurableStore("former", MemoryStore(sharing: former))])
    for name in ["m1", "m2"] { try await center.enqueue(Kind(name)) }
    for name in ["f1", "f2", "m1", "m2"] { probe.on(name) { _ in await gate.pass() } }
    center.start()
    await gate.arrivals(2)
    #expect(Set(probe.notes) == ["f1", "m1"])
    #expect(try await center.jobs.count(where: JobSelection(states: [.running])) == 2)
    gate.open()
    await center.jobs.idle()
    #expect(Set(probe.notes) == ["f1", "f2", "m1", "m2"])
  }

  @Test func `a failure is tried again after its kind's delay (Z21, Zw8, Zt37, Zt42)`() async throws {
    let bench = try JobBench(Chore.self)
    bench.probe.on("a") { if $0.attempt < 3 { throw Failure() } }
    try await bench.center.enqueue(Chore("a"))
    await bench.run()
    #expect(try await bench.states() == ["1 delayed 1"])
    await bench.time.advance(by: .milliseconds(9999), driving: bench.center)
    #expect(bench.probe.notes.count == 1)
    await bench.time.advance(by: .milliseconds(1), driving: bench.center)
    #expect(bench.probe.notes.count == 2)
    await bench.time.advance(by: .seconds(10), driving: bench.center)
    #expect(bench.probe.notes.count == 3)
    #expect(try await bench.states() == [])
  }

  @Test(arguments: [false, true])
  func `a delay is kept over a restart`(onDisk: Bool) async throws {
    let fixture = onDisk ? try SQLiteFixture() : nil
    let memory = MemoryStore()
    func bench() throws -> JobBench {
      try JobBench(
        Chore.self, store: MemoryStore(sharing: memory),
        wrapping: { memory -> any JobStore in if let fixture { fixture.makeStore() } else { memory } })
    }
    let first = try bench()
    first.probe.on("a") { _ in throw Failure() }
    try await first.center.enqueue(Chore("a"))
    try await first.center.enqueue(Chore("b"), .delayed(.seconds(20)))
    await first.run()
    await first.center.terminate()
    let second = try bench()
    await second.run()
    await second.time.advance(by: .milliseconds(9999), driving: second.center)
    #expect(second.probe.notes == [])
    await second.time.advance(by: .milliseconds(1), driving: second.center)
    #expect(second.probe.notes == ["a"])
    await second.time.advance(by: .milliseconds(9999), driving: second.center)
    #expect(second.probe.notes == ["a"])
    await second.time.advance(by: .milliseconds(1), driving: second.center)
    #expect(second.probe.notes == ["a", "b"])
    await second.center.terminate()
  }

  @Test func `three attempts, the last one knows it, then it has given up (Z3, Z19, Z22, Z24, Zt38)`() async throws {
    let bench = try JobBench(Work.self)
    bench.probe.on("a") { context in
      bench.probe.note("\(context.attempt) \(context.isFinalAttempt)")
      throw Failure()
    }
    let id = try await bench.center.enqueue(Work("a"))
    await bench.run()
    let notes = await bench.probe.notes(7)
    #expect(notes == ["a", "1 false", "a", "2 false", "a", "3 true", "a gave up after 3: error, no luck"])
    let job = try #require(try await bench.center.jobs.snapshot(of: id))
    #expect(job.state == .dead)
    #expect(job.errors.map(\.text) == ["no luck", "no luck", "no luck"])
  }

  @Test func `a dead job can be retried after a fix, with all its attempts`() async throws {
    let bench = try JobBench(Work.self)
    bench.probe.on("a") { _ in throw Failure() }
    let id = try await bench.center.enqueue(Work("a"))
    await bench.run()
    await bench.probe.notes(4)
    bench.probe.on("a") { context in bench.probe.note("attempt \(context.attempt)") }
    #expect(try await bench.center.jobs.retry(id))
    await bench.center.jobs.idle()
    #expect(bench.probe.notes.suffix(2) == ["a", "attempt 1"])
    #expect(try await bench.states() == [])
  }

  @Test func `unlimited attempts pass ten thousand failures (Z23)`() async throws {
    let bench = try JobBench(Work.self)
    bench.probe.on("a") { if $0.attempt <= 10_000 { throw Failure() } }
    try await bench.center.enqueue(Work("a"), EnqueueOptions(attempts: .unlimited))
    await bench.run()
    #expect(bench.probe.notes.count == 10_001)
    #expect(try await bench.states() == [])
  }

  @Test func `a deadline cancels the attempt, and counts`() async throws {
    let bench = try JobBench(Work.self)
    let gate = Gate()
    bench.probe.on("a") { _ in try await gate.passUnlessCancelled() }
    let id = try await bench.center.enqueue(Work("a"), EnqueueOptions(attempts: 1, deadline: .seconds(5)))
    bench.center.start()
    await gate.arrivals(1)
    bench.time.advance(by: .seconds(5))
    await bench.center.jobs.idle()
    let job = try #require(try await bench.center.jobs.snapshot(of: id))
    #expect(job.state == .dead)
    #expect(job.errors.map(\.cause) == [.deadline])
    #expect(job.errors[0].text.hasPrefix("its deadline of 5.0 seconds passed: "))
  }

  @Test func `a body that ignores its deadline holds up only what must not run beside it`()
    async throws
  {
    let bench = try JobBench(
      Work.self, Chore.self, jobs: JobConfiguration(defaultQueue: QueueOptions(workers: 1), monitors: []))
    let (gate, center) = (Gate(), bench.center)
    bench.probe.on("hangs") { context in
      try await bench.stubborn(gate)(context)
      throw Failure("too late")
    }
    var events = center.jobs.events().makeAsyncIterator()
    let id = try await center.enqueue(Chore("hangs"), EnqueueOptions(attempts: 2, deadline: .seconds(5)))
    try await center.enqueue(Chore("same kind"))
    try await center.enqueue(Work("next"))
    center.start()
    await gate.arrivals(1)
    bench.time.advance(by: .seconds(5))
    #expect(await bench.probe.notes(3) == ["hangs", "cancelled", "next"])
    while let event = await events.next() { if case .overdue(id, kind: "chore", attempt: 1) = event.kind { break } }
    #expect(try await center.jobs.why(id).hasSuffix(", was cancelled at its deadline, and has not returned"))
    // Not beside it: what a limit of the kind keeps apart stays apart, and so does the job itself.
    try await center.enqueue(Work("another"))
    #expect(await bench.probe.notes(4).last == "another")
    gate.open()
    await center.jobs.idle()
    #expect(bench.probe.notes == ["hangs", "cancelled", "next", "another", "same kind"])
    let job = try #require(try await center.jobs.snapshot(of: id))
    #expect(job.state == .delayed)
    #expect(job.errors.map(\.text) == ["its deadline of 5.0 seconds passed: too late"])
    // And the worker is there once, not twice.
    let other = Gate()
    for name in ["left", "right"] { bench.probe.on(name) { _ in await other.pass() } }
    try await center.enqueue([Work("left"), Work("right")])
    await other.arrivals(1)
    #expect(bench.probe.notes.count == 6)
    other.open()
    await center.jobs.idle()
    #expect(bench.probe.notes.count == 7)
  }

  @Test func `a body that hangs beyond its deadline has had its attempt when the process ends`() async throws {
    let store = MemoryStore()
    let gate = Gate()
    var id: JobID?
    for attempt in 1...3 {
      let bench = try JobBench(Work.self, store: MemoryStore(sharing: store))
      bench.probe.on("hangs") { _ in await gate.pass() }
      if attempt == 1 {
        id = try await bench.center.enqueue(Work("hangs"), EnqueueOptions(attempts: 2, deadline: .seconds(5)))
      }
      var events = bench.center.jobs.events().makeAsyncIterator()
      bench.center.start()
      guard attempt < 3 else {
        await bench.center.jobs.idle()
        let first = try #require(id)
        let job = try #require(try await bench.center.jobs.snapshot(of: first))
        #expect(job.state == .dead && job.attempts == 2)
        #expect(job.errors.map(\.cause) == [.deadline, .deadline])
        #expect(job.errors.allSatisfy { $0.text.hasPrefix("its deadline of 5.0 seconds passed") })
        #expect(bench.probe.notes == [])
        break
      }
      await gate.arrivals(attempt)
      bench.time.advance(by: .seconds(5))
      while let event = await events.next() { if case .overdue = event.kind { break } }
      await bench.center.terminate(deadline: .zero)
    }
    gate.open()
  }

  @Test(arguments: ["at its deadline", "later", "never"])
  func `a body that was stopped and hangs has had its attempt where the workers run again at its deadline, or later`(
    when: String
  ) async throws {
    let first = try JobBench(Work.self)
    let (gate, center) = (Gate(), first.center)
    first.probe.on("hangs", first.stubborn(gate))
    let id = try await center.enqueue(Work("hangs"), EnqueueOptions(attempts: 1, deadline: .seconds(5)))
    var events = center.jobs.events().makeAsyncIterator()
    center.start()
    await gate.arrivals(1)
    await first.stopInVain()
    if when == "at its deadline" { center.jobs.resume() }
    first.time.advance(by: .seconds(4))
    while let event = await events.next() { if case .overdue = event.kind { break } }
    if when == "later" { center.jobs.resume() }
    await center.terminate(deadline: .zero)
    while await events.next() != nil {}
    let second = try JobBench(Work.self, store: MemoryStore(sharing: first.store))
    let job = try #require(try await second.center.jobs.snapshot(of: id))
    // It had no time after the stop where nobody let the workers run.
    #expect(job.state == (when == "never" ? .ready : .dead))
    #expect(job.errors.map(\.cause) == (when == "never" ? [] : [.deadline]))
    gate.open()
  }

  @Test(arguments: [true, false])
  func `a body that was stopped and throws behind its deadline has had its attempt where the workers run again`(
    areRunning: Bool
  ) async throws {
    let bench = try JobBench(Work.self)
    let (gate, center) = (Gate(), bench.center)
    bench.probe.on("slow") { context in
      try await bench.stubborn(gate)(context)
      throw Failure("too late")
    }
    let id = try await center.enqueue(Work("slow"), EnqueueOptions(attempts: 1, deadline: .seconds(5)))
    center.start()
    await gate.arrivals(1)
    await bench.stopInVain()
    var events = center.jobs.events().makeAsyncIterator()
    bench.time.advance(by: .seconds(4))
    while let event = await events.next() { if case .overdue = event.kind { break } }
    if areRunning { center.jobs.resume() }
    gate.open()
    while let event = await events.next() {
      if case .interrupted = event.kind { break }
      if case .gaveUp = event.kind { break }
    }
    let job = try #require(try await center.jobs.snapshot(of: id))
    #expect(job.state == (areRunning ? .dead : .ready))
    #expect(job.errors.map(\.text) == (areRunning ? ["its deadline of 5.0 seconds passed: too late"] : []))
  }

  @Test func `a body that hangs beyond its deadline is tried again after its kind's delay also where the process ends`()
    async throws
  {
    let first = try JobBench(Chore.self)
    let gate = Gate()
    first.probe.on("hangs") { _ in await gate.pass() }
    try await first.center.enqueue(Chore("hangs"), EnqueueOptions(deadline: .seconds(5)))
    var events = first.center.jobs.events().makeAsyncIterator()
    first.center.start()
    await gate.arrivals(1)
    first.time.advance(by: .seconds(5))
    while let event = await events.next() { if case .overdue = event.kind { break } }
    await first.center.terminate(deadline: .zero)
    while await events.next() != nil {}
    let second = try JobBench(Chore.self, store: MemoryStore(sharing: first.store), time: first.time)
    await second.run()
    #expect(try await second.states() == ["1 delayed 1"])
    await second.time.advance(by: .milliseconds(9999), driving: second.center)
    #expect(second.probe.notes == [])
    await second.time.advance(by: .milliseconds(1), driving: second.center)
    #expect(second.probe.notes == ["hangs"])
    gate.open()
  }

  @Test func `what has succeeded in spite of its cancellation has succeeded`() async throws {
    let bench = try JobBench(Work.self)
    let gate = Gate()
    bench.probe.on("a") { _ in try? await gate.passUnlessCancelled() }
    try await bench.center.enqueue(Work("a"), EnqueueOptions(deadline: .seconds(5)))
    bench.center.start()
    await gate.arrivals(1)
    bench.time.advance(by: .seconds(5))
    await bench.center.jobs.idle()
    #expect(try await bench.states() == [])
  }

  @Test func `snoozed and held are no attempts`() async throws {
    let bench = try JobBench(Work.self)
    bench.probe.on("a") { context in
      switch bench.probe.notes.count {
      case 1: try context.snooze(for: .seconds(60))
      case 2: try context.hold("needs a person")
      default: bench.probe.note("attempt \(context.attempt)")
      }
    }
    let id = try await bench.center.enqueue(Work("a"))
    await bench.run()
    #expect(try await bench.states() == ["1 delayed 0"])
    await bench.time.advance(by: .seconds(60), driving: bench.center)
    #expect(try await bench.center.jobs.snapshot(of: id)?.hold == .asked("needs a person"))
    #expect(try await bench.states() == ["1 held 0"])
    #expect(try await bench.center.jobs.release(id))
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == ["a", "a", "a", "attempt 1"])
  }

  @Test func `giving up at once uses no further attempt`() async throws {
    let bench = try JobBench(Work.self)
    bench.probe.on("a") { try $0.giveUp(because: Failure("hopeless")) }
    try await bench.center.enqueue(Work("a"))
    await bench.run()
    #expect(await bench.probe.notes(2) == ["a", "a gave up after 1: error, hopeless"])
    #expect(try await bench.states() == ["1 dead 1"])
  }

  @Test func `a delayed job runs when its time has come, no earlier`() async throws {
    let bench = try JobBench(Work.self)
    try await bench.center.enqueue(Work("later"), .delayed(.seconds(3600)))
    try await bench.center.enqueue(Work("dated"), .at(bench.time.wall.addingTimeInterval(1800)))
    await bench.run()
    await bench.time.advance(by: .seconds(1799), driving: bench.center)
    #expect(bench.probe.notes == [])
    await bench.time.advance(by: .seconds(1), driving: bench.center)
    #expect(bench.probe.notes == ["dated"])
    await bench.time.advance(by: .seconds(1800), driving: bench.center)
    #expect(bench.probe.notes == ["dated", "later"])
  }

  @Test func `there is never more than one exchange with a store, and ends ride with the next claim`() async throws {
    let (bench, store) = try JobBench.flaky(Work.self)
    try await bench.center.enqueue((0..<40).map { Work("\($0)") })
    await bench.run()
    #expect(bench.probe.notes.count == 40)
    #expect(!store.overlapped)
    // Every end went with a wish for more.
    #expect(store.exchanged.allSatisfy { $0.claims == 1 })
  }

  @Test func `what ended is kept while the store cannot be written, and nothing runs twice`() async throws {
    let (bench, store) = try JobBench.flaky(Work.self)
    bench.probe.on("a") { _ in store.fail("exchange", .full, times: 3) }
    var events = bench.center.jobs.events().makeAsyncIterator()
    try await bench.center.enqueue(Work("a"))
    bench.center.start()
    while case .some(let event) = await events.next() {
      if case .storeFailed(_, let delay) = event.kind { bench.time.advance(by: delay) }
      if case .succeeded = event.kind { break }
    }
    #expect(bench.probe.notes == ["a"])
    #expect(store.calls("exchange") == 5)
    #expect(try await bench.states() == [])
  }

  @Test func `a store that cannot be opened is opened later`() async throws {
    let (bench, store) = try JobBench.flaky(Work.self)
    store.fail("open", .missing, times: 2)
    await #expect(throws: JobStoreError.self) { try await bench.center.enqueue(Work("refused")) }
    var events = bench.center.jobs.events().makeAsyncIterator()
    bench.center.start()
    let event = await events.next()
    guard case .storeFailed(_, let delay) = event?.kind else { throw Failure("\(event as Any)") }
    #expect(delay == .milliseconds(100))
    await bench.time.advance(by: delay, driving: bench.center)
    #expect(store.calls("open") == 3)
    try await bench.center.enqueue(Work("a"))
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == ["a"])
  }

  @Test func `two centers on one store run each job once, and come to rest (Zw4)`() async throws {
    let first = try JobBench(Work.self)
    let second = try JobBench(Work.self, store: MemoryStore(sharing: first.store))
    await first.run()
    await second.run()
    for number in 0..<100 {
      try await first.center.enqueue(Work("f\(number)"))
      try await second.center.enqueue(Work("s\(number)"))
    }
    while try await first.center.jobs.count() > 0 {
      await first.center.jobs.idle()
      await second.center.jobs.idle()
    }
    let notes = first.probe.notes + second.probe.notes
    #expect(notes.count == 200)
    #expect(Set(notes).count == 200)
    await first.center.jobs.idle()
    await second.center.jobs.idle()
  }

  @Test func `with aging a job of low priority runs within its bound (Z12)`() async throws {
    for (aging, expected) in [(nil, ["high", "low"]), (Duration.seconds(60), ["low", "high"])] {
      let bench = try JobBench(
        Work.self, jobs: JobConfiguration(defaultQueue: QueueOptions(workers: 1, aging: aging), monitors: []))
      try await bench.center.enqueue(Work("low"), EnqueueOptions(priority: JobPriority(major: 9)))
      bench.time.advance(by: .seconds(120))
      try await bench.center.enqueue(Work("high"), EnqueueOptions(priority: JobPriority(major: 10)))
      await bench.run()
      #expect(bench.probe.notes == expected)
    }
  }

  @Test func `a queue's rate is kept, and what waits for it starts when it may`() async throws {
    let bench = try JobBench(Work.self)
    try await bench.center.jobs.setRate(RateLimit(2, per: .seconds(60)), ofQueue: "default")
    try await bench.center.enqueue((0..<5).map { Work("\($0)") })
    await bench.run()
    #expect(bench.probe.notes.count == 2)
    await bench.time.advance(by: .seconds(60), driving: bench.center)
    #expect(bench.probe.notes.count == 4)
    await bench.time.advance(by: .seconds(60), driving: bench.center)
    #expect(bench.probe.notes.count == 5)
  }
}
