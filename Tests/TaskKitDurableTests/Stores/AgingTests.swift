#if Durable
import Foundation
import TaskKitDurable
import Testing

/// What a queue that ages its jobs costs in an SQLite file.
@Suite struct AgingTests {
  private let claim = JobExchange(claims: [
    JobExchange.Claim(queue: "default", limit: 4, kinds: [.init("Upload", limit: 4)], aging: .seconds(60))
  ])

  /// - Returns: how many bytes a claim reads with so many jobs that are ready.
  private func bytesRead(waiting count: Int) async throws -> Int {
    let fixture = try SQLiteFixture(isFast: true)
    let before = fixture.makeStore()
    _ = try await before.open(StoreEnvironment(owner: "before"))
    for start in stride(from: 0, to: count, by: 1000) {
      _ = try await before.enqueue(
        (start..<start + 1000).map { place in
          NewJob(
            kind: "Upload", priority: JobPriority(major: 10 + place % 3), payload: JobPayload(bytes: Data()))
        })
    }
    // The first such claim makes the index.
    let claimed = try await before.exchange(claim).claimed
    #expect(claimed.map(\.id.rawValue) == [3, 6, 9, 12])
    await before.close()
    return try await fixture.bytesRead(after: { _ = try await $0.exchange(JobExchange()) }) { store in
      let claimed = try await store.exchange(claim).claimed
      #expect(claimed.count == 4)
    }
  }

  @Test func `a claim of a queue that ages reads no more where very many jobs wait`() async throws {
    let few = try await bytesRead(waiting: 1000)
    let many = try await bytesRead(waiting: 30_000)
    #expect(few > 0)
    // Trees are deeper by a page or two.
    #expect(many < few * 2 + 10 * 4096, "\(many) bytes instead of \(few)")
  }
}
#endif
