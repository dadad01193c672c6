import Foundation
import TaskKit
import TaskKitDurable
import TaskKitTesting
import Testing

/// What enqueuing leads to while the workers run: all of it where the store has taken the jobs, nothing where it has not.
@Suite struct EnqueueingTests {
  private static let calls: [@Sendable (TaskCenter) async throws -> Void] = [
    { try await $0.enqueue(Work("a")) },
    { try await $0.enqueue([Work("a"), Chore("b")]) },
    { try await $0.enqueue(chain: [Work("a"), Chore("b")]) },
  ]

  @Test(arguments: calls.indices)
  func `when the store fails, one job or several are neither told, nor scheduled, nor run (Zt13, Zt16)`(
    place: Int
  ) async throws {
    let enqueue = Self.calls[place]
    let (bench, flaky) = try JobBench.flaky(Work.self, Chore.self)
    let events = bench.center.jobs.events()
    await bench.run()
    let exchanges = flaky.calls("exchange")
    let reasons: [JobStoreError.Reason] = [.full, .unreachable, .locked]
    for reason in reasons {
      flaky.fail("enqueue", reason)
      let error = await #expect(throws: JobStoreError.self) { try await enqueue(bench.center) }
      #expect(error?.reason == reason)
    }
    await bench.center.jobs.idle()
    #expect(flaky.calls("exchange") == exchanges, "a worker was woken for what is not there")
    #expect(bench.center.timeUntilDue == nil)
    #expect(try await bench.center.jobs.count() == 0)
    #expect(bench.probe.notes == [])
    // The same is taken and runs when the store works: nothing else kept it from that.
    try await enqueue(bench.center)
    await bench.center.jobs.idle()
    let count = place == 0 ? 1 : 2
    #expect(bench.probe.notes.sorted() == ["a", "b"].prefix(count).map { $0 })
    await bench.center.terminate()
    let told = await events.reduce(into: [String]()) { told, event in
      switch event.kind {
      case .enqueued(let id, let kind): told.append("enqueued \(id) \(kind)")
      case .started(let id, let kind, _): told.append("started \(id) \(kind)")
      default: break
      }
    }
    let expected = [(1, "work"), (2, "chore")].prefix(count)
    #expect(told.prefix(count) == ["enqueued 1 work", "enqueued 2 chore"].prefix(count))
    #expect(told.dropFirst(count).sorted() == expected.map { "started \($0) \($1)" })
  }

  @Test func `two different jobs at once are both kept as specified, and both begin (Zt14)`() async throws {
    let bench = try JobBench(Work.self, Chore.self)
    let gate = Gate()
    for name in ["a", "b"] { bench.probe.on(name) { _ in await gate.pass() } }
    await bench.run()
    var batch = JobBatch()
    batch.add(
      Work("a"),
      EnqueueOptions(priority: JobPriority(major: 3, minor: 4), attempts: 7, deadline: .seconds(9), tags: ["red"]))
    batch.add(Chore("b"), EnqueueOptions(queue: "other", attempts: .unlimited, unique: UniqueKey("key")))
    let ids = try await bench.center.enqueue(batch)
    await gate.arrivals(2)
    let jobs = try await bench.center.jobs.all()
    #expect(jobs.map(\.id) == ids)
    #expect(jobs.map(\.kind) == ["work", "chore"])
    #expect(jobs.map(\.queue) == ["default", "other"])
    #expect(jobs.map(\.priority) == [JobPriority(major: 3, minor: 4), .default])
    #expect(jobs.map(\.maximumAttempts) == [7, nil])
    #expect(jobs.map(\.deadline) == [.seconds(9), nil])
    #expect(jobs.map(\.tags) == [["red"], []])
    #expect(jobs.map(\.uniqueKey) == [nil, "key"])
    #expect(jobs.map(\.created) == [bench.time.wall, bench.time.wall])
    #expect(
      try jobs.map { try JSONDecoder().decode([String: String].self, from: $0.payload.bytes) } == [
        ["name": "a"], ["name": "b"],
      ])
    #expect(jobs.map(\.state) == [.running, .running])
    gate.open()
    await bench.center.jobs.idle()
    #expect(bench.probe.notes.sorted() == ["a", "b"])
    #expect(try await bench.states() == [])
  }
}
