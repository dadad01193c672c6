#if !os(Windows)
import Foundation
@testable import TaskKitDurable
import Testing

/// What a job costs that waits for very many others, while all who write wait for it.
@Suite(.serialized) struct ParentCostTests {
  /// - Returns: how long it takes a processor to enqueue a job that waits for so many.
  private static func time(parents: Int) throws -> Duration {
    var ledger = JobLedger(identity: UUID())
    let owner = ledger.addOwner()
    let now = StoreTime(Date(timeIntervalSince1970: 1_767_225_600))
    var job = NewJob(kind: "Upload", payload: JobPayload(bytes: Data()))
    let others = try ledger.enqueue(Array(repeating: job, count: parents), owner: owner, now: now).get()
    job.parents = others.map { .job($0.id) }
    func used() -> Duration {
      var used = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used)
      return .seconds(used.tv_sec) + .nanoseconds(used.tv_nsec)
    }
    let before = used()
    let enqueued = try ledger.enqueue([job], owner: owner, now: now).get()
    let time = used() - before
    #expect(enqueued.count == 1)
    return time
  }

  @Test func `ten times as many parents take about ten times as long, and not a hundred times`() throws {
    let few = try Self.time(parents: 2_000)
    let many = try Self.time(parents: 20_000)
    #expect(many < few * 30, "\(many) instead of \(few)")
  }
}
#endif
