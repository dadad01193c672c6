#if Durable && !os(Windows)
import Dispatch
import Foundation
import GRDB
import Synchronization
@testable import TaskKitDurable
import Testing

/// A look for dead owners counts where what it came to is committed.
@Suite(.serialized) struct OwnerLookTests {
  private static let new = NewJob(kind: "Upload", payload: JobPayload(bytes: Data()))

  enum Trouble: CaseIterable {
    /// Nothing of what is asked for together can be committed.
    case disk
    /// What looks for owners fails by itself.
    case exchange
  }

  /// Time stands still, so it is looked only where somebody is told to.
  private static let environment = StoreEnvironment(now: { Date(timeIntervalSince1970: 1_000) }, owner: "test")

  /// Nobody tells it of anything.
  private func openWriter(_ path: String) throws -> SQLiteWriter {
    let queue = DispatchQueue(label: "test")
    let (_, signal) = AsyncStream<Void>.makeStream()
    let (writer, _) = try queue.sync {
      try SQLiteWriter.open(
        at: path, isOwned: true, environment: Self.environment, queue: queue, signal: signal,
        hearing: SQLiteHearing(interval: .seconds(1_000_000))
      ) { try DatabasePool(path: path) }
    }
    return writer
  }

  @Test(arguments: [true, false])
  func `who has come since the last look at the owners is reckoned with as soon as he has written`(
    isSeenByCommit: Bool
  ) async throws {
    let fixture = try SQLiteFixture(isFast: true)
    let writer = try openWriter(fixture.file.path)
    writer.company.withLock { $0.hearsDeaths = true }
    func exchange() async throws {
      try await writer.perform(
        ExchangeOperation(JobExchange(), isRelaxed: false) { try writer.exchange(JobExchange(), $0) })
    }
    func isAlone() -> Bool { writer.company.withLock { $0.isAlone } }
    try await exchange()
    #expect(isAlone())
    let other = SQLiteStore(at: fixture.file)
    _ = try await other.open(Self.environment)
    if isSeenByCommit {
      try await exchange()
    } else {
      writer.fileMayHaveChanged()
      try await waitUntil { !writer.isBusy }
    }
    #expect(!isAlone())
    await other.close()
    await writer.close()
  }

  @Test(arguments: Trouble.allCases)
  func `owners that were looked for in vain are looked for again at once`(trouble: Trouble) async throws {
    let fixture = try SQLiteFixture(isFast: true)
    let disk = FailingDisk(fixture.folder)
    let path = fixture.file.path
    let writer = try openWriter(path)
    func exchange(isFailing: Bool = false) async throws -> JobExchange.Answer {
      let operation = ExchangeOperation(JobExchange(), isRelaxed: false) { transaction in
        let answer = try writer.exchange(JobExchange(), transaction)
        if isFailing { throw JobStoreError(.invalid, store: path, detail: "as the test wants it") }
        return answer
      }
      try await writer.perform(operation)
      return operation.answer
    }
    let dead = SQLiteStore(at: fixture.file)
    _ = try await dead.open(Self.environment)
    let claim = JobExchange.Claim(queue: "default", limit: 1, kinds: [.init("Upload", limit: 1)])
    let id = try await dead.enqueue([Self.new])[0].id
    #expect(try await dead.exchange(JobExchange(claims: [claim])).claimed.map(\.id) == [id])
    #expect(try await exchange().rescued == [])
    dead.die()
    writer.ownerMayHaveDied()
    // SQLITE_FULL.
    if trouble == .disk { disk.fail(.init(code: 13, place: 1)) }
    let hasBegun = Gate()
    let isFirst = Mutex(true)
    // Ended by what it waits for.
    let other = Task {
      try await writer.perform { transaction in
        hasBegun.open()
        let mustWait = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        // On the queue's thread, until the exchange rides in the same commit.
        while mustWait, writer.state.withLock({ $0.operations.isEmpty }) { sched_yield() }
        _ = try transaction.enqueue([Self.new], store: "test")
      }
    }
    await hasBegun.pass()
    await #expect(throws: JobStoreError.self) { try await exchange(isFailing: trouble == .exchange) }
    if trouble == .disk {
      await #expect(throws: JobStoreError.self) { try await other.value }
      #expect(disk.repair())
    } else {
      try await other.value
    }
    #expect(try await exchange().rescued.map(\.id) == [id])
    #expect(try await exchange().rescued == [])
    await writer.close()
  }
}
#endif
