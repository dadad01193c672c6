import TaskKit
import TaskKitDurable
import TaskKitTesting
import Testing

#if !canImport(Darwin)
import StandInBackgroundTasks
#endif

@Suite struct RecipeTests {
  /// A center that follows a recipe, with a job that runs and waits at a gate.
  private func running(
    _ name: String, _ recipe: JobRecipe, by stay: (any BackgroundStay)? = nil
  ) async throws -> (bench: JobBench, gate: Gate) {
    let bench = try JobBench(Work.self)
    try bench.center.jobs.follow(recipe, in: bench.center, by: stay)
    let gate = try await bench.enqueueWaiting(name)
    bench.center.start()
    await gate.arrivals(1)
    return (bench, gate)
  }

  @Test func `jobs stop in the background and go on in the foreground (Z43)`() async throws {
    let (bench, gate) = try await running("a", .stopInBackground())
    await bench.center.send(.didEnterBackground)
    #expect(try await bench.states() == ["1 ready 0"])
    gate.open()
    await bench.center.send(.willEnterForeground)
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == ["a", "a"])
  }

  @Test func `jobs go on in the background until nothing is left (Z42, Z43)`() async throws {
    let bench = try JobBench(Work.self)
    try bench.center.jobs.follow(.continueInBackground(), in: bench.center)
    try await bench.center.enqueue((0..<20).map { Work("\($0)") })
    bench.center.start()
    await bench.center.send(.didEnterBackground)
    #expect(bench.probe.notes.count == 20)
  }

  @Test func `what does not end in the background is stopped at the deadline (Z43)`() async throws {
    let (bench, _) = try await running("a", .continueInBackground(deadline: .seconds(25)))
    async let background = bench.center.send(.didEnterBackground)
    await bench.time.continuous.waitForSleepers(1)
    bench.time.advance(by: .seconds(25))
    _ = await background
    #expect(try await bench.states() == ["1 ready 0"])
  }

  @Test func `what goes on in the background is not stopped when the app is in the foreground again (Z43)`()
    async throws
  {
    let (bench, gate) = try await running("long", .continueInBackground(deadline: .seconds(25)))
    async let background = bench.center.send(.didEnterBackground)
    await bench.time.continuous.waitForSleepers(1)
    bench.time.advance(by: .seconds(5))
    await bench.center.send(.willEnterForeground)
    _ = await background
    bench.time.advance(by: .seconds(25))
    try await bench.center.enqueue(Work("next"))
    #expect(await bench.probe.notes(2) == ["long", "next"])
    #expect(try await bench.center.jobs.snapshot(of: JobID(rawValue: 1))?.state == .running)
    gate.open()
    await bench.center.jobs.idle()
    #expect(try await bench.states() == [])
  }

  @Test func `with one body at a time the way to the foreground is seen while the recipe goes on`() async throws {
    let bench = try JobBench(Work.self, maximumConcurrency: 1)
    try bench.center.jobs.follow(.continueInBackground(deadline: .seconds(25)), in: bench.center)
    let gate = try await bench.enqueueWaiting()
    bench.center.start()
    await gate.arrivals(1)
    async let background = bench.center.send(.didEnterBackground)
    await bench.time.continuous.waitForSleeper(until: .seconds(25))
    bench.time.advance(by: .seconds(5))
    await bench.center.send(.willEnterForeground)
    _ = await background
    bench.time.advance(by: .seconds(25))
    #expect(try await bench.states() == ["1 running 1"])
    gate.open()
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == ["a"])
  }

  @Test func `with one body at a time a job that awaits a send is done in the background`() async throws {
    let bench = try JobBench(Work.self, maximumConcurrency: 1)
    let probe = bench.probe
    try bench.center.jobs.follow(.continueInBackground(deadline: .seconds(25)), in: bench.center)
    try bench.center.inject(.event(.didBecomeActive, name: "asked") { _ in probe.note("asked") })
    let gate = Gate()
    probe.on("a") { context in
      await gate.pass()
      await context.center.send(.didBecomeActive)
    }
    try await bench.center.enqueue(Work("a"))
    bench.center.start()
    await gate.arrivals(1)
    async let background = bench.center.send(.didEnterBackground)
    await bench.time.continuous.waitForSleeper(until: .seconds(25))
    gate.open()
    _ = await background
    #expect(try await bench.states() == [])
    #expect(probe.notes == ["a", "asked"])
  }

  @Test func `with one body at a time what has the slot at the deadline is stopped, and the recipe ends`()
    async throws
  {
    let bench = try JobBench(Work.self, maximumConcurrency: 1)
    try bench.center.jobs.follow(.continueInBackground(deadline: .seconds(25)), in: bench.center)
    let gate = Gate()
    try bench.center.inject(
      .event(.didBecomeActive, name: "long") { _ in try await gate.passUnlessCancelled() })
    bench.probe.on("a") { context in
      await context.center.send(.didBecomeActive)
      try Task.checkCancellation()
    }
    let start = Gate()
    bench.probe.on("b") { _ in await start.pass() }
    try await bench.center.enqueue(Work("b"))
    bench.center.start()
    await start.arrivals(1)
    async let background = bench.center.send(.didEnterBackground)
    await bench.time.continuous.waitForSleeper(until: .seconds(25))
    try await bench.center.enqueue(Work("a"))
    start.open()
    await gate.arrivals(1)
    bench.time.advance(by: .seconds(25))
    _ = await background
    #expect(try await bench.states() == ["2 ready 0"])
  }

  @Test func `a second stay in the background has the time of its own`() async throws {
    let (bench, _) = try await running("long", .continueInBackground(deadline: .seconds(25)))
    for round in 0..<2 {
      async let background = bench.center.send(.didEnterBackground)
      await bench.time.continuous.waitForSleeper(until: .seconds(25 + 30 * round))
      bench.time.advance(by: .seconds(20))
      await bench.center.send(.willEnterForeground)
      _ = await background
      // The deadline of that stay passes.
      bench.time.advance(by: .seconds(10))
    }
    async let background = bench.center.send(.didEnterBackground)
    await bench.time.continuous.waitForSleeper(until: .seconds(85))
    bench.time.advance(by: .seconds(24))
    #expect(try await bench.states() == ["1 running 1"])
    bench.time.advance(by: .seconds(1))
    _ = await background
    #expect(try await bench.states() == ["1 ready 0"])
  }

  @Test(arguments: [JobRecipe.stopInBackground(), .continueInBackground()])
  func `what somebody has stopped stays stopped in the foreground, until somebody resumes it`(recipe: JobRecipe)
    async throws
  {
    let bench = try JobBench(Work.self)
    try bench.center.jobs.follow(recipe, in: bench.center)
    bench.center.start()
    // In the foreground, and in the background.
    await bench.center.jobs.stop()
    await bench.center.send(.didEnterBackground)
    await bench.center.send(.willEnterForeground)
    try await bench.center.enqueue(Work("a"))
    #expect(try await bench.center.jobs.why(JobID(rawValue: 1)).contains("the workers are stopped"))
    bench.center.jobs.resume()
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == ["a"])
    await bench.center.send(.didEnterBackground)
    await bench.center.jobs.stop()
    await bench.center.send(.willEnterForeground)
    try await bench.center.enqueue(Work("b"))
    #expect(try await bench.center.jobs.why(JobID(rawValue: 2)).contains("the workers are stopped"))
  }

  @Test func `the way to the foreground starts nothing before the center does`() async throws {
    let bench = try JobBench(Work.self)
    try bench.center.jobs.follow(.stopInBackground(), in: bench.center)
    let id = try await bench.center.enqueue(Work("a"))
    await bench.center.send(.didEnterBackground)
    await bench.center.send(.willEnterForeground)
    #expect(try await bench.center.jobs.why(id).contains("the center of this process was not started"))
    await bench.run()
    #expect(bench.probe.notes == ["a"])
  }

  @Test(arguments: [JobRecipe.stopInBackground(), .continueInBackground()])
  func `the system is asked for time for as long as the recipe takes (Z43)`(_ recipe: JobRecipe) async throws {
    let stay = FakeStay()
    let (bench, gate) = try await running("a", recipe, by: stay)
    let stubborn = try await bench.runStubborn("b")
    async let background = bench.center.send(.didEnterBackground)
    let time = await stay.begun()
    #expect(!time.isGivenBack)
    stubborn.open()
    gate.open()
    _ = await background
    #expect(time.completions == [true])
    #expect(stay.names == ["TaskKitDurable"])
    // In the foreground, and in the background again.
    await bench.center.send(.willEnterForeground)
    await bench.center.send(.didEnterBackground)
    #expect(await stay.begun().completions == [true])
    #expect(time.completions == [true])
  }

  @Test func `when the time is over what runs is stopped at once, and the time is given back`() async throws {
    let stay = FakeStay()
    let (bench, _) = try await running("a", .continueInBackground(deadline: .seconds(25)), by: stay)
    async let background = bench.center.send(.didEnterBackground)
    let time = await stay.begun()
    time.expire()
    #expect(await time.completion == false)
    _ = await background
    #expect(try await bench.states() == ["1 ready 0"])
    // What was stopped for that goes on in the foreground.
    bench.probe.on("a") { _ in }
    await bench.center.send(.willEnterForeground)
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == ["a", "a"])
  }

  @Test(arguments: [JobRecipe.stopInBackground(deadline: .seconds(60)), .continueInBackground(deadline: .seconds(60))])
  func `time that is over is given back within a second, whatever the bodies do`(_ recipe: JobRecipe) async throws {
    let stay = FakeStay()
    let (bench, gate) = try await running("a", recipe, by: stay)
    let stubborn = try await bench.runStubborn("b")
    async let background = bench.center.send(.didEnterBackground)
    let time = await stay.begun()
    await bench.time.continuous.waitForSleeper(until: .seconds(60))
    time.expire()
    await bench.probe.notes(3)
    await bench.time.continuous.waitForSleeper(until: .seconds(1))
    bench.time.advance(by: .milliseconds(999))
    #expect(!time.isGivenBack)
    bench.time.advance(by: .milliseconds(1))
    #expect(await time.completion == false)
    stubborn.open()
    gate.open()
    _ = await background
    #expect(time.completions == [false])
  }

  @Test func `the end of the time stops nothing in the foreground`() async throws {
    let stay = FakeStay()
    let (bench, gate) = try await running("a", .continueInBackground(deadline: .seconds(25)), by: stay)
    async let background = bench.center.send(.didEnterBackground)
    let time = await stay.begun()
    await bench.center.send(.willEnterForeground)
    _ = await background
    time.expire()
    #expect(time.completions == [true])
    #expect(try await bench.states() == ["1 running 1"])
    gate.open()
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == ["a"])
  }

  @Test func `where the system gives no time the recipe does what it can`() async throws {
    let stay = FakeStay(isRefused: true)
    let (bench, _) = try await running("a", .stopInBackground(), by: stay)
    await bench.center.send(.didEnterBackground)
    #expect(try await bench.states() == ["1 ready 0"])
  }

  #if !canImport(Darwin)
  @Test(arguments: [false, true])
  func `UIKit is asked for time, and gets it back`(isOver: Bool) async throws {
    let application = await UIApplication()
    let (bench, gate) = try await running(
      "a", .continueInBackground(), by: SystemBackgroundStay(application))
    async let background = bench.center.send(.didEnterBackground)
    await bench.time.continuous.waitForSleepers(1)
    #expect(application.names == ["TaskKitDurable"])
    if isOver { await application.expire() } else { gate.open() }
    _ = await background
    await bench.center.jobs.idle()
    var ended = application.ended.makeAsyncIterator()
    #expect(await ended.next() == "TaskKitDurable")
    #expect(application.names == [])
    #expect(try await bench.states() == (isOver ? ["1 ready 0"] : []))
    application.givesTime = false
    await bench.center.send(.didEnterBackground)
    #expect(application.names == [])
  }
  #endif
}
