/// Where something stands in the line of a lane: the more urgent first, then what came first.
///
/// What was put into the lane came with its number, a task when its occurrence began: both are counted alike.
struct LaneRank: Comparable {
  let priority: Int
  let arrival: UInt64
  let node: Int32
  /// It has stopped the lane, which goes on with it: nothing is more urgent.
  var comesFirst = false

  static func < (one: LaneRank, other: LaneRank) -> Bool {
    if one.comesFirst != other.comesFirst { return one.comesFirst }
    return one.priority != other.priority
      ? one.priority > other.priority : (one.arrival, one.node) < (other.arrival, other.node)
  }
}

/// Something that was put into a lane: waiting in its line, or as a run of one node.
// Changes only under the lock of its center.
final class LaneEntry: @unchecked Sendable {
  /// How far it is.
  enum Stage {
    /// It waits in the line, or is on its way there.
    case waiting
    /// It is a run; for how long the lane had been held in all when it became one.
    case run(RunHandle, held: Int64)
    case ended
  }

  /// The number of its run, too.
  let id: UInt64
  /// These two are another's from the moment on at which one that has failed runs again in its place. The rank changes only
  /// while it is neither in the line, which finds it by that, nor a run.
  var rank: LaneRank
  var request: LaneRequest
  let answer = LaneAnswer()
  /// When it came, and how long the lane had been held by then.
  let enqueued: Int64
  let heldBefore: Int64
  /// How many tickets it stands for: those of one that was kept are cancelled only together.
  var senders = 1
  var isPaused = false
  var stage = Stage.waiting
  /// Where its run stands, and the place among those that stand there: see ``LaneCandidates``.
  var standing = Standing.apart
  var place: Int?
  /// It was put in while the tasks of the idle event ran, mostly by them: running it is no activity, or those would wake
  /// themselves for ever.
  var isOfIdleness = false
  /// Its end is no failure, because somebody has taken it out: it was removed, replaced, cancelled while it waited for another
  /// attempt, or the lane was emptied.
  var isDismissed = false

  /// Where something stands that could start.
  enum Standing {
    /// It cannot: it is no run, runs, waits for its next attempt, or has ended.
    case apart
    /// Somebody comes for it.
    case ready
    /// It waits for the lane.
    case parked
  }

  init(_ request: LaneRequest, id: UInt64, rank: LaneRank, enqueued: Int64, heldBefore: Int64) {
    self.id = id
    self.rank = rank
    self.request = request
    self.enqueued = enqueued
    self.heldBefore = heldBefore
  }

  /// A center that goes takes its lanes along; nobody is left waiting.
  deinit {
    answer.settle(LaneAnswer.End(outcome: .cancelled))
  }

  var name: TaskName { request.registration.name }

  /// Its run, as long as that has not ended.
  var run: RunHandle? { if case .run(let run, _) = stage { run } else { nil } }

  /// What is thrown if its time passes.
  var timeout: TimeoutError? {
    request.registration.timeout.map { TimeoutError(timeout: $0, location: request.registration.location) }
  }

  var key: String { request.key }
}

/// What somebody wants to put into a lane.
struct LaneRequest: Sendable {
  let lane: Lane
  let key: String
  /// Without a body.
  let registration: TaskRegistration
  let body: TaskBody

  init(
    _ name: TaskName, in lane: Lane, key: String?, priority: Priority, timeout: Duration?, retry: RetryPolicy,
    location: TaskLocation, _ body: TaskBody
  ) {
    self.lane = lane
    self.key = key ?? name.rawValue
    registration = TaskRegistration(
      name: name, location: location, occasions: [], priority: priority, dependencies: [], after: [],
      timeout: timeout, retry: retry, onFailure: .skipDependents, runs: .always, lane: lane)
    self.body = body
  }
}

/// What waits in a lane and is no run yet, in the order of the line.
///
/// What is paused stands apart, each in its place: a turn of the lane looks at none of it, however much there is.
struct LaneLine {
  private var startable = LaneRow()
  private var paused = LaneRow()

  var isEmpty: Bool { startable.isEmpty && paused.isEmpty }
  /// The first that may start.
  var first: LaneEntry? { startable.first }
  var entries: [LaneEntry] {
    let entries = Array(startable.entries)
    return paused.isEmpty ? entries : (entries + Array(paused.entries)).sorted { $0.rank < $1.rank }
  }

  mutating func insert(_ entry: LaneEntry) {
    if entry.isPaused { paused.insert(entry) } else { startable.insert(entry) }
  }

  /// Several that are all paused, or all not.
  mutating func insert(_ entries: [LaneEntry]) {
    if entries.first?.isPaused == true { paused.insert(entries) } else { startable.insert(entries) }
  }

  /// Takes an entry out that is paused, or not, as when it was put in.
  mutating func remove(_ entry: LaneEntry) {
    if entry.isPaused { paused.remove(entry) } else { startable.remove(entry) }
  }

  /// Several that were all paused, or all not.
  mutating func remove(_ entries: [LaneEntry]) {
    if entries.first?.isPaused == true { paused.remove(entries) } else { startable.remove(entries) }
  }

  mutating func removeAll() -> [LaneEntry] {
    defer { (startable, paused) = (LaneRow(), LaneRow()) }
    return entries
  }
}

/// Entries in the order of their ranks.
private struct LaneRow {
  /// A place is emptied before the line moves on, so that nothing is kept longer than it is needed.
  private var places: [LaneEntry?] = []
  private var head = 0
  /// So many are put in or taken out one by one: each moves what stands behind it. More go with all the others at once.
  private static let few = 16

  var isEmpty: Bool { places.count == head }
  var first: LaneEntry? { isEmpty ? nil : places[head] }
  var entries: some Sequence<LaneEntry> { places[head...].lazy.compactMap { $0 } }

  /// Behind all that comes before it; at once where that is the end.
  mutating func insert(_ entry: LaneEntry) { places.insert(entry, at: place(of: entry.rank)) }

  mutating func insert(_ entries: [LaneEntry]) {
    guard entries.count > Self.few else { return entries.forEach { insert($0) } }
    places = (self.entries + entries).sorted { $0.rank < $1.rank }
    head = 0
  }

  mutating func remove(_ entries: [LaneEntry]) {
    guard entries.count > Self.few else { return entries.forEach { remove($0) } }
    let leaving = Set(entries.map(ObjectIdentifier.init))
    places = self.entries.filter { !leaving.contains(ObjectIdentifier($0)) }
    head = 0
  }

  /// The first that does not come before a rank.
  private func place(of rank: LaneRank) -> Int {
    var low = head
    var high = places.count
    while low < high {
      let middle = (low + high) / 2
      if let other = places[middle], other.rank < rank { low = middle + 1 } else { high = middle }
    }
    return low
  }

  mutating func remove(_ entry: LaneEntry) {
    var index = place(of: entry.rank)
    // Those of one rank, if there are any, stand together.
    while index < places.count, let other = places[index], other !== entry, !(entry.rank < other.rank) { index += 1 }
    guard index < places.count, places[index] === entry else { return }
    guard index == head else {
      places.remove(at: index)
      return
    }
    places[head] = nil
    head += 1
    // Moving the rest to the front costs as much as has been taken since.
    if head * 2 >= places.count {
      places.removeFirst(head)
      head = 0
    }
  }
}
