import TaskGraph

/// What becomes of a send.
enum Admission {
  case started(RunHandle, EventPlan)
  /// It waits behind an earlier one of its event.
  case queued(UInt64)
  /// It does not run.
  case answered(EventReport.Status)
}

extension CenterMachine {
  /// Decides what becomes of a send.
  ///
  /// - Parameter sender: the body that sends and waits, if it is one of this center.
  mutating func admit(
    _ event: EventDescription, payload: any Sendable, deadline: Int64?, sender: FrameIdentity?, now: Int64
  ) -> Admission {
    let number = number(of: event)
    guard events[number].description.identity == event.identity else {
      return .answered(.refused(EventConflict.message(events[number].description, event)))
    }
    if isClosed { return .answered(.refused(TaskCenter.closedText)) }
    if event.isOnce && events[number].hasHappened { return .answered(.alreadyHappened) }

    // What the tasks say counts; whoever sends may have another constant of that name.
    let burst = events[number].description.burst
    let isBusy = events[number].active != nil
    if isBusy, burst == .drop {
      if !observers.isEmpty { observe(.occurrenceDropped(event.name), now: now) }
      return .answered(.dropped)
    }
    if let sender, let chain = chainOfWaiting(fromEvent: number, to: sender) {
      return .answered(.sendingInCircle(event.name, chain))
    }
    let quietTime = burst.quietTime
    guard isBusy || quietTime != nil else {
      let handle = startRun(nextID(), event: number, payload: payload, deadline: deadline, now: now)
      runs[handle.slot]!.claims = 1
      let plan = runs[handle.slot]!.state.plan
      return .started(handle, plan)
    }
    if burst == .replace, let active = events[number].active {
      // It may stand for several sends; all of them are replaced.
      runs[active.slot]!.senders = 1
      cancel(run: active.id, now: now)
    }
    if let quietTime { setQuietTimer(of: number, due: now.later(by: quietTime)) }
    if burst.isMerging, let waiting = events[number].queue.last {
      if !observers.isEmpty { observe(.occurrenceDropped(event.name), now: now) }
      discard(queued[waiting]?.payload)
      queued[waiting]?.payload = payload
      queued[waiting]?.claims += 1
      // Of several deadlines the tightest holds for all.
      let tightest = [deadline, queued[waiting]?.deadline].compactMap { $0 }.min()
      queued[waiting]?.deadline = tightest
      queued[waiting]?.senders += 1
      return .queued(waiting)
    }
    let id = nextID()
    queued[id] = QueuedSend(id: id, event: number, payload: payload, deadline: deadline, claims: 1)
    events[number].queue.append(id)
    // Cancelling what was there may have been all that it took.
    if burst == .replace, events[number].active == nil { startNextQueued(of: number, now: now) }
    return .queued(id)
  }

  /// Nothing of the event starts until a time has passed.
  private mutating func setQuietTimer(of event: Int, due: Int64) {
    if let timer = events[event].quietTimer { _ = timers.remove(timer) }
    events[event].quietTimer = timers.add(.quiet(event: event), due: due)
    wakeSettleWaiters()
    effects.append(.setAlarm)
  }

  /// The number of an event that somebody has spoken of. Mostly the one that was asked for last: comparing with that
  /// saves hashing the name.
  mutating func knownNumber(of name: String) -> Int? {
    if lastEvent < events.count, events[lastEvent].description.identity.name == name { return lastEvent }
    guard let number = eventNumbers[name] else { return nil }
    lastEvent = number
    return number
  }

  /// The number of an event, which is new if nobody has spoken of it before.
  mutating func number(of event: EventDescription) -> Int {
    if let number = knownNumber(of: event.name) { return number }
    let number = freeEvents.popLast() ?? events.count
    eventNumbers[event.name] = number
    if number == events.count {
      events.append(EventState(description: event))
    } else {
      events[number] = EventState(description: event)
    }
    return number
  }

  mutating func nextID() -> UInt64 {
    defer { nextRunID += 1 }
    return nextRunID
  }

  /// A place for a run.
  mutating func freeSlot() -> Int {
    if let free = freeSlots.popLast() { return free }
    runs.append(nil)
    return runs.count - 1
  }

  /// A run is going.
  mutating func place(_ run: ActiveRun, at handle: RunHandle) {
    runs[handle.slot] = run
    slotsOfRuns[handle.id] = handle.slot
    goingCount += 1
    begunCount += 1
    run.state.turn = begunCount
    if isLimited { run.state.compete(as: handle, in: readyRuns) }
    guard run.entry == nil, !run.state.plan.lanes.isEmpty else { return }
    for lane in run.state.plan.lanes.keys { lanes[lane]?.begin(handle) }
  }

  /// Starts an occurrence.
  ///
  /// - Parameter arrival: a number of now, where that of the occurrence is older.
  mutating func startRun(
    _ id: UInt64, arrival: UInt64? = nil, event: Int, payload: any Sendable, deadline: Int64?, now: Int64
  ) -> RunHandle {
    let plan = plan(ofEvent: event)
    let handle = startRun(
      id, arrival: arrival, plan: plan, event: event, payload: payload, deadline: deadline, now: now)
    events[event].active = handle
    events[event].hasHappened = true
    setLatestPayload(payload, ofEvent: event)
    return handle
  }

  mutating func setLatestPayload(_ payload: any Sendable, ofEvent event: Int) {
    if events[event].description.identity.payload != Void.self { discard(events[event].latestPayload) }
    if events[event].description.isOfNotifications, let posted = payload as? PostedNotification {
      // Whoever has posted it may hold the center, and would then live until the next one comes.
      events[event].latestPayload = posted.withoutSender
    } else {
      events[event].latestPayload = payload
    }
  }

  /// Starts the tasks of a plan, which may be an event's or one made for a few tasks.
  mutating func startRun(
    _ id: UInt64, arrival: UInt64? = nil, plan: EventPlan, event: Int?, payload: any Sendable, deadline: Int64?,
    now: Int64
  ) -> RunHandle {
    let run = ActiveRun(
      state: RunState(
        id: id, arrival: arrival, plan: plan, payload: payload, isTimed: isTimed, isLimited: isLimited, now: now),
      event: event)
    let slot = freeSlot()
    let handle = RunHandle(slot: slot, id: id)
    run.state.reportsEnds = !outputWaiters.isEmpty || !observers.isEmpty || plan.event.schedule != nil
    place(run, at: handle)
    if let deadline {
      run.refusesCallersThread = true
      // Whoever has given it its turn may have come before anybody wanted to know what time it is.
      if now == 0, !isTimed {
        effects.append(.setDeadline(handle, deadline))
      } else {
        setDeadline(deadline, of: handle, now: now)
      }
    }
    noteActivity(of: plan.event.name)
    for external in plan.externals { wait(for: external, in: handle, now: now) }
    runs[slot]!.state.open(now: now)
    if !observers.isEmpty { observe(.eventStarted(plan.event.name), of: id, now: now) }
    // What the look at other events has skipped already.
    afterEnds(handle, now: now)
    return handle
  }

  /// The plan of an event, made when it is first needed and after the event's tasks have changed.
  mutating func plan(ofEvent number: Int) -> EventPlan {
    if let plan = events[number].plan { return plan }
    let event = events[number].description
    let members = events[number].members.present(in: tasks)
    while true {
      if let plan = EventPlan(event: event, members: members, in: tasks, table: registry, order: startOrder) {
        events[number].plan = plan
        return plan
      }
      breakCircles(among: ContiguousArray(members.lazy.map { $0.task }), at: event.occasion)
    }
  }

  /// The tasks of an event have changed: nothing that was made of them is kept.
  mutating func forgetPlan(ofEvent number: Int) {
    discard(events[number].plan)
    events[number].plan = nil
    events[number].isTiny = false
    if let walk = events[number].walk {
      freeSlots.append(walk.handle.slot)
      discard(walk)
      events[number].walk = nil
    }
  }

  /// Looks at a prerequisite that belongs to another event (law of order, rule 5): its latest occurrence counts, and
  /// is waited for while it is running.
  private mutating func wait(for external: EventPlan.External, in handle: RunHandle, now: Int64) {
    let latest = latestRun(of: external.task, besides: handle)
    if let latest, !runs[latest.run.slot]!.state.status[Int(latest.node)].hasEnded {
      let other = runs[latest.run.slot]!.state
      other.reportsEnds = true
      other.externalDependents[latest.node, default: SweptList()].append(
        (handle, external.node, external.kind), where: { isActive($0.run) })
      runs[handle.slot]!.state.waitForExternal(external.node)
      return
    }
    guard external.kind == .requires, runs[handle.slot]!.state.status[Int(external.node)] == .waiting else { return }
    let record = tasks[Int(external.task)]
    let name = record.registration.name
    if latest == nil, record.latest == nil {
      runs[handle.slot]!.state.skip(external.node, .skippedNeverRan, culprit: name, now: now)
    } else if latest.map({ runs[$0.run.slot]!.state.endedWell($0.node) }) ?? record.latestEndedWell {
      let end = latest.map { ended($0.node, in: $0.run) } ?? keptOutput(of: external.task)
      runs[handle.slot]!.state.keep(end, ofExternal: record.sequence)
    } else {
      runs[handle.slot]!.state.skip(external.node, .skippedForDependency, culprit: name, now: now)
    }
  }

  /// The run that has begun last of those in which a task takes part, but for those that leave its one run to another; nil
  /// if that has ended.
  func latestRun(of task: Int32, besides handle: RunHandle?) -> (run: RunHandle, node: Int32)? {
    var latest: (run: RunHandle, node: Int32)?
    var turn = tasks[Int(task)].latestTurn
    for slot in runs.indices where slot != handle?.slot {
      guard let state = runs[slot]?.state, !runs[slot]!.isConcluded, let node = state.plan.node(ofTask: task),
        !leavesRunToAnother(node, of: state), state.turn >= turn
      else { continue }
      turn = state.turn
      latest = (RunHandle(slot: slot, id: state.id), node)
    }
    return latest
  }
}

/// What is said when one name means two events, or does two things with a burst.
enum EventConflict {
  static func message(_ one: EventDescription, _ other: EventDescription) -> String {
    if one.identity.payload != other.identity.payload {
      return "event '\(one.name)' carries \(one.identity.payload) in one place and \(other.identity.payload) in "
        + "another; give one of them another name"
    }
    if one.isOnce != other.isOnce {
      return "event '\(one.name)' happens once in one place and repeatedly in another; declare it in one place"
    }
    if one.identity == other.identity {
      return
        "event '\(one.name)' does '\(one.burst)' with a burst in one place and '\(other.burst)' in another; say the "
        + "same in both"
    }
    return "event '\(one.name)' is answered with \(words(one.identity.reply)) in one place and "
      + "\(words(other.identity.reply)) in another; give one of them another name"
  }

  private static func words(_ reply: (any Sendable.Type)?) -> String {
    reply.map { "\($0)" } ?? "nothing"
  }
}
