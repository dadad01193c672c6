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

  func criticalPath() -> CriticalPath {
    guard record.isTimed, plan.count > 0 else { return CriticalPath(segments: []) }
    var walk = CriticalPathWalk(record, ended: ended)
    return walk.path()
  }

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
        let slotFound = record.slotFound(times, of: node)
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
      name: registration.name, outcome: record.outcome(of: node),
      errorAfterCancellation: record.errorsAfterCancellation[node], started: started, duration: duration, waits: waits,
      effectivePriority: Priority(plan.effectivePriorities[Int(node)]),
      attempts: hasBegun || status.hasStarted ? failed + 1 : 0,
      isStillRunning: overdue.contains(node), location: registration.location, module: registration.owner?.name,
      failureIsIgnored: registration.onFailure == .ignore)
  }
}

extension RunState {
  /// What was answered, merged by the event's rule: in the order of the law, whatever order it came in.
  var reply: (any Sendable)? {
    guard let rule = plan.event.reply else { return nil }
    return rule.merge((0..<Int32(plan.count)).compactMap { outputs[$0] }.filter(rule.accepts))
  }
}
