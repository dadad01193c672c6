#if Durable && !os(Windows)
import Foundation
import GRDB
@testable import TaskKitDurable
import TaskKitDurableTesting

/// Stores in one database of a program, each by a pool of its own, as several processes of it have them.
struct SharingFixture: JobStoreFixture {
  private let place: SQLiteFixture
  private let isCounted: Bool

  /// - Parameters:
  ///   - isCounted: whether ids and tokens go on without a gap, as those do with which they are compared.
  ///   - isFast: whether it may be a folder in memory, where flushes cost nothing.
  init(isCounted: Bool = false, isFast: Bool = false) throws {
    place = try SQLiteFixture(isFast: isFast)
    self.isCounted = isCounted
  }

  func makeStore() async throws -> any JobStore {
    let pool = try DatabasePool(path: place.file.path, configuration: .patient)
    if isCounted {
      // What the opening leaves out, unless it is the first, which makes the tables.
      try await pool.write { db in
        guard try db.tableExists("taskkit_sequence") else { return }
        try db.execute(
          sql: "UPDATE taskkit_sequence SET next = next - ? WHERE name IN ('job', 'token')",
          arguments: [SQLiteWriter.numberStep])
      }
    }
    return SQLiteStore(sharing: pool)
  }

  func kill(_ store: any JobStore) { (store as? SQLiteStore)?.die() }
}
#endif
