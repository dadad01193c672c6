import Foundation
import Synchronization
public import TaskKitDurable

/// Does the same random things with a store and with `MemoryStore`, in a time that stands still between
/// them, and holds what they say side by side.
public struct JobStoreComparison: Sendable {
  private let seed: UInt64
  private let operations: Int

  /// - Parameters:
  ///   - seed: the same things are done for the same seed.
  ///   - operations: how many.
  public init(seed: UInt64, operations: Int) {
    self.seed = seed
    self.operations = operations
  }

  /// Compares an empty store.
  ///
  /// - Throws: ``ConformanceFailure`` with the seed and the number of the operation at the first difference.
  public func run(_ makeStore: () async throws -> any JobStore) async throws {
    let clock = Clock()
    let stores = Pair(oracle: MemoryStore(), store: try await makeStore())
    _ = try await stores.oracle.open(clock.environment)
    _ = try await stores.store.open(clock.environment)
    var script = JobScript(seed: seed)
    for step in 0..<operations { try await perform(step, &script, [stores], clock) }
    await stores.store.close()
    await stores.oracle.close()
  }

  /// Compares stores that share their jobs: two owners work beside each other, and now and then one of them dies, with what
  /// it holds.
  ///
  /// - Throws: ``ConformanceFailure`` with the seed and the number of the operation at the first difference.
  public func run(sharing fixture: any JobStoreFixture) async throws {
    let clock = Clock()
    let oracle = MemoryStoreFixture()
    func open(_ step: Int) async throws -> Pair {
      let stores = Pair(oracle: oracle.makeStore(), store: try await fixture.makeStore())
      let expected = try await stores.oracle.open(clock.environment).rescued
      try expect(
        try await stores.store.open(clock.environment).rescued, expected, "seed \(seed), opening at step \(step)")
      return stores
    }
    var owners = [try await open(0), try await open(0)]
    var script = JobScript(seed: seed)
    for step in 0..<operations {
      try await perform(step, &script, owners, clock)
      guard script.random(0..<20) == 0 else { continue }
      let dying = script.random(0..<2)
      oracle.kill(owners[dying].oracle)
      try await fixture.kill(owners[dying].store)
      // Longer than any lease.
      clock.advance(by: 60)
      if script.random(0..<2) == 0 {
        let other = owners[1 - dying]
        let expected = try await other.oracle.exchange(JobExchange()).rescued
        try expect(
          try await other.store.exchange(JobExchange()).rescued, expected, "seed \(seed), rescue at step \(step)")
      }
      owners[dying] = try await open(step)
    }
    for owner in owners {
      await owner.store.close()
      await owner.oracle.close()
    }
  }

  /// Does the next thing with one of the owners.
  private func perform(_ step: Int, _ script: inout JobScript, _ owners: [Pair], _ clock: Clock) async throws {
    let place = owners.count == 1 ? 0 : script.random(0..<owners.count)
    let (oracle, store) = (owners[place].oracle, owners[place].store)
    let operation = script.next(at: clock.now.withLock { $0 }, by: place)
    let expected = try await script.perform(operation, on: oracle)
    let actual = try await script.perform(operation, on: store)
    try expect(actual, expected, "seed \(seed), step \(step), owner \(place), \(operation)")
    script.learn(expected, by: place)
    if step % 10 == 9 {
      _ = try await oracle.exchange(JobExchange())
      _ = try await store.exchange(JobExchange())
      try expect(
        try await store.jobs(.all, after: nil, limit: .max), try await oracle.jobs(.all, after: nil, limit: .max),
        "seed \(seed), jobs after step \(step), \(operation)")
      try expect(try await store.counts(), try await oracle.counts(), "seed \(seed), counts after step \(step)")
    }
    clock.advance(by: Double(script.random(0..<4)))
  }

  /// A store, and what it is compared with.
  private struct Pair {
    let oracle: any JobStore
    let store: any JobStore
  }

  private final class Clock: Sendable {
    let now = Mutex(Date(timeIntervalSince1970: 1_767_225_600))

    var environment: StoreEnvironment {
      StoreEnvironment(now: { self.now.withLock { $0 } }, owner: "comparison")
    }

    func advance(by seconds: Double) { now.withLock { $0.addTimeInterval(seconds) } }
  }
}

/// Random operations that know which jobs and attempts there are.
struct JobScript {
  enum Operation {
    case enqueue([NewJob])
    case exchange(JobExchange)
    case change(JobSelection, JobChange)
    case pause(Bool, PauseSubject)
    case rate(RateLimit?, JobRate.Subject)
    case sweep
    case ahead(JobID)
    case step(JobID)
    case schedule(beginning: Date)
    case limits
  }

  /// What an operation answered, without what differs from store to store.
  enum Answer: Equatable {
    case enqueued([EnqueuedJob])
    case exchanged([Bool], [Bool], [String], [AttemptToken], Duration?)
    case changed(JobChangeAnswer)
    case swept(Duration?)
    case counted(Int)
    case found(Data?)
    case scheduled(ScheduleRecord)
    case limits([JobPause], [JobRate])
    case failed(JobStoreError.Reason)
    case done
  }

  private var generator: SeededChance
  private var known = 0
  /// With the owners that hold them.
  private var attempts: [(key: AttemptKey, owner: Int)] = []

  init(seed: UInt64) { generator = SeededChance(state: seed &* 0x9E37_79B9_7F4A_7C15 | 1) }

  mutating func random(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }

  private mutating func pick<Value>(_ values: [Value]) -> Value { values[random(0..<values.count)] }

  private mutating func someJob() -> JobID { JobID(rawValue: Int64(random(max(1, known - 12)..<known + 1))) }

  mutating func next(at now: Date, by owner: Int) -> Operation {
    switch random(0..<23) {
    case 0..<6: .enqueue((0..<random(1..<4)).map { newJob(place: $0, now: now) })
    case 6..<14: .exchange(exchange(by: owner))
    case 14..<17 where known > 0: .change(selection(), change(now: now))
    case 17:
      .pause(
        random(0..<3) == 0,
        pick([.queue("default"), .queue("second"), .kind("Upload"), .kind("Other"), .kind("s"), .key("x")]))
    case 18:
      .rate(
        random(0..<2) == 0 ? nil : RateLimit(random(1..<4), per: .seconds(random(1..<9))),
        pick([.queue("default"), .key("x")]))
    case 19 where known > 0: .ahead(someJob())
    case 20 where known > 0: .step(someJob())
    case 21: .schedule(beginning: now)
    case 22: .limits
    default: .sweep
    }
  }

  private mutating func newJob(place: Int, now: Date) -> NewJob {
    job(pick(["Upload", "Other"])) { new in
      new.queue = pick(["default", "default", "second"])
      new.payload.version = pick([0, 1, 1, 2])
      new.priority = JobPriority(major: random(9..<12), minor: random(9..<11))
      new.start = pick([.now, .now, .after(.seconds(random(0..<8))), .at(now + Double(random(0..<12) - 3))])
      new.maximumAttempts = pick([nil, 1, 2, 3])
      new.constraints = pick([[], [], ["network"], ["network", "charging"]])
      new.constraintsUntil = pick([nil, .after(.seconds(random(0..<10)))])
      if random(0..<3) == 0 {
        new.unique = UniqueKey(
          pick(["a", "b"]), pick([.keep, .replace, .append]), period: pick([nil, .seconds(random(1..<10))]))
      }
      if random(0..<4) == 0 { new.limit = KeyLimit(pick(["x", "y"]), count: random(1..<3)) }
      if random(0..<3) == 0 {
        new.parents = (0..<random(1..<4)).compactMap { _ in
          if place > 0, random(0..<2) == 0 { return .inBatch(random(0..<place)) }
          return known > 0 ? .job(someJob()) : nil
        }
      }
      new.parentFailure = pick([.cancel, .hold, .run])
      new.exhaustion = pick([.keep, .hold, .discard])
      new.retention = JobRetention(finished: pick([.zero, nil, .seconds(5)]), failed: pick([.zero, nil, .seconds(9)]))
      new.tags = pick([[], ["red"], ["red", "blue"]])
      if random(0..<10) == 0 {
        new.occurrence = JobOccurrence(schedule: "s", date: Date(timeIntervalSince1970: Double(random(0..<9))))
        new.occurrenceLimit = pick([nil, 4])
      }
    }
  }

  private mutating func exchange(by owner: Int) -> JobExchange {
    var exchange = JobExchange()
    let said = attempts.filter { $0.owner == owner }.map(\.key).shuffled(using: &generator)
    for key in said.prefix(random(0..<3)) {
      exchange.notes.append(
        (
          key,
          pick([
            .progress(JobProgress(completed: 1, of: 2)), .checkpoint(Data([UInt8(random(0..<9))])), .checkpoint(nil),
            .step("s", Data([1])),
          ])
        ))
    }
    for key in said.prefix(random(0..<3)) {
      let end: JobExchange.End = pick([
        .succeeded(result: nil), .succeeded(result: Data([7])), .failed(.error, "no", retryAfter: .zero),
        .failed(.deadline, "late", retryAfter: .seconds(random(0..<5))), .gaveUp(.error, "never"), .interrupted,
        .snoozed(.after(.seconds(random(0..<5)))), .held(.asked("wait")), .held(.unreadable("odd")),
        .cancelled,
      ])
      exchange.ends.append((key, end))
    }
    if random(0..<5) != 0 {
      exchange.claims.append(
        JobExchange.Claim(
          queue: pick(["default", "default", "second"]), limit: random(0..<5),
          kinds: pick([
            [.init("Upload", limit: 2), .init("Other", limit: 3)], [.init("Other", limit: 1)],
            [.init("Upload", limit: 2, unreadable: [2]), .init("Other", limit: 3, unreadable: [0])],
          ]),
          satisfied: pick([[], ["network"], ["network", "charging"]]), aging: pick([nil, nil, .seconds(3)])))
    }
    return exchange
  }

  private mutating func selection() -> JobSelection {
    switch random(0..<7) {
    case 0: JobSelection(kinds: ["Other"], states: [pick(JobState.allCases)])
    case 1: JobSelection(tags: ["blue"])
    case 2: JobSelection(uniqueKeys: ["a"])
    case 3: JobSelection(heldFor: [pick(HoldCause.allCases), .asked])
    default: JobSelection(ids: [someJob(), someJob()])
    }
  }

  private mutating func change(now: Date) -> JobChange {
    pick([
      .cancel, .delete, .prioritise(JobPriority(major: random(8..<13))), .hold("asked"),
      .change(.attempts(pick([1, 3, .unlimited]))), .change(.deadline(pick([nil, .seconds(3)]))),
      .change(.requires(pick([[], ["network"], ["charging", "network"]]))),
      .change(.requires(["network"], until: pick([.now, .after(.seconds(random(0..<6))), .at(now - 3)]))),
      .hold("asked", until: ["network", "charging"]), .release, .release, .retry,
      .retry, .reschedule(.after(.seconds(random(0..<6)))), .reschedule(.now),
    ])
  }

  func perform(_ operation: Operation, on store: any JobStore) async throws -> Answer {
    do {
      switch operation {
      case .enqueue(let jobs): return .enqueued(try await store.enqueue(jobs))
      case .exchange(let exchange):
        let answer = try await store.exchange(exchange)
        let claimed = answer.claimed.map { job in
          let results = job.parentResults.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.count)" }
          let checkpoint = job.checkpoint.map(Array.init) ?? []
          let terms = String(
            describing: (
              job.queue, job.payload, job.maximumAttempts, job.deadline, job.constraints, job.constraintsFor, job.tags,
              job.occurrence
            ))
          return "\(job.id) \(job.token) \(job.kind) \(job.attempt) \(checkpoint) \(results) \(terms)"
        }
        return .exchanged(answer.notes, answer.ends, claimed, answer.toCancel, answer.nextDue)
      case .change(let selection, let change): return .changed(try await store.change(selection, change))
      case .pause(let paused, let subject): try await store.setPaused(paused, subject, by: "Ann")
      case .rate(let rate, .queue(let queue)): try await store.setRate(rate, ofQueue: queue)
      case .rate(let rate, .key(let key)): try await store.setRate(rate, ofKey: key)
      case .sweep: return .swept(try await store.sweep(limit: 5))
      case .ahead(let job): return .counted(try await store.countAhead(of: job))
      case .step(let job): return .found(try await store.step("s", of: job))
      case .schedule(let date): return .scheduled(try await store.schedule("s", beginning: date))
      case .limits: return .limits(try await store.pauses(), try await store.rates())
      }
      return .done
    } catch let error as JobStoreError {
      return .failed(error.reason)
    }
  }

  /// Which jobs and attempts there are now; attempts that have ended stay, as a worker that is late may name them.
  mutating func learn(_ answer: Answer, by owner: Int) {
    switch answer {
    case .enqueued(let jobs): known = max(known, jobs.map { Int($0.id.rawValue) }.max() ?? 0)
    case .exchanged(_, _, let claimed, _, _):
      for line in claimed {
        let words = line.split(separator: " ")
        let key = AttemptKey(job: JobID(rawValue: Int64(words[0])!), token: AttemptToken(rawValue: Int64(words[1])!))
        attempts.append((key, owner))
      }
      attempts = attempts.suffix(10)
    default: break
    }
  }
}

/// The same numbers for the same seed (xorshift).
struct SeededChance: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
