#if Durable && !os(Windows)
import Dispatch
import Faults
import Foundation
import GRDB
import Synchronization
import TaskKit
@testable import TaskKitDurable
import Testing

/// Who asks while a commit is on its way to the disk shares the next one, and is answered when that is there.
@Suite(.serialized) struct GroupCommitTests {
  /// Counts flushes, and does something at each before it happens.
  private final class Flushes: FileObserver {
    private struct State {
      var count = 0
      var body: (@Sendable (Int) -> Void)?
    }

    private let state = Mutex(State())

    /// How many there were since the last `begin`.
    var count: Int { state.withLock { $0.count } }

    func begin(_ body: (@Sendable (Int) -> Void)? = nil) { state.withLock { $0 = State(body: body) } }

    func will(_ operation: FileOperation, _ path: String) -> FileVerdict {
      guard case .sync = operation else { return .go }
      let (count, body) = state.withLock { state in
        state.count += 1
        return (state.count, state.body)
      }
      body?(count)
      return .go
    }

    func did(_ operation: FileOperation, _ path: String) {}
  }

  /// A writer on a disk whose flushes a test may hold.
  private final class Scene: Sendable {
    let disk: Flushes
    let writer: SQLiteWriter
    /// How many callers have been answered.
    let answered = Atomic(0)
    /// Signalled by each that is about to ask.
    private let arrivals = DispatchSemaphore(value: 0)
    private let fixture: SQLiteFixture

    init(_ fixture: SQLiteFixture? = nil) throws {
      let (disk, fixture) = (Flushes(), try fixture ?? SQLiteFixture(isFast: true))
      FaultyFiles.observe(fixture.folder, disk)
      let queue = DispatchQueue(label: "test")
      let (_, signal) = AsyncStream<Void>.makeStream()
      let path = fixture.file.path
      let opened = try queue.sync {
        try SQLiteWriter.open(
          at: path, isOwned: true, environment: StoreEnvironment(owner: "test"), queue: queue, signal: signal,
          // So that nothing is flushed but what is asked for.
          hearing: SQLiteHearing(interval: .seconds(1_000_000))
        ) { try DatabasePool(path: path) }
      }
      (self.disk, self.fixture, writer) = (disk, fixture, opened.0)
    }

    /// As a store does it.
    func enqueue(_ durability: JobDurability = .full) async throws -> JobID {
      let new = NewJob(kind: "Upload", payload: JobPayload(bytes: Data(count: 100)), durability: durability)
      let operation = EnqueueOperation([new], store: "test")
      arrivals.signal()
      try await writer.perform(operation)
      return operation.result[0].id
    }

    /// Asks for a job in a transaction, as whoever changes it does.
    func look(for id: JobID) async throws {
      arrivals.signal()
      try await writer.perform { transaction in _ = try transaction.job(id) }
    }

    /// How many ask and have not been taken into a commit.
    var waiting: Int { writer.state.withLock { $0.operations.count } }

    /// Holds up a thread that is none of the tasks' until so many ask, behind others that have been taken already. However long
    /// they have to wait for a thread beside other tests.
    func waitFor(_ count: Int, behind others: Int = 0) {
      let deadline = DispatchTime.now() + .seconds(900)
      for _ in 0..<count + others { #expect(arrivals.wait(timeout: deadline) == .success) }
      // The last of them are on their way.
      while waiting != count, DispatchTime.now() < deadline { sched_yield() }
      #expect(waiting == count)
    }

    func close() async {
      await writer.close()
      FaultyFiles.forget(disk)
    }
  }

  /// Holds up a thread that is none of the tasks' until those have run that could run before.
  private static func letTasksRun() {
    for _ in 0..<3 {
      let hasRun = DispatchSemaphore(value: 0)
      // Ends at once.
      Task.detached { hasRun.signal() }
      hasRun.wait()
    }
  }

  @Test(arguments: [JobDurability.full, .relaxed])
  func `all who ask while one waits for the disk share the next flush, and none is answered before it`(
    others: JobDurability
  ) async throws {
    let scene = try Scene()
    let hasBegun = Gate()
    let seen = Mutex<[Int]>([])
    scene.disk.begin { flush in
      hasBegun.open()
      if flush == 1 { scene.waitFor(63, behind: 1) } else { Self.letTasksRun() }
      seen.withLock { $0.append(scene.answered.load(ordering: .sequentiallyConsistent)) }
    }
    // Ended by what it waits for.
    let first = Task {
      let id = try await scene.enqueue()
      scene.answered.add(1, ordering: .sequentiallyConsistent)
      return id
    }
    await hasBegun.pass()
    let ids = try await withThrowingTaskGroup(of: JobID.self) { group in
      for place in 0..<63 {
        group.addTask {
          // One that has to wait is enough for all to do so.
          let id = try await scene.enqueue(place == 31 ? .full : others)
          scene.answered.add(1, ordering: .sequentiallyConsistent)
          return id
        }
      }
      return try await group.reduce(into: Set<JobID>()) { $0.insert($1) }
    }
    let id = try await first.value
    #expect(ids.union([id]).count == 64)
    #expect(scene.disk.count == 2)
    let counts = seen.withLock { $0 }
    #expect(counts.count == 2)
    #expect(counts[0] == 0)
    #expect(counts[1] <= 1, "the first one's caller may have been answered, and nobody else")
    await scene.close()
  }

  @Test func `who waits for the disk never rides in a commit that does not`() async throws {
    let scene = try Scene()
    let relaxed = NewJob(kind: "Upload", payload: JobPayload(bytes: Data()), durability: .relaxed)
    for _ in 0..<5 {
      scene.disk.begin()
      let hasBegun = Gate()
      // Ended by what it waits for.
      let first = Task {
        try await scene.writer.perform(isRelaxed: true) { transaction in
          hasBegun.open()
          // In the middle of the commit's transaction, where it looks for others who may ride.
          scene.waitFor(1)
          _ = try transaction.enqueue([relaxed], store: "test")
        }
      }
      await hasBegun.pass()
      _ = try await scene.enqueue(.full)
      #expect(scene.disk.count == 1)
      try await first.value
    }
    await scene.close()
  }

  @Test func `those who do not wait for the disk share commits without a flush`() async throws {
    let scene = try Scene()
    _ = try await scene.enqueue(.relaxed)
    scene.disk.begin()
    let ids = try await withThrowingTaskGroup(of: JobID.self) { group in
      for _ in 0..<64 { group.addTask { try await scene.enqueue(.relaxed) } }
      return try await group.reduce(into: Set<JobID>()) { $0.insert($1) }
    }
    #expect(ids.count == 64)
    #expect(scene.disk.count == 0)
    _ = try await scene.enqueue()
    #expect(scene.disk.count == 1)
    await scene.close()
  }

  @Test func `who meets a damaged page fails alone, and those who share its commit are written down`() async throws {
    let fixture = try SQLiteFixture(isFast: true)
    let lost = try await DamagedFile.make(fixture, jobs: 100, around: 40)
    let scene = try Scene(fixture)
    let hasBegun = Gate()
    let isRepeated = Atomic(false)
    // Ended by what it waits for.
    let first = Task {
      try await scene.writer.perform { _ in
        // It is done again with those that ride in its commit, as that is lost with one of them.
        guard !isRepeated.exchange(true, ordering: .relaxed) else { return }
        hasBegun.open()
        scene.waitFor(2)
      }
    }
    await hasBegun.pass()
    // Ended by what they ask for.
    let refused = Task { try await scene.look(for: JobID(rawValue: lost[0])) }
    let added = Task { try await scene.enqueue() }
    #expect(try await added.value == JobID(rawValue: 101))
    let error = await #expect(throws: JobStoreError.self) { try await refused.value }
    #expect(error?.reason == .corrupt)
    try await first.value
    await scene.close()
  }

  @Test func `many callers of a store who enqueue, claim and finish share few flushes`() async throws {
    let fixture = try SQLiteFixture(isFast: true)
    let disk = Flushes()
    FaultyFiles.observe(fixture.folder, disk)
    defer { FaultyFiles.forget(disk) }
    let store = SQLiteStore(
      at: fixture.file, patience: 10, hearing: SQLiteHearing(interval: .seconds(1_000_000)))
    _ = try await store.open(StoreEnvironment(owner: "test"))
    // A flush takes its time, as that of a disk does.
    disk.begin { _ in Self.letTasksRun() }
    let (callers, rounds) = (64, 10)
    let done = try await withThrowingTaskGroup(of: [JobID].self) { group in
      for _ in 0..<callers {
        group.addTask {
          let new = NewJob(kind: "Upload", payload: JobPayload(bytes: Data(count: 100)))
          let claim = JobExchange.Claim(queue: "default", limit: 1, kinds: [.init("Upload", limit: 1)])
          var done: [JobID] = []
          for _ in 0..<rounds {
            _ = try await store.enqueue([new])
            for job in try await store.exchange(JobExchange(claims: [claim])).claimed {
              let end = (AttemptKey(job: job.id, token: job.token), JobExchange.End.succeeded(result: nil))
              #expect(try await store.exchange(JobExchange(ends: [end])).ends == [true])
              done.append(job.id)
            }
          }
          return done
        }
      }
      return try await group.reduce(into: [JobID]()) { $0 += $1 }
    }
    #expect(done.count == callers * rounds)
    #expect(Set(done).count == done.count)
    // Each alone would take one for each of three calls.
    #expect(disk.count < 3 * callers * rounds / 8, "\(disk.count) flushes")
    await store.close()
  }
}
#endif
