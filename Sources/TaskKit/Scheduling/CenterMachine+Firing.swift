import Foundation
import TaskGraph

/// What becomes of a slot of a schedule that is due: which runs it turns into, and what follows from their ends.
extension CenterMachine {
  // MARK: - Firing

  /// Starts what is due, all of it as one occurrence.
  mutating func fireSchedules(at reading: Instants) {
    guard schedules.isStarted else { return }
    lookAtClock(reading)
    let instants = asSeenLast(reading)
    var due: [Int32] = []
    while let task = schedules.continuous.next(at: instants.continuous) { due.append(task) }
    while let task = schedules.suspending.next(at: instants.suspending) { due.append(task) }
    guard !due.isEmpty else { return }
    var dice = Dice(instants.chance)
    var starting: [Int32: ScheduledRun] = [:]
    for task in due { expire(task, at: instants, starting: &starting, &dice) }
    // What one of them replaced may have been the only run of another, which has left the center with it.
    start(starting.filter { schedules.states[$0.key] != nil }, now: instants.continuous)
  }

  private mutating func expire(
    _ task: Int32, at instants: Instants, starting: inout [Int32: ScheduledRun], _ dice: inout Dice
  ) {
    guard let state = schedules.states[task], let slot = state.armed.take()?.slot else { return }
    if state.line == .wall { schedules.wallCount -= 1 }
    let now = time(on: state.line, instants)
    guard slot <= now else {
      // The calendar's clock has gone slower than the other one since the slot was planned. What is planned from now on goes
      // by the same difference of the two as before: tasks of one slot are due together, whenever each was planned.
      armAgain(task, slot: slot, wallOffset: instants.wall.earlier(by: instants.continuous))
      return
    }
    // What jitter and tolerance have held back is not missed: each slot comes as much later, even if the next one has come
    // by then.
    let settled = max(slot, now.earlier(by: state.delay))
    var slots = state.slots(from: slot, through: settled, zone: instants.zone)
    if !marks[Int(task)].contains(.paused) { slots = state.counted(slots, from: slot, zone: instants.zone) }
    state.last = slots.latest
    let isLate = now > slots.latest.later(by: TaskSchedule.hardlyLate).later(by: state.delay)
    // A date that passes while the center lives always fires, and a fixed delay has no other slot to wait for.
    let isDate = slot == state.schedule.date
    var policy = state.schedule.missed ?? .latest
    if policy == .skip, isDate || state.schedule.pace == .fixedDelay { policy = .latest }
    use(slots, of: task, policy, isLate: isLate, isDate: isDate, .late, at: instants, starting: &starting)
    if !schedules.namesOfHeldBack.isEmpty { schedules.namesOfHeldBack[task] = nil }
    // What it replaced may have been its one run, with which it has left.
    guard schedules.states[task] != nil else { return }
    // The next slot of a fixed delay follows from the end of this one's run, whenever that begins.
    let isDelayed =
      state.schedule.pace == .fixedDelay
      && (starting[task] != nil || !state.going.isEmpty || !state.waiting.isEmpty || !state.kept.isEmpty)
    guard !isDelayed, state.isOpen, let next = slots.next else { return }
    arm(
      task, slot: next, notBefore: state.line == .suspending ? instants.suspending : instants.continuous, &dice)
  }

  /// Turns slots into runs, as the policy for missed ones says; without one all of them are missed.
  ///
  /// - Parameter isDate: whether the first of them is the schedule's date.
  mutating func use(
    _ slots: ScheduleState.Slots, of task: Int32, _ policy: MissedRuns?, isLate: Bool, isDate: Bool,
    _ reason: MissedReason, at instants: Instants, starting: inout [Int32: ScheduledRun]
  ) {
    let state = schedules.states[task]!
    let isPaused = marks[Int(task)].contains(.paused)
    let runs =
      switch policy {
      case nil: 0
      case .latest: 1
      case .skip: isLate ? 0 : 1
      case .all(let most): min(slots.count, most)
      }
    let most = state.schedule.counting == .runs ? min(runs, state.remaining ?? .max) : runs
    var used = state.slots(most, upTo: slots.latest, zone: instants.zone)
    if let allowance = state.allowance {
      let now = time(on: state.line, instants)
      used.removeAll { now > $0.later(by: allowance) }
    }
    if slots.count > used.count {
      // Those before the ones that are used.
      let latest = state.slots(used.count + 1, upTo: slots.latest, zone: instants.zone).first ?? slots.latest
      miss(
        slots.count - used.count, of: task, latest: date(of: latest, state, instants), reason, now: instants.continuous)
    }
    // In a pause nothing is used up; what was past at the start had passed before.
    let isCounted = !isPaused || reason == .beforeStart
    if isCounted { state.passed += slots.count }
    // Several run one after the other, and a date that fires does so after what is going if need be.
    let mustRun = used.count > 1 || (isDate && state.schedule.overlap == .skip)
    for slot in used where schedules.states[task] != nil {
      deliver(slot, of: task, isCounted: isCounted, mustRun: mustRun, at: instants, starting: &starting)
    }
  }

  private mutating func deliver(
    _ slot: Int64, of task: Int32, isCounted: Bool, mustRun: Bool, at instants: Instants,
    starting: inout [Int32: ScheduledRun]
  ) {
    let state = schedules.states[task]!
    let kept = schedules.namesOfHeldBack[task].flatMap { $0.slot == slot ? $0.name : nil }
    let run = ScheduledRun(
      scheduledFor: date(of: slot, state, instants), slot: slot, missed: state.missedSince,
      localTime: kept ?? localTime(slot, of: state, zone: instants.zone))
    let now = instants.continuous
    if marks[Int(task)].contains(.paused) {
      let limit = state.allowance.map { slot.later(by: $0) }
      return keepPaused(KeptSlot(run: run, limit: limit, isCounted: isCounted), of: task, now: now)
    }
    take(run, of: task, mustRun: mustRun, starting: &starting, now: now)
  }

  /// Uses a slot now, or as `overlap:` says where an earlier run is going.
  ///
  /// - Parameter mustRun: whether it waits for the end of that, whatever `overlap:` says.
  mutating func take(
    _ run: ScheduledRun, of task: Int32, mustRun: Bool, starting: inout [Int32: ScheduledRun], now: Int64
  ) {
    let state = schedules.states[task]!
    let isGoing = starting[task] != nil || !state.going.isEmpty || state.bodies > 0
    guard isGoing else {
      starting[task] = run
      didUse(task)
      return
    }
    if mustRun {
      state.waiting.append(run)
      didUse(task)
      return
    }
    switch state.schedule.overlap {
    case .skip:
      miss(1, of: task, latest: run.scheduledFor, .overlap, now: now)
    case .allow:
      starting[task] = run
      didUse(task)
    case .queueOne, .replace:
      if let earlier = state.waiting.last {
        // This one takes its place, and stands for it as well.
        miss(1, of: task, latest: earlier.scheduledFor, .overlap, now: now)
        state.waiting.replaceLast(with: run.counted(missed: earlier.missed + state.missedSince))
        state.missedSince = 0
      } else {
        state.waiting.append(run)
        didUse(task)
      }
      if state.schedule.overlap == .replace { cancelRuns(of: task, now: now) }
    }
  }

  private mutating func didUse(_ task: Int32) {
    let state = schedules.states[task]!
    state.used += 1
    state.missedSince = 0
  }

  mutating func miss(_ count: Int, of task: Int32, latest: Date, _ reason: MissedReason, now: Int64) {
    let state = schedules.states[task]!
    state.missed += count
    state.missedSince += count
    guard !observers.isEmpty else { return }
    observe(.runsMissed(tasks[Int(task)].registration.name, count: count, latest: latest, reason), now: now)
  }

  /// Says once why a schedule can never fire: it is not seen in what runs.
  mutating func tell(_ problem: String, of task: Int32, now: Int64) {
    guard let state = schedules.states[task], !state.isProblemTold else { return }
    state.isProblemTold = true
    let registration = tasks[Int(task)].registration
    effects.append(.report("'\(registration.name)' (\(registration.location)) never fires: \(problem)"))
    if !observers.isEmpty { observe(.scheduleIsImpossible(registration.name, problem), now: now) }
  }

  func date(of slot: Int64, _ state: ScheduleState, _ instants: Instants) -> Date {
    Date(nanosecondsSince1970: wall(slot, of: state, instants))
  }

  /// A slot in the time of the calendar.
  func wall(_ slot: Int64, of state: ScheduleState, _ instants: Instants) -> Int64 {
    state.line == .wall ? slot : instants.wall.later(by: slot.earlier(by: time(on: state.line, instants)))
  }

  /// What a slot of a rule is called.
  ///
  /// - Parameter machineZone: the zone of the machine, for a rule that follows that.
  func localTime(_ slot: Int64, of state: ScheduleState, zone machineZone: TimeZone) -> String? {
    guard case .calendar(let rule, let zone, let policy) = state.schedule.rule else { return nil }
    let before = Date(nanosecondsSince1970: slot.later(by: -1000))
    return rule.nextOccurrence(after: before, in: zone.zone(ofMachine: machineZone), clockChanges: policy)?.identity
  }

  /// Starts tasks that are due together.
  mutating func start(_ starting: [Int32: ScheduledRun], now: Int64) {
    let now = inOrder(now)
    guard let first = starting.keys.first, let number = eventNumbers[EventIdentity.schedule.name] else { return }
    let plan: EventPlan
    if starting.count == 1 {
      plan = schedules.states[first]?.plan ?? self.plan(of: [first], at: number)
      schedules.states[first]?.plan = plan
    } else {
      plan = self.plan(of: Array(starting.keys), at: number)
    }
    let id = nextID()
    for task in starting.keys { schedules.states[task]?.going.append(id) }
    let handle = startRun(
      id, plan: plan, event: number, payload: ScheduledRuns(starting), deadline: nil, now: now)
    serve(handle, now: now)
  }

  /// Cancels what is going of a task, runs by hand too once their body has been chosen. A slot whose run has not begun is
  /// missed.
  private mutating func cancelRuns(of task: Int32, now: Int64) {
    let now = inOrder(now)
    // Found before any is cancelled: with the end of one the run that takes its place may begin at once.
    for handle in goingRuns(of: task) where isActive(handle) {
      guard let run = runs[handle.slot], let node = run.state.plan.node(ofTask: task) else { continue }
      if !run.state.status[Int(node)].hasEnded, let replaced = (run.state.payload as? ScheduledRuns)?[task],
        !replaced.isNumbered
      {
        miss(1, of: task, latest: replaced.scheduledFor, .overlap, now: now)
      }
      cancelTask(node, in: handle, endsWell: false, now: now)
    }
  }

  /// Where a task is going, by hand too once its body has been chosen. Only where more of its bodies run than its slots
  /// account for, one by hand among them, is each occurrence looked at: of many tasks that are due together, each asks.
  private func goingRuns(of task: Int32) -> [RunHandle] {
    guard let state = schedules.states[task] else { return [] }
    let scheduled = state.going.compactMap { handle(ofRun: $0) }
    let bodies = scheduled.filter { handle in
      guard let run = runs[handle.slot]?.state, let node = run.plan.node(ofTask: task) else { return false }
      return run.status[Int(node)] == .running || run.overdue.contains(node)
    }
    guard state.bodies > bodies.count else { return scheduled }
    return runs.indices.compactMap { slot in
      guard let run = runs[slot], !run.isConcluded, run.state.plan.node(ofTask: task) != nil else { return nil }
      return RunHandle(slot: slot, id: run.state.id)
    }
  }

  /// A body that a schedule has started begins: its run is counted.
  mutating func numberRun(of node: Int32, in run: RunState) {
    let task = run.plan.tasks[Int(node)]
    guard let payload = run.payload as? ScheduledRuns, payload[task]?.isNumbered == false,
      let state = schedules.states[task]
    else { return }
    state.begun += 1
    payload.number(task, state.begun)
  }

  /// A body of a scheduled task has been chosen, or has returned: counted, because to look for one costs a look at each
  /// occurrence that is going.
  mutating func countBody(of node: Int32, in run: RunState, _ change: Int) {
    schedules.states[run.plan.tasks[Int(node)]]?.bodies += change
  }

  // MARK: - Ends

  /// A task of an occurrence of schedules has ended.
  mutating func scheduledTaskEnded(_ node: Int32, of run: RunState, now: Int64) {
    let task = run.plan.tasks[Int(node)]
    if let state = schedules.states[task], let position = state.going.firstIndex(of: run.id) {
      state.going.remove(at: position)
      let slot = (run.payload as? ScheduledRuns)?[task]
      if !run.status[Int(node)].hasStarted {
        // What did not run does not count, and the next run stands for what it stood for.
        state.used -= 1
        state.missedSince += slot?.missed ?? 0
        if slot?.isNumbered == true { state.begun -= 1 }
      }
      if run.status[Int(node)] == .skippedPaused, let slot {
        keepPaused(KeptSlot(run: slot, limit: nil, isCounted: true), of: task, now: now)
      }
    }
    goOn(with: task, now: now)
  }

  /// A slot came while the task was paused, or the task was paused before it could begin: it stays due, or is missed.
  private mutating func keepPaused(_ slot: KeptSlot, of task: Int32, now: Int64) {
    guard let state = schedules.states[task] else { return }
    guard marks[Int(task)].contains(.pausedAndKept) || state.schedule.isSingleDate else {
      return miss(1, of: task, latest: slot.run.scheduledFor, .paused, now: now)
    }
    // The one that comes later may be of an earlier slot, whose run could not begin before the pause: that may still begin when
    // it is too late for the other one.
    var kept: [KeptSlot] = []
    var unkept: [KeptSlot] = []
    for slot in (state.kept + [slot]).sorted(by: { $0.run.slot > $1.run.slot }) {
      if let later = kept.last, (slot.limit ?? .max) <= (later.limit ?? .max) {
        unkept.append(slot)
      } else {
        kept.append(slot)
      }
    }
    state.kept = kept.reversed()
    if let latest = unkept.first { miss(unkept.count, of: task, latest: latest.run.scheduledFor, .paused, now: now) }
    // Since when the pause holds a run that was to begin, the clock of its schedule has to say.
    if slot.limit == nil, state.schedule.allowance != nil { askForPlans([task]) }
  }

  /// A run that was to begin was in time until now, when a pause has begun to hold it: what an earlier run has added before
  /// does not count as late.
  func limitKeptSlot(of state: ScheduleState, at instants: Instants) {
    guard let allowance = state.schedule.allowance else { return }
    for place in state.kept.indices where state.kept[place].limit == nil {
      state.kept[place].limit = time(on: state.line, instants).later(by: allowance)
    }
  }

  /// A slot that was kept for when the task is resumed is not wanted any more; a single date stays due.
  mutating func missKeptSlot(of task: Int32, now: Int64) {
    guard let state = schedules.states[task], let latest = state.kept.last, !state.schedule.isSingleDate else { return }
    let count = state.kept.count
    state.kept = []
    miss(count, of: task, latest: latest.run.scheduledFor, .paused, now: now)
    goOn(with: task, now: now)
  }

  /// Starts what waited for the end of a task, or plans its next slot where that follows from the end.
  mutating func goOn(with task: Int32, now: Int64) {
    guard !isClosed, let state = schedules.states[task], !state.isStartingWaiting else { return }
    state.isStartingWaiting = true
    defer { state.isStartingWaiting = false }
    // What was started may have been its one run, with which it has left.
    while schedules.states[task] === state, state.going.isEmpty, state.bodies == 0 {
      guard let next = state.waiting.popFirst() else {
        if state.armed == nil, state.isOpen, state.kept.isEmpty { askForPlans([task]) }
        return
      }
      let run = next.counted(missed: next.missed + state.missedSince)
      state.missedSince = 0
      start([task: run], now: now)
    }
    guard schedules.states[task] === state, state.schedule.overlap == .allow, state.schedule.pace == .fixedRate else {
      return
    }
    // A run that did not begin has given its place in the count back, and the next one need not wait for those that go on.
    if state.waiting.isEmpty, state.armed == nil, state.isOpen, state.kept.isEmpty { askForPlans([task]) }
  }

  /// A paused task goes on: the slot that stayed due is used now.
  mutating func resumeSchedule(of task: Int32, at instants: Instants, now: Int64) {
    guard let state = schedules.states[task], !state.kept.isEmpty else { return }
    var starting: [Int32: ScheduledRun] = [:]
    useKeptSlot(of: task, at: instants, starting: &starting, now: now)
    // What it replaced may have been its one run, with which it has left.
    guard schedules.states[task] === state else { return }
    if !state.isOpen { disarm(task) }
    start(starting, now: now)
    goOn(with: task, now: now)
  }

  /// Uses the latest slot that a pause has kept and for which it is not too late, if there is one.
  mutating func useKeptSlot(
    of task: Int32, at instants: Instants, starting: inout [Int32: ScheduledRun], now: Int64
  ) {
    guard let state = schedules.states[task], !state.kept.isEmpty else { return }
    var kept = state.kept
    state.kept = []
    guard !isClosed else { return }
    let used = kept.lastIndex { slot in
      // A task that has taken the place of another one may have fewer slots than that has used. One that was counted when it
      // passed may have been the last.
      let isOfCount = state.isOpen || (state.schedule.counting == .slots && slot.isCounted)
      return isOfCount && (slot.limit.map { time(on: state.line, instants) <= $0 } ?? true)
    }
    let slot = used.map { kept.remove(at: $0) }
    if let latest = kept.last { miss(kept.count, of: task, latest: latest.run.scheduledFor, .paused, now: now) }
    guard let slot else { return }
    if !slot.isCounted { state.passed += 1 }
    // It stays due until it runs: it is not left out for a run that has begun before the pause, nor does it take the place of
    // one that is about to start.
    let mustRun = state.schedule.overlap == .skip || starting[task] != nil
    take(slot.run.counted(missed: state.missedSince), of: task, mustRun: mustRun, starting: &starting, now: now)
  }
}
