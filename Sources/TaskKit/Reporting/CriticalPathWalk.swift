/// Goes back from the task that ended last: what did its start wait for, and what did that one's?
///
/// Each `tell…` says what the time before the cursor was for, and moves the cursor to where that began. What it returns is
/// the task at which the path goes on.
struct CriticalPathWalk {
  private let record: RunRecord
  /// By node: whether it was started.
  private let isStarted: ContiguousArray<Bool>
  /// Everything after it is told.
  private var cursor: Int64
  /// The last one first.
  private var segments: [CriticalPath.Segment] = []
  /// Where bodies take no time, two may seem to have waited for each other.
  private var told: Set<Attempt> = []

  /// One attempt of a task; 0 is the first.
  private struct Attempt: Hashable {
    let node: Int32
    let number: Int
  }

  private var plan: EventPlan { record.plan }

  /// - Parameters:
  ///   - record: of a run that was timed.
  ///   - ended: when the run did.
  init(_ record: RunRecord, ended: Int64) {
    self.record = record
    cursor = ended
    var isStarted = ContiguousArray(repeating: false, count: record.plan.count)
    for node in record.started { isStarted[Int(node)] = true }
    self.isStarted = isStarted
  }

  /// The whole way, from the beginning of the run to its end. To be asked once.
  mutating func path() -> CriticalPath {
    var current = lastToEnd()
    while let node = current {
      tell(.scheduling, nil, since: min(cursor, record.times(of: node).ended))
      // A task that was skipped took no time; what blocked it did.
      let before = isStarted[Int(node)] ? tellAttempts(of: node) : nil
      current = before ?? tellReadiness(of: node)
    }
    tell(.scheduling, nil, since: record.origin)
    return CriticalPath(segments: segments.reversed())
  }

  /// The last task that ended by a body, or by what it waited for in another event: for want of one, or since that was its
  /// one run.
  private func lastToEnd() -> Int32? {
    var last: Int32?
    func consider(_ node: Int32) {
      if last == nil || record.times(of: node).ended > record.times(of: last!).ended { last = node }
    }
    for node in record.started { consider(node) }
    for node in 0..<Int32(plan.count) where record.times(of: node).readiedBy == RunRecord.Times.otherEvent {
      consider(node)
    }
    return last
  }

  // MARK: - Telling

  /// What the time from a moment until the cursor was for; nothing where that moment is not before it.
  private mutating func tell(_ kind: CriticalPath.Segment.Kind, _ node: Int32?, since start: Int64) {
    guard start < cursor else { return }
    segments.append(.init(kind: kind, task: node.map(plan.name), duration: .nanoseconds(cursor - start)))
    cursor = start
  }

  /// The attempts of a task and the pauses between them, back from the cursor.
  ///
  /// - Returns: who had the lane or the slot that one of them waited for.
  private mutating func tellAttempts(of node: Int32) -> Int32? {
    let times = record.times(of: node)
    let isMain = plan.forms[Int(node)] == .main
    let pauses = record.retryPauses[node] ?? []
    for number in pauses.indices.reversed() where pauses[number].since < cursor {
      told.insert(Attempt(node: node, number: number + 1))
      let pause = pauses[number]
      tell(.run, node, since: min(cursor, pause.until))
      if pause.chosen < pause.until { tell(isMain ? .mainActor : .slot, node, since: pause.chosen) }
      if pause.ready < cursor,
        let other = tellWait(of: node, since: pause.ready, pause.laneRelease, freedBy: pause.freedBy)
      {
        return other
      }
      tell(.retry, node, since: pause.since)
    }
    told.insert(Attempt(node: node, number: 0))
    tell(.run, node, since: times.firstBegun)
    tell(isMain ? .mainActor : .slot, node, since: max(times.firstChosen, record.slotFound(times, of: node)))
    return tellWait(of: node, since: times.ready, record.laneReleases[node], freedBy: times.freedBy)
  }

  /// What an attempt waited for from the time on when it could begin.
  ///
  /// - Returns: who left its lane or slot, where the path goes on there.
  private mutating func tellWait(
    of node: Int32, since ready: Int64, _ lane: RunRecord.LaneRelease?, freedBy: Int32
  ) -> Int32? {
    let waitsForMain = plan.forms[Int(node)] == .main && !record.isLimited
    if waitsForMain, let lane { tell(.mainActor, node, since: lane.at) }
    let other = lane?.node ?? freedBy
    guard other >= 0, let last = lastAttempt(of: other, by: lane?.at ?? cursor), last.end > ready, last.end <= cursor,
      !told.contains(last.attempt)
    else {
      tell(waitsForMain && lane == nil ? .mainActor : .slot, node, since: ready)
      return nil
    }
    told.insert(last.attempt)
    // A body that has timed out holds its lane until it returns.
    if let lane, lane.at > last.end { tell(.slot, node, since: last.end) }
    return other
  }

  /// What a task waited for before it was ready, where that was outside this event.
  ///
  /// - Returns: what made it ready, where that was inside.
  private mutating func tellReadiness(of node: Int32) -> Int32? {
    let prerequisite = record.times(of: node).readiedBy
    if prerequisite == RunRecord.Times.otherEvent { tell(.otherEvent, node, since: record.origin) }
    return prerequisite >= 0 ? prerequisite : nil
  }

  /// The last attempt of a task that had come to its end at a time, and when; nil if none had.
  private func lastAttempt(of node: Int32, by time: Int64) -> (attempt: Attempt, end: Int64)? {
    let pauses = record.retryPauses[node] ?? []
    let ended = record.times(of: node).ended
    if ended <= time { return (Attempt(node: node, number: pauses.count), ended) }
    guard let last = pauses.lastIndex(where: { $0.since <= time }) else { return nil }
    return (Attempt(node: node, number: last), pauses[last].since)
  }
}
