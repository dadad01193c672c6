import TaskKitDurable
import TaskKitDurableTesting
import Testing

@Suite struct ConformanceTests {
  @Test(arguments: JobStoreConformance.all)
  func `a store in memory keeps the rules`(_ check: JobStoreConformance.Check) async throws {
    try await JobStoreConformance.run(check) { MemoryStoreFixture() }
  }

  // One after the other: each has several descriptors and watches open.
  @Test(.serialized, arguments: JobStoreConformance.all)
  func `a store in an SQLite file keeps the rules`(_ check: JobStoreConformance.Check) async throws {
    try await JobStoreConformance.run(check) { try SQLiteFixture() }
  }

  @Test func `no two checks have the same name`() {
    #expect(Set(JobStoreConformance.all.map(\.name)).count == JobStoreConformance.all.count)
  }
}
