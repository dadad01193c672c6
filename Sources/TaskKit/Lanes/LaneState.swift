/// A lane of a center: who is in it, who waits, and what keeps it from going on.
///
/// A class, which never leaves the machine's lock; see ``ActiveRun``.
final class LaneState {
  /// How many ends are kept for the report.
  static let historyLimit = 1000

  /// As it was declared where the center first met it.
  let lane: Lane
  /// Whether somebody has done more than speak of it.
  var isUsed = false
  /// How many tasks of the center name it.
  var members = 0
  /// The task whose body is in the lane.
  var holder: (run: RunHandle, node: Int32)?
  var isBusy: Bool { holder != nil }
  /// Tasks of events that could start but for the lane.
  private var parked = ParkedNodes()
  /// Tasks of the gate's own event: those that may enter a closed lane are found without a look at all that may not.
  private var parkedThroughGate = ParkedNodes()
  /// What was put into it and could start. The states of its runs keep that right.
  let candidates = LaneCandidates()
  /// Occurrences with tasks in the lane that have not ended.
  private(set) var occurrences: Set<RunHandle> = []
  /// What was put into the lane and is no run yet.
  var line = LaneLine()
  /// What is a run and has not ended, by its number, and which of all runs that is.
  private var begun: [UInt64: (entry: LaneEntry, turn: UInt64)] = [:]
  /// Where the lane looks for others of a key: the newest entry that has not ended.
  var newestOfKey: [String: LaneEntry] = [:]
  /// Everything that has not ended, waiting or a run.
  private(set) var entries: [UInt64: LaneEntry] = [:]
  /// The numbers of the same by key.
  private var idsOfKey: [String: Set<UInt64>] = [:]

  /// What keeps the lane from going on.
  struct Hold {
    var isPaused = false
    var isOpen: Bool
    /// What has failed, in a lane that stops then.
    var failed: LaneEntry?
  }

  private var hold: Hold
  var isPaused: Bool { hold.isPaused }
  var isOpen: Bool { hold.isOpen }
  var failed: LaneEntry? { hold.failed }
  private var time = HoldTime()
  /// The same for tasks of the gate's own event, which the gate does not keep out.
  private var timeThroughGate = HoldTime()

  var ended = 0
  var total = 0
  var history: [TaskReport] = []
  /// Ends that the history has no room for, and how many of them were no success.
  var omitted = 0
  var omittedFailures = 0
  /// When the first came, and the last ended.
  var origin: Int64?
  var lastEnd: Int64 = 0

  /// Counts the changes that somebody may wait for.
  var version = 0
  var watchers: [UInt64: CheckedContinuation<Void, Never>] = [:]
  var idleWaiters: [CheckedContinuation<Void, Never>] = []

  init(_ lane: Lane, isOpen: Bool, now: Int64) {
    self.lane = lane
    hold = Hold(isOpen: isOpen)
    time.note(isHeld, now: now)
  }

  /// An occurrence with tasks in the lane begins.
  func begin(_ occurrence: RunHandle) { occurrences.insert(occurrence) }

  /// It has ended, and nothing of it waits any more.
  func forget(_ occurrence: RunHandle) {
    occurrences.remove(occurrence)
    parked.forget(occurrence)
    parkedThroughGate.forget(occurrence)
  }

  func keep(_ entry: LaneEntry) {
    entries[entry.id] = entry
    idsOfKey[entry.key, default: []].insert(entry.id)
  }

  /// It has become a run, of all runs that one.
  func begin(_ entry: LaneEntry, turn: UInt64) { begun[entry.id] = (entry, turn) }

  /// It has ended.
  func forget(_ entry: LaneEntry) {
    guard entries.removeValue(forKey: entry.id) != nil else { return }
    begun[entry.id] = nil
    idsOfKey[entry.key]?.remove(entry.id)
    if idsOfKey[entry.key]?.isEmpty == true { idsOfKey[entry.key] = nil }
  }

  /// What has not ended of a key: what is a run, then the others in the order of the line.
  func entries(of key: String) -> [LaneEntry] {
    let found = idsOfKey[key]?.compactMap { entries[$0] } ?? []
    return found.filter { $0.run != nil }.sorted { $0.id < $1.id }
      + found.filter { $0.run == nil }.sorted { $0.rank < $1.rank }
  }

  /// What is a run and has not ended, in the order in which they have begun.
  var live: [LaneEntry] { begun.values.sorted { $0.turn < $1.turn }.map(\.entry) }

  /// Whether nothing would be lost with it: no task names it, none is in it, and nobody has opened it, held it, put something
  /// in or waits for that.
  ///
  /// - Parameter leaving: how many of the tasks that name it leave.
  func isForgettable(leftBy leaving: Int = 0) -> Bool {
    let isAsked = isUsed && !isOpen && lane.condition != nil
    return members == leaving && version == 0 && !isBusy && !isAsked && occurrences.isEmpty && watchers.isEmpty
      && idleWaiters.isEmpty
  }

  var isIdle: Bool { line.isEmpty && begun.isEmpty }
  var isHeld: Bool { !isOpen || isHeldThroughGate }
  private var isHeldThroughGate: Bool { isPaused || failed != nil }

  var status: LaneStatus {
    if let failed { return .stopped(by: failed.name) }
    if isPaused { return .paused }
    return isOpen ? .open : .closed
  }

  /// Whether nothing of a run may enter now.
  func holds(_ run: ActiveRun) -> Bool {
    if isHeldThroughGate || run.entry?.isPaused == true { return true }
    return !isOpen && !goesThroughGate(run)
  }

  /// The gate's own event goes through it: the gate waits for that to end.
  private func goesThroughGate(_ run: ActiveRun) -> Bool {
    run.entry == nil && run.state.plan.event.name == lane.gateEvent
  }

  /// A task of an event could start but for the lane.
  func park(_ rank: LaneRank, of run: ActiveRun, at handle: RunHandle) {
    if goesThroughGate(run) { parkedThroughGate.insert(rank, of: handle) } else { parked.insert(rank, of: handle) }
  }

  /// The first of those that may enter now: a task of an event, which is taken out, or what was put in.
  ///
  /// - Parameter isParked: whether a task of an event still waits.
  func takeFirst(where isParked: (RunHandle, Int32) -> Bool) -> (run: RunHandle, node: Int32)? {
    guard !isHeldThroughGate else { return nil }
    let other = isOpen ? parked.first(where: isParked) : nil
    let throughGate = parkedThroughGate.first(where: isParked)
    let first = [other, throughGate].compactMap { $0 }.min()
    if isOpen, let entry = candidates.firstParked, let run = entry.run, first.map({ entry.rank < $0.rank }) ?? true {
      return (run, 0)
    }
    guard let first else { return nil }
    if first == throughGate { parkedThroughGate.removeFirst(of: first.run) } else { parked.removeFirst(of: first.run) }
    return (first.run, first.node)
  }

  /// How many tasks of events could start but for the lane, those included that have ended meanwhile and are still kept.
  var parkedCount: Int { parked.storedCount + parkedThroughGate.storedCount }

  func hold(now: Int64, _ change: (inout Hold) -> Void) {
    change(&hold)
    time.note(isHeld, now: now)
    timeThroughGate.note(isHeldThroughGate, now: now)
  }

  /// For how long the lane has been held so far.
  func held(until now: Int64) -> Int64 { time.total(until: now) }

  /// The same for a run.
  func held(for run: ActiveRun, until now: Int64) -> Int64 {
    (goesThroughGate(run) ? timeThroughGate : time).total(until: now)
  }
}

/// For how long something has been so, in all.
private struct HoldTime {
  private var since: Int64?
  private var before: Int64 = 0

  mutating func note(_ isHeld: Bool, now: Int64) {
    if isHeld {
      since = since ?? now
    } else if let since {
      before += now - since
      self.since = nil
    }
  }

  func total(until now: Int64) -> Int64 { before + (since.map { now - $0 } ?? 0) }
}
