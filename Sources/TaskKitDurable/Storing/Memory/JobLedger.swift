import Foundation

/// What a store of jobs is, as a value: it knows no clock, no lock and no file.
///
/// Every method is one transaction. It is the plainest form of the rules of ``JobStore``: other stores are compared with it.
struct JobLedger: Sendable {
  /// A key of jobs of which one may be unfinished.
  struct Claim: Sendable {
    let job: JobID
    /// Until when it stays taken after the job has ended.
    let until: StoreTime?
    var hasEnded = false
  }

  /// A durable schedule.
  struct Schedule: Sendable {
    let begun: StoreTime
    var latest: StoreTime?
    var count = 0
    /// The jobs of its occurrences, as ``OccurrenceMemory`` says.
    var jobs: [StoreTime: JobID] = [:]
  }

  struct CountKey: Hashable, Sendable {
    let queue: String
    let kind: String
    let state: JobState
  }

  let identity: UUID
  var entries: [JobID: LedgerEntry] = [:]
  /// By queue.
  var ready: [String: Set<JobID>] = [:]
  var delayed: Set<JobID> = []
  var running: Set<JobID> = []
  /// Ended ones that are deleted some time.
  var expiring: Set<JobID> = []
  /// Those who wait for a job, or did before it failed.
  var children: [JobID: Set<JobID>] = [:]
  var claims: [String: [Claim]] = [:]
  var schedules: [String: Schedule] = [:]
  /// How many run, by the key of their limit.
  var permits: [String: Int] = [:]
  var pauses: [PauseSubject: JobPause] = [:]
  var rates: [JobRate.Subject: RateLimit] = [:]
  /// When jobs have started, of what has a rate, the earliest first.
  var starts: [JobRate.Subject: ArraySlice<StoreTime>] = [:]
  var counters: [CountKey: Int] = [:]
  /// Attempts of an owner that somebody else has ended.
  var toCancel: [Int: [AttemptToken]] = [:]
  /// Those whose process is there.
  var owners: Set<Int> = []
  /// What owners are called, those too whose process has died.
  var ownerNames: [Int: String] = [:]
  /// Those whose process has died and whose jobs nobody has found yet.
  var deadOwners: Set<Int> = []
  var nextJob: Int64 = 1
  var nextToken: Int64 = 1
  var nextOwner = 1

  init(identity: UUID) { self.identity = identity }

  // MARK: Owners

  mutating func addOwner(named name: String = "") -> Int {
    defer { nextOwner += 1 }
    owners.insert(nextOwner)
    ownerNames[nextOwner] = name
    return nextOwner
  }

  /// Ends an owner in good order: its attempts count as interrupted.
  mutating func removeOwner(_ owner: Int, now: StoreTime) {
    for id in running.sorted() where entries[id]?.attempt?.owner == owner { interrupt(id, now: now) }
    owners.remove(owner)
    (toCancel[owner], ownerNames[owner]) = (nil, nil)
  }

  /// The process of an owner has died.
  mutating func buryOwner(_ owner: Int) {
    guard owners.remove(owner) != nil else { return }
    deadOwners.insert(owner)
  }

  /// Gives back what dead owners held.
  mutating func rescue(now: StoreTime) -> [RescuedJob] {
    guard !deadOwners.isEmpty else { return [] }
    var rescued: [RescuedJob] = []
    for id in running.sorted() {
      guard let owner = entries[id]?.attempt?.owner, deadOwners.contains(owner) else { continue }
      rescued.append(rescue(id, now: now))
    }
    for owner in deadOwners { (toCancel[owner], ownerNames[owner]) = (nil, nil) }
    deadOwners = []
    return rescued
  }

  private mutating func rescue(_ id: JobID, now: StoreTime) -> RescuedJob {
    let kind = entries[id]!.new.kind
    change(id) { entry in
      entry.crashes += 1
      entry.note(.crash, "the process died", now: now)
    }
    let entry = entries[id]!
    var gaveUp: RescuedJob.GivenUp?
    if entry.crashes >= entry.new.maximumCrashes {
      hold(id, .crashed(times: entry.crashes))
    } else if let maximum = entry.new.maximumAttempts, entry.attempts >= maximum {
      gaveUp = RescuedJob.GivenUp(attempts: entry.attempts, payload: entry.new.payload)
      exhaust(id, now: now)
    } else {
      makeReady(id, due: now, now: now)
    }
    return RescuedJob(id: id, kind: kind, state: entries[id]?.state, gaveUp: gaveUp)
  }

  // MARK: States

  mutating func change(_ id: JobID, _ body: (inout LedgerEntry) -> Void) {
    guard var entry = entries.removeValue(forKey: id) else { return }
    body(&entry)
    entries[id] = entry
  }

  /// Takes a job out of the lists of its state.
  mutating func leave(_ entry: LedgerEntry) {
    switch entry.state {
    case .ready:
      ready[entry.new.queue]?.remove(entry.id)
      if ready[entry.new.queue]?.isEmpty == true { ready[entry.new.queue] = nil }
    case .delayed: delayed.remove(entry.id)
    case .running:
      running.remove(entry.id)
      if let key = entry.new.limit?.key {
        permits[key, default: 0] -= 1
        if permits[key] == 0 { permits[key] = nil }
      }
    default: expiring.remove(entry.id)
    }
    count(entry, -1)
  }

  /// Puts a job into the lists of its state.
  mutating func enter(_ entry: LedgerEntry) {
    switch entry.state {
    case .ready: ready[entry.new.queue, default: []].insert(entry.id)
    case .delayed: delayed.insert(entry.id)
    case .running:
      running.insert(entry.id)
      if let key = entry.new.limit?.key { permits[key, default: 0] += 1 }
    default:
      if entry.expiry != nil { expiring.insert(entry.id) }
    }
    count(entry, 1)
  }

  private mutating func count(_ entry: LedgerEntry, _ difference: Int) {
    let key = CountKey(queue: entry.new.queue, kind: entry.new.kind, state: entry.state)
    let sum = counters[key, default: 0] + difference
    counters[key] = sum == 0 ? nil : sum
  }

  mutating func move(_ id: JobID, to state: JobState, _ body: (inout LedgerEntry) -> Void = { _ in }) {
    guard var entry = entries.removeValue(forKey: id) else { return }
    leave(entry)
    entry.attempt = nil
    entry.progress = nil
    if state != .held { entry.hold = nil }
    entry.state = state
    body(&entry)
    enter(entry)
    entries[id] = entry
  }

  /// Lets a job run when its parents have ended and its time has come.
  mutating func makeReady(_ id: JobID, due: StoreTime, now: StoreTime) {
    guard let entry = entries[id] else { return }
    let isWaiting = entry.edges.contains(where: \.isOpen)
    move(id, to: isWaiting ? .waiting : due > now ? .delayed : .ready) { entry in
      entry.due = due
      entry.since = now
      entry.ended = nil
      entry.expiry = nil
      entry.relax(now: now)
    }
  }

  mutating func hold(_ id: JobID, _ reason: HoldReason) {
    move(id, to: .held) { $0.hold = reason }
  }

  /// What ``NewJob/exhaustion`` says.
  mutating func exhaust(_ id: JobID, now: StoreTime) {
    switch entries[id]!.new.exhaustion {
    case .keep: end(id, .dead, now: now)
    case .hold: hold(id, .gaveUp)
    case .discard: end(id, nil, now: now)
    }
  }

  /// It was no attempt.
  mutating func interrupt(_ id: JobID, hold reason: HoldReason? = nil, now: StoreTime) {
    change(id) { entry in
      entry.attempts -= 1
      // Who could not read it has not found out whether the process would have died in it.
      if reason?.keepsAttempts != true { entry.crashes = 0 }
    }
    makeReady(id, due: now, now: now)
    if let reason { hold(id, reason) }
  }

  /// Ends a job, and does with its children what they ask for.
  ///
  /// - Parameters:
  ///   - state: a final one; nil for no trace.
  ///   - isReplaced: whether another one does its work.
  mutating func end(
    _ first: JobID, _ state: JobState?, result: Data? = nil, isReplaced: Bool = false, now: StoreTime
  ) {
    // A list instead of recursion: chains may be long.
    var ending: [(JobID, JobState?)] = [(first, state)]
    while let (id, state) = ending.popLast() {
      guard let entry = entries[id] else { continue }
      let wasUnfinished = !entry.state.isFinal
      let waiting = children[id] ?? []
      let before = jobsBefore(entry)
      let isDone = state == .finished || isReplaced && id == first
      finish(
        entry, state, keep: isDone ? entry.new.retention.finished : entry.new.retention.failed,
        result: state == .finished ? result : nil, now: now)
      guard wasUnfinished else { continue }
      for child in waiting.sorted().reversed() {
        let isOfKey = entries[child]?.new.unique?.key == entry.new.unique?.key
        let next = parentEnded(
          id, state, result: result, child: child, before: isOfKey ? before : [], now: now)
        if let next { ending.append((child, next)) }
      }
    }
  }

  /// The jobs of its key that a job still waits for, be it for the order or as for any parent.
  private func jobsBefore(_ entry: LedgerEntry) -> [JobID] {
    guard let key = entry.new.unique?.key else { return [] }
    return entry.edges.filter { $0.isOpen && entries[$0.parent]?.new.unique?.key == key }.map(\.parent)
  }

  /// - Parameter before: the jobs of the child's key that the parent itself still waited for: they come before it as well.
  /// - Returns: the state in which the child ends as well.
  private mutating func parentEnded(
    _ parent: JobID, _ state: JobState?, result: Data?, child: JobID, before: [JobID], now: StoreTime
  ) -> JobState? {
    guard let entry = entries[child],
      let edge = entry.edges.firstIndex(where: { $0.parent == parent && $0.isOpen })
    else { return nil }
    change(child) { $0.edges[edge].status = .ended(state == .finished ? result : nil) }
    guard !entry.state.isFinal else { return nil }
    for earlier in before where !entry.edges.contains(where: { $0.parent == earlier }) {
      change(child) { $0.edges.append(LedgerEntry.Edge(parent: earlier, isOrder: true, status: .open)) }
      children[earlier, default: []].insert(child)
    }
    if state != .finished, !entry.edges[edge].isOrder {
      switch entry.new.parentFailure {
      case .cancel: return .cancelled
      case .hold:
        if entry.state == .waiting { hold(child, .parentFailed(parent)) }
        if entry.hold?.isAsked == true { change(child) { $0.edges[edge].failedMeanwhile = true } }
        return nil
      case .run: break
      }
    }
    if entry.state == .waiting { makeReady(child, due: entry.due, now: now) }
    return nil
  }

  private mutating func finish(
    _ entry: LedgerEntry, _ state: JobState?, keep retention: Duration?, result: Data?, now: StoreTime
  ) {
    releaseKey(of: entry, now: now)
    guard let state, retention.map({ $0 > .zero }) ?? true else { return forget(entry) }
    // Who has succeeded is not tried again.
    if state == .finished { children[entry.id] = nil }
    move(entry.id, to: state) { entry in
      entry.result = result
      entry.ended = now
      entry.expiry = retention.map { now + $0 }
    }
  }

  /// Deletes every trace of a job but its key.
  mutating func forget(_ entry: LedgerEntry) {
    leave(entry)
    entries[entry.id] = nil
    children[entry.id] = nil
    for edge in entry.edges { children[edge.parent]?.remove(entry.id) }
  }

  // MARK: Keys

  private mutating func releaseKey(of entry: LedgerEntry, now: StoreTime) {
    guard let key = entry.new.unique?.key, var list = claims[key] else { return }
    for index in list.indices where list[index].job == entry.id { list[index].hasEnded = true }
    list.removeAll { $0.hasEnded && ($0.until ?? now) <= now }
    claims[key] = list.isEmpty ? nil : list
  }

  /// The jobs that have a key now: unfinished ones, or else the one whose period has not passed.
  func holders(of key: String, now: StoreTime) -> (unfinished: [JobID], ended: JobID?) {
    let list = claims[key] ?? []
    return (
      list.filter { !$0.hasEnded }.map(\.job).sorted(),
      list.filter { $0.hasEnded && ($0.until ?? now) > now }.map(\.job).max()
    )
  }
}
