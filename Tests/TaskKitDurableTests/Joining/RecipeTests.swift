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
}
