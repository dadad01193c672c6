import Foundation

extension JobLedger {
  mutating func exchange(_ exchange: JobExchange, owner: Int, now: StoreTime) -> JobExchange.Answer {
    var answer = JobExchange.Answer()
    answer.rescued = rescue(now: now)
    answer.notes = exchange.notes.map { key, note in take(note, by: key) }
    answer.ends = exchange.ends.map { key, end in take(end, by: key, now: now) }
    promote(now: now)
    for claim in exchange.claims { answer.claimed += take(claim, owner: owner, now: now) }
    let ended = Set(exchange.ends.map(\.0.token))
    answer.toCancel = (toCancel.removeValue(forKey: owner) ?? []).filter { !ended.contains($0) }.sorted()
    answer.nextDue = nextDue(now: now)
    return answer
  }

  // MARK: What attempts say

  private func isHeld(by key: AttemptKey) -> Bool { entries[key.job]?.attempt?.token == key.token }

  private mutating func take(_ note: JobExchange.Note, by key: AttemptKey) -> Bool {
    guard isHeld(by: key) else { return false }
    change(key.job) { entry in
      switch note {
      case .progress(let progress): entry.progress = progress
      case .checkpoint(let checkpoint): entry.checkpoint = checkpoint
      case .step(let name, let result): entry.steps[name] = result
      }
    }
    return true
  }

  private mutating func take(_ end: JobExchange.End, by key: AttemptKey, now: StoreTime) -> Bool {
    guard isHeld(by: key), let entry = entries[key.job] else { return false }
    switch end {
    case .succeeded(let result):
      self.end(key.job, .finished, result: result, now: now)
    case .failed(let cause, let text, let delay):
      change(key.job) { entry in
        entry.crashes = 0
        entry.note(cause, text, now: now)
      }
      if let maximum = entry.new.maximumAttempts, entry.attempts >= maximum {
        exhaust(key.job, now: now)
      } else {
        makeReady(key.job, due: now + delay, now: now)
      }
    case .gaveUp(let cause, let text):
      change(key.job) { entry in
        entry.crashes = 0
        entry.note(cause, text, now: now)
      }
      exhaust(key.job, now: now)
    case .interrupted:
      interrupt(key.job, now: now)
    case .snoozed(let start):
      interrupt(key.job, now: now)
      makeReady(key.job, due: StoreTime(start, now: now), now: now)
    case .held(let reason):
      interrupt(key.job, hold: reason, now: now)
    case .cancelled:
      self.end(key.job, .cancelled, now: now)
    }
    return true
  }

  // MARK: Giving out

  private mutating func promote(now: StoreTime) {
    for id in delayed.sorted() where entries[id]!.due <= now {
      let due = entries[id]!.due
      move(id, to: .ready) { $0.since = due }
    }
    for id in ready.values.joined() where entries[id]?.constraintsUntil != nil { change(id) { $0.relax(now: now) } }
  }

  private mutating func take(_ claim: JobExchange.Claim, owner: Int, now: StoreTime) -> [ClaimedJob] {
    guard pauses[.queue(claim.queue)] == nil else { return [] }
    var left = min(claim.limit, freeStarts(of: .queue(claim.queue), now: now))
    var limits: [String: Int] = [:]
    var unreadable: [String: Set<Int>] = [:]
    for kind in claim.kinds where pauses[.kind(kind.name)] == nil {
      limits[kind.name] = kind.limit(added: limits[kind.name])
      unreadable[kind.name, default: []].formUnion(kind.unreadable)
    }
    guard left > 0 else { return [] }
    let candidates = (ready[claim.queue] ?? []).compactMap { id -> (order: (Int, Int, Int, Int64, Int64), id: JobID)? in
      let entry = entries[id]!
      guard limits[entry.new.kind, default: 0] > 0, entry.isSatisfied(by: claim.satisfied),
        unreadable[entry.new.kind]?.contains(entry.new.payload.version) != true
      else { return nil }
      return (entry.order(aging: claim.aging, now: now), id)
    }
    var claimed: [ClaimedJob] = []
    for (_, id) in candidates.sorted(by: { $0.order < $1.order }) where left > 0 {
      let new = entries[id]!.new
      guard limits[new.kind, default: 0] > 0 else { continue }
      if let limit = new.limit {
        guard pauses[.key(limit.key)] == nil, permits[limit.key, default: 0] < limit.count,
          freeStarts(of: .key(limit.key), now: now) > 0
        else { continue }
        noteStart(of: .key(limit.key), now: now)
      }
      noteStart(of: .queue(claim.queue), now: now)
      claimed.append(begin(id, owner: owner, now: now))
      limits[new.kind, default: 0] -= 1
      left -= 1
    }
    return claimed
  }

  private mutating func begin(_ id: JobID, owner: Int, now: StoreTime) -> ClaimedJob {
    let token = AttemptToken(rawValue: nextToken)
    nextToken += 1
    move(id, to: .running) { entry in
      entry.attempts += 1
      entry.attempt = .init(token: token, owner: owner, began: now)
    }
    let entry = entries[id]!
    let constraints = entry.isRelaxed ? [] : entry.new.constraints
    var results: [JobID: Data] = [:]
    for edge in entry.edges where !edge.isOrder {
      if case .ended(let data?) = edge.status { results[edge.parent] = data }
    }
    return ClaimedJob(
      id: id, token: token, kind: entry.new.kind, queue: entry.new.queue, payload: entry.new.payload,
      attempt: entry.attempts, maximumAttempts: entry.new.maximumAttempts, deadline: entry.new.deadline,
      checkpoint: entry.checkpoint, constraints: constraints,
      constraintsFor: constraints.isEmpty ? nil : entry.constraintsUntil.map { now.wait(until: $0) },
      parentResults: results, tags: entry.new.tags, occurrence: entry.new.occurrence)
  }

  /// How many jobs may start now: in no time as long as the rate's period have more started than it says.
  private mutating func freeStarts(of subject: JobRate.Subject, now: StoreTime) -> Int {
    guard let rate = rates[subject] else { return .max }
    while let first = starts[subject]?.first, first + rate.period <= now { starts[subject]!.removeFirst() }
    // What was started by a clock that was far ahead would hold up the others for as long as that.
    while let last = starts[subject]?.last, now + rate.period < last { starts[subject]!.removeLast() }
    return max(0, rate.count - (starts[subject]?.count ?? 0))
  }

  private mutating func noteStart(of subject: JobRate.Subject, now: StoreTime) {
    guard rates[subject] != nil else { return }
    starts[subject, default: []].append(now)
    // Behind those that a clock has noted which has been set back since.
    var place = starts[subject]!.endIndex - 1
    while place > starts[subject]!.startIndex, now < starts[subject]![place - 1] {
      starts[subject]!.swapAt(place - 1, place)
      place -= 1
    }
  }

  /// When the next may start, where none may now.
  private mutating func nextStart(of subject: JobRate.Subject, now: StoreTime) -> StoreTime? {
    guard freeStarts(of: subject, now: now) == 0, let rate = rates[subject], rate.count > 0 else { return nil }
    // The one whose leaving makes room.
    return starts[subject]!.suffix(rate.count).first! + rate.period
  }

  mutating func listRates(now: StoreTime) -> [JobRate] {
    rates.keys.sorted { $0.order < $1.order }.map { subject in
      JobRate(
        subject: subject, limit: rates[subject]!, free: freeStarts(of: subject, now: now),
        wait: nextStart(of: subject, now: now).map { now.wait(until: $0) })
    }
  }

  private mutating func nextDue(now: StoreTime) -> Duration? {
    var next = delayed.map { entries[$0]!.due }.min()
    for (queue, ids) in ready where !ids.isEmpty {
      if let start = nextStart(of: .queue(queue), now: now) { next = min(next ?? .max, start) }
      for id in ids {
        guard let entry = entries[id], !entry.new.constraints.isEmpty, !entry.isRelaxed else { continue }
        if let until = entry.constraintsUntil { next = min(next ?? .max, until) }
      }
    }
    // Whether a job waits for a key would take a look at all of them.
    for subject in rates.keys {
      if case .key = subject, let start = nextStart(of: subject, now: now) { next = min(next ?? .max, start) }
    }
    return next.map { now.wait(until: $0) }
  }
}

extension JobRate.Subject {
  /// Queues, then keys, each by name.
  var order: (Int, String) {
    switch self {
    case .queue(let name): (0, name)
    case .key(let name): (1, name)
    }
  }
}

extension StoreTime {
  static let max = StoreTime(microseconds: .max)
}
