public import Foundation
import Synchronization

/// Jobs in memory, gone when the process ends: for tests, previews, and work that needs retries but no durability.
///
/// It follows every rule of ``JobStore`` but durability; looking for the next job takes time in proportion to those that are
/// ready.
public final class MemoryStore: JobStore {
  /// What several stores of one process may share, as several processes share a file.
  private final class Content: Sendable {
    struct State {
      var ledger: JobLedger
      var listeners: [ObjectIdentifier: AsyncStream<Void>.Continuation] = [:]
    }

    let state: Mutex<State>

    init() { state = Mutex(State(ledger: JobLedger(identity: UUID()))) }
  }

  private enum Life {
    case new
    case open(owner: Int, now: @Sendable () -> Date)
    case closed
  }

  private let content: Content
  private let life = Mutex(Life.new)
  private let signal = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

  /// A store without jobs. They are gone with its last owner.
  public init() { content = Content() }

  /// Another owner of the same jobs, as another process is one of the same file.
  public init(sharing other: MemoryStore) { content = other.content }

  deinit { die() }

  public var name: String { "memory" }

  public func open(_ environment: StoreEnvironment) async throws -> StoreOpening {
    let time = StoreTime(environment.now())
    return try life.withLock { life in
      guard case .new = life else {
        throw JobStoreError(.closed, store: name, detail: "a store is opened once")
      }
      return content.state.withLock { state in
        let owner = state.ledger.addOwner(named: environment.owner)
        life = .open(owner: owner, now: environment.now)
        state.listeners[ObjectIdentifier(self)] = signal.continuation
        return StoreOpening(identity: state.ledger.identity, rescued: state.ledger.rescue(now: time))
      }
    }
  }

  public func close() async {
    leave { ledger, owner, now in ledger.removeOwner(owner, now: now) }
  }

  /// Ends the owner as the death of its process would: what it holds stays where it is until somebody finds it, and counts
  /// as a crash. For tests.
  public func die() {
    leave { ledger, owner, _ in ledger.buryOwner(owner) }
  }

  private func leave(_ body: (inout JobLedger, Int, StoreTime) -> Void) {
    let last = life.withLock { life in
      defer { life = .closed }
      return life
    }
    if case .open(let owner, let now) = last {
      let time = StoreTime(now())
      let others = content.state.withLock { state in
        state.listeners[ObjectIdentifier(self)] = nil
        body(&state.ledger, owner, time)
        return Array(state.listeners.values)
      }
      for other in others { other.yield() }
    }
    signal.continuation.finish()
  }

  // MARK: Transactions

  /// - Parameter isChange: whether others have to look again.
  private func withLedger<Value>(
    isChange: Bool = true, isNews: (Value) -> Bool = { _ in true },
    _ body: (inout JobLedger, Int, StoreTime) throws -> Value
  ) throws -> Value {
    let life = life.withLock { $0 }
    guard case .open(let owner, let now) = life else {
      throw JobStoreError(.closed, store: name, detail: "it was not opened, or was closed")
    }
    // Asked for outside of the lock: it is not the store's code.
    let time = StoreTime(now())
    let (value, others) = try content.state.withLock { state in
      // It may have ended since: what it took now nobody would give back.
      guard state.ledger.owners.contains(owner) else {
        throw JobStoreError(.closed, store: name, detail: "it was closed")
      }
      let value = try body(&state.ledger, owner, time)
      guard isChange, isNews(value), state.listeners.count > 1 else {
        return (value, [AsyncStream<Void>.Continuation]())
      }
      return (value, state.listeners.filter { $0.key != ObjectIdentifier(self) }.map(\.value))
    }
    for other in others { other.yield() }
    return value
  }

  public func enqueue(_ jobs: [NewJob]) async throws -> [EnqueuedJob] {
    try withLedger { ledger, owner, now in
      switch ledger.enqueue(jobs, owner: owner, now: now) {
      case .success(let enqueued): return enqueued
      case .failure(let problem): throw JobStoreError(.invalid, store: name, detail: problem.text)
      }
    }
  }

  public func exchange(_ exchange: JobExchange) async throws -> JobExchange.Answer {
    // One that neither says nor gets anything is no news: two owners would wake each other for ever.
    let saysSomething = !exchange.notes.isEmpty || !exchange.ends.isEmpty
    return try withLedger(isNews: { saysSomething || !$0.claimed.isEmpty || !$0.rescued.isEmpty }) {
      ledger, owner, now in
      ledger.exchange(exchange, owner: owner, now: now)
    }
  }

  public func change(_ selection: JobSelection, _ change: JobChange) async throws -> JobChangeAnswer {
    try withLedger { ledger, owner, now in ledger.change(selection, change, owner: owner, now: now) }
  }

  public func setPaused(_ paused: Bool, _ subject: PauseSubject, by name: String) async throws {
    try withLedger { ledger, _, now in ledger.setPaused(paused, subject, by: name, now: now) }
  }

  public func setRate(_ rate: RateLimit?, ofQueue queue: String) async throws {
    try withLedger { ledger, _, _ in ledger.setRate(rate, of: .queue(queue)) }
  }

  public func setRate(_ rate: RateLimit?, ofKey key: String) async throws {
    try withLedger { ledger, _, _ in ledger.setRate(rate, of: .key(key)) }
  }

  public func schedule(_ name: String, beginning date: Date) async throws -> ScheduleRecord {
    try withLedger(isChange: false) { ledger, _, now in ledger.schedule(name, beginning: date, now: now) }
  }

  public func sweep(limit: Int) async throws -> Duration? {
    try withLedger { ledger, _, now in ledger.sweep(limit: limit, now: now) }
  }

  // MARK: Reading

  public func jobs(_ selection: JobSelection, after: JobID?, limit: Int) async throws -> [JobSnapshot] {
    try withLedger(isChange: false) { ledger, _, _ in ledger.jobs(selection, after: after, limit: limit) }
  }

  public func counts() async throws -> [JobCount] {
    try withLedger(isChange: false) { ledger, _, _ in ledger.counts() }
  }

  public func countAhead(of job: JobID) async throws -> Int {
    try withLedger(isChange: false) { ledger, _, _ in ledger.countAhead(of: job) }
  }

  public func step(_ name: String, of job: JobID) async throws -> Data? {
    try withLedger(isChange: false) { ledger, _, _ in ledger.entries[job]?.steps[name] }
  }

  public func rates() async throws -> [JobRate] {
    try withLedger(isChange: false) { ledger, _, now in ledger.listRates(now: now) }
  }

  public func schedule(_ name: String) async throws -> ScheduleRecord? {
    try withLedger(isChange: false) { ledger, _, _ in ledger.schedules[name]?.record }
  }

  public func pauses() async throws -> [JobPause] {
    try withLedger(isChange: false) { ledger, _, _ in ledger.listPauses() }
  }

  public func changes() -> AsyncStream<Void> { signal.stream }
}
