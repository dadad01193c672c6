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

  @Test(.serialized, arguments: 1...12 as ClosedRange<UInt64>)
  func `owners of a file that work beside each other, and die, do what they do in memory`(seed: UInt64) async throws {
    try await JobStoreComparison(seed: seed, operations: 300).run(sharing: try SQLiteFixture())
  }

  #if Durable && !os(Windows)
  @Test(.serialized, arguments: 1...12 as ClosedRange<UInt64>)
  func `a database of the program's does what the ledger in memory does`(seed: UInt64) async throws {
    let fixture = try SharingFixture()
    try await JobStoreComparison(seed: seed, operations: 300).run { try await fixture.makeStore() }
  }

  @Test(.serialized, arguments: 1...12 as ClosedRange<UInt64>)
  func `owners of a program's database that work beside each other, and die, do what they do in memory`(
    seed: UInt64
  ) async throws {
    try await JobStoreComparison(seed: seed, operations: 300).run(sharing: try SharingFixture(isCounted: true))
  }
  #endif
}
