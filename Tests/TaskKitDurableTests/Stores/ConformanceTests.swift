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

  #if Durable && !os(Windows)
  @Test(.serialized, arguments: JobStoreConformance.all)
  func `a store in a database of the program's keeps the rules`(_ check: JobStoreConformance.Check) async throws {
    try await JobStoreConformance.run(check) { try SharingFixture() }
  }
  #endif

  private struct SilentFixture: JobStoreFixture {
    let first = MemoryStore()

    func makeStore() -> any JobStore { FlakyStore(MemoryStore(sharing: first), isSilent: true) }
    func kill(_ store: any JobStore) {}
  }

  @Test func `a store that never tells of changes fails the check of that, and does not hold it up`() async throws {
    let check = try #require(
      JobStoreConformance.all.first { $0.name.hasPrefix("an owner hears of what another one does") })
    let failure = await #expect(throws: ConformanceFailure.self) {
      try await JobStoreConformance.run(check, within: .milliseconds(100)) { SilentFixture() }
    }
    #expect(failure?.text.contains("has not ended within") == true)
  }

  @Test func `no two checks have the same name`() {
    #expect(Set(JobStoreConformance.all.map(\.name)).count == JobStoreConformance.all.count)
  }
}
