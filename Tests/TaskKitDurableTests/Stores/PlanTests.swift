#if Durable && !os(Windows)
import Foundation
import GRDB
import Synchronization
import TaskKitDurable
import Testing

/// A claim looks at what is ready and at what has become due, however much else there is.
@Suite(.serialized) struct PlanTests {
  /// Why a job that is there does not start.
  enum Reason: CaseIterable, Sendable {
    case delayed, waiting, constrained, kind, queue, held, ended, limit, rate, pausedKey
  }

  private static func job(_ reason: Reason? = nil) -> NewJob {
    var job = NewJob(kind: "Upload", payload: JobPayload(bytes: Data()))
    switch reason {
    case .delayed: job.start = .after(.seconds(1_000_000))
    case .waiting: job.parents = [.inBatch(0)]
    case .constrained: job.constraints = ["network"]
    case .kind: job.kind = "Other"
    case .queue: job.queue = "other"
    case .held: job.tags = ["held"]
    case .ended:
      job.tags = ["ended"]
      job.retention = JobRetention(finished: nil, failed: nil)
    case .limit, .rate, .pausedKey: job.limit = KeyLimit("account", count: reason == .limit ? 1 : 1000)
    case nil: break
    }
    return job
  }

  private static let claim = JobExchange(claims: [
    JobExchange.Claim(queue: "default", limit: 4, kinds: [.init("Upload", limit: 4)])
  ])

  /// Fills a file with so many jobs that do not start, and some that do behind them.
  private static func fill(_ store: any JobStore, _ reason: Reason, _ count: Int) async throws {
    for start in stride(from: 0, to: count, by: 1000) {
      let jobs = Array(repeating: job(reason), count: min(1000, count - start))
      // What they wait for is no job that could start.
      _ = try await store.enqueue(reason == .waiting ? [job(.delayed)] + jobs : jobs)
    }
    if reason == .held { _ = try await store.change(JobSelection(tags: ["held"]), .hold("later")) }
    if reason == .ended { _ = try await store.change(JobSelection(tags: ["ended"]), .cancel) }
    // One of them starts.
    if reason == .rate { try await store.setRate(RateLimit(1, per: .seconds(1_000_000)), ofKey: "account") }
    if reason == .pausedKey { try await store.setPaused(true, .key("account"), by: "test") }
    _ = try await store.enqueue(Array(repeating: job(), count: 8))
  }

  /// - Returns: how many bytes a claim reads with so many jobs that do not start.
  private static func bytesRead(_ reason: Reason, _ count: Int) async throws -> Int {
    let fixture = try SQLiteFixture(isFast: true)
    let before = fixture.makeStore()
    _ = try await before.open(StoreEnvironment(owner: "before"))
    try await fill(before, reason, count)
    await before.close()
    return try await fixture.bytesRead { store in
      // The first one has to find that there is nothing due, the second what comes next.
      for _ in 0..<2 {
        let claimed = try await store.exchange(claim).claimed
        #expect(claimed.count == 4)
      }
    }
  }

  @Test(arguments: Reason.allCases)
  func `a claim reads no more where very many jobs are not due, or do not start for another reason`(
    reason: Reason
  ) async throws {
    let few = try await Self.bytesRead(reason, 10)
    let many = try await Self.bytesRead(reason, 10_000)
    #expect(few > 0)
    // Trees are deeper by a page or two. The smallest table with a row for each has more than forty.
    #expect(many <= few + 16 * 4096, "\(many) bytes instead of \(few)")
  }

  /// - Returns: how many bytes it reads to find the jobs that are held for a reason, with so many that are not held.
  private static func bytesReadForHeld(_ reason: Reason, _ count: Int, isChange: Bool) async throws -> Int {
    let fixture = try SQLiteFixture(isFast: true)
    let before = fixture.makeStore()
    _ = try await before.open(StoreEnvironment(owner: "before"))
    let ids = try await before.enqueue([job(), job()]).map(\.id)
    try await fill(before, reason, count)
    _ = try await before.change(JobSelection(ids: [ids[0]]), .hold("for ever"))
    _ = try await before.change(JobSelection(ids: [ids[1]]), .hold("later", until: ["server"]))
    await before.close()
    return try await fixture.bytesRead { store in
      if isChange {
        let answer = try await store.change(JobSelection(heldFor: [.asked]), .release)
        #expect(answer.count == 1)
      } else {
        let selection = JobSelection(kinds: ["Upload"], heldFor: [.until])
        let found = try await store.jobs(selection, after: nil, limit: 9)
        #expect(found.map(\.id) == [ids[1]])
      }
    }
  }

  @Test(arguments: [Reason.delayed, .ended], [false, true])
  func `who asks for jobs that are held for a reason reads no others`(reason: Reason, isChange: Bool) async throws {
    let few = try await Self.bytesReadForHeld(reason, 10, isChange: isChange)
    let many = try await Self.bytesReadForHeld(reason, 10_000, isChange: isChange)
    #expect(few > 0)
    #expect(many <= few + 16 * 4096, "\(many) bytes instead of \(few)")
  }

  /// What a claim asks of a file, in the order in which it does.
  private final class Statements: Sendable {
    private let list = Mutex<[String]>([])
    var all: [String] { list.withLock { $0 } }
    func note(_ sql: String) { list.withLock { $0.append(sql) } }
    func forget() { list.withLock { $0 = [] } }
  }

  /// A store in a database whose statements are noted.
  private static func shared(
    _ fixture: SQLiteFixture, _ statements: Statements
  ) async throws -> (SQLiteStore, DatabasePool) {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      db.trace(options: .statement) { event in
        if case .statement(let statement) = event { statements.note(statement.sql) }
      }
    }
    let database = try DatabasePool(path: fixture.file.path, configuration: configuration)
    let store = SQLiteStore(sharing: database)
    _ = try await store.open(StoreEnvironment(owner: "test"))
    return (store, database)
  }

  @Test(arguments: [false, true])
  func `jobs that end together are deleted together, whatever is kept of a chain that broke or waits`(
    isWaiting: Bool
  ) async throws {
    let (fixture, statements) = (try SQLiteFixture(isFast: true), Statements())
    let (store, database) = try await Self.shared(fixture, statements)
    var child = Self.job(.kind)
    child.parents = [.inBatch(0)]
    let parent = try await store.enqueue([Self.job(.kind), child])[0].id
    if !isWaiting { _ = try await store.change(JobSelection(ids: [parent]), .cancel) }
    _ = try await store.enqueue(Array(repeating: Self.job(), count: 4))
    let claimed = try await store.exchange(Self.claim).claimed
    statements.forget()
    let ends = claimed.map { job -> (AttemptKey, JobExchange.End) in
      (AttemptKey(job: job.id, token: job.token), .succeeded(result: nil))
    }
    #expect(try await store.exchange(JobExchange(ends: ends)).ends == [true, true, true, true])
    #expect(statements.all.count { $0.hasPrefix("DELETE FROM taskkit_job") } == 1)
    #expect(try await store.counts().map(\.count).reduce(0, +) == 2)
    await store.close()
    try database.close()
  }

  @Test func `a job that is enqueued in a transaction of the program does not read what lies on other shelves`()
    async throws
  {
    let (fixture, statements) = (try SQLiteFixture(isFast: true), Statements())
    let (store, database) = try await Self.shared(fixture, statements)
    @Sendable func queued(_ queue: String) -> NewJob {
      var job = Self.job()
      job.queue = queue
      return job
    }
    let ids = try await store.enqueue((0..<100).map { queued("user \($0)") }).map(\.id)
    statements.forget()
    try await database.write { db in
      _ = try store.enqueue([queued("user 7"), queued("user 7"), queued("another")], in: db)
    }
    #expect(statements.all.filter { $0.contains("FROM taskkit_shelf") && !$0.contains("WHERE queue") } == [])
    let claims = ["user 7", "another"].map { queue in
      JobExchange.Claim(queue: queue, limit: 9, kinds: [.init("Upload", limit: 9)])
    }
    let claimed = try await store.exchange(JobExchange(claims: claims)).claimed
    #expect(claimed.map(\.queue) == ["user 7", "user 7", "user 7", "another"])
    // What is counted of queues that are empty goes with the next sweep.
    _ = try await store.change(JobSelection(ids: ids), .delete)
    _ = try await store.sweep(limit: 9)
    let rows = try await database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM taskkit_count")! }
    #expect(rows == 2)
    #expect(try await store.counts().map(\.count) == [1, 2])
    _ = try await store.enqueue([queued("user 8")])
    #expect(try await store.counts().map(\.count) == [1, 2, 1])
    await store.close()
    try database.close()
  }

  @Test(arguments: [nil, .seconds(60)] as [Duration?])
  func `a claim that has all that it wants reads no further`(aging: Duration?) async throws {
    let (fixture, statements) = (try SQLiteFixture(isFast: true), Statements())
    let (store, database) = try await Self.shared(fixture, statements)
    _ = try await store.enqueue(Array(repeating: Self.job(.rate), count: 100))
    // As many as are read at first.
    let count = aging == nil ? 8 : 1
    let claim = JobExchange.Claim(
      queue: "default", limit: count, kinds: [.init("Upload", limit: count)], aging: aging)
    for _ in 0..<2 {
      statements.forget()
      #expect(try await store.exchange(JobExchange(claims: [claim])).claimed.count == count)
    }
    let reads = statements.all.filter { $0.contains("FROM taskkit_ready") && !$0.hasPrefix("DELETE") }
    // With aging it looks for another class of the shelf.
    #expect(reads.count == (aging == nil ? 1 : 2), "\(reads)")
    await store.close()
    try database.close()
  }

  @Test func `no statement of a claim walks through a table that has a row for each job`() async throws {
    let (fixture, statements) = (try SQLiteFixture(isFast: true), Statements())
    let (store, database) = try await Self.shared(fixture, statements)
    for reason in Reason.allCases { try await Self.fill(store, reason, 20) }
    // Something becomes due, on another shelf.
    var due = Self.job()
    due.start = .after(.microseconds(1))
    due.kind = "Other"
    _ = try await store.enqueue([due])
    statements.forget()
    let kinds = ["Upload", "Other"].map { JobExchange.Claim.Kind($0, limit: 60) }
    let claim = JobExchange.Claim(queue: "default", limit: 60, kinds: kinds, satisfied: ["network"])
    #expect(try await store.exchange(JobExchange(claims: [claim])).claimed.count == 60)
    #expect(try await store.exchange(Self.claim).claimed.count == 4)
    let asked = Set(statements.all).filter { $0.contains("taskkit_") }
    #expect(asked.contains { $0.contains("FROM taskkit_due") })
    #expect(asked.contains { $0.contains("FROM taskkit_ready") })
    // What is declared, and what runs.
    let small = ["pause", "rate", "owner", "shelf", "running"].map { "SCAN taskkit_\($0)" }
    let constant = ["SCAN CONSTANT ROW", "SCAN json_each"]
    let walks = try await database.writeWithoutTransaction { db in
      var walks: [String] = []
      for sql in asked {
        let statement = try db.makeStatement(sql: "EXPLAIN QUERY PLAN \(sql)")
        // Nothing is looked up: a plan does not depend on values.
        statement.setUncheckedArguments(StatementArguments())
        for row in try Row.fetchAll(statement) {
          let line: String = row["detail"]
          // The first row of a tree in its order is found without the others.
          let isFirst = sql.hasSuffix("LIMIT 1") && !sql.contains("WHERE")
          let isWalk = line.hasPrefix("SCAN") && !(small + constant).contains { line.hasPrefix($0) }
          let mustSort = line.contains("TEMP B-TREE") && !sql.contains("FROM taskkit_running")
          if isWalk && !isFirst || mustSort { walks.append("\(line): \(sql)") }
        }
      }
      return walks
    }
    #expect(walks == [])
    await store.close()
  }
}
#endif
