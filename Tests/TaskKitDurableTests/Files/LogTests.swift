#if Durable && !os(Windows)
import Faults
import Foundation
import GRDB
@testable import TaskKitDurable
import Testing

/// What becomes of the log beside an SQLite file.
@Suite(.serialized) struct LogTests {
  private let environment = StoreEnvironment(owner: "test")

  private func new(bytes: Int) -> NewJob {
    NewJob(kind: "Upload", payload: JobPayload(bytes: Data(repeating: 7, count: bytes)))
  }

  /// Tells when a file is flushed.
  private final class Flushes: FileObserver {
    let events: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let file: String

    init(of file: URL) {
      (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
      self.file = file.lastPathComponent
    }

    func will(_ operation: FileOperation, _ path: String) -> FileVerdict { .go }

    func did(_ operation: FileOperation, _ path: String) {
      if case .sync = operation, path.hasSuffix("/\(file)") { continuation.yield() }
    }
  }

  private func ids(in file: URL) throws -> [Int64] {
    try DatabaseQueue(path: file.path).read { db in
      guard try db.tableExists("taskkit_job") else { return [] }
      return try Int64.fetchAll(db, sql: "SELECT id FROM taskkit_job ORDER BY id")
    }
  }

  @Test func `when nobody asks for anything the log is moved into the file`() async throws {
    let fixture = try SQLiteFixture()
    let flushes = Flushes(of: fixture.file)
    FaultyFiles.observe(fixture.folder, flushes)
    defer { FaultyFiles.forget(flushes) }
    let store = SQLiteStore(at: fixture.file, patience: 10, hearing: SQLiteHearing(interval: .milliseconds(2)))
    _ = try await store.open(environment)
    var flushed = flushes.events.makeAsyncIterator()
    let jobs = try await store.enqueue([new(bytes: 100), new(bytes: 100)]).map(\.id.rawValue)
    // The file alone, without its log. The first flushes may be older than the jobs.
    var found: [Int64] = []
    while found != jobs {
      await flushed.next()
      let copy = fixture.folder.appending(path: "copy-\(UUID().uuidString)")
      try FileManager.default.copyItem(at: fixture.file, to: copy)
      // One that was copied while it was written cannot be read: another flush follows.
      found = (try? ids(in: copy)) ?? []
    }
    await store.close()
  }

  @Test func `a log that had to grow is short again when nobody reads any more`() async throws {
    let fixture = try SQLiteFixture()
    let store = SQLiteStore(at: fixture.file)
    _ = try await store.open(environment)
    func logSize() throws -> Int {
      try #require(FileManager.default.attributesOfItem(atPath: fixture.file.path + "-wal")[.size] as? Int)
    }
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let reader = try DatabaseQueue(path: fixture.file.path, configuration: configuration)
    try await reader.writeWithoutTransaction { try $0.execute(sql: "BEGIN; SELECT count(*) FROM taskkit_job") }
    for _ in 0..<3 { _ = try await store.enqueue([new(bytes: 4 << 20)]) }
    #expect(try logSize() > SQLiteWriter.largestLog)
    try reader.close()
    // The first moves all of it, the second begins anew.
    for _ in 0..<2 { _ = try await store.enqueue([new(bytes: 100)]) }
    #expect(try logSize() <= SQLiteWriter.largestLog)
    await store.close()
  }
}
#endif
