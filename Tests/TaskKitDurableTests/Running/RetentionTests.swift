import Foundation
import GRDB
import TaskKit
import TaskKitDurable
import TaskKitTesting
import Testing

/// Finished ones stay for a minute, others for a month.
private struct Kept: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = "kept"
  static var options: JobOptions<Kept> {
    JobOptions(attempts: 1, retention: JobRetention(finished: .seconds(60), failed: .seconds(30 * 86_400)))
  }
}

/// Ended jobs and keys go when their time has come.
@Suite struct RetentionTests {
  @Test func `one that stays for long does not keep others from going`() async throws {
    let bench = try JobBench(Kept.self)
    bench.probe.on("dead") { _ in throw Failure() }
    try await bench.center.enqueue(Kept("dead"))
    await bench.run()
    // What is known by then is when the dead one goes.
    await bench.time.advance(by: .seconds(120), driving: bench.center)
    try await bench.center.enqueue(Kept("a"))
    await bench.center.jobs.idle()
    #expect(try await bench.states() == ["1 dead 1", "2 finished 1"])
    await bench.time.advance(by: .seconds(120), driving: bench.center)
    #expect(try await bench.states() == ["1 dead 1"])
    await bench.time.advance(by: .seconds(31 * 86_400), driving: bench.center)
    #expect(try await bench.states() == [])
  }

  @Test func `more than a thousand go at once, and observers see it`() async throws {
    let bench = try JobBench(Kept.self)
    try await bench.center.enqueue((0..<2500).map { Kept("\($0)") })
    await bench.run()
    #expect(try await bench.center.jobs.count(where: JobSelection(states: [.finished])) == 2500)
    var counts = bench.center.jobs.updates().makeAsyncIterator()
    #expect(await counts.next()?.map(\.count) == [2500])
    await bench.time.advance(by: .seconds(60), driving: bench.center)
    while let next = await counts.next() { if next.isEmpty { break } }
    #expect(try await bench.center.jobs.count() == 0)
  }

  @Test func `the key of what another process has enqueued goes where jobs end`() async throws {
    let fixture = try SQLiteFixture()
    let time = VirtualTime()
    let enqueuing = try JobBench(Work.self, wrapping: { _ in fixture.makeStore() }, time: time)
    let working = try JobBench(Work.self, wrapping: { _ in fixture.makeStore() }, time: time)
    await working.run()
    let unique = UniqueKey("key", period: .seconds(60))
    try await enqueuing.center.enqueue(Work("a"), EnqueueOptions(unique: unique))
    await working.probe.notes(1)
    await working.center.jobs.idle()
    await time.advance(by: .seconds(3600), driving: working.center)
    try await enqueuing.center.enqueue(Work("b"))
    await working.probe.notes(2)
    await working.center.jobs.idle()
    await time.advance(by: .seconds(1), driving: working.center)
    let database = try DatabaseQueue(path: fixture.file.path)
    #expect(try await database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM taskkit_key") } == 0)
    try database.close()
    await enqueuing.center.terminate()
    await working.center.terminate()
  }

  @Test func `one that is cancelled while it waits goes when its time has come, too`() async throws {
    let bench = try JobBench(Kept.self)
    let id = try await bench.center.enqueue(Kept("a"), .delayed(.seconds(3600)))
    await bench.run()
    try await bench.center.jobs.cancel(id)
    #expect(try await bench.states() == ["1 cancelled 0"])
    await bench.time.advance(by: .seconds(31 * 86_400), driving: bench.center)
    #expect(try await bench.states() == [])
  }
}
