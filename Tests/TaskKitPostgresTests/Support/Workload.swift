import Foundation
import Synchronization
import TaskKitDurable
@testable import TaskKitPostgres

/// Several owners that enqueue, claim and end jobs of one queue, with a record of everything that they were told.
final class Workload: Sendable {
  /// What an owner was told about an attempt, in the order of the clock that all share.
  private struct Attempt {
    let job: JobID
    /// When its claim was answered.
    let claimed: Int
    /// When its end was sent, and whether it was taken.
    var ends: [(sent: Int, isTaken: Bool, isLast: Bool)] = []
  }

  private struct Record {
    var time = 0
    var acknowledged: Set<JobID> = []
    /// What was thrown for, by its label.
    var refused: Set<String> = []
    var attempts: [AttemptToken: Attempt] = [:]
    var labels: [JobID: String] = [:]
    var doubles: [AttemptToken] = []
    var enqueuers = 0
    var taken = 0
  }

  private let record = Mutex(Record())
  private let total: Int
  /// Whether something that was thrown for may have happened.
  private let isForgiving: Bool
  private let disturb: @Sendable (Int) async throws -> Void

  /// - Parameters:
  ///   - total: how many jobs each of the owners enqueues.
  ///   - isForgiving: whether something that was thrown for may have happened.
  ///   - disturb: called after each end that was taken, with how many that makes.
  init(
    total: Int, isForgiving: Bool = false, disturb: @escaping @Sendable (Int) async throws -> Void = { _ in }
  ) {
    self.total = total
    self.isForgiving = isForgiving
    self.disturb = disturb
  }

  /// Works until every job is done, or too many exchanges have gone by.
  func run(_ stores: [any JobStore]) async throws {
    record.withLock { $0.enqueuers = stores.count }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (place, store) in stores.enumerated() {
        group.addTask { await self.enqueue(store, place) }
        group.addTask { try await self.work(store, seed: UInt64(place) + 1) }
      }
      try await group.waitForAll()
    }
  }

  private func enqueue(_ store: any JobStore, _ place: Int) async {
    for number in 0..<total {
      let label = "\(place)-\(number)"
      let job = NewJob(
        kind: "Count", payload: JobPayload(bytes: Data(label.utf8)), maximumAttempts: nil, maximumCrashes: .max,
        unique: number % 5 == 0 ? UniqueKey(label) : nil, limit: number % 7 == 0 ? KeyLimit("seven", count: 2) : nil)
      do {
        let id = try await store.enqueue([job])[0].id
        record.withLock { _ = $0.acknowledged.insert(id) }
      } catch {
        record.withLock { _ = $0.refused.insert(label) }
      }
    }
    record.withLock { $0.enqueuers -= 1 }
  }

  private func work(_ store: any JobStore, seed: UInt64) async throws {
    var chance = Chance(state: seed &* 0x9E37_79B9_7F4A_7C15 | 1)
    var held: [ClaimedJob] = []
    for _ in 0..<20_000 {
      let (ending, kept) = split(held, &chance)
      var exchange = JobExchange()
      exchange.ends = ending.map { job in
        (
          AttemptKey(job: job.id, token: job.token),
          Int.random(in: 0..<5, using: &chance) == 0
            ? .failed(.error, "again", retryAfter: .zero) : .succeeded(result: nil)
        )
      }
      exchange.claims = [
        JobExchange.Claim(
          queue: "default", limit: Int.random(in: 1..<9, using: &chance), kinds: [.init("Count", limit: 100)])
      ]
      let sent = tick()
      do {
        let answer = try await store.exchange(exchange)
        held = kept + answer.claimed
        note(exchange, answer, sent: sent)
        let taken = answer.ends.count { $0 }
        if taken > 0 {
          try await disturb(
            record.withLock {
              $0.taken += taken; return $0.taken
            })
        }
      } catch let error as JobStoreError where error.isTransient {
        // Nothing of it has happened.
        continue
      }
      if held.isEmpty, record.withLock({ $0.enqueuers == 0 }), (try? await store.counts())?.isEmpty == true { return }
    }
    throw WorkloadError(text: "jobs were left after 20,000 exchanges: \(try await store.counts())")
  }

  private func split(_ held: [ClaimedJob], _ chance: inout Chance) -> (ending: [ClaimedJob], kept: [ClaimedJob]) {
    let count = Int.random(in: 0...held.count, using: &chance)
    let mixed = held.shuffled(using: &chance)
    return (Array(mixed.prefix(count)), Array(mixed.dropFirst(count)))
  }

  private func tick() -> Int {
    record.withLock { record in
      record.time += 1
      return record.time
    }
  }

  private func note(_ exchange: JobExchange, _ answer: JobExchange.Answer, sent: Int) {
    record.withLock { record in
      record.time += 1
      for ((key, end), isTaken) in zip(exchange.ends, answer.ends) {
        record.attempts[key.token]!.ends.append((sent, isTaken, end == .succeeded(result: nil)))
      }
      for job in answer.claimed {
        if record.attempts[job.token] != nil { record.doubles.append(job.token) }
        record.attempts[job.token] = Attempt(job: job.id, claimed: record.time)
        record.labels[job.id] = String(decoding: job.payload.bytes, as: UTF8.self)
      }
    }
  }

  /// What does not follow the rules; empty if everything does.
  func problems() -> [String] {
    record.withLock { record in
      var problems = record.doubles.map { "token \($0) was given twice" }
      let jobs = Dictionary(grouping: record.attempts, by: \.value.job)
      for id in record.acknowledged where jobs[id] == nil {
        problems.append("job \(id) was acknowledged and never ran")
      }
      for (id, label) in record.labels where record.refused.contains(label) && !isForgiving {
        problems.append("job \(id), '\(label)', ran, and whoever enqueued it was told that it is not there")
      }
      for (id, attempts) in jobs {
        let sorted = attempts.sorted { $0.key < $1.key }
        let done = sorted.filter { $0.value.ends.contains { $0.isTaken && $0.isLast } }
        if done.count > 1 || (done.isEmpty && !isForgiving) {
          problems.append("job \(id) was done \(done.count) times")
        }
        if let token = done.first?.key, token != sorted.last!.key { problems.append("job \(id) ran when it was done") }
        for ((token, attempt), (next, later)) in zip(sorted, sorted.dropFirst()) {
          for end in attempt.ends where end.isTaken && end.sent > later.claimed {
            problems.append("job \(id): the end of \(token) was taken after \(next) had begun")
          }
        }
      }
      return problems
    }
  }

  /// How many ends were refused.
  var refusedEnds: Int {
    record.withLock { record in record.attempts.values.reduce(0) { $0 + $1.ends.count { !$0.isTaken } } }
  }

  var acknowledged: Int { record.withLock { $0.acknowledged.count } }
}

struct WorkloadError: Error, CustomStringConvertible {
  let text: String
  var description: String { text }
}

/// The same numbers for the same seed (xorshift).
struct Chance: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
