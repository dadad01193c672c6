import Foundation
import Synchronization
import TaskKit
import TaskKitDurable
import TaskKitDurableTesting
import TaskKitTesting
import Testing

#if !canImport(Darwin)
import StandInBackgroundTasks
#endif

@Suite struct BackgroundJobsTests {
  @Test func `time in the background is used until nothing is left to run (Z43)`() async throws {
    let (bench, scheduler) = (try JobBench(Work.self, Chore.self), FakeScheduler())
    try bench.center.jobs.follow(.stopInBackground(), in: bench.center)
    await bench.run()
    await bench.center.send(.didEnterBackground)
    try await bench.center.enqueue(Work("a"))
    try await bench.center.enqueue(Work("later"), .delayed(.seconds(3600)))
    let background = try bench.center.jobs.inBackground("jobs", by: scheduler, needsPower: true)
    #expect(try await background.submit())
    #expect(scheduler.requests == [BackgroundTimeRequest(identifier: "jobs", needsPower: true)])
    let time = FakeTime()
    scheduler.launch("jobs", time)
    #expect(await time.completion == true)
    #expect(bench.probe.notes == ["a"])
    // What is left is due later.
    #expect(scheduler.requests.last?.earliest == bench.time.wall + 3600)
  }

  @Test(arguments: [-7200.0, 7200.0])
  func `time is asked for by the clock of the device, for what is due by that of the store`(ahead: Double) async throws
  {
    let bench = try JobBench(Work.self, Scheduled<Hourly>.self, wrapping: { ServerStore($0, ahead: ahead) })
    let scheduler = FakeScheduler()
    let background = try bench.center.jobs.inBackground("jobs", by: scheduler)
    func earliest() async throws -> Date? {
      #expect(try await background.submit())
      return scheduler.requests.last?.earliest
    }
    let delayed = try await bench.center.enqueue(Work("a"), .delayed(.seconds(3600)))
    #expect(try await earliest() == bench.time.wall + 3600)
    try await bench.center.jobs.cancel(delayed)
    let asking = EnqueueOptions(requires: ["nothing"], requiresUntil: .after(.seconds(60)))
    let waiting = try await bench.center.enqueue(Work("a"), asking)
    #expect(try await earliest() == bench.time.wall + 60)
    try await bench.center.jobs.cancel(waiting)
    await bench.run()
    #expect(try await earliest() == bench.time.wall + 3600)
    await bench.center.jobs.stop()
    try await bench.center.enqueue(Work("now"))
    #expect(try await earliest() == nil)
  }

  @Test func `a job whose rate is used up asks for time when it may start`() async throws {
    let (bench, scheduler) = (try JobBench(Work.self), FakeScheduler())
    try await bench.center.jobs.setRate(RateLimit(1, per: .seconds(3600)), ofQueue: "default")
    try await bench.center.enqueue([Work("a"), Work("b")])
    await bench.run()
    let background = try bench.center.jobs.inBackground("jobs", by: scheduler)
    #expect(try await background.submit())
    #expect(scheduler.requests.last?.earliest == bench.time.wall + 3600)
  }

  @Test func `when the time is over what runs is stopped with no attempt used, and time is asked for again (Zw3)`()
    async throws
  {
    let (bench, scheduler) = (try JobBench(Work.self), FakeScheduler())
    let gate = try await bench.enqueueWaiting()
    _ = try bench.center.jobs.inBackground("jobs", by: scheduler)
    let time = FakeTime()
    scheduler.launch("jobs", time)
    await gate.arrivals(1)
    time.expire()
    #expect(await time.completion == false)
    #expect(try await bench.states() == ["1 ready 0"])
    #expect(scheduler.requests == [BackgroundTimeRequest(identifier: "jobs")])
    // The app comes to the foreground.
    gate.open()
    bench.center.jobs.resume()
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == ["a", "a"])
  }

  @Test func `what somebody has stopped stays stopped, and no further time is asked for`() async throws {
    let (bench, scheduler) = (try JobBench(Work.self), FakeScheduler())
    _ = try bench.center.jobs.inBackground("jobs", by: scheduler)
    await bench.run()
    await bench.center.jobs.stop()
    try await bench.center.enqueue(Work("a"))
    let time = FakeTime()
    scheduler.launch("jobs", time)
    #expect(await time.completion == true)
    #expect(bench.probe.notes == [])
    #expect(scheduler.requests == [])
    #expect(try await bench.center.jobs.why(JobID(rawValue: 1)).contains("the workers are stopped"))
  }

  @Test func `for what somebody has stopped in one store no time is asked for while another one runs`() async throws {
    let (probe, time, scheduler) = (Probe(), VirtualTime(), FakeScheduler())
    let center = try TaskCenter(
      registry: TaskRegistry().adding(Work.self), time: time.source, stores: [.memory("a"), .memory("b")],
      jobs: JobConfiguration(monitors: []))
    center[Probe.Key.self] = probe
    _ = try center.jobs.inBackground("jobs", by: scheduler)
    center.start()
    await center.jobs.idle()
    try await center.jobs(in: "a").stop()
    try await center.enqueue(Work("a"))
    let given = FakeTime()
    scheduler.launch("jobs", given)
    #expect(await given.completion == true)
    #expect(probe.notes == [])
    #expect(scheduler.requests == [])
  }

  @Test func `for what somebody stops while the time is used no further time is asked for`() async throws {
    let (bench, scheduler) = (try JobBench(Work.self), FakeScheduler())
    bench.probe.on("a") { context in
      await context.center.jobs.stop()
      try Task.checkCancellation()
    }
    try await bench.center.enqueue(Work("a"))
    _ = try bench.center.jobs.inBackground("jobs", by: scheduler)
    let time = FakeTime()
    scheduler.launch("jobs", time)
    #expect(await time.completion == false)
    #expect(try await bench.states() == ["1 ready 0"])
    #expect(scheduler.requests == [])
  }

  @Test func `the end of the time stops nothing when the app has come to the foreground`() async throws {
    let (bench, scheduler) = (try JobBench(Work.self), FakeScheduler())
    try bench.center.jobs.follow(.stopInBackground(), in: bench.center)
    let gate = try await bench.enqueueWaiting()
    _ = try bench.center.jobs.inBackground("jobs", by: scheduler)
    let time = FakeTime()
    scheduler.launch("jobs", time)
    await gate.arrivals(1)
    await bench.center.send(.willEnterForeground)
    time.expire()
    #expect(await time.completion == false)
    #expect(try await bench.states() == ["1 running 1"])
    gate.open()
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == ["a"])
  }

  @Test(arguments: [false, true])
  func `a way into the background that began before takes nothing away of the time that is given`(isExpired: Bool)
    async throws
  {
    let (bench, scheduler, stay) = (try JobBench(Work.self), FakeScheduler(), FakeStay())
    try bench.center.jobs.follow(.continueInBackground(deadline: .seconds(25)), in: bench.center, by: stay)
    let gate = try await bench.enqueueWaiting()
    _ = try bench.center.jobs.inBackground("jobs", by: scheduler)
    bench.center.start()
    await gate.arrivals(1)
    async let background = bench.center.send(.didEnterBackground)
    let short = await stay.begun()
    await bench.time.continuous.waitForSleeper(until: .seconds(25))
    let time = FakeTime()
    scheduler.launch("jobs", time)
    await time.begins()
    if isExpired { short.expire() } else { bench.time.advance(by: .seconds(25)) }
    #expect(await short.completion == !isExpired)
    #expect(try await bench.states() == ["1 running 1"])
    #expect(!time.isGivenBack)
    gate.open()
    #expect(await time.completion == true)
    _ = await background
    #expect(bench.probe.notes == ["a"])
  }

  @Test(arguments: [false, true])
  func `of two times that are given at once neither takes anything away of the other`(isFirstLonger: Bool) async throws
  {
    let (bench, scheduler) = (try JobBench(Work.self), FakeScheduler())
    let gate = try await bench.enqueueWaiting()
    let times = [FakeTime(), FakeTime()]
    for (number, time) in times.enumerated() {
      _ = try bench.center.jobs.inBackground("\(number)", by: scheduler)
      scheduler.launch("\(number)", time)
      await time.begins()
    }
    await gate.arrivals(1)
    let (short, long) = isFirstLonger ? (times[1], times[0]) : (times[0], times[1])
    short.expire()
    #expect(await short.completion == false)
    #expect(try await bench.states() == ["1 running 1"])
    #expect(!long.isGivenBack)
    long.expire()
    #expect(await long.completion == false)
    #expect(try await bench.states() == ["1 ready 0"])
  }

  /// - Returns: a center that stops its workers in the background, and does a job, which waits at the gate, in time that the
  ///   system has given it.
  private func inGivenTime() async throws -> (bench: JobBench, gate: Gate, time: FakeTime) {
    let (bench, scheduler) = (try JobBench(Work.self), FakeScheduler())
    try bench.center.jobs.follow(.stopInBackground(), in: bench.center)
    let gate = try await bench.enqueueWaiting()
    _ = try bench.center.jobs.inBackground("jobs", by: scheduler)
    let time = FakeTime()
    scheduler.launch("jobs", time)
    await time.begins()
    await gate.arrivals(1)
    return (bench, gate, time)
  }

  @Test func `a way into the background stops nothing before the end of time that is given already`() async throws {
    let (bench, _, time) = try await inGivenTime()
    // The app was in the foreground for a moment.
    await bench.center.send(.willEnterForeground)
    await bench.center.send(.didEnterBackground)
    #expect(try await bench.states() == ["1 running 1"])
    time.expire()
    #expect(await time.completion == false)
    #expect(try await bench.states() == ["1 ready 0"])
  }

  @Test func `a way into the background stops the workers when time that was given already ends with nothing left`()
    async throws
  {
    let (bench, gate, time) = try await inGivenTime()
    await bench.center.send(.willEnterForeground)
    await bench.center.send(.didEnterBackground)
    gate.open()
    #expect(await time.completion == true)
    try await bench.center.enqueue(Work("b"))
    // What is asked of the store comes behind what its workers would ask for.
    #expect(try await bench.states() == ["2 ready 0"])
    await bench.center.send(.willEnterForeground)
    #expect(await bench.probe.notes(2) == ["a", "b"])
  }

  @Test func `bodies that ignore the end of the time are not waited for longer than asked`() async throws {
    let (bench, scheduler) = (try JobBench(Work.self), FakeScheduler())
    let gate = Gate()
    bench.probe.on("a", bench.stubborn(gate))
    try await bench.center.enqueue(Work("a"))
    _ = try bench.center.jobs.inBackground("jobs", by: scheduler, expiry: .seconds(2))
    let time = FakeTime()
    scheduler.launch("jobs", time)
    await gate.arrivals(1)
    time.expire()
    await bench.probe.notes(2)
    await bench.time.continuous.waitForSleepers(1)
    bench.time.advance(by: .seconds(2))
    #expect(await time.completion == false)
    gate.open()
  }

  @Test(arguments: [false, true])
  func `time that is over is given back, also where the store does not answer`(isWorkDone: Bool) async throws {
    let (bench, flaky) = try JobBench.flaky(Work.self)
    let (scheduler, time, silence) = (FakeScheduler(), FakeTime(), Gate())
    let gate = try await bench.enqueueWaiting()
    _ = try bench.center.jobs.inBackground("jobs", by: scheduler, expiry: .seconds(2))
    scheduler.launch("jobs", time)
    await time.begins()
    await gate.arrivals(1)
    // Nobody but who asks for time has to read jobs now.
    flaky.beforeReading { _ in await silence.pass() }
    if isWorkDone {
      gate.open()
      await silence.arrivals(1)
    }
    time.expire()
    bench.time.advance(by: .milliseconds(2999))
    #expect(!time.isGivenBack)
    bench.time.advance(by: .milliseconds(1))
    #expect(await time.completion == false)
    silence.open()
  }

  @Test func `no time is asked for where nothing is left, or only what waits for somebody`() async throws {
    let (bench, scheduler) = (try JobBench(Work.self), FakeScheduler())
    let background = try bench.center.jobs.inBackground("jobs", by: scheduler)
    #expect(try await !background.submit())
    let held = try await bench.center.enqueue(Work("held"))
    try await bench.center.jobs.hold(held, because: "not yet")
    try await bench.center.enqueue(Chore("of a kind that is not known"))
    #expect(try await !background.submit())
    #expect(scheduler.requests == [])
  }

  @Test(arguments: [(1, true), (2, false)])
  func `time is asked for where the build reads a payload of that version, and not where others do`(
    version: Int, isRead: Bool
  ) async throws {
    let (bench, scheduler) = (try JobBench(Work.self), FakeScheduler())
    let background = try bench.center.jobs.inBackground("jobs", by: scheduler)
    try await bench.center.jobs.open()
    for start in [NewJob.Start.now, .after(.seconds(60))] {
      var new = NewJob(kind: "work", payload: JobPayload(version: version, bytes: Data(#"{"name": "a"}"#.utf8)))
      new.start = start
      _ = try await bench.store.enqueue([new])
    }
    #expect(try await background.submit() == isRead)
    #expect(scheduler.requests.count == (isRead ? 1 : 0))
  }

  @Test func `what no time would help asks for none, and what is offline not again and again`() async throws {
    let constraints = ManualConstraints([.network: .unsatisfied, .charging: .unsatisfied])
    let bench = try JobBench(Work.self, Chore.self, AccountWork.self, jobs: JobConfiguration(monitors: [constraints]))
    let scheduler = FakeScheduler()
    let background = try bench.center.jobs.inBackground("jobs", by: scheduler)
    bench.center.start()
    try await bench.center.jobs.pause(queue: "paused")
    try await bench.center.jobs.pause(kind: "chore")
    try await bench.center.jobs.pause(key: "accountWork/one")
    try await bench.center.enqueue(Work("a"), EnqueueOptions(queue: "paused"))
    try await bench.center.enqueue(Chore("b"))
    try await bench.center.enqueue(AccountWork("c"))
    #expect(try await !background.submit())
    try await bench.center.enqueue(Work("offline"), EnqueueOptions(requires: [.network]))
    let now = bench.time.wall
    #expect(try await background.submit())
    #expect(scheduler.requests.last?.earliest == now + 900)
    // It runs then, whatever holds.
    let hasty = EnqueueOptions(requires: [.charging], requiresUntil: .after(.seconds(60)))
    try await bench.center.enqueue(Work("hasty"), hasty)
    #expect(try await background.submit())
    #expect(scheduler.requests.last?.earliest == now + 60)
    // The time comes with a network.
    let online = try bench.center.jobs.inBackground("online", by: scheduler, needsNetwork: true)
    #expect(try await online.submit())
    #expect(scheduler.requests.last?.earliest == nil)
  }

  @Test(arguments: [NewJob.Start.now, .after(.seconds(60))])
  func `a job that begins while time is asked for is not missed`(start: NewJob.Start) async throws {
    let (bench, flaky) = try JobBench.flaky(Work.self)
    let (center, time, gate) = (bench.center, bench.time, Gate())
    bench.probe.on("a") { _ in await gate.pass() }
    try await center.enqueue(Work("a"), EnqueueOptions(start: start))
    flaky.beforeReading { reads in
      guard reads == 2 else { return }
      time.advance(by: .seconds(60))
      center.start()
      await gate.arrivals(1)
    }
    let scheduler = FakeScheduler()
    #expect(try await center.jobs.inBackground("jobs", by: scheduler).submit())
    #expect(scheduler.requests == [BackgroundTimeRequest(identifier: "jobs")])
    gate.open()
    await center.jobs.idle()
  }

  @Test func `what is held until constraints hold asks for time in a while, also after the end of what it requires`()
    async throws
  {
    let constraints = ManualConstraints([.network: .unsatisfied, "server": .unsatisfied])
    let bench = try JobBench(Work.self, jobs: JobConfiguration(monitors: [constraints]))
    let scheduler = FakeScheduler()
    let background = try bench.center.jobs.inBackground("jobs", by: scheduler)
    bench.center.start()
    let requiring = EnqueueOptions(requires: [.network], requiresUntil: .after(.seconds(60)))
    let id = try await bench.center.enqueue(Work("a"), requiring)
    try await bench.center.jobs.hold(id, because: "the server is down", until: ["server"])
    bench.time.advance(by: .seconds(61))
    #expect(try await background.submit())
    #expect(scheduler.requests.map(\.earliest) == [bench.time.wall + 900])
  }

  @Test func `the next slot of a schedule is what time is asked for`() async throws {
    let (bench, scheduler) = (try JobBench(Scheduled<Hourly>.self), FakeScheduler())
    await bench.run()
    let background = try bench.center.jobs.inBackground("jobs", by: scheduler)
    #expect(try await background.submit())
    #expect(scheduler.requests.map(\.earliest) == [bench.time.wall + 3600])
  }

  @Test func `the slots of a schedule ask for no time as long as its queue or its kind is paused`() async throws {
    let (bench, scheduler) = (try JobBench(Scheduled<Hourly>.self), FakeScheduler())
    let jobs = bench.center.jobs
    await bench.run()
    let background = try jobs.inBackground("jobs", by: scheduler)
    try await jobs.pause(queue: "default")
    #expect(try await !background.submit())
    try await jobs.resume(queue: "default")
    try await jobs.pause(kind: "Hourly")
    #expect(try await !background.submit())
    #expect(scheduler.requests == [])
    try await jobs.resume(kind: "Hourly")
    #expect(try await background.submit())
  }

  @Test func `an identifier that the system refuses, and a request that it refuses, are told`() async throws {
    let (bench, scheduler) = (try JobBench(Work.self), FakeScheduler())
    scheduler.state.withLock { $0.refuses = true }
    let error = #expect(throws: DurableError.self) { try bench.center.jobs.inBackground("jobs", by: scheduler) }
    #expect(error?.code == .refusedInBackground)
    scheduler.state.withLock { $0.refuses = false }
    var events = bench.center.jobs.events().makeAsyncIterator()
    try await bench.center.enqueue(Work("later"), .delayed(.seconds(60)))
    let background = try bench.center.jobs.inBackground("jobs", by: scheduler)
    scheduler.state.withLock { $0.refuses = true }
    await #expect(throws: Failure.self) { try await background.submit() }
    let time = FakeTime()
    scheduler.launch("jobs", time)
    #expect(await time.completion == true)
    while let event = await events.next() {
      if case .backgroundTimeRefused(let text) = event.kind {
        #expect(text == "no luck")
        break
      }
    }
  }

  #if !canImport(Darwin)
  @Test func `the system's scheduler is asked, and answered`() async throws {
    let bench = try JobBench(Work.self)
    try await bench.center.enqueue(Work("a"))
    let background = try bench.center.jobs.inBackground(
      "org.taskkit.tests", by: SystemBackgroundScheduler(), needsNetwork: true)
    // The system, and its stand-in, would end the program.
    let error = #expect(throws: DurableError.self) {
      try bench.center.jobs.inBackground("org.taskkit.tests", by: SystemBackgroundScheduler())
    }
    #expect(error?.code == .refusedInBackground)
    try await background.submit()
    let request = BGTaskScheduler.shared.requests(of: "org.taskkit.tests").first as? BGProcessingTaskRequest
    #expect(request?.requiresNetworkConnectivity == true)
    #expect(request?.requiresExternalPower == false)
    let task = BGTask(identifier: "org.taskkit.tests")
    BGTaskScheduler.shared.launch(task)
    var completions = task.completions.makeAsyncIterator()
    #expect(await completions.next() == true)
    #expect(task.expirationHandler != nil)
    #expect(bench.probe.notes == ["a"])
  }

  @Test(arguments: ["used", "unused"])
  func `when the system's time is over, also before anybody uses it, what runs is stopped and asked for again`(
    use: String
  ) async throws {
    let bench = try JobBench(Work.self)
    let gate = try await bench.enqueueWaiting()
    let identifier = "org.taskkit.tests.\(use)"
    _ = try bench.center.jobs.inBackground(identifier, by: SystemBackgroundScheduler())
    let task = BGTask(identifier: identifier)
    BGTaskScheduler.shared.launch(task)
    if use == "used" { await gate.arrivals(1) }
    let expire = try #require(task.expirationHandler)
    expire()
    var completions = task.completions.makeAsyncIterator()
    #expect(await completions.next() == false)
    #expect(try await bench.states() == ["1 ready 0"])
    #expect(BGTaskScheduler.shared.requests(of: identifier).map(\.earliestBeginDate) == [nil])
  }

  @Test func `an identifier that Info.plist does not permit is refused, however often it is tried`() async throws {
    let bench = try JobBench(Work.self)
    for _ in 1...2 {
      let error = #expect(throws: DurableError.self) {
        try bench.center.jobs.inBackground("org.taskkit.unknown", by: SystemBackgroundScheduler())
      }
      #expect(error?.code == .refusedInBackground)
    }
  }
  #endif
}
