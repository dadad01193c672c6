import Foundation
import TaskKit
import TaskKitDurable
import TaskKitDurableTesting
import TaskKitTesting
import Testing

/// What looks at many jobs holds few of them at a time.
@Suite struct PartsTests {
  /// More than three parts.
  private static let count = 1600

  private func bench(
    _ options: EnqueueOptions = EnqueueOptions(), constraints: ManualConstraints = ManualConstraints([:])
  ) async throws -> (JobBench, FlakyStore) {
    let (bench, flaky) = try JobBench.flaky(
      Work.self, jobs: JobConfiguration(monitors: [constraints]))
    let name = String(repeating: "x", count: 200)
    try await bench.center.enqueue((0..<Self.count).map { Work("\(name)\($0)") }, options)
    flaky.weighPayloads()
    return (bench, flaky)
  }

  @Test func `numbers, changes by what is true and a dump hold a part of the jobs at a time`() async throws {
    let (bench, flaky) = try await bench(EnqueueOptions(tags: ["t"]))
    let jobs = bench.center.jobs
    #expect(try await jobs.count(where: JobSelection(tags: ["t"])) == Self.count)
    #expect(try await jobs.prioritise(.userInitiated) { $0.attempts == 0 } == Self.count)
    #expect(try await jobs.hold(because: "wait") { _ in true } == Self.count)
    #expect(try await jobs.release { _ in true } == Self.count)
    let all = try JSONSerialization.jsonObject(with: await jobs.dump()) as? [[String: Any]]
    #expect(all?.compactMap { $0["id"] as? Int } == Array(1...Self.count))
    #expect(try await jobs.cancel { _ in true } == Self.count)
    #expect(try await jobs.retry { _ in true } == Self.count)
    #expect(try await jobs.delete { _ in true } == Self.count)
    #expect(flaky.weight.all >= 8 * Self.count)
    #expect(flaky.weight.most <= 500)
    #expect(flaky.weight.now == 0)
  }

  @Test func `of the held jobs only those are read that wait for constraints, and a part at a time`() async throws {
    let constraints = ManualConstraints([.network: .unsatisfied])
    let (bench, flaky) = try await bench(constraints: constraints)
    let jobs = bench.center.jobs
    try await jobs.hold(where: .all, because: "asked")
    for name in ["u", "v"].map({ $0 + String(repeating: "x", count: 200) }) {
      bench.probe.on(name) { context in
        if bench.probe.notes.count <= 2 { try context.hold("offline", until: [.network]) }
      }
      try await bench.center.enqueue(Work(name))
    }
    await bench.run()
    let before = flaky.weight.all
    constraints.set(.network, .satisfied)
    await bench.probe.notes(4)
    await jobs.idle()
    #expect(flaky.weight.all == before + 2)
    #expect(try await jobs.count(where: JobSelection(heldFor: [.asked])) == Self.count)
  }

  @Test func `time in the background is asked for with a part of the jobs at a time`() async throws {
    let (bench, flaky) = try await bench(.delayed(.seconds(60)))
    let scheduler = FakeScheduler()
    #expect(try await bench.center.jobs.inBackground("jobs", by: scheduler).submit())
    #expect(scheduler.requests.map(\.earliest) == [bench.time.wall + 60])
    #expect(flaky.weight.most <= 500)
  }

  @Test func `why a job of a limited key waits is said with a part of the jobs at a time`() async throws {
    let constraints = ManualConstraints([:])
    let (bench, flaky) = try JobBench.flaky(
      Work.self, Limited.self,
      jobs: JobConfiguration(defaultQueue: QueueOptions(workers: Self.count + 2), monitors: [constraints]))
    let gate = Gate()
    let name = String(repeating: "x", count: 200)
    bench.probe.on(name) { _ in await gate.pass() }
    try await bench.center.enqueue((0..<Self.count).map { _ in Work(name) })
    try await bench.center.enqueue(Limited(name))
    let second = try await bench.center.enqueue(Limited(name))
    bench.center.start()
    await gate.arrivals(Self.count + 1)
    flaky.weighPayloads()
    #expect(try await bench.center.jobs.why(second).contains("1 of key 'limited/' run"))
    #expect(flaky.weight.all > Self.count)
    // The job itself, and a part.
    #expect(flaky.weight.most <= 501)
    gate.open()
    await bench.center.jobs.idle()
  }
}

/// One at a time.
private struct Limited: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = "limited"
  static var options: JobOptions<Limited> { JobOptions(keyLimit: .by({ _ in "" })) }
}
