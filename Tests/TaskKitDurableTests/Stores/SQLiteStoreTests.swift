#if Durable
import Foundation
import GRDB
import Synchronization
@testable import TaskKitDurable
import Testing

@Suite(.serialized) struct SQLiteStoreTests {
  private let environment = StoreEnvironment(owner: "test")
  private let new = NewJob(kind: "Upload", payload: JobPayload(bytes: Data("payload".utf8)))

  private func reason(ofOpening store: SQLiteStore) async -> JobStoreError.Reason? {
    do {
      _ = try await store.open(environment)
      await store.close()
      return nil
    } catch {
      return (error as? JobStoreError)?.reason
    }
  }

  @Test func `a file that is no database is told by name, and left as it is`() async throws {
    let fixture = try SQLiteFixture()
    let content = Data(repeating: 7, count: 8192)
    try content.write(to: fixture.file)
    let store = SQLiteStore(at: fixture.file)
    let error = await #expect(throws: JobStoreError.self) { try await store.open(environment) }
    #expect(error?.reason == .corrupt)
    #expect(error?.description.contains(fixture.file.path) == true)
    #expect(try Data(contentsOf: fixture.file) == content)
  }

  @Test func `a folder that is not there, and one in the place of the file, are told`() async throws {
    let fixture = try SQLiteFixture()
    #expect(await reason(ofOpening: SQLiteStore(at: fixture.folder.appending(path: "none/jobs.sqlite"))) == .missing)
    #expect(await reason(ofOpening: SQLiteStore(at: fixture.folder)) == .invalid)
  }

  @Test func `a file of a later format is refused`() async throws {
    let fixture = try SQLiteFixture()
    #expect(await reason(ofOpening: SQLiteStore(at: fixture.file)) == nil)
    let database = try DatabaseQueue(path: fixture.file.path)
    try await database.write { try $0.execute(sql: "UPDATE taskkit_format SET version = 99") }
    try database.close()
    #expect(
      await reason(ofOpening: SQLiteStore(at: fixture.file)) == .newer(version: 99, known: SQLiteSchema.version))
  }

  @Test func `a folder that vanishes is told, and work goes on when it is back`() async throws {
    let fixture = try SQLiteFixture()
    let inner = fixture.folder.appending(path: "inner")
    let away = fixture.folder.appending(path: "away")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    let store = SQLiteStore(at: inner.appending(path: "jobs.sqlite"))
    _ = try await store.open(environment)
    _ = try await store.enqueue([new])
    try FileManager.default.moveItem(at: inner, to: away)
    let error = await #expect(throws: JobStoreError.self) { try await store.enqueue([new]) }
    #expect(error?.reason == .missing)
    try FileManager.default.moveItem(at: away, to: inner)
    _ = try await store.enqueue([new])
    #expect(try await store.counts().map(\.count) == [2])
    await store.close()
  }

  @Test func `jobs that end at once end as if one came after the other`() async throws {
    let fixture = try SQLiteFixture()
    let store = SQLiteStore(at: fixture.file)
    _ = try await store.open(environment)
    var jobs = Array(repeating: new, count: 12)
    jobs[2].retention.finished = nil
    jobs[4].unique = UniqueKey("key")
    jobs[5].limit = KeyLimit("limit")
    jobs[6].kind = "Other"
    jobs[8].priority = JobPriority(major: 11, minor: 10)
    _ = try await store.enqueue(jobs)
    let kinds = ["Upload", "Other"].map { JobExchange.Claim.Kind($0, limit: 20) }
    let claim = JobExchange.Claim(queue: "default", limit: 20, kinds: kinds)
    let claimed = try await store.exchange(JobExchange(claims: [claim])).claimed
    #expect(claimed.map(\.id.rawValue) == [9, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12])
    #expect(claimed.map(\.token.rawValue) == Array(1...12))
    #expect(claimed.map(\.kind).firstIndex(of: "Other") == 7)
    #expect(claimed.allSatisfy { $0.payload == new.payload && $0.attempt == 1 })
    func end(_ job: Int64, _ token: Int64) -> (AttemptKey, JobExchange.End) {
      (AttemptKey(job: JobID(rawValue: job), token: AttemptToken(rawValue: token)), .succeeded(result: nil))
    }
    var ends = [end(2, 99)]
    ends += claimed.reversed().map { end($0.id.rawValue, $0.token.rawValue) }
    ends += [end(9, 1), end(13, 13)]
    let answer = try await store.exchange(JobExchange(ends: ends))
    #expect(answer.ends == [false] + Array(repeating: true, count: 12) + [false, false])
    #expect(try await store.jobs(.all, after: nil, limit: 20).map { [$0.id.rawValue: $0.state] } == [[3: .finished]])
    #expect(try await store.counts().filter { $0.count != 0 }.map(\.state) == [.finished])
    // Nothing is held any more.
    #expect(try await store.enqueue([jobs[4], jobs[5], new]).map(\.outcome) == [.added, .added, .added])
    #expect(try await store.exchange(JobExchange(claims: [claim])).claimed.map(\.id.rawValue) == [13, 14, 15])
    await store.close()
  }

  @Test func `a job behind many of a key whose rate is used up is found`() async throws {
    let fixture = try SQLiteFixture()
    let store = SQLiteStore(at: fixture.file)
    _ = try await store.open(environment)
    try await store.setRate(RateLimit(1, per: .seconds(1_000_000)), ofKey: "ada")
    var limited = new
    limited.limit = KeyLimit("ada", count: 100)
    _ = try await store.enqueue(Array(repeating: limited, count: 50) + [new])
    let claim = JobExchange.Claim(queue: "default", limit: 10, kinds: [.init("Upload", limit: 10)])
    #expect(try await store.exchange(JobExchange(claims: [claim])).claimed.map(\.id.rawValue) == [1, 51])
    await store.close()
  }

  @Test func `when no room is left nothing half happens, and work goes on when there is some`() async throws {
    let fixture = try SQLiteFixture()
    let database = try DatabasePool(path: fixture.file.path)
    let store = SQLiteStore(sharing: database)
    _ = try await store.open(environment)
    let pages = try await database.writeWithoutTransaction { db in
      let pages = try Int.fetchOne(db, sql: "PRAGMA page_count")!
      try db.execute(sql: "PRAGMA max_page_count = \(pages + 8)")
      return pages
    }
    var large = new
    large.payload.bytes = Data(count: 8_000)
    var count = 0
    let error = await #expect(throws: JobStoreError.self) {
      for _ in 0..<100 {
        _ = try await store.enqueue([large])
        count += 1
      }
    }
    #expect(error?.reason == .full)
    #expect(try await store.counts().map(\.count).reduce(0, +) == count)
    try await database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = \(pages + 800)") }
    _ = try await store.enqueue([large])
    #expect(try await store.jobs(.all, after: nil, limit: 200).count == count + 1)
    await store.close()
  }

  @Test func `many callers at once each get their own job, and one that is refused takes no other with it`()
    async throws
  {
    let fixture = try SQLiteFixture()
    let store = SQLiteStore(at: fixture.file)
    _ = try await store.open(environment)
    let new = new
    let ids = await withTaskGroup(of: JobID?.self) { group in
      for place in 0..<200 {
        group.addTask {
          var job = new
          if place % 10 == 0 { job.kind = "" }
          return try? await store.enqueue([job])[0].id
        }
      }
      return await group.reduce(into: [JobID?]()) { $0.append($1) }
    }
    #expect(ids.count { $0 == nil } == 20)
    #expect(Set(ids.compactMap { $0 }).count == 180)
    #expect(try await store.counts().map(\.count) == [180])
    await store.close()
  }

  @Test func `a job of the caller's transaction is there if that is committed, and not otherwise`() async throws {
    let fixture = try SQLiteFixture()
    let database = try DatabasePool(path: fixture.file.path)
    let store = SQLiteStore(sharing: database)
    _ = try await store.open(environment)
    let new = new
    try await database.write { db in
      try db.execute(sql: "CREATE TABLE orders (id INTEGER PRIMARY KEY)")
      try store.enqueue([new], in: db)
    }
    await #expect(throws: CancellationError.self) {
      try await database.write { db in
        try db.execute(sql: "INSERT INTO orders VALUES (1)")
        var other = new
        other.kind = "NeverSeen"
        try store.enqueue([other], in: db)
        throw CancellationError()
      }
    }
    #expect(try await store.counts().map(\.kind) == ["Upload"])
    var other = new
    other.kind = "NeverSeen"
    _ = try await store.enqueue([other])
    #expect(try await store.counts().map(\.count) == [1, 1])
    await store.close()
  }

  @Test func `a claim makes no more due jobs ready than fit into an exchange, and says that more are due`() async throws
  {
    let fixture = try SQLiteFixture()
    let start = Date(timeIntervalSince1970: 1_000)
    let date = Mutex(start)
    let store = SQLiteStore(at: fixture.file)
    _ = try await store.open(StoreEnvironment(now: { date.withLock { $0 } }, owner: "test"))
    var late = new
    late.start = .after(.seconds(10))
    let count = SQLiteTransaction.largestPromotion * 2 + 10
    let ids = try await store.enqueue(Array(repeating: late, count: count)).map(\.id)
    date.withLock { $0 = start + 10 }
    let claim = JobExchange.Claim(queue: "default", limit: count, kinds: [.init("Upload", limit: count)])
    var claimed: [JobID] = []
    var counts: [Int] = []
    while claimed.count < count, counts.count < 9 {
      let answer = try await store.exchange(JobExchange(claims: [claim]))
      claimed += answer.claimed.map(\.id)
      counts.append(answer.claimed.count)
      #expect(answer.nextDue == (claimed.count < count ? .zero : nil))
    }
    #expect(counts == [SQLiteTransaction.largestPromotion, SQLiteTransaction.largestPromotion, 10])
    #expect(claimed == ids)
    await store.close()
  }

  @Test func `a key that is full hides nothing behind it, however many jobs it has`() async throws {
    let fixture = try SQLiteFixture()
    let store = SQLiteStore(at: fixture.file)
    _ = try await store.open(environment)
    var limited = new
    limited.limit = KeyLimit("one")
    var wider = new
    wider.limit = KeyLimit("one", count: 2)
    var other = new
    other.limit = KeyLimit("other")
    let jobs = Array(repeating: limited, count: 50) + [wider] + Array(repeating: limited, count: 50) + [other, new]
    let ids = try await store.enqueue(jobs).map(\.id)
    let claim = JobExchange.Claim(queue: "default", limit: 8, kinds: [.init("Upload", limit: 8)])
    let claimed = try await store.exchange(JobExchange(claims: [claim])).claimed
    #expect(claimed.map(\.id) == [ids[0], ids[50], ids[101], ids[102]])
    await store.close()
  }

  @Test func `full durability is what the database says it has`() async throws {
    let fixture = try SQLiteFixture()
    let pool = try DatabasePool(path: fixture.file.path)
    let (_, signal) = AsyncStream<Void>.makeStream()
    let queue = DispatchQueue(label: "test")
    let (writer, _) = try SQLiteWriter.open(
      at: fixture.file.path, isOwned: true, environment: environment, queue: queue, signal: signal
    ) { pool }
    #expect(try await pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 2)
    let new = new
    _ = try await writer.perform(isRelaxed: true) { try $0.enqueue([new], store: "test") }
    #expect(try await pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 1)
    _ = try await writer.perform { try $0.enqueue([new], store: "test") }
    #expect(try await pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 2)
    await writer.close()
  }
}
#endif
