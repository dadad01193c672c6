#if Durable
import Foundation
@testable import TaskKitDurable
import Testing

/// Where the file is, and what is in it.
@Suite struct SQLitePlaceTests {
  private let environment = StoreEnvironment(owner: "test")
  private let new = NewJob(kind: "Upload", payload: JobPayload(bytes: Data("payload".utf8)))

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
