import Foundation
import Synchronization
import TaskKitDurable

/// A store that fails when it is told to, and counts what is asked of it.
final class FlakyStore: JobStore {
  struct Fault: Sendable {
    var reason: JobStoreError.Reason
    /// How many calls fail.
    var times: Int
  }

  private struct State {
    var faults: [String: Fault] = [:]
    var errors: [String: [any Error]] = [:]
    var calls: [String] = []
    var isExchanging = false
    var overlapped = false
    var lost: [String: Int] = [:]
    /// Where an opening waits.
    var gate: Gate?
    /// Where an exchange waits.
    var exchangeGate: Gate?
    /// Where the closing waits.
    var closeGate: Gate?
    /// Where whoever enqueues waits.
    var enqueueGate: Gate?
    /// Where whoever asks for the counts waits, unless the task is cancelled.
    var countsGate: Gate?
    /// What is done once when the first part of what a look at a schedule asks for is known.
    var interruption: (@Sendable () async -> Void)?
    /// What is done once before the pauses are read.
    var pauseReading: (@Sendable () async -> Void)?
    /// What is done before jobs are read.
    var reading: (@Sendable (Int) async -> Void)?
    var reads = 0
    /// What is done in each exchange before the store is asked.
    var exchanging: (@Sendable (Int) async -> Void)?
    var exchangesSince = 0
    /// How many exchanges that ask for jobs are told that somebody else holds what there is.
    var contentions = 0
    var refuses: @Sendable (JobExchange) -> JobStoreError.Reason? = { _ in nil }
    var exchanged: [(notes: Int, ends: Int, claims: Int)] = []
    var weighsPayloads = false
    var watchers: [(call: String, continuation: CheckedContinuation<Void, Never>)] = []
  }

  /// How many of the jobs that were read are held, were held at most at a time, and were read in all.
  typealias Weight = (now: Int, most: Int, all: Int)

  private let base: any JobStore
  private let state = Mutex(State())
  private let scales = Scales()

  /// Where it tells nobody that something has changed, and never ends to.
  private let silence: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)?

  init(_ base: any JobStore, isSilent: Bool = false) {
    self.base = base
    silence = isSilent ? AsyncStream.makeStream(of: Void.self) : nil
  }

  func fail(_ call: String, _ reason: JobStoreError.Reason, times: Int = 1) {
    state.withLock { $0.faults[call] = Fault(reason: reason, times: times) }
  }

  /// Fails calls with errors that no other store has, one each.
  func fail(_ call: String, with errors: any Error...) { state.withLock { $0.errors[call] = errors } }

  /// Lets openings wait.
  func holdOpening(at gate: Gate) { state.withLock { $0.gate = gate } }

  /// Lets exchanges wait.
  func holdExchanges(at gate: Gate) { state.withLock { $0.exchangeGate = gate } }

  /// Lets the closing wait.
  func holdClosing(at gate: Gate) { state.withLock { $0.closeGate = gate } }

  /// Lets those wait who enqueue.
  func holdEnqueueing(at gate: Gate) { state.withLock { $0.enqueueGate = gate } }

  /// Lets those wait who ask for the counts; one whose task is cancelled is told so.
  func holdCounts(at gate: Gate) { state.withLock { $0.countsGate = gate } }

  /// Does something in the middle of the next look at a schedule: when either its record or the pauses have been read.
  func interruptScheduleLook(_ body: @escaping @Sendable () async -> Void) {
    state.withLock { $0.interruption = body }
  }

  /// Does something before the pauses are read the next time, behind the time at which a look at a schedule is.
  func beforeReadingPauses(_ body: @escaping @Sendable () async -> Void) { state.withLock { $0.pauseReading = body } }

  private func interrupt() async {
    let body = state.withLock { state in
      defer { state.interruption = nil }
      return state.interruption
    }
    await body?()
  }

  /// Does something before each reading of jobs from now on, which is told how many there were, itself included.
  func beforeReading(_ body: @escaping @Sendable (_ reads: Int) async -> Void) {
    state.withLock { state in
      state.reading = body
      state.reads = 0
    }
  }

  /// Does something in each exchange from now on before the store is asked, which is told how many there were, itself included.
  func whileExchanging(_ body: @escaping @Sendable (_ exchanges: Int) async -> Void) {
    state.withLock { state in
      state.exchanging = body
      state.exchangesSince = 0
    }
  }

  /// Fails exchanges for good for which something is true.
  func refuse(
    as reason: JobStoreError.Reason = .other, _ isMeant: @escaping @Sendable (JobExchange) -> Bool
  ) {
    state.withLock { $0.refuses = { isMeant($0) ? reason : nil } }
  }

  /// Gives out nothing in the next exchange that asks for jobs, as if somebody else held them.
  func contend() { state.withLock { $0.contentions = 1 } }

  /// What is asked for is done, and nobody hears of it.
  func loseAnswer(of call: String, times: Int = 1) { state.withLock { $0.lost[call] = times } }

  private func leave(_ call: String) throws {
    try state.withLock { state in
      guard let times = state.lost[call], times > 0 else { return }
      state.lost[call] = times - 1
      throw JobStoreError(.unreachable, store: name, detail: "the answer was lost, as the test wants it")
    }
  }

  /// Counts the jobs that are read from now on, as long as anybody holds what they were enqueued with.
  func weighPayloads() { state.withLock { $0.weighsPayloads = true } }

  var weight: Weight { scales.weight.withLock { $0 } }

  func calls(_ name: String) -> Int { state.withLock { state in state.calls.count { $0 == name } } }

  var overlapped: Bool { state.withLock { $0.overlapped } }
  var exchanged: [(notes: Int, ends: Int, claims: Int)] { state.withLock { $0.exchanged } }

  /// Returns when it is asked for that, or has been.
  func called(_ call: String) async {
    await withCheckedContinuation { continuation in
      let isCalled = state.withLock { state in
        guard !state.calls.contains(call) else { return true }
        state.watchers.append((call, continuation))
        return false
      }
      if isCalled { continuation.resume() }
    }
  }

  private func enter(_ call: String) throws {
    let watchers = state.withLock { state in
      state.calls.append(call)
      defer { state.watchers.removeAll { $0.call == call } }
      return state.watchers.filter { $0.call == call }
    }
    for watcher in watchers { watcher.continuation.resume() }
    try state.withLock { state in
      if state.errors[call]?.isEmpty == false { throw state.errors[call]!.removeFirst() }
      guard let fault = state.faults[call], fault.times > 0 else { return }
      state.faults[call]!.times -= 1
      throw JobStoreError(fault.reason, store: name, detail: "asked for by the test")
    }
  }

  var name: String { "flaky" }

  func open(_ environment: StoreEnvironment) async throws -> StoreOpening {
    await state.withLock { $0.gate }?.pass()
    try enter("open")
    return try await base.open(environment)
  }

  func now() async throws -> Date? { try await base.now() }

  func close() async {
    await state.withLock { $0.closeGate }?.pass()
    try? enter("close")
    await base.close()
  }

  func enqueue(_ jobs: [NewJob]) async throws -> [EnqueuedJob] {
    await state.withLock { $0.enqueueGate }?.pass()
    try enter("enqueue")
    let answer = try await base.enqueue(jobs)
    try leave("enqueue")
    return answer
  }

  func exchange(_ exchange: JobExchange) async throws -> JobExchange.Answer {
    state.withLock { state in
      if state.isExchanging { state.overlapped = true }
      state.isExchanging = true
      state.exchanged.append((exchange.notes.count, exchange.ends.count, exchange.claims.count))
    }
    defer { state.withLock { $0.isExchanging = false } }
    await state.withLock { $0.exchangeGate }?.pass()
    let (exchanging, exchanges) = state.withLock { state in
      state.exchangesSince += 1
      return (state.exchanging, state.exchangesSince)
    }
    await exchanging?(exchanges)
    try enter("exchange")
    if let reason = state.withLock({ $0.refuses })(exchange) {
      throw JobStoreError(reason, store: name, detail: reason == .other ? "string or blob too big" : "disk I/O error")
    }
    let isContended = state.withLock { state in
      guard state.contentions > 0, !exchange.claims.isEmpty else { return false }
      state.contentions -= 1
      return true
    }
    var passing = exchange
    if isContended { passing.claims = [] }
    var answer = try await base.exchange(passing)
    if isContended { answer.nextDue = .milliseconds(20) }
    try leave("exchange")
    return answer
  }

  func change(_ selection: JobSelection, _ change: JobChange) async throws -> JobChangeAnswer {
    try enter("change")
    return try await base.change(selection, change)
  }

  func jobs(_ selection: JobSelection, after: JobID?, limit: Int) async throws -> [JobSnapshot] {
    try enter("jobs")
    let (reading, reads) = state.withLock { state in
      state.reads += 1
      return (state.reading, state.reads)
    }
    await reading?(reads)
    let jobs = try await base.jobs(selection, after: after, limit: limit)
    guard state.withLock({ $0.weighsPayloads }) else { return jobs }
    return jobs.map { job in
      var job = job
      job.payload.bytes = scales.put(job.payload.bytes)
      return job
    }
  }

  func counts() async throws -> [JobCount] {
    try enter("counts")
    try await state.withLock { $0.countsGate }?.passUnlessCancelled()
    return try await base.counts()
  }
  func countAhead(of job: JobID) async throws -> Int { try await base.countAhead(of: job) }

  func step(_ name: String, of job: JobID) async throws -> Data? {
    try enter("step")
    return try await base.step(name, of: job)
  }

  func setPaused(_ paused: Bool, _ subject: PauseSubject, by: String) async throws {
    try await base.setPaused(paused, subject, by: by)
  }

  func pauses() async throws -> [JobPause] {
    await state.withLock { $0.pauseReading.take() }?()
    let pauses = try await base.pauses()
    await interrupt()
    return pauses
  }

  func setRate(_ rate: RateLimit?, ofQueue queue: String) async throws {
    try await base.setRate(rate, ofQueue: queue)
  }
  func setRate(_ rate: RateLimit?, ofKey key: String) async throws { try await base.setRate(rate, ofKey: key) }
  func rates() async throws -> [JobRate] { try await base.rates() }

  func schedule(_ name: String, beginning date: Date) async throws -> ScheduleRecord {
    try enter("schedule")
    let record = try await base.schedule(name, beginning: date)
    await interrupt()
    return record
  }

  func schedule(_ name: String) async throws -> ScheduleRecord? {
    try enter("schedule")
    return try await base.schedule(name)
  }

  func sweep(limit: Int) async throws -> Duration? {
    try enter("sweep")
    return try await base.sweep(limit: limit)
  }

  func changes() -> AsyncStream<Void> { silence?.stream ?? base.changes() }
}

/// Counts copies of data as long as they live.
private final class Scales: Sendable {
  let weight = Mutex<FlakyStore.Weight>((0, 0, 0))

  /// Small ones would be copied once more, and not be counted.
  func put(_ data: Data) -> Data {
    precondition(data.count > 64)
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: data.count, alignment: 1)
    copy.copyBytes(from: data)
    weight.withLock { weight in
      weight.now += 1
      weight.all += 1
      weight.most = max(weight.most, weight.now)
    }
    return Data(
      bytesNoCopy: copy.baseAddress!, count: copy.count,
      deallocator: .custom { [self] address, count in
        address.deallocate()
        weight.withLock { $0.now -= 1 }
      })
  }
}
