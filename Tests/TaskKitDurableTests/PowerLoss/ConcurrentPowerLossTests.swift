#if Durable && !os(Windows)
import Dispatch
import Faults
import Foundation
import Synchronization
import TaskKit
import TaskKitDurable
import Testing

/// The power fails while many callers share commits: each who was answered is kept to it.
@Suite(.serialized) struct ConcurrentPowerLossTests {
  /// What callers were promised, in the order in which they were.
  private final class Book: Sendable {
    let disk: RecordedDisk
    private let list = Mutex<[PowerLossTests.Promise]>([])

    init(_ disk: RecordedDisk) { self.disk = disk }

    var promises: [PowerLossTests.Promise] { list.withLock { $0 } }

    func note(_ promises: [PowerLossTests.Promise]) {
      list.withLock { list in
        for promise in promises {
          list.append(promise)
          disk.acknowledge()
        }
      }
    }
  }

  /// One of many who use a store at the same time: enqueues, and does what it gets.
  private static func call(_ store: SQLiteStore, _ number: Int, rounds: Int, _ book: Book) async throws {
    let claim = JobExchange.Claim(queue: "default", limit: 1, kinds: [.init("Upload", limit: 1)])
    for round in 0..<rounds {
      let isRelaxed = (number + round) % 3 == 0
      let new = NewJob(
        kind: "Upload", payload: JobPayload(bytes: Data(repeating: 7, count: 100)), maximumAttempts: nil,
        maximumCrashes: 9, durability: isRelaxed ? .relaxed : .full,
        retention: JobRetention(finished: nil, failed: nil))
      let id = try await store.enqueue([new])[0].id
      book.note([.job(id, isRelaxed: isRelaxed)])
      let claimed = try await store.exchange(JobExchange(claims: [claim])).claimed
      book.note(claimed.map { .attempt($0.id, $0.token, number: $0.attempt) })
      let ends = claimed.map { (AttemptKey(job: $0.id, token: $0.token), JobExchange.End.succeeded(result: nil)) }
      guard !ends.isEmpty, round % 2 == 0 else { continue }
      _ = try await store.exchange(JobExchange(ends: ends))
      book.note(claimed.map { .end($0.id, .finished) })
    }
  }

  /// Holds up the thread that flushes until tasks have run that could run before: whoever was answered too early
  /// notes it in time.
  private static func letTasksRun() {
    for _ in 0..<3 {
      let hasRun = DispatchSemaphore(value: 0)
      // Ends at once.
      Task.detached { hasRun.signal() }
      hasRun.wait()
    }
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `a power cut at any flush that callers share loses nothing of which one was told`(seed: UInt64) async throws {
    let fixture = try SQLiteFixture(isFast: true)
    let disk = RecordedDisk(fixture.folder) { Self.letTasksRun() }
    let store = SQLiteStore(at: fixture.file)
    _ = try await store.open(StoreEnvironment(owner: "callers"))
    let book = Book(disk)
    let before = disk.flushes
    let (callers, rounds) = (32, 2)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<callers {
        group.addTask { try await Self.call(store, number, rounds: rounds, book) }
      }
      try await group.waitForAll()
    }
    #expect(disk.flushes - before < callers * rounds, "each caller waits twice in each round, and most for others")
    await store.close()
    let result = try await PowerLossTests.cut(
      disk, book.promises, seed: seed, name: fixture.file.lastPathComponent, onlyBoundaries: true)
    #expect(result.broken.isEmpty, "\(result.broken.prefix(20).joined(separator: "\n"))")
    #expect(result.boundaries >= 10)
    #expect(result.disks >= 30)
  }
}
#endif
