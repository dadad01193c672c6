import TaskKit
import TaskKitDurable
import TaskKitTesting
import Testing

/// Kept in the second store.
private struct Elsewhere: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = "elsewhere"
  static var options: JobOptions<Elsewhere> {
    JobOptions(backoff: .none, keyLimit: .by({ _ in "one" }, count: 4), store: "b")
  }
}

/// Time in the background for a center that has several stores.
@Suite struct BackgroundStoresTests {
  private let probe = Probe()
  private let scheduler = FakeScheduler()

  private func makeCenter(_ first: DurableStore = .memory("a")) throws -> TaskCenter {
    let center = try TaskCenter(
      registry: TaskRegistry().adding(Work.self, Elsewhere.self), time: VirtualTime().source,
      stores: [first, .memory("b")], jobs: JobConfiguration(monitors: []))
    center[Probe.Key.self] = probe
    return center
  }

  @Test func `a pause of one store keeps the jobs of another one from no time`() async throws {
    let center = try makeCenter()
    let background = try center.jobs.inBackground("jobs", by: scheduler)
    try await center.enqueue(Work("a"))
    try await center.jobs(in: "b").pause(queue: "default")
    #expect(try await background.submit())
    try await center.jobs(in: "b").resume(queue: "default")
    try await center.jobs(in: "b").pause(kind: "work")
    #expect(try await background.submit())
    try await center.jobs(in: "b").resume(kind: "work")
    // Of the store itself each pause counts.
    try await center.jobs(in: "a").pause(queue: "default")
    #expect(try await !background.submit())
    try await center.enqueue(Elsewhere("b"))
    try await center.jobs(in: "a").pause(key: "elsewhere/one")
    #expect(try await background.submit())
    try await center.jobs(in: "b").pause(key: "elsewhere/one")
    #expect(try await !background.submit())
    #expect(scheduler.requests == Array(repeating: BackgroundTimeRequest(identifier: "jobs"), count: 3))
  }
}
