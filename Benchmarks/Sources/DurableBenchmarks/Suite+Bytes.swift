#if Durable
import Foundation
import Measuring
import SQLiteLoop

extension Suite {
  /// How much is written ahead for a job's whole life: written down, claimed and finished in batches.
  @concurrent
  static func bytes(_ settings: Settings, _ folder: URL) async throws -> Section {
    let sizes = [10, 100, 1000]
    var section = Section(
      "bytes", "bytes in the write-ahead log of a job's whole life, payload \(HandLoop.payload.count) B",
      columns: ["jobs in a commit", "C API", "SQLiteStore"])
    var judged: [(row: String, value: Double)] = []
    for size in sizes {
      let loop = try await HandLoop(at: folder.appending(path: "bytes-loop-\(size).sqlite"))
      loop.checkpoint()
      let count = 20 * size
      let byHand = try await written(loop.file, count) {
        for _ in 0..<count / size { loop.enqueue(size) }
        _ = loop.work(batch: size)
      }
      let file = folder.appending(path: "bytes-store-\(size).sqlite")
      // Makes the tables and the names.
      let first = try await HandLoop(at: file)
      first.checkpoint()
      let store = try await StoreEngine(at: file)
      let byStore = try await written(file, count) {
        for _ in 0..<count / size { try await store.enqueue(size) }
        _ = try await store.work(batch: size)
      }
      await store.close()
      section.add(
        "\(size)",
        [("C API", byHand), ("SQLiteStore", byStore)].map { ($0, "\(Int($1)) B", $1, "B") })
      if size == 100 { judged.append(("SQLiteStore", byStore)) }
    }
    section.judge(.atMost(2048, unit: "B", "write-ahead bytes of a job, 100 in a commit", judged))
    return section
  }

  /// How many bytes the log grows by while a reader keeps it from beginning again.
  private static func written(_ file: URL, _ count: Int, _ body: () async throws -> Void) async throws -> Double {
    let reader = sqlite_loop_pin(file.path(percentEncoded: false))
    defer { sqlite_loop_unpin(reader) }
    let log = file.path(percentEncoded: false) + "-wal"
    let before = try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int ?? 0
    try await body()
    let after = try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int ?? 0
    return Double(after - before) / Double(count)
  }
}
#endif
