import Foundation
import TaskKitDurable
import TaskKitDurableTesting

/// Stores of one SQLite file in a folder that goes with the value.
final class SQLiteFixture: JobStoreFixture {
  let folder: URL

  /// - Parameter isFast: whether it may be a folder in memory, where flushes cost nothing.
  init(isFast: Bool = false) throws {
    let memory = URL(filePath: "/dev/shm")
    let isThere = access(memory.path, W_OK) == 0
    let parent = isFast && isThere ? memory : FileManager.default.temporaryDirectory
    folder = parent.appending(path: "TaskKitDurableTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var file: URL { folder.appending(path: "jobs.sqlite") }

  func makeStore() -> any JobStore { SQLiteStore(at: file) }

  func kill(_ store: any JobStore) { (store as? SQLiteStore)?.die() }
}
