#if Durable
import Foundation
import GRDB
@testable import TaskKitDurable
import Testing

/// Where the file is, and what is in it.
@Suite struct SQLitePlaceTests {
  private let environment = StoreEnvironment(owner: "test")
  private let new = NewJob(kind: "Upload", payload: JobPayload(bytes: Data("payload".utf8)))

  @Test func `the file is made, with its tables, when it is first needed (Zt43)`() async throws {
    let fixture = try SQLiteFixture()
    let store = SQLiteStore(at: fixture.file)
    #expect(!FileManager.default.fileExists(atPath: fixture.file.path))
    _ = try await store.open(environment)
    #expect(FileManager.default.fileExists(atPath: fixture.file.path))
    #expect(try await store.enqueue([new]).count == 1)
    await store.close()
  }

  @Test func `when the last who has it open closes it, everything is in the file itself`() async throws {
    let fixture = try SQLiteFixture()
    let stores = [SQLiteStore(at: fixture.file), SQLiteStore(at: fixture.file)]
    for store in stores {
      _ = try await store.open(environment)
      _ = try await store.enqueue([new])
      #expect(try await store.jobs(.all, after: nil, limit: 10).count > 0)
    }
    for store in stores { await store.close() }
    let copy = fixture.folder.appending(path: "copy.sqlite")
    try FileManager.default.copyItem(at: fixture.file, to: copy)
    let copied = SQLiteStore(at: copy)
    _ = try await copied.open(environment)
    #expect(try await copied.jobs(.all, after: nil, limit: 10).count == 2)
    await copied.close()
  }

  @Test func `what is written into a file whose tables are gone is told by name (Zt69, Zt72)`() async throws {
    let fixture = try SQLiteFixture()
    let store = SQLiteStore(at: fixture.file)
    _ = try await store.open(environment)
    _ = try await store.enqueue([new])
    let other = try DatabaseQueue(path: fixture.file.path)
    try await other.write { db in
      for table in try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE name LIKE 'taskkit_%job%'") {
        try db.execute(sql: "DROP TABLE IF EXISTS \(table)")
      }
    }
    let error = await #expect(throws: JobStoreError.self) { try await store.enqueue([new]) }
    #expect(error?.description.contains(fixture.file.path) == true)
    let changing = await #expect(throws: JobStoreError.self) { try await store.change(.all, .cancel) }
    #expect(changing?.description.contains(fixture.file.path) == true)
    await store.close()
  }

  #if os(Linux)
  @Test func `a named file is where programs keep their state, never in a cache (Zw13)`() throws {
    let program = ProcessInfo.processInfo.processName
    #expect(try SQLiteStore.stateFolder(["XDG_STATE_HOME": "/state"]).path == "/state/\(program)")
    for environment in [[:], ["XDG_STATE_HOME": "relative"], ["XDG_CACHE_HOME": "/cache"]] {
      let folder = try SQLiteStore.stateFolder(environment).path
      #expect(folder.hasSuffix("/.local/state/\(program)"))
    }
    #expect(throws: JobStoreError.self) { try SQLiteStore.named("../jobs") }
  }
  #endif
}
#endif
