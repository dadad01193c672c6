import Foundation
import TaskKitDurable
import TaskKitDurableTesting

/// Stores of one SQLite file in a folder that goes with the value.
final class SQLiteFixture: JobStoreFixture {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "TaskKitDurableTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var file: URL { folder.appending(path: "jobs.sqlite") }

  func makeStore() -> any JobStore { SQLiteStore(at: file) }

  func kill(_ store: any JobStore) { (store as? SQLiteStore)?.die() }
}
