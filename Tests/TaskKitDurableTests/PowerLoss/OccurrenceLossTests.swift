#if Durable && !os(Windows)
import Faults
import Foundation
import TaskKit
import TaskKitDurable
import Testing

/// A slot of a schedule is taken with its job or not at all, and once, whatever fails and whoever offers it.
@Suite(.serialized) struct OccurrenceLossTests {
  /// What is wrong with the slots that a file has when each of so many was offered until it was taken.
  private static func broken(_ slots: Int, in file: URL) async throws -> [String] {
    let store = SQLiteStore(at: file)
    _ = try await store.open(StoreEnvironment(owner: "judge"))
    let jobs = try await store.jobs(JobSelection(kinds: ["Minutely"]), after: nil, limit: .max)
    let found = jobs.map { String(decoding: $0.payload.bytes, as: UTF8.self) }.sorted()
    let count = try await store.schedule("Minutely", beginning: .distantPast).count
    await store.close()
    var broken: [String] = []
    if found != (0..<slots).map({ "\($0)" }).sorted() { broken.append("the jobs are of the slots \(found)") }
    if count != slots { broken.append("\(count) slots were taken") }
    return try await broken + PowerLossTests.broken([PowerLossTests.Promise](), in: file)
  }

  @Test(arguments: [false, true])
  func `a disk that fails at any operation takes no slot without its job, and the next offer is one of both`(
    isFlush: Bool
  ) async throws {
    let slots = 4
    var place = 1
    var didFail = true
    while didFail {
      let fixture = try SQLiteFixture(isFast: true)
      let failing = FailingDisk(fixture.folder)
      defer { FaultyFiles.forget(failing) }
      let store = SQLiteStore(at: fixture.file)
      _ = try await store.open(StoreEnvironment(owner: "test"))
      _ = try await store.enqueue([PowerLossTests.slot(0)])
      // SQLITE_FULL, and SQLITE_IOERR_FSYNC.
      failing.fail(.init(code: isFlush ? 10 | 4 << 8 : 13, isFlush: isFlush, place: place))
      var refused: [Int] = []
      for slot in 1..<slots {
        do {
          #expect(try await store.enqueue([PowerLossTests.slot(slot)])[0].outcome == .added)
        } catch is JobStoreError {
          refused.append(slot)
        }
      }
      didFail = failing.repair()
      #expect(refused.isEmpty || didFail, "place \(place)")
      for slot in 0..<slots {
        let outcome = try await store.enqueue([PowerLossTests.slot(slot)])[0].outcome
        #expect((outcome == .added) == refused.contains(slot), "place \(place), slot \(slot)")
      }
      await store.close()
      #expect(try await Self.broken(slots, in: fixture.file) == [], "place \(place)")
      place += 1
    }
    #expect(place > (isFlush ? 3 : 10))
  }

  @Test func `two stores of a file that offer the same slots take each once, also when one dies in the middle`()
    async throws
  {
    for round in 0..<20 {
      let fixture = try SQLiteFixture(isFast: true)
      let stores = [SQLiteStore(at: fixture.file), SQLiteStore(at: fixture.file)]
      for store in stores { _ = try await store.open(StoreEnvironment(owner: "test")) }
      let told = try await withThrowingTaskGroup(of: [Int].self) { group in
        for (number, store) in stores.enumerated() {
          group.addTask {
            var added: [Int] = []
            for slot in 0..<PowerLossTests.slots {
              // The first one's death meets the other one at any moment.
              if number == 0, slot == round % PowerLossTests.slots {
                store.die()
                break
              }
              if try await store.enqueue([PowerLossTests.slot(slot)])[0].outcome == .added { added.append(slot) }
            }
            return added
          }
        }
        return try await group.reduce(into: [Int]()) { $0 += $1 }
      }
      await stores[1].close()
      #expect(Set(told).count == told.count, "a slot was taken twice: \(told)")
      #expect(try await Self.broken(PowerLossTests.slots, in: fixture.file) == [])
    }
  }
}
#endif
