import Foundation
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
  private let time = VirtualTime()

  private func makeCenter(_ first: DurableStore = .memory("a")) throws -> TaskCenter {
    let center = try TaskCenter(
      registry: TaskRegistry().adding(Work.self, Elsewhere.self), time: time.source,
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

  @Test func `time that is given to the jobs of one store starts no workers of another one`() async throws {
    let center = try makeCenter()
    let gate = Gate()
    probe.on("a") { _ in try await gate.passUnlessCancelled() }
    try await center.enqueue(Work("a"))
    try await center.enqueue(Elsewhere("b"))
    _ = try center.jobs(in: "a").inBackground("jobs", by: scheduler)
    let time = FakeTime()
    scheduler.launch("jobs", time)
    await gate.arrivals(1)
    // It would run by now.
    try await center.jobs(in: "b").idle()
    #expect(probe.notes == ["a"])
    time.expire()
    #expect(await time.completion == false)
    #expect(try await center.jobs.count(where: JobSelection(states: [.ready])) == 2)
    // It waits for the center's start, as it would have without that.
    center.start()
    try await center.jobs(in: "b").idle()
    #expect(probe.notes == ["a", "b"])
  }

  @Test func `a store that cannot be read keeps the jobs of another one from no time`() async throws {
    let flaky = FlakyStore(MemoryStore())
    let center = try makeCenter(DurableStore("a", flaky))
    let background = try center.jobs.inBackground("jobs", by: scheduler)
    try await center.enqueue(Work("a"))
    try await center.enqueue(Elsewhere("b"))
    flaky.fail("jobs", .unreachable)
    let error = await #expect(throws: JobStoreError.self) { try await background.submit() }
    #expect(error?.reason == .unreachable)
    #expect(scheduler.requests == [BackgroundTimeRequest(identifier: "jobs")])
  }

  @Test(.timeLimit(.minutes(2)), arguments: ["opened", "read"])
  func `a store that does not answer keeps the jobs of another one from no time`(when: String) async throws {
    let memory = MemoryStore()
    let before = MemoryStore(sharing: memory)
    _ = try await before.open(StoreEnvironment(now: { [time] in time.wall }, owner: "before"))
    _ = try await before.enqueue([NewJob(kind: "work", payload: JobPayload(bytes: Data(#"{"name":"a"}"#.utf8)))])
    let (flaky, silence) = (FlakyStore(memory), Gate())
    if when == "opened" { flaky.holdOpening(at: silence) } else { flaky.beforeReading { _ in await silence.pass() } }
    let center = try makeCenter(DurableStore("a", flaky))
    let background = try center.jobs.inBackground("jobs", by: scheduler)
    try await center.enqueue(Elsewhere("b"), .delayed(.seconds(3600)))
    async let isAsked = background.submit()
    let later = BackgroundTimeRequest(identifier: "jobs", earliest: time.wall + 3600)
    #expect(await scheduler.request() == later)
    silence.open()
    #expect(try await isAsked)
    #expect(scheduler.requests == [later, BackgroundTimeRequest(identifier: "jobs")])
  }
}
