import Foundation

/// A job in a ``JobLedger``.
struct LedgerEntry: Sendable {
  /// What a job waits for.
  struct Edge: Sendable {
    enum Status: Sendable {
      case open
      case ended(Data?)
    }

    let parent: JobID
    /// Only the end is waited for: the key's jobs run one after the other.
    let isOrder: Bool
    var status: Status
    /// Whether the parent has failed while the child was held because somebody had asked for it, and has not been tried again: the
    /// child is held for that when it is released, and the parent may be gone by then. Not once somebody has released it from that.
    var failedMeanwhile = false

    var isOpen: Bool {
      if case .open = status { true } else { false }
    }
  }

  /// The attempt that is going.
  struct Attempt: Sendable {
    let token: AttemptToken
    let owner: Int
    let began: StoreTime
  }

  let id: JobID
  /// What it was enqueued with, or asks for since.
  var new: NewJob
  let created: StoreTime
  var state: JobState
  var priority: JobPriority
  var attempts = 0
  var crashes = 0
  var due: StoreTime
  /// Since when it has been ready.
  var since: StoreTime
  var constraintsUntil: StoreTime?
  /// Whether it no longer waits for what it needs: for good, whatever becomes of the clock.
  var isRelaxed = false
  var edges: [Edge]
  var attempt: Attempt?
  var ended: StoreTime?
  /// When its retention has passed.
  var expiry: StoreTime?
  var hold: HoldReason?
  /// Whether somebody has released it though a parent had failed; until it waits for that again.
  var isExcused = false
  var progress: JobProgress?
  var checkpoint: Data?
  var result: Data?
  var errors: [AttemptFailure] = []
  var steps: [String: Data] = [:]

  init(id: JobID, new: NewJob, edges: [Edge], now: StoreTime) {
    self.id = id
    self.new = new
    self.edges = edges
    created = now
    state = .ready
    priority = new.priority
    due = StoreTime(new.start, now: now)
    since = now
    constraintsUntil = new.constraintsUntil.map { StoreTime($0, now: now) }
  }

  /// The order of the law: what runs earlier is smaller.
  func order(major: Int) -> (Int, Int, Int, Int64) { (~major, ~priority.minor, attempts, id.rawValue) }

  /// The same with what waiting has added to its major priority. Of those that are equal otherwise the one that has waited
  /// longest comes first: that order is the same at any time.
  func order(aging: Duration?, now: StoreTime) -> (Int, Int, Int, Int64, Int64) {
    let (major, minor, attempts, id) = order(major: major(aging: aging, now: now))
    return (major, minor, attempts, aging.map { $0 > .zero } ?? false ? since.microseconds : 0, id)
  }

  /// The major priority with what waiting has added to it.
  private func major(aging: Duration?, now: StoreTime) -> Int {
    guard let aging, aging > .zero, now > since else { return priority.major }
    let steps = Int(since.wait(until: now).microseconds / aging.microseconds)
    let (sum, overflows) = priority.major.addingReportingOverflow(steps)
    return overflows ? .max : sum
  }

  /// Whether what it needs holds, or it no longer waits for it.
  func isSatisfied(by satisfied: Set<String>) -> Bool { isRelaxed || new.constraints.allSatisfy(satisfied.contains) }

  /// Lets it no longer wait for what it needs, where it is ready and the time for that has passed.
  mutating func relax(now: StoreTime) {
    if state == .ready, let constraintsUntil, constraintsUntil <= now { isRelaxed = true }
  }

  mutating func change(_ term: JobTerm, now: StoreTime) {
    switch term {
    case .attempts(let attempts):
      new.maximumAttempts = attempts.maximum(
        insteadOf: new.maximumAttempts, running: state == .running ? self.attempts : nil)
    case .deadline(let deadline): new.deadline = deadline
    case .requires(let constraints, let until):
      new.constraints = constraints.map(\.name)
      constraintsUntil = until.map { StoreTime($0, now: now) }
      isRelaxed = false
      relax(now: now)
    }
  }

  mutating func note(_ cause: AttemptFailure.Cause, _ text: String, now: StoreTime) {
    errors.append(AttemptFailure(attempt: attempts, date: now.date, cause: cause, text: text))
    if errors.count > Self.keptErrors { errors.removeFirst() }
  }

  /// How many errors are kept of a job.
  static let keptErrors = 10

  var snapshot: JobSnapshot {
    JobSnapshot(
      id: id, kind: new.kind, queue: new.queue, state: state, priority: priority, payload: new.payload,
      attempts: attempts, maximumAttempts: new.maximumAttempts, crashes: crashes, deadline: new.deadline,
      created: created.date, due: state == .delayed ? due.date : nil, started: attempt?.began.date, ended: ended?.date,
      constraints: new.constraints, constraintsUntil: constraintsUntil?.date, uniqueKey: new.unique?.key,
      limit: new.limit, parents: edges.filter(\.isOpen).map(\.parent), hold: hold, tags: new.tags, progress: progress,
      checkpoint: checkpoint, result: result, errors: errors, maximumCrashes: new.maximumCrashes,
      exhaustion: new.exhaustion, parentFailure: new.parentFailure, retention: new.retention,
      uniquePeriod: new.unique?.period, occurrence: new.occurrence)
  }

  func isMeant(by selection: JobSelection) -> Bool {
    if let ids = selection.ids, !ids.contains(id) { return false }
    if let kinds = selection.kinds, !kinds.contains(new.kind) { return false }
    if let queues = selection.queues, !queues.contains(new.queue) { return false }
    if let keys = selection.uniqueKeys {
      guard let key = new.unique?.key, keys.contains(key) else { return false }
    }
    if let tags = selection.tags, !new.tags.contains(where: tags.contains) { return false }
    if let states = selection.states, !states.contains(state) { return false }
    if let causes = selection.heldFor {
      guard let hold, causes.contains(hold.cause) else { return false }
    }
    return true
  }
}
