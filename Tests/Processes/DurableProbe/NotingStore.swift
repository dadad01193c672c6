import Foundation
import ProcessTesting
import TaskKitDurable

/// A store that notes what another one has acknowledged, before anybody else hears of it.
final class NotingStore: JobStore {
  private let base: any JobStore

  init(_ base: any JobStore) { self.base = base }

  var name: String { base.name }

  func open(_ environment: StoreEnvironment) async throws -> StoreOpening {
    let opening = try await base.open(environment)
    note(opening.rescued)
    return opening
  }

  func now() async throws -> Date? { try await base.now() }

  func close() async { await base.close() }

  private func note(_ rescued: [RescuedJob]) {
    for job in rescued { history.note("rescued", job.id, job.state?.rawValue ?? "gone") }
  }

  func enqueue(_ jobs: [NewJob]) async throws -> [EnqueuedJob] {
    let enqueued = try await base.enqueue(jobs)
    for (new, job) in zip(jobs, enqueued) { history.note("enqueued", job.id, new.kind) }
    return enqueued
  }

  func exchange(_ exchange: JobExchange) async throws -> JobExchange.Answer {
    for (key, _) in exchange.notes { history.note("noting", key.job, key.token) }
    for (key, _) in exchange.ends { history.note("ending", key.job, key.token) }
    let answer = try await base.exchange(exchange)
    note(answer.rescued)
    for ((key, _), isTaken) in zip(exchange.notes, answer.notes) where isTaken {
      history.note("noted", key.job, key.token)
    }
    for ((key, end), isRecorded) in zip(exchange.ends, answer.ends) {
      history.note(isRecorded ? "recorded" : "refused", key.job, key.token, Self.word(for: end))
    }
    for job in answer.claimed { history.note("claimed", job.id, job.token, job.attempt) }
    return answer
  }

  private static func word(for end: JobExchange.End) -> String {
    switch end {
    case .succeeded: "succeeded"
    case .failed: "failed"
    case .gaveUp: "gaveUp"
    case .interrupted: "interrupted"
    case .snoozed: "snoozed"
    case .held: "held"
    case .cancelled: "cancelled"
    }
  }

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
  func sweep(limit: Int) async throws -> Duration? { try await base.sweep(limit: limit) }
  func changes() -> AsyncStream<Void> { base.changes() }
}
