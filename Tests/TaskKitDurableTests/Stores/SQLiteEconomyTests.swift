#if Durable && !os(Windows)
import Faults
import Foundation
import GRDB
import Synchronization
@testable import TaskKitDurable
import Testing

/// How sparing a store is with its file: one transaction for many jobs, the same connections and prepared statements for its
/// whole life (Zw19).
@Suite(.serialized) struct SQLiteEconomyTests {
  /// Counts flushes: a commit that waits for the disk has one.
  private final class Flushes: FileObserver {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .sequentiallyConsistent) }

    func will(_ operation: FileOperation, _ path: String) -> FileVerdict {
      if case .sync = operation { number.add(1, ordering: .sequentiallyConsistent) }
      return .go
    }

    func did(_ operation: FileOperation, _ path: String) {}
  }

  private final class Connections: Sendable {
    let count = Atomic(0)
  }

  private let new = NewJob(kind: "Upload", payload: JobPayload(bytes: Data(count: 100)))

  /// What every job takes: it is enqueued, given out, notes something, and ends in one way or another.
  private func live(_ count: Int, in store: SQLiteStore) async throws {
    let claim = JobExchange.Claim(queue: "default", limit: 4, kinds: [.init("Upload", limit: 4)])
    for round in 0..<count {
      var keyed = new
      keyed.unique = UniqueKey("key \(round)")
      keyed.limit = KeyLimit("limit", count: 2)
      var child = new
      child.parents = [.inBatch(1)]
      _ = try await store.enqueue([new, keyed, child])
      while true {
        let claimed = try await store.exchange(JobExchange(claims: [claim])).claimed
        guard !claimed.isEmpty else { break }
        let keys = claimed.map { AttemptKey(job: $0.id, token: $0.token) }
        let notes = keys.flatMap { key -> [(AttemptKey, JobExchange.Note)] in
          [(key, .checkpoint(Data([1]))), (key, .step("step", Data([2])))]
        }
        _ = try await store.exchange(JobExchange(notes: notes))
        let ends = zip(keys, claimed).map { key, job -> (AttemptKey, JobExchange.End) in
          (key, job.attempt < 2 ? .failed(.error, "no", retryAfter: .zero) : .succeeded(result: Data([3])))
        }
        _ = try await store.exchange(JobExchange(ends: ends))
      }
    }
  }

  @Test func `as many jobs as are enqueued at once are one commit (Zw19, Z11)`() async throws {
    let fixture = try SQLiteFixture(isFast: true)
    let disk = Flushes()
    FaultyFiles.observe(fixture.folder, disk)
    defer { FaultyFiles.forget(disk) }
    // So that nothing is flushed but what is asked for.
    let store = SQLiteStore(at: fixture.file, patience: 10, hearing: SQLiteHearing(interval: .seconds(1_000_000)))
    _ = try await store.open(StoreEnvironment(owner: "test"))
    _ = try await store.enqueue([new])
    for count in [1, 2, 500] {
      let before = disk.count
      _ = try await store.enqueue(Array(repeating: new, count: count))
      #expect(disk.count - before == 1, "\(count) jobs")
    }
    let before = disk.count
    let claim = JobExchange.Claim(queue: "default", limit: 500, kinds: [.init("Upload", limit: 500)])
    let claimed = try await store.exchange(JobExchange(claims: [claim])).claimed
    #expect(claimed.count == 500)
    #expect(disk.count - before == 1)
    await store.close()
  }

  @Test func `a thousand operations prepare no statement that the first ones had not (Zw19)`() async throws {
    let fixture = try SQLiteFixture(isFast: true)
    let connections = Connections()
    var configuration = Configuration()
    configuration.prepareDatabase { _ in connections.count.add(1, ordering: .sequentiallyConsistent) }
    let pool = try DatabasePool(path: fixture.file.path, configuration: configuration)
    let store = SQLiteStore(sharing: pool)
    _ = try await store.open(StoreEnvironment(owner: "test"))
    /// What its one connection that writes has prepared.
    func statements() async throws -> [PreparedStatement] {
      try await pool.writeWithoutTransaction { PreparedStatement.all(of: $0.sqliteConnection!) }
    }
    try await live(5, in: store)
    let (first, opened) = (try await statements(), connections.count.load(ordering: .sequentiallyConsistent))
    let operations = first.map(\.runs).max() ?? 0
    try await live(200, in: store)
    let last = try await statements()
    #expect(
      Set(last.map(\.identity)) == Set(first.map(\.identity)), "\(Set(last.map(\.sql)).subtracting(first.map(\.sql)))")
    // They are the ones that do the work.
    #expect((last.map(\.runs).max() ?? 0) > operations + 1000)
    #expect(last.first { $0.sql.hasPrefix("INSERT INTO taskkit_job") }.map { $0.runs >= 600 } == true)
    #expect(connections.count.load(ordering: .sequentiallyConsistent) == opened)
    await store.close()
  }

  #if os(Linux)
  @Test func `a store opens its file once, and not for every operation (Zw19)`() async throws {
    let fixture = try SQLiteFixture(isFast: true)
    /// The files that the process has open, as often as it has them open.
    func openFiles() throws -> [String] {
      let own = "/proc/self/fd"
      return try FileManager.default.contentsOfDirectory(atPath: own).compactMap { number in
        // One of another test may have been closed since.
        guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(own)/\(number)"),
          path.hasPrefix(fixture.file.path)
        else { return nil }
        return "\(number) \(path)"
      }.sorted()
    }
    let store = SQLiteStore(at: fixture.file)
    _ = try await store.open(StoreEnvironment(owner: "test"))
    try await live(2, in: store)
    let files = try openFiles()
    #expect(files.contains { $0.hasSuffix(".sqlite") })
    try await live(50, in: store)
    #expect(try openFiles() == files)
    await store.close()
  }
  #endif
}
#endif
