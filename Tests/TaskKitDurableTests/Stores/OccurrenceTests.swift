#if Durable && !os(Windows)
import Foundation
import GRDB
import TaskKitDurable
import Testing

@Suite struct OccurrenceTests {
  /// How many minutes follow each other each day.
  @Test(arguments: [1, 2, 480, 1440])
  func `a file keeps few rows of a schedule that has fired often`(length: Int) async throws {
    let fixture = try SQLiteFixture(isFast: true)
    let store = SQLiteStore(at: fixture.file)
    _ = try await store.open(StoreEnvironment(owner: "test"))
    let begun = Date(timeIntervalSince1970: 1_767_225_600)
    func slots(_ minutes: Range<Int>) -> [NewJob] {
      minutes.map { minute in
        var job = NewJob(kind: "minutely", payload: JobPayload(bytes: Data("{}".utf8)))
        // One job for all of them.
        job.unique = UniqueKey("minutely")
        let seconds = minute / length * 86_400 + minute % length * 60
        job.occurrence = JobOccurrence(schedule: "minutely", date: begun + Double(seconds))
        return job
      }
    }
    for start in stride(from: 0, to: 6000, by: 500) { _ = try await store.enqueue(slots(start..<start + 500)) }
    let database = try DatabaseQueue(path: fixture.file.path)
    let rows = try await database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM taskkit_occurrence")! }
    try database.close()
    #expect(rows < 1100)
    let again = try await store.enqueue(slots(0..<6000))
    #expect(again.allSatisfy { $0.outcome == .kept })
    #expect(try await store.schedule("minutely", beginning: begun).count == 6000)
    await store.close()
  }
}
#endif
