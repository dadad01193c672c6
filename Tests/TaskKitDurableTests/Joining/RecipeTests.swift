import TaskKit
import TaskKitDurable
import TaskKitTesting
import Testing

@Suite struct RecipeTests {
  @Test func `jobs stop in the background and go on in the foreground (Z43)`() async throws {
    let bench = try JobBench(Work.self)
    try bench.center.jobs.follow(.stopInBackground(), in: bench.center)
    let gate = Gate()
    bench.probe.on("a") { _ in try await gate.passUnlessCancelled() }
    try await bench.center.enqueue(Work("a"))
    bench.center.start()
    await gate.arrivals(1)
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
    let bench = try JobBench(Work.self)
    try bench.center.jobs.follow(.continueInBackground(deadline: .seconds(25)), in: bench.center)
    let gate = Gate()
    bench.probe.on("a") { _ in try await gate.passUnlessCancelled() }
    try await bench.center.enqueue(Work("a"))
    bench.center.start()
    await gate.arrivals(1)
    async let background = bench.center.send(.didEnterBackground)
    await bench.time.continuous.waitForSleepers(1)
    bench.time.advance(by: .seconds(25))
    _ = await background
    #expect(try await bench.states() == ["1 ready 0"])
  }

  @Test func `what goes on in the background is not stopped when the app is in the foreground again (Z43)`()
    async throws
  {
    let bench = try JobBench(Work.self)
    try bench.center.jobs.follow(.continueInBackground(deadline: .seconds(25)), in: bench.center)
    let gate = Gate()
    bench.probe.on("long") { _ in try await gate.passUnlessCancelled() }
    try await bench.center.enqueue(Work("long"))
    bench.center.start()
    await gate.arrivals(1)
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

  @Test func `a second stay in the background has the time of its own`() async throws {
    let bench = try JobBench(Work.self)
    try bench.center.jobs.follow(.continueInBackground(deadline: .seconds(25)), in: bench.center)
    let gate = Gate()
    bench.probe.on("long") { _ in try await gate.passUnlessCancelled() }
    try await bench.center.enqueue(Work("long"))
    bench.center.start()
    await gate.arrivals(1)
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
    #expect(try await bench.center.jobs.why(id).contains("the center was not started"))
    await bench.run()
    #expect(bench.probe.notes == ["a"])
  }
}
