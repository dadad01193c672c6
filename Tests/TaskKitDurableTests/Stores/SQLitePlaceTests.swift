#if Durable
import Foundation
import GRDB
import TaskKit
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

  @Test func `a store that is closed while it is opened is closed, and leaves no owner`() async throws {
    let fixture = try SQLiteFixture()
    let store = SQLiteStore(at: fixture.file)
    let (arrived, arrival) = AsyncStream.makeStream(of: Void.self)
    let gate = DispatchSemaphore(value: 0)
    // Called where the file is opened: on a queue of the store, which may wait.
    let surroundings = StoreEnvironment(
      now: {
        arrival.yield()
        gate.wait()
        gate.signal()
        return Date()
      }, owner: "closed")
    let opening = Task { try await store.open(surroundings) }
    var arrivals = arrived.makeAsyncIterator()
    await arrivals.next()
    await store.close()
    gate.signal()
    let error = await #expect(throws: JobStoreError.self) { try await opening.value }
    #expect(error?.reason == .closed)
    await #expect(throws: JobStoreError.self) { try await store.enqueue([new]) }
    let database = try DatabaseQueue(path: fixture.file.path)
    #expect(try await database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM taskkit_owner") } == 0)
    try database.close()
  }

  #if os(Linux)
  @Test func `a named file is where programs keep their state, never in a cache (Zw13)`() throws {
    let program = ProcessInfo.processInfo.processName
    #expect(try SQLiteStore.stateFolder(["XDG_STATE_HOME": "/state"]).path == "/state/\(program)")
    for environment in [[:], ["XDG_STATE_HOME": "relative"], ["XDG_CACHE_HOME": "/cache"]] {
      let folder = try SQLiteStore.stateFolder(environment).path
      #expect(folder.hasSuffix("/.local/state/\(program)"))
    }
    #expect(try SQLiteStore.stateFolder(["HOME": "/home/app"]).path == "/home/app/.local/state/\(program)")
    #expect(try SQLiteStore.stateFolder(["HOME": "app"]).path == SQLiteStore.stateFolder([:]).path)
    // A slash with an accent is one character to Swift, and leads elsewhere all the same; behind NUL the system reads no further.
    for name in ["../jobs", "../\u{301}jobs", "jobs\0a", "", ".."] {
      let error = #expect(throws: JobStoreError.self, "\(name)") { try SQLiteStore.named(name) }
      #expect(error?.reason == .invalid)
    }
  }

  @Test(
    arguments: [
      ("/cache/jobs.sqlite", "/cache"), ("/cache/app/jobs.sqlite", "/cache"),
      ("/home/app/.cache/jobs", "/home/app/.cache"),
      ("/cached/jobs.sqlite", nil), ("/home/app/.local/state/app/jobs.sqlite", nil),
      ("/home/app/cache/jobs.sqlite", nil),
    ] as [(String, String?)])
  func `a file in a folder of caches is recognised (Zw13)`(path: String, cache: String?) {
    let surroundings = ["XDG_CACHE_HOME": "/cache", "HOME": "/home/app"]
    #expect(SQLiteStore.cache(above: path, surroundings) == cache)
    #expect(SQLiteStore.cache(above: path, ["XDG_CACHE_HOME": "cache", "HOME": "/"]) == nil)
  }

  @Test func `a center takes no file in a folder of caches (Zw13)`() throws {
    let home = FileManager.default.homeDirectoryForCurrentUser
    let file =
      ProcessInfo.processInfo.environment["XDG_CACHE_HOME"].map { URL(filePath: $0) } ?? home.appending(path: ".cache")
    let error = #expect(throws: DurableError.self) {
      try TaskCenter(stores: [.sqlite(at: file.appending(path: "jobs.sqlite"))])
    }
    #expect(error?.code == .unusableValue)
    for words in [
      "store 'jobs': '\(file.path)/jobs.sqlite' is in a folder that may be emptied", "'SQLiteStore.named(_:)'",
    ] {
      #expect(error?.description.contains(words) == true, "\(words)")
    }
  }

  @Test func `the folder of a named file is made, and the file lies there (Zw13)`() async throws {
    let fixture = try SQLiteFixture()
    let program = ProcessInfo.processInfo.processName
    let surroundings = ["XDG_STATE_HOME": fixture.folder.path, "XDG_CACHE_HOME": "/cache", "TMPDIR": "/tmp"]
    let store = try SQLiteStore.named("jobs", in: surroundings)
    #expect(store.name == "\(fixture.folder.path)/\(program)/jobs.sqlite")
    _ = try await store.open(environment)
    _ = try await store.enqueue([new])
    await store.close()
    #expect(FileManager.default.fileExists(atPath: store.name))
    // The specification of state folders asks for that: what jobs carry is nobody else's business.
    let folder = (store.name as NSString).deletingLastPathComponent
    let attributes = try FileManager.default.attributesOfItem(atPath: folder)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700)
    // What is in the way is told.
    try Data().write(to: fixture.folder.appending(path: "file"))
    let inTheWay = ["XDG_STATE_HOME": fixture.folder.appending(path: "file").path]
    let error = #expect(throws: JobStoreError.self) { try SQLiteStore.named("jobs", in: inTheWay) }
    #expect(error?.reason == .missing)
  }
  #endif
}
#endif
