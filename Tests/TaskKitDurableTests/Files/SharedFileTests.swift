#if Durable && !os(Windows)
import Dispatch
import Foundation
import GRDB
import Synchronization
import TaskKit
@testable import TaskKitDurable
import Testing

/// A database of the program's, whose settings are the program's.
@Suite struct SharedFileTests {
  private let new = NewJob(kind: "Upload", payload: JobPayload(bytes: Data()))

  @Test(.timeLimit(.minutes(15)))
  func `what another process commits is noticed, also where it was looked for while that held the file`() async throws {
    let fixture = try SQLiteFixture()
    // As GRDB makes it: it waits for nobody.
    let pool = try DatabasePool(path: fixture.file.path)
    let (signals, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let queue = DispatchQueue(label: "test")
    let (writer, _) = try SQLiteWriter.open(
      at: fixture.file.path, isOwned: false, environment: StoreEnvironment(owner: "test"), queue: queue, signal: signal,
      hearing: SQLiteHearing(interval: .milliseconds(10))
    ) { pool }
    let before = writer.memory.withLock { $0.dataVersion }
    let other = try DatabasePool(path: fixture.file.path)
    try await other.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN IMMEDIATE; CREATE TABLE photo (name TEXT)")
      // It is told of a commit that is under way, and cannot see it yet.
      writer.fileMayHaveChanged()
      queue.sync {}
      try db.execute(sql: "COMMIT")
    }
    // Nobody tells it again.
    var iterator = signals.makeAsyncIterator()
    await iterator.next()
    #expect(writer.memory.withLock { $0.dataVersion } != before)
    await writer.close()
  }

  @Test(.timeLimit(.minutes(15)))
  func `a store whose first opening failed hears what others write when it has been opened`() async throws {
    let fixture = try SQLiteFixture()
    // As GRDB makes it: it waits for nobody.
    let pool = try DatabasePool(path: fixture.file.path)
    var configuration = Configuration.patient
    configuration.allowsUnsafeTransactions = true
    let other = try DatabasePool(path: fixture.file.path, configuration: configuration)
    let isFirst = Mutex(true)
    // Asked for between the two transactions of an opening: the first one has made it an owner.
    let environment = StoreEnvironment(
      now: {
        let mustHold = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        if mustHold { try? other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") } }
        return Date()
      }, owner: "test")
    let store = SQLiteStore(sharing: pool)
    let error = await #expect(throws: JobStoreError.self) { _ = try await store.open(environment) }
    #expect(error?.reason == .locked)
    try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    _ = try await store.open(environment)
    var changes = store.changes().makeAsyncIterator()
    let neighbour = SQLiteStore(at: fixture.file)
    _ = try await neighbour.open(StoreEnvironment(owner: "neighbour"))
    _ = try await neighbour.enqueue([new])
    #expect(await changes.next() != nil)
    await neighbour.close()
    await store.close()
    for pool in [other, pool] { try pool.close() }
  }

  @Test func `an opening leaves the program's settings as they are`() async throws {
    let fixture = try SQLiteFixture()
    for level in [1, 2, 0, 3] {
      let pool = try DatabasePool(path: fixture.file.path)
      try await pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = \(level)") }
      let store = SQLiteStore(sharing: pool)
      _ = try await store.open(StoreEnvironment(owner: "test"))
      #expect(try await pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == level)
      await store.close()
      try pool.close()
    }
  }

  @Test func `two stores of a process do not share one database: the second is refused until the first is closed`()
    async throws
  {
    let fixture = try SQLiteFixture()
    let pool = try DatabasePool(path: fixture.file.path)
    var last = SQLiteStore(sharing: pool)
    _ = try await last.open(StoreEnvironment(owner: "first"))
    for isDeath in [false, true, false] {
      let next = SQLiteStore(sharing: pool)
      for _ in 0..<2 {
        let error = await #expect(throws: JobStoreError.self) {
          _ = try await next.open(StoreEnvironment(owner: "next"))
        }
        #expect(error?.reason == .invalid)
        #expect(error?.description.contains(fixture.file.path) == true)
      }
      // Another connection hears of the others.
      let other = try DatabasePool(path: fixture.file.path, configuration: .patient)
      let neighbour = SQLiteStore(sharing: other)
      _ = try await neighbour.open(StoreEnvironment(owner: "neighbour"))
      await neighbour.close()
      try other.close()
      if isDeath { last.die() } else { await last.close() }
      _ = try await next.open(StoreEnvironment(owner: "next"))
      last = next
    }
    #expect(try await last.enqueue([new]).count == 1)
    await last.close()
    try pool.close()
  }

  @Test(arguments: [":memory:", ""])
  func `a database in no file is refused for that, and nothing is left where the program happens to be`(
    path: String
  ) async throws {
    let folder = FileManager.default.currentDirectoryPath
    let database = try path.isEmpty ? DatabaseQueue(path: path) : DatabaseQueue()
    let store = SQLiteStore(sharing: database)
    for _ in 0..<2 {
      let error = await #expect(throws: JobStoreError.self) { try await store.open(StoreEnvironment(owner: "test")) }
      #expect(error?.reason == .invalid && error?.detail.contains("in memory, or temporary") == true)
    }
    for place in ["\(folder)/:memory:-owners", "\(folder)-owners"] {
      #expect(!FileManager.default.fileExists(atPath: place), "\(place)")
    }
  }

  @Test func `what a power cut takes from a shared database takes no id and no token with it`() async throws {
    let fixture = try SQLiteFixture(isFast: true)
    let disk = RecordedDisk(fixture.folder)
    var given: [ClaimedJob] = []
    var pools: [DatabasePool] = []
    for _ in 0..<2 {
      let pool = try DatabasePool(path: fixture.file.path, configuration: .patient)
      pools.append(pool)
      let (store, claimed) = try await claim(in: pool)
      given += claimed
      store.die()
    }
    // Before any pool is closed, which would flush everything.
    var chance = SeededGenerator(seed: 1)
    let files = disk.files(cutBefore: disk.count, .none, &chance)
    let after = try SQLiteFixture(isFast: true)
    for (name, content) in files { try content.write(to: after.folder.appending(path: name)) }
    let pool = try DatabasePool(path: after.file.path)
    let left = try await pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM taskkit_job") }
    // Those of the last process are lost.
    #expect(try #require(left) < given.count)
    let (store, claimed) = try await claim(in: pool)
    let (ids, tokens) = (Set(given.map(\.id)), given.map(\.token))
    #expect(claimed.count { !ids.contains($0.id) } == 3)
    #expect(try #require(claimed.map(\.token).min()) > tokens.max()!)
    await store.close()
    for pool in pools { try pool.close() }
  }

  /// What an owner is given that has enqueued three jobs.
  private func claim(in pool: DatabasePool) async throws -> (SQLiteStore, [ClaimedJob]) {
    let store = SQLiteStore(sharing: pool)
    _ = try await store.open(StoreEnvironment(owner: "test"))
    _ = try await store.enqueue([new, new, new])
    let claim = JobExchange.Claim(queue: "default", limit: 100, kinds: [.init("Upload", limit: 100)])
    return (store, try await store.exchange(JobExchange(claims: [claim])).claimed)
  }
}
#endif
