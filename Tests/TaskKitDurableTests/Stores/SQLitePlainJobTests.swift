#if Durable && !os(Windows)
import Foundation
import GRDB
import TaskKitDurable
import Testing

/// Of jobs that follow each other only what differs is given to the statement that writes them.
struct SQLitePlainJobTests {
  private static let base = NewJob(kind: "Upload", payload: JobPayload(bytes: Data("payload".utf8)))

  /// Each differs from the base in one thing.
  private static let changes: [(String, @Sendable (inout NewJob) -> Void)] = [
    ("kind", { $0.kind = "Download" }),
    ("queue", { $0.queue = "other" }),
    ("major", { $0.priority.major = 3 }),
    ("minor", { $0.priority.minor = 3 }),
    ("version", { $0.payload.version = 7 }),
    ("bytes", { $0.payload.bytes = Data("other".utf8) }),
    ("no bytes", { $0.payload.bytes = Data() }),
    ("start", { $0.start = .after(.seconds(60)) }),
    ("attempts", { $0.maximumAttempts = 9 }),
    ("no limit of attempts", { $0.maximumAttempts = nil }),
    ("crashes", { $0.maximumCrashes = 9 }),
    ("deadline", { $0.deadline = .seconds(5) }),
    ("constraints", { $0.constraints = ["network"] }),
    ("unique", { $0.unique = UniqueKey("key") }),
    ("limit", { $0.limit = KeyLimit("key") }),
    ("parents", { $0.parents = [.inBatch(0)] }),
    ("parent's failure", { $0.parentFailure = .run }),
    ("exhaustion", { $0.exhaustion = .discard }),
    ("kept when finished", { $0.retention.finished = .seconds(5) }),
    ("kept when failed", { $0.retention.failed = .seconds(5) }),
    ("tags", { $0.tags = ["tag"] }),
    ("occurrence", { $0.occurrence = JobOccurrence(schedule: "daily", date: Date(timeIntervalSince1970: 5)) }),
  ]

  /// What is written down of jobs, without what their ids decide.
  private func rows(of batches: [[NewJob]]) async throws -> [Row] {
    let fixture = try SQLiteFixture(isFast: true)
    let store = SQLiteStore(at: fixture.file)
    _ = try await store.open(StoreEnvironment(now: { Date(timeIntervalSince1970: 1000) }, owner: "test"))
    for batch in batches { _ = try await store.enqueue(batch) }
    await store.close()
    return try DatabaseQueue(path: fixture.file.path).read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT q.text AS queue_name, k.text AS kind_name, f.needs AS shelf_needs, j.*, r.since IS NOT NULL AS is_ready,
            r.limit_key AS ready_key
          FROM taskkit_job j JOIN taskkit_name q ON q.id = j.queue JOIN taskkit_name k ON k.id = j.kind
          JOIN taskkit_shelf f ON f.id = j.shelf LEFT JOIN taskkit_ready r ON r.id = j.id ORDER BY j.id
          """)
    }
  }

  @Test(arguments: changes.indices)
  func `what one job has is not given to those beside it`(index: Int) async throws {
    var other = Self.base
    Self.changes[index].1(&other)
    // The parent comes before, so that a place in the batch means the same.
    let together = try await rows(of: [[Self.base, other, Self.base, other, Self.base]])
    try #require(together.count == (other.unique == nil && other.occurrence == nil ? 5 : 4))
    let names = Set(together[0].columnNames).subtracting(["id", "queue", "kind", "shelf"])
    let base = try await rows(of: [[Self.base]])[0]
    let expected = try await rows(of: [[Self.base], [other.parents.isEmpty ? other : withParent(other)]])[1]
    for row in together {
      let isOther = row["id"] as Int64 == 2 || row["id"] as Int64 == 4 && together.count == 5
      for name in names {
        #expect(
          row[name] as DatabaseValue == (isOther ? expected : base)[name],
          "\(Self.changes[index].0): \(name) of job \(row["id"] as Int64)")
      }
    }
  }

  private func withParent(_ job: NewJob) -> NewJob {
    var job = job
    job.parents = [.job(JobID(rawValue: 1))]
    return job
  }
}
#endif
