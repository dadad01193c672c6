import Foundation
import TaskKitDurable
import TaskKitDurableTesting
import Testing

@Suite struct RandomComparisonTests {
  @Test(.serialized, arguments: 1...12 as ClosedRange<UInt64>)
  func `an SQLite file does what the ledger in memory does`(seed: UInt64) async throws {
    let fixture = try SQLiteFixture()
    try await JobStoreComparison(seed: seed, operations: 300).run { fixture.makeStore() }
  }
}
