#if Durable && !os(Windows)
import Faults
import Foundation
import GRDB
import Synchronization
import TaskKitDurable
import Testing

/// A claim looks at what is ready and at what has become due, however much else there is.
@Suite(.serialized) struct PlanTests {
  /// Counts what is read from a file. SQLite reads each page once.
  private final class Reads: FileObserver {
    private let bytes = Atomic(0)

    var count: Int { bytes.load(ordering: .sequentiallyConsistent) }

    func will(_ operation: FileOperation, _ path: String) -> FileVerdict { .go }
    func did(_ operation: FileOperation, _ path: String) {}

    func didRead(_ count: Int, _ path: String) {
      if path.hasSuffix(".sqlite") { bytes.wrappingAdd(count, ordering: .sequentiallyConsistent) }
    }
  }

  /// Why a job that is there does not start.
  enum Reason: CaseIterable, Sendable {
    case delayed, waiting, constrained, kind, queue, held, ended
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
    _ = try await store.enqueue(Array(repeating: job(), count: 8))
  }

  /// - Returns: how many bytes a claim reads with so many jobs that do not start.
  private static func bytesRead(_ reason: Reason, _ count: Int) async throws -> Int {
    let fixture = try SQLiteFixture(isFast: true)
    let before = fixture.makeStore()
    _ = try await before.open(StoreEnvironment(owner: "before"))
    try await fill(before, reason, count)
    await before.close()
    let reads = Reads()
    FaultyFiles.observe(fixture.folder, reads)
    defer { FaultyFiles.forget(reads) }
    let store = fixture.makeStore()
    _ = try await store.open(StoreEnvironment(owner: "after"))
    let opened = reads.count
    // The first one has to find that there is nothing due, the second what comes next.
    for _ in 0..<2 { #expect(try await store.exchange(claim).claimed.count == 4) }
    let read = reads.count - opened
    await store.close()
    return read
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

  /// What a claim asks of a file, in the order in which it does.
  private final class Statements: Sendable {
    private let list = Mutex<[String]>([])
    var all: [String] { list.withLock { $0 } }
    func note(_ sql: String) { list.withLock { $0.append(sql) } }
    func forget() { list.withLock { $0 = [] } }
  }

  @Test func `no statement of a claim walks through a table that has a row for each job`() async throws {
    let fixture = try SQLiteFixture(isFast: true)
    let statements = Statements()
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      db.trace(options: .statement) { event in
        if case .statement(let statement) = event { statements.note(statement.sql) }
      }
    }
    let database = try DatabasePool(path: fixture.file.path, configuration: configuration)
    let store = SQLiteStore(sharing: database)
    _ = try await store.open(StoreEnvironment(owner: "test"))
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
