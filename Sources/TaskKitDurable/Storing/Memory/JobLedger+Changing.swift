import Foundation

extension JobLedger {
  mutating func change(
    _ selection: JobSelection, _ change: JobChange, owner: Int, now: StoreTime
  ) -> JobChangeAnswer {
    var told: [AttemptToken] = []
    var count = 0
    for id in entries.values.lazy.filter({ $0.isMeant(by: selection) && change.concerns($0.state) }).map(\.id).sorted()
    {
      if apply(change, to: id, owner: owner, told: &told, now: now) { count += 1 }
    }
    return JobChangeAnswer(count: count, cancelled: told.sorted())
  }

  private mutating func apply(
    _ change: JobChange, to id: JobID, owner: Int, told: inout [AttemptToken], now: StoreTime
  ) -> Bool {
    switch change {
    case .cancel: cancel(id, .cancelled, owner: owner, told: &told, now: now)
    case .delete: cancel(id, nil, owner: owner, told: &told, now: now)
    case .prioritise(let priority): self.change(id) { $0.priority = priority }
    case .change(let term): self.change(id) { $0.change(term, now: now) }
    case .hold(let text, let constraints): hold(id, HoldReason(asked: text, until: constraints))
    case .release: release(id, now: now)
    case .retry:
      return retry(id, now: now)
    case .reschedule(let start): makeReady(id, due: StoreTime(start, now: now), now: now)
    }
    return true
  }

  private mutating func release(_ id: JobID, now: StoreTime) {
    guard let entry = entries[id], let reason = entry.hold else { return }
    if !reason.keepsAttempts { startOver(id) }
    makeReady(id, due: entry.due, now: now)
    guard let failed = entry.edges.first(where: hasFailed)?.parent else { return }
    if reason.cause == .parentFailed {
      change(id) { entry in
        entry.isExcused = true
        for edge in entry.edges.indices { entry.edges[edge].failedMeanwhile = false }
      }
    }
    if reason.isAsked, !entry.isExcused, entry.new.parentFailure == .hold { hold(id, .parentFailed(failed)) }
  }

  /// Ends a job from outside of its attempt, and tells that.
  ///
  /// - Parameter isReplaced: whether another one does its work: it is kept as if it were done.
  mutating func cancel(
    _ id: JobID, _ state: JobState?, isReplaced: Bool = false, owner: Int, told: inout [AttemptToken], now: StoreTime
  ) {
    guard let entry = entries[id], state == nil || !entry.state.isFinal else { return }
    if let attempt = entry.attempt {
      if attempt.owner == owner {
        told.append(attempt.token)
      } else if owners.contains(attempt.owner) {
        toCancel[attempt.owner, default: []].append(attempt.token)
      }
    }
    end(id, state, isReplaced: isReplaced, now: now)
  }

  /// - Returns: whether it is unfinished now.
  private mutating func retry(_ id: JobID, now: StoreTime) -> Bool {
    guard let entry = entries[id] else { return false }
    let failed = entry.edges.first(where: hasFailed)?.parent
    if failed != nil, entry.new.parentFailure == .cancel { return false }
    guard takeKeyAgain(id, now: now) else { return false }
    startOver(id)
    makeReady(id, due: now, now: now)
    if let failed, entry.new.parentFailure == .hold { hold(id, .parentFailed(failed)) }
    for child in children[id] ?? [] { waitAgain(child, for: id) }
    return true
  }

  /// Whether what a job waited for has not succeeded, and can be tried again, or did not while the job was held for something else.
  func hasFailed(_ edge: LedgerEntry.Edge) -> Bool {
    if edge.isOrder { return false }
    let state = entries[edge.parent]?.state
    return edge.failedMeanwhile || state == .dead || state == .cancelled
  }

  /// A job that has not run without its parent waits for it, now that the parent is tried again.
  private mutating func waitAgain(_ id: JobID, for parent: JobID) {
    guard let edge = entries[id]?.edges.firstIndex(where: { $0.parent == parent && !$0.isOrder }) else { return }
    change(id) { entry in
      entry.edges[edge].failedMeanwhile = false
      guard entry.state.waitsAgain else { return }
      entry.edges[edge].status = .open
      entry.isExcused = false
    }
  }

  private mutating func startOver(_ id: JobID) {
    change(id) { entry in
      entry.attempts = 0
      entry.crashes = 0
    }
  }

  /// A job that begins again needs its key again; false where another unfinished one has it.
  private mutating func takeKeyAgain(_ id: JobID, now: StoreTime) -> Bool {
    guard let entry = entries[id] else { return false }
    guard let unique = entry.new.unique else { return true }
    guard holders(of: unique.key, now: now).unfinished.isEmpty else { return false }
    claims[unique.key, default: []].removeAll { $0.job == id }
    claims[unique.key, default: []].append(Claim(job: id, until: unique.period.map { entry.created + $0 }))
    return true
  }

  // MARK: Stopping

  mutating func setPaused(_ paused: Bool, _ subject: PauseSubject, by name: String, now: StoreTime) {
    if !paused {
      guard pauses.removeValue(forKey: subject) != nil, case .kind(let kind) = subject else { return }
      // Its slots have passed meanwhile.
      schedules[kind]?.latest = now
    } else if pauses[subject] == nil {
      pauses[subject] = JobPause(subject: subject, by: name, since: now.date)
    }
  }

  mutating func setRate(_ rate: RateLimit?, of subject: JobRate.Subject) {
    rates[subject] = rate
    if rate == nil { starts[subject] = nil }
  }

  /// Deletes ended jobs whose retention has passed, and keys that are free.
  mutating func sweep(limit: Int, now: StoreTime) -> Duration? {
    claims = claims.compactMapValues { list in
      let taken = list.filter { !$0.hasEnded || ($0.until ?? now) > now }
      return taken.isEmpty ? nil : taken
    }
    let expired = expiring.map { (entries[$0]!.expiry!, $0) }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }
    var left = limit
    for (expiry, id) in expired {
      guard expiry <= now, left > 0 else { return now.wait(until: expiry) }
      forget(entries[id]!)
      left -= 1
    }
    return nil
  }
}

extension JobState {
  /// Whether a job waits again for a parent that is retried: it does not run, and is not about to.
  var waitsAgain: Bool {
    switch self {
    case .waiting, .held, .dead, .cancelled: true
    case .ready, .delayed, .running, .finished: false
    }
  }
}

extension JobChange {
  /// Whether there is anything to do for a job in that state.
  func concerns(_ state: JobState) -> Bool {
    switch self {
    case .cancel, .prioritise, .change: !state.isFinal
    case .delete: true
    case .hold: state == .ready || state == .delayed || state == .waiting
    case .release: state == .held
    case .retry: state == .dead || state == .cancelled
    case .reschedule: state == .ready || state == .delayed
    }
  }
}
