#if Durable && !os(Windows)
import Foundation
import GRDB
import TaskKitDurable
import Testing

/// Values that mean nothing, on sound pages: SQLite keeps no sums of what it writes, and gives what is there.
@Suite struct DamagedValueTests {
  /// Opens a file with three jobs, the first two of them held, that was damaged while nobody had it open.
  private func open(_ fixture: SQLiteFixture, after damage: String) async throws -> SQLiteStore {
    let before = SQLiteStore(at: fixture.file)
    _ = try await before.open(StoreEnvironment(owner: "before"))
    var new = NewJob(kind: "Upload", payload: JobPayload(bytes: Data()))
    new.tags = ["red"]
    let ids = try await before.enqueue([new, new, new]).map(\.id)
    try #require(ids.map(\.rawValue) == [1, 2, 3])
    _ = try await before.change(JobSelection(ids: [ids[0], ids[1]]), .hold("later"))
    await before.close()
    let database = try DatabaseQueue(path: fixture.file.path)
    try await database.write { try $0.execute(sql: damage) }
    try database.close()
    let store = SQLiteStore(at: fixture.file)
    _ = try await store.open(StoreEnvironment(owner: "test"))
    return store
  }

  @Test(
    arguments: [
      ("UPDATE taskkit_job SET tags = 'x' WHERE id = 1", JobSelection(tags: ["red"], states: [.held])),
      ("UPDATE taskkit_state SET hold = 'x' WHERE id = 1", JobSelection(heldFor: [.asked])),
    ] as [(String, JobSelection)])
  func `a job whose tags or reason are damaged does not keep others from being selected by theirs`(
    damage: String, selection: JobSelection
  ) async throws {
    let fixture = try SQLiteFixture(isFast: true)
    let store = try await open(fixture, after: damage)
    #expect(try await store.jobs(selection, after: nil, limit: 9).map(\.id.rawValue) == [2])
    #expect(try await store.change(selection, .cancel).count == 1)
    await store.close()
  }
}
#endif
