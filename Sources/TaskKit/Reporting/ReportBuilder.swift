/// Turns the record of a run that has ended into a report.
struct ReportBuilder {
  let record: RunRecord
  /// Tasks that had ended while their body still ran.
  let overdue: Set<Int32>
  let ended: Int64
  private var plan: EventPlan { record.plan }

  func tasks() -> [TaskReport] {
    record.isTimed ? timedTasks() : problems()
  }

  // MARK: - Tasks

  private func timedTasks() -> [TaskReport] {
    var isListed = ContiguousArray(repeating: false, count: plan.count)
    var reports: [TaskReport] = []
    reports.reserveCapacity(plan.count)
    for node in record.started where !isListed[Int(node)] {
      isListed[Int(node)] = true
      reports.append(task(node, hasBegun: record.status[Int(node)] != .skippedDisabled))
    }
    for node in 0..<Int32(plan.count) where !isListed[Int(node)] { reports.append(task(node, hasBegun: false)) }
    return reports
  }

  private func problems() -> [TaskReport] {
    (0..<Int32(plan.count)).filter { record.status[Int($0)] != .succeeded }.map { task($0, hasBegun: false) }
  }

  private func task(_ node: Int32, hasBegun: Bool) -> TaskReport {
    let registration = plan.registrations[Int(node)]
    let status = record.status[Int(node)]
    var waits = TaskReport.Waits()
    var started: Duration?
    var duration = Duration.zero
    if record.isTimed {
      let times = record.times(of: node)
      waits.dependency = .nanoseconds(max(0, times.ready - record.origin))
      waits.retry = .nanoseconds(times.retryDelay)
      if hasBegun {
        let slotFound = slotFound(times, node)
        let held = max(0, record.laneHolds[node] ?? 0)
        waits.pause = .nanoseconds(held)
        waits.slot = .nanoseconds(slotFound - times.ready - held)
        waits.mainActor = .nanoseconds(times.firstBegun - slotFound)
        started = .nanoseconds(times.firstBegun - record.origin)
        duration = .nanoseconds(times.ended - times.firstBegun)
      }
    }
    let failed = record.attempts[node] ?? 0
    return TaskReport(
      name: registration.name, outcome: record.outcome(of: node), started: started, duration: duration, waits: waits,
      effectivePriority: Priority(plan.effectivePriorities[Int(node)]),
      attempts: hasBegun || status.hasStarted ? failed + 1 : 0,
      isStillRunning: overdue.contains(node), location: registration.location, module: registration.owner?.name,
      failureIsIgnored: registration.onFailure == .ignore)
  }

  /// When the wait for a slot was over and that for the main actor began. For other tasks, when the body began; without
  /// a limit there is none but the lane to wait for on the way to the main actor.
  private func slotFound(_ times: RunRecord.Times, _ node: Int32) -> Int64 {
    guard plan.forms[Int(node)] == .main else { return times.firstBegun }
    return record.isLimited ? times.firstChosen : record.laneReleases[node]?.at ?? times.ready
  }

  // MARK: - Critical path

  /// Walks back from the task that ended last: what did its start wait for, and what did that one's?
  func criticalPath() -> CriticalPath {
    guard record.isTimed, plan.count > 0 else { return CriticalPath(segments: []) }
    var segments: [CriticalPath.Segment] = []
    var isStarted = ContiguousArray(repeating: false, count: plan.count)
    for node in record.started { isStarted[Int(node)] = true }
    // Everything after `cursor` is told.
    var cursor = ended
    func add(_ kind: CriticalPath.Segment.Kind, _ node: Int32?, since start: Int64) {
      guard start < cursor else { return }
      segments.append(.init(kind: kind, task: node.map(plan.name), duration: .nanoseconds(cursor - start)))
      cursor = start
    }
    /// What made a node ready, unless that was outside this event.
    func prerequisite(of node: Int32) -> Int32? {
      let prerequisite = record.times(of: node).readiedBy
      if prerequisite == RunRecord.Times.otherEvent { add(.otherEvent, node, since: record.origin) }
      return prerequisite >= 0 ? prerequisite : nil
    }
    // Where bodies take no time, two may seem to have waited for each other.
    var told: Set<Attempt> = []
    /// What an attempt waited for from the time on when it could begin: of who left its lane or slot the path goes on there.
    func whoWasBefore(
      _ node: Int32, since ready: Int64, _ lane: RunRecord.LaneRelease?, freedBy: Int32
    ) -> Int32? {
      let waitsForMain = plan.forms[Int(node)] == .main && !record.isLimited
      if waitsForMain, let lane { add(.mainActor, node, since: lane.at) }
      let other = lane?.node ?? freedBy
      guard other >= 0, let last = lastAttempt(of: other, by: lane?.at ?? cursor), last.end > ready, last.end <= cursor,
        !told.contains(last.attempt)
      else {
        add(waitsForMain && lane == nil ? .mainActor : .slot, node, since: ready)
        return nil
      }
      told.insert(last.attempt)
      // A body that has timed out holds its lane until it returns.
      if let lane, lane.at > last.end { add(.slot, node, since: last.end) }
      return other
    }
    /// The attempts of a task and the pauses between them, back from the cursor.
    ///
    /// - Returns: who had the lane or the slot that one of them waited for.
    func tellRuns(of node: Int32, _ times: RunRecord.Times) -> Int32? {
      let isMain = plan.forms[Int(node)] == .main
      let pauses = record.retryPauses[node] ?? []
      for number in pauses.indices.reversed() where pauses[number].since < cursor {
        told.insert(Attempt(node: node, number: number + 1))
        let pause = pauses[number]
        add(.run, node, since: min(cursor, pause.until))
        if pause.chosen < pause.until { add(isMain ? .mainActor : .slot, node, since: pause.chosen) }
        if pause.ready < cursor,
          let other = whoWasBefore(node, since: pause.ready, pause.laneRelease, freedBy: pause.freedBy)
        {
          return other
        }
        add(.retry, node, since: pause.since)
      }
      told.insert(Attempt(node: node, number: 0))
      add(.run, node, since: times.firstBegun)
      add(isMain ? .mainActor : .slot, node, since: max(times.firstChosen, slotFound(times, node)))
      return whoWasBefore(node, since: times.ready, record.laneReleases[node], freedBy: times.freedBy)
    }
    var current = lastToEnd()
    while let node = current {
      let times = record.times(of: node)
      add(.scheduling, nil, since: min(cursor, times.ended))
      // A task that was skipped took no time; what blocked it did.
      current = (isStarted[Int(node)] ? tellRuns(of: node, times) : nil) ?? prerequisite(of: node)
    }
    add(.scheduling, nil, since: record.origin)
    return CriticalPath(segments: segments.reversed())
  }

  /// One attempt of a task; 0 is the first.
  private struct Attempt: Hashable {
    let node: Int32
    let number: Int
  }

  /// The last attempt of a task that had come to its end at a time, and when; nil if none had.
  private func lastAttempt(of node: Int32, by time: Int64) -> (attempt: Attempt, end: Int64)? {
    let pauses = record.retryPauses[node] ?? []
    let ended = record.times(of: node).ended
    if ended <= time { return (Attempt(node: node, number: pauses.count), ended) }
    guard let last = pauses.lastIndex(where: { $0.since <= time }) else { return nil }
    return (Attempt(node: node, number: last), pauses[last].since)
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
}

extension RunState {
  /// What was answered, merged by the event's rule: in the order of the law, whatever order it came in.
  var reply: (any Sendable)? {
    guard let rule = plan.event.reply else { return nil }
    return rule.merge((0..<Int32(plan.count)).compactMap { outputs[$0] }.filter(rule.accepts))
  }
}
