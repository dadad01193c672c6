import TaskGraph

/// What happens to a task that a running event is not done with.
///
/// Injecting, destroying, pausing, resuming: each is decided and done in one step under the lock, so it is effective when
/// the call returns.
extension CenterMachine {
  /// The tasks of a plan, or what they wait for, have changed.
  mutating func forgetPlans(of task: Int32) {
    for occasion in tasks[Int(task)].registration.occasions {
      if let event = knownNumber(of: occasion.event.name) { forgetPlan(ofEvent: event) }
    }
    forgetSchedulePlan(of: task)
  }

  // MARK: - Pausing

  mutating func pause(_ task: Int32, missed: MissedOccasions, now: Int64) {
    marks[Int(task)].insert(.paused)
    hasMarks = true
    switch missed {
    case .deliver: marks[Int(task)].insert(.pausedAndKept)
    case .skip:
      marks[Int(task)].remove(.pausedAndKept)
      // An earlier pause may have kept something.
      discard(tasks[Int(task)].keep(missed: nil))
      missKeptSlot(of: task, now: now)
    }
    if !observers.isEmpty { observe(.taskPaused(tasks[Int(task)].registration.name), now: now) }
  }

  /// Lets a task start again, and delivers the occasion that was missed, if there was one to keep.
  mutating func resume(_ task: Int32, at instants: Instants) {
    let now = inOrder(instants.continuous)
    marks[Int(task)].subtract([.paused, .pausedAndKept])
    if !observers.isEmpty { observe(.taskResumed(tasks[Int(task)].registration.name), now: now) }
    resumeSchedule(of: task, at: instants, now: now)
    guard !isClosed, let (event, payload) = tasks[Int(task)].missedPayload else { return }
    discard(tasks[Int(task)].keep(missed: nil))
    let plan = plan(of: [task], at: event)
    let handle = startRun(nextID(), plan: plan, event: nil, payload: payload, deadline: nil, now: now)
    runs[handle.slot]!.delivers = event
    serve(handle, now: now)
  }

  // MARK: - Single tasks

  /// A plan of a few tasks of one event.
  mutating func plan(of chosen: [Int32], at event: Int) -> EventPlan {
    let description = events[event].description
    while true {
      let members: [EventPlan.Member] = declared(chosen).compactMap { task in
        let occasions = tasks[Int(task)].registration.occasions
        guard let occasion = occasions.first(where: { $0.event.name == description.name }) else { return nil }
        return EventPlan.Member(task: task, body: occasion.body)
      }
      if let plan = EventPlan(event: description, members: members, tasks: tasks, order: startOrder) { return plan }
      breakCircles(among: ContiguousArray(members.lazy.map { $0.task }), at: description.occasion)
    }
  }
}
