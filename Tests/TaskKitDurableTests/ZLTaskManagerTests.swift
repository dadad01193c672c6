import Foundation
import TaskKit
import TaskKitDurable
import Testing

/// What ZLTaskManager's own tests asked and no other test here says.
@Suite struct ZLTaskManagerTests {
  @Test func `a stop that begins lets nothing else begin (Zt10)`() async throws {
    let bench = try JobBench(Work.self, jobs: JobConfiguration(defaultQueue: QueueOptions(workers: 1), monitors: []))
    let gate = Gate()
    bench.probe.on("a", bench.stubborn(gate))
    for name in ["a", "b"] { try await bench.center.enqueue(Work(name)) }
    bench.center.start()
    await gate.arrivals()
    async let stopped = bench.center.jobs.stop()
    #expect(await bench.probe.notes(2) == ["a", "cancelled"])
    gate.open()
    _ = await stopped
    #expect(bench.probe.notes == ["a", "cancelled"])
    #expect(try await bench.states() == ["2 ready 0"])
  }

  @Test func `a store is opened once, however many need it at first (Zt44)`() async throws {
    let store = FlakyStore(MemoryStore())
    let bench = try JobBench(Work.self, wrapping: { _ in store })
    try await withThrowingDiscardingTaskGroup { group in
      for number in 1...20 { group.addTask { try await bench.center.enqueue(Work("\(number)")) } }
    }
    await bench.run()
    #expect(store.calls("open") == 1)
    #expect(bench.probe.notes.count == 20)
  }

  @Test func `deleting everything leaves nothing (Zt81)`() async throws {
    let bench = try JobBench(Work.self)
    try await bench.center.enqueue([Work("a"), Work("b")])
    try await bench.center.enqueue(Work("later"), .delayed(.seconds(60)))
    #expect(try await bench.center.jobs.delete(where: .all) == 3)
    #expect(try await bench.states() == [])
    #expect(try await bench.center.jobs.counts().allSatisfy { $0.count == 0 })
    await bench.run()
    #expect(bench.probe.notes == [])
  }
}
