#if Durable && !os(Windows)
import Foundation
import GRDB
import Synchronization
import TaskKitDurable
import Testing

/// How large the file of a store becomes under long work.
@Suite(.serialized) struct FileSizeTests {
  private final class Clock: Sendable {
    private let date = Mutex(Date(timeIntervalSince1970: 1_767_225_600))

    var now: Date { date.withLock { $0 } }

    func pass(_ seconds: Double) { date.withLock { $0.addTimeInterval(seconds) } }
  }

  /// A store whose time passes as the test wants it.
  private final class Scene {
    let fixture: SQLiteFixture
    let store: SQLiteStore
    let clock = Clock()
    private var count = 0

    init() throws {
      fixture = try SQLiteFixture(isFast: true)
      store = SQLiteStore(at: fixture.file)
    }

    func open() async throws {
      let clock = clock
      _ = try await store.open(StoreEnvironment(now: { clock.now }, owner: "test"))
      try await store.setRate(RateLimit(1000, per: .seconds(10)), ofKey: "shared")
    }

    /// A job of one of ten sorts, which are the same in each round of them.
    private func job(_ sort: Int) -> NewJob {
      defer { count += 1 }
      var new = NewJob(
        kind: "Upload", payload: JobPayload(bytes: Data("\(sort)".utf8) + Data(count: sort == 5 ? 2000 : 100)),
        retention: JobRetention(finished: .zero, failed: .seconds(300)))
      switch sort {
      case 0: new.unique = UniqueKey("key \(count)", period: .seconds(200))
      case 1: new.parents = [.inBatch(0)]
      // Few of them: of a schedule a thousand are known singly, which is more than a tenth of these jobs.
      case 2 where count % 100 == 2:
        new.occurrence = JobOccurrence(schedule: "s", date: clock.now)
      case 3: new.limit = KeyLimit("limit \(count)")
      case 4: (new.start, new.limit) = (.after(.seconds(1)), KeyLimit("shared", count: 1000))
      case 6, 7: new.retention.finished = .seconds(300)
      default: break
      }
      new.tags = sort % 2 == 0 ? ["even", "tag \(sort)"] : []
      return new
    }

    private static func end(of job: ClaimedJob, _ sort: UInt8) -> JobExchange.End {
      switch sort {
      case UInt8(ascii: "7") where job.attempt < 2: .failed(.error, "not the first time", retryAfter: .seconds(1))
      case UInt8(ascii: "8"): .gaveUp(.error, "never")
      case UInt8(ascii: "9"): .cancelled
      default: .succeeded(result: Data(count: 20))
      }
    }

    /// A hundred jobs from their beginning to their end.
    func live() async throws {
      for _ in 0..<10 { _ = try await store.enqueue((0..<10).map { job($0) }) }
      let claim = JobExchange.Claim(queue: "default", limit: 100, kinds: [.init("Upload", limit: 100)])
      var isOver = false
      while !isOver {
        clock.pass(2)
        let claimed = try await store.exchange(JobExchange(claims: [claim])).claimed
        isOver = claimed.isEmpty
        let keys = claimed.map { AttemptKey(job: $0.id, token: $0.token) }
        let notes = keys.flatMap { key -> [(AttemptKey, JobExchange.Note)] in
          [(key, .checkpoint(Data(count: 50))), (key, .step("step", Data(count: 10)))]
        }
        let ends = zip(keys, claimed).map { ($0, Self.end(of: $1, $1.payload.bytes[0])) }
        let answer = try await store.exchange(JobExchange(notes: notes, ends: ends))
        #expect(answer.ends.allSatisfy { $0 })
      }
    }

    func sweep() async throws {
      while try await store.sweep(limit: 1000) == .zero {}
    }

    /// The pages that hold something, and all that the file has.
    func pages() async throws -> (used: Int, all: Int) {
      let database = try DatabaseQueue(path: fixture.file.path)
      let pages = try await database.read { db in
        (try Int.fetchOne(db, sql: "PRAGMA page_count")!, try Int.fetchOne(db, sql: "PRAGMA freelist_count")!)
      }
      try database.close()
      return (pages.0 - pages.1, pages.0)
    }
  }

  @Test func `a file grows no more once as much ends as begins, however long that goes on`() async throws {
    let scene = try Scene()
    try await scene.open()
    var used: [Int] = []
    var all: [Int] = []
    for _ in 0..<10 {
      for _ in 0..<20 {
        try await scene.live()
        try await scene.sweep()
        scene.clock.pass(30)
      }
      let pages = try await scene.pages()
      used.append(pages.used)
      all.append(pages.all)
    }
    // 20,000 jobs, of which those of the last 300 seconds are kept: as many after each tenth.
    #expect(used.max()! <= used[0] + used[0] / 20 + 8, "\(used)")
    #expect(all.max()! <= all[0] + all[0] / 20 + 8, "\(all)")
    // The same without anybody who deletes what was kept long enough: this test would see it.
    for _ in 0..<20 {
      try await scene.live()
      scene.clock.pass(30)
    }
    #expect(try await scene.pages().used > used[0] + used[0] / 20 + 8)
    await scene.store.close()
  }
}
#endif
