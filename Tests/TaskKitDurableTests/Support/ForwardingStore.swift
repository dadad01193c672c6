import Foundation
import TaskKitDurable

/// A store that leaves what every store has to have to another one, but for what it does by itself. What a store may leave out,
/// it leaves out.
protocol ForwardingStore: JobStore {
  var base: any JobStore { get }
}

extension ForwardingStore {
  func open(_ environment: StoreEnvironment) async throws -> StoreOpening { try await base.open(environment) }
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

  func sweep(limit: Int) async throws -> Duration? { try await base.sweep(limit: limit) }
  func changes() -> AsyncStream<Void> { base.changes() }
}
