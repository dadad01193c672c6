import Foundation
import TaskKitDurable

/// A store whose clock is not that of this machine, as a server's.
struct ServerStore: JobStore {
  private let base: any JobStore
  private let ahead: TimeInterval
  private let clock = Clock()

  /// What it was told about its surroundings.
  private actor Clock {
    var now: (@Sendable () -> Date)?

    func set(_ now: @escaping @Sendable () -> Date) { self.now = now }
  }

  /// - Parameter ahead: by how many seconds it is ahead of the clock of its surroundings.
  init(_ base: any JobStore, ahead: TimeInterval) {
    self.base = base
    self.ahead = ahead
  }

  var name: String { "server" }

  func open(_ environment: StoreEnvironment) async throws -> StoreOpening {
    let now: @Sendable () -> Date = { [ahead] in environment.now() + ahead }
    await clock.set(now)
    return try await base.open(StoreEnvironment(now: now, owner: environment.owner))
  }

  func now() async throws -> Date? { await clock.now?() }
  func close() async { await base.close() }
  func enqueue(_ jobs: [NewJob]) async throws -> [EnqueuedJob] { try await base.enqueue(jobs) }

  func exchange(_ exchange: JobExchange) async throws -> JobExchange.Answer { try await base.exchange(exchange) }

  func change(_ selection: JobSelection, _ change: JobChange) async throws -> JobChangeAnswer {
    try await base.change(selection, change)
  }

  func jobs(_ selection: JobSelection, after: JobID?, limit: Int) async throws -> [JobSnapshot] {
    try await base.jobs(selection, after: after, limit: limit)
  }

  func counts() async throws -> [JobCount] { try await base.counts() }
  func countAhead(of job: JobID) async throws -> Int { try await base.countAhead(of: job) }
  func step(_ name: String, of job: JobID) async throws -> Data? { try await base.step(name, of: job) }

  func setPaused(_ paused: Bool, _ subject: PauseSubject, by: String) async throws {
    try await base.setPaused(paused, subject, by: by)
  }

  func pauses() async throws -> [JobPause] { try await base.pauses() }

  func setRate(_ rate: RateLimit?, ofQueue queue: String) async throws {
    try await base.setRate(rate, ofQueue: queue)
  }

  func schedule(_ name: String, beginning date: Date) async throws -> ScheduleRecord {
    try await base.schedule(name, beginning: date)
  }

  func schedule(_ name: String) async throws -> ScheduleRecord? { try await base.schedule(name) }
  func sweep(limit: Int) async throws -> Duration? { try await base.sweep(limit: limit) }
  func changes() -> AsyncStream<Void> { base.changes() }
}
