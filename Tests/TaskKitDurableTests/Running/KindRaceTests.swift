import TaskKit
@testable import TaskKitDurable
import Testing

/// A kind that is registered and unregistered at the same time.
@Suite struct KindRaceTests {
  @Test func `a kind that was unregistered before its registration has reached the workers is not claimed`()
    async throws
  {
    let bench = try JobBench(Work.self)
    try await bench.center.enqueue(Work("a"))
    #expect(bench.center.jobs.unregister(Work.self))
    // The second half of a registration.
    bench.center.jobs.engines[0].register(Work.registration)
    await bench.run()
    #expect(bench.probe.notes == [])
    #expect(try await bench.states() == ["1 ready 0"])
    try bench.center.jobs.register(Work.self)
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == ["a"])
  }

  @Test func `a kind that was registered again before its removal has reached the workers is claimed`() async throws {
    let bench = try JobBench(Work.self)
    bench.center.jobs.engines[0].unregister("work")
    try await bench.center.enqueue(Work("a"))
    await bench.run()
    #expect(bench.probe.notes == ["a"])
  }
}
