import Foundation
import TaskGraph

/// When scheduled tasks run. Like the rest of the machine it has no clock: whoever calls says what all of them show.
extension CenterMachine {
  // MARK: - Arming

  /// Enters a scheduled task; in a center that was started it is planned as soon as the clocks have been read.
  mutating func enter(_ schedule: TaskSchedule, of task: Int32) {
    schedules.states[task] = ScheduleState(schedule)
    if schedules.isStarted { askForPlans([task]) }
  }

  /// Plans tasks as soon as the clocks have been read.
  mutating func askForPlans(_ tasks: [Int32]) {
    // Of many that are entered together the clocks are read once.
    if case .planSchedules(var earlier) = effects.last {
      effects.removeLast()
      earlier += tasks
      effects.append(.planSchedules(earlier))
    } else {
      schedules.pendingPlans += 1
      effects.append(.planSchedules(tasks))
    }
  }

  /// - Returns: whether it was not started before.
  mutating func start(now: Int64) -> Bool {
    guard !schedules.isStarted, !isClosed else { return false }
    schedules.isStarted = true
    schedules.startedAt = now
    lookAtListeners()
    if !schedules.states.isEmpty { askForPlans(declared(Array(schedules.states.keys))) }
    return true
  }

  /// Plans the next slot of tasks that have none.
  mutating func plan(_ planned: [Int32], at reading: Instants) {
    schedules.pendingPlans -= 1
    defer { wakeSettleWaiters() }
    guard !isClosed else { return }
    lookAtClock(reading)
    let instants = asSeenLast(reading)
    let earliest = (schedules.earliest, schedules.suspending.earliest)
    var dice = Dice(instants.chance)
    var starting: [Int32: ScheduledRun] = [:]
    for task in planned {
      guard let state = schedules.states[task] else { continue }
      limitKeptSlot(of: state, at: instants)
      // What comes after a slot that a pause has kept is planned when that has been used, if it was not before.
      guard state.kept.isEmpty, state.armed == nil, state.isOpen else { continue }
      if let problem = state.schedule.problem {
        tell(problem, of: task, now: instants.continuous)
        continue
      }
      if let progress = schedules.inherited[task] {
        goOn(with: task, from: progress, at: instants, starting: &starting, &dice)
      } else if state.last == nil {
        planFirst(of: task, at: instants, starting: &starting, &dice)
      } else if state.schedule.pace == .fixedDelay, case .interval(let interval) = state.schedule.rule {
        guard state.going.isEmpty, state.waiting.isEmpty else { continue }
        arm(task, slot: time(on: state.line, instants).later(by: interval), &dice)
      } else if let last = state.last {
        // A run that did not begin has given its place in the count back. Those that came while it could still begin were
        // left out for it, but for those that jitter and tolerance would still hold back.
        let now = time(on: state.line, instants)
        let slots = state.slots(from: last, through: max(last, now.earlier(by: state.delay)), zone: instants.zone)
        if slots.count > 1 {
          state.last = slots.latest
          miss(
            slots.count - 1, of: task, latest: date(of: slots.latest, state, instants), .overlap,
            now: instants.continuous)
        }
        guard let next = slots.next else { continue }
        arm(task, slot: next, notBefore: state.line == .suspending ? instants.suspending : instants.continuous, &dice)
      }
    }
    // As with what is due: one may have left for the sake of another.
    start(starting.filter { schedules.states[$0.key] != nil }, now: instants.continuous)
    if earliest != (schedules.earliest, schedules.suspending.earliest) { effects.append(.setAlarm) }
  }

  /// Plans the next slot of a task that goes on where another one has stopped.
  private mutating func goOn(
    with task: Int32, from progress: ScheduleProgress, at instants: Instants, starting: inout [Int32: ScheduledRun],
    _ dice: inout Dice
  ) {
    let state = schedules.states[task]!
    schedules.inherited[task] = nil
    state.last = progress.last
    state.passed = progress.passed
    // Slots have been counted before; of runs there are no more than this task may have.
    var passedOver: [ScheduledRun] = []
    for run in progress.unbegun {
      if state.schedule.counting == .slots || state.isOpen {
        take(run, of: task, mustRun: true, starting: &starting, now: instants.continuous)
      } else {
        passedOver.append(run)
      }
    }
    state.missedSince = progress.missedSince
    // The pause was the other one's.
    state.kept = progress.kept
    useKeptSlot(of: task, at: instants, starting: &starting, now: instants.continuous)
    // What it replaced, begun by hand, may have been its one run, with which it has left.
    guard schedules.states[task] === state else { return }
    if let latest = passedOver.last {
      miss(passedOver.count, of: task, latest: latest.scheduledFor, .overlap, now: instants.continuous)
    }
    let now = time(on: state.line, instants)
    var next = progress.next
    if let next, next <= now {
      // It is held back for as long as it was, whatever this task's own jitter is.
      guard state.isOpen else { return }
      state.delay = progress.delay
      if let name = progress.name { schedules.namesOfHeldBack[task] = (next, name) }
      return armAgain(task, slot: next, wallOffset: schedules.wallOffset)
    }
    if case .calendar(let rule, let zone, let policy) = state.schedule.rule {
      // The clock or the zone may have changed just now.
      next =
        rule.next(
          after: Date(nanosecondsSince1970: max(progress.last ?? .min, now)), in: zone.zone(ofMachine: instants.zone),
          clockChanges: policy)?.nanosecondsSince1970
    } else if next == nil, let last = progress.last {
      // Those that nobody was there for have passed all the same.
      let slots = state.slots(from: last, through: now, zone: instants.zone)
      state.passed += slots.count - 1
      state.last = slots.latest
      next = slots.next
    }
    if let next, state.isOpen { arm(task, slot: next, &dice) }
  }

  private mutating func planFirst(
    of task: Int32, at instants: Instants, starting: inout [Int32: ScheduledRun], _ dice: inout Dice
  ) {
    let state = schedules.states[task]!
    let now = time(on: state.line, instants)
    switch state.schedule.rule {
    case .interval(let interval):
      arm(task, slot: state.schedule.first == .immediately ? now : now.later(by: interval), &dice)
    // It may have passed since the center started, before the task was injected: at once, then. For how long the center has
    // lived does not depend on how the calendar's clock was set.
    case .dated(let date, _) where date >= now.earlier(by: instants.continuous.earlier(by: schedules.startedAt)):
      arm(task, slot: date, &dice)
    case .dated(let date, _):
      // Past when the center started: only what `missed` or `grace` asks for is made up for.
      let slots = state.counted(
        state.slots(from: date, through: now.later(by: -1), zone: instants.zone), from: date, zone: instants.zone)
      state.last = slots.latest
      use(
        slots, of: task, state.schedule.missed ?? (state.schedule.grace == nil ? nil : .latest), isLate: true,
        isDate: true, .beforeStart, at: instants, starting: &starting)
      // What is replaced for it may have been its one run, with which it has left.
      guard schedules.states[task] === state else { return }
      if let next = slots.next, state.isOpen { arm(task, slot: next, &dice) }
    case .calendar(let rule, let zone, let policy):
      let next = rule.next(
        after: Date(nanosecondsSince1970: now), in: zone.zone(ofMachine: instants.zone), clockChanges: policy)
      if let next { arm(task, slot: next.nanosecondsSince1970, &dice) }
    case .none: break
    }
  }

  /// - Parameter earliest: when the slot before it was used, on the clock of its timer: what comes later because of that
  ///   is held back, and not missed.
  mutating func arm(_ task: Int32, slot: Int64, notBefore earliest: Int64 = .min, _ dice: inout Dice) {
    let state = schedules.states[task]!
    let jitter: Int64
    switch state.schedule.jitter.kind {
    case .none: jitter = 0
    case .random: jitter = Int64(dice.roll() * Double(state.schedule.jitter.most))
    case .spread:
      let hash = SeededGenerator.mix(schedules.host ^ Dice.hash(tasks[Int(task)].registration.name.rawValue))
      jitter = Int64(Double(hash >> 11) * 0x1p-53 * Double(state.schedule.jitter.most))
    }
    let time = timer(slot, on: state.line, wallOffset: schedules.wallOffset)
    let due = max(time.later(by: jitter).coalesced(within: state.schedule.tolerance), earliest)
    setTimer(of: task, state, slot: slot, delay: due.earlier(by: time), due: due)
  }

  /// Arms the slot of a task once more, where the clock of its timer goes otherwise than was thought.
  ///
  /// It stays held back for as long as before: drawn anew, that would be shorter in the end than chance has it, and what a
  /// longer draw has held back until now would be late.
  ///
  /// - Parameter offset: by how much the calendar's clock is ahead of the continuous one.
  mutating func armAgain(_ task: Int32, slot: Int64, wallOffset offset: Int64?) {
    let state = schedules.states[task]!
    let due = timer(slot, on: state.line, wallOffset: offset).later(by: state.delay)
    setTimer(of: task, state, slot: slot, delay: state.delay, due: due)
  }

  private mutating func setTimer(of task: Int32, _ state: ScheduleState, slot: Int64, delay: Int64, due: Int64) {
    // Times that are counted in nanoseconds end in the year 2262: what lies behind that never comes.
    guard state.line != .wall || slot < .max else { return }
    let token =
      state.line == .suspending
      ? schedules.suspending.add(task, due: due) : schedules.continuous.add(task, due: due)
    if state.line == .wall { schedules.wallCount += 1 }
    state.armed = ScheduleState.Armed(slot: slot, token: token)
    state.delay = delay
  }

  /// A slot on the clock of its timer.
  private func timer(_ slot: Int64, on line: ScheduleTable.Line, wallOffset offset: Int64?) -> Int64 {
    line == .wall ? slot.earlier(by: offset ?? 0) : slot
  }

  /// Takes the timer of a task back.
  mutating func disarm(_ task: Int32) {
    guard let state = schedules.states[task], let token = state.armed.take()?.token else { return }
    _ = state.line == .suspending ? schedules.suspending.remove(token) : schedules.continuous.remove(token)
    if state.line == .wall { schedules.wallCount -= 1 }
  }

  /// Nothing comes after the shutdown, and nothing is waited for any more.
  mutating func closeSchedules(now: Int64) {
    schedules.continuous = DueHeap()
    schedules.suspending = DueHeap()
    schedules.wallCount = 0
    schedules.namesOfHeldBack = [:]
    for task in declared(Array(schedules.states.keys)) {
      schedules.states[task]?.armed = nil
      missUnbegun(of: task, now: now)
    }
    effects.append(.setAlarm)
  }

  /// The schedule of a task ends: slots whose runs are still in no occurrence are missed, as nothing else would tell of them.
  mutating func missUnbegun(of task: Int32, now: Int64) {
    guard let state = schedules.states[task] else { return }
    // What another task has left may not have been planned yet.
    let inherited = schedules.inherited.removeValue(forKey: task)
    let unbegun = (inherited?.unbegun ?? []) + Array(state.waiting.all)
    let kept = (inherited?.kept ?? []) + state.kept
    state.waiting = Line()
    state.kept = []
    if let latest = unbegun.last {
      miss(unbegun.count, of: task, latest: latest.scheduledFor, .overlap, now: now)
    }
    if let latest = kept.last { miss(kept.count, of: task, latest: latest.run.scheduledFor, .paused, now: now) }
  }

  /// Whether the slots of a task are those of one that takes its place, too, which goes on with them or plans them anew.
  func sharesSlots(_ old: Int32, with new: TaskRegistration) -> Bool {
    guard let rule = schedules.states[old]?.schedule.rule else { return false }
    // What is counted from the injection begins with it.
    if case .interval = rule { return false }
    return new.occasions.contains { $0.event.schedule?.rule == rule }
  }

  /// How far the schedule of a task has come, where another one takes its place at the same date or by the same rule: what
  /// has run, or was told as missed, does not come again for that, and what is still held back or has not begun is not lost.
  /// Nil where it has not come anywhere, so that the other one begins like any new task.
  func progress(of old: Int32, for new: TaskRegistration) -> ScheduleProgress? {
    guard let state = schedules.states[old], sharesSlots(old, with: new) else { return nil }
    if let inherited = schedules.inherited[old] { return inherited }
    let next = state.armed?.slot
    let unbegun = unbegunRuns(of: old, state)
    var kept = state.kept
    // A slot that has not begun or is kept was the latest once: there is one then, too.
    guard next != nil || state.last != nil else { return nil }
    let passed: Int
    switch state.schedule.rule {
    case .dated:
      passed = state.passed
    case .calendar:
      // It counts anew, as it has no beginning from which both would count.
      passed = unbegun.count
      for place in kept.indices { kept[place].isCounted = false }
    case .interval, .none: return nil
    }
    return ScheduleProgress(
      last: state.last, passed: passed, next: next, delay: state.delay, name: schedules.namesOfHeldBack[old]?.name,
      unbegun: unbegun, kept: kept, missedSince: state.missedSince)
  }

  /// The runs of a task that are to begin and have not, in the order of their slots. Those of other slots between them have
  /// begun, or were told as missed.
  private func unbegunRuns(of task: Int32, _ state: ScheduleState) -> [ScheduledRun] {
    let going = state.going.compactMap { id in
      handle(ofRun: id).flatMap { handle in (runs[handle.slot]?.state.payload as? ScheduledRuns)?[task] }
    }
    return (Array(state.waiting.all) + going.filter { !$0.isNumbered }).sorted { $0.scheduledFor < $1.scheduledFor }
  }

  /// A task has left the center.
  mutating func forgetSchedule(of task: Int32) {
    guard schedules.states[task] != nil else { return }
    let earliest = (schedules.earliest, schedules.suspending.earliest)
    disarm(task)
    if !schedules.namesOfHeldBack.isEmpty { schedules.namesOfHeldBack[task] = nil }
    if !schedules.inherited.isEmpty { schedules.inherited[task] = nil }
    forgetSchedulePlan(of: task)
    schedules.states[task] = nil
    if earliest != (schedules.earliest, schedules.suspending.earliest) { effects.append(.setAlarm) }
  }

  /// A task, or what it waits for, has changed.
  mutating func forgetSchedulePlan(of task: Int32) {
    guard !schedules.states.isEmpty, let state = schedules.states[task], let plan = state.plan else { return }
    discard(plan)
    state.plan = nil
  }

  func time(on line: ScheduleTable.Line, _ instants: Instants) -> Int64 {
    switch line {
    case .continuous: instants.continuous
    case .suspending: instants.suspending
    case .wall: instants.wall
    }
  }

  // MARK: - Clocks

  /// Compares the clocks, and plans anew what follows the calendar if its clock was set.
  mutating func lookAtClock(_ instants: Instants) {
    // Whoever has read the clocks earlier and comes later knows less.
    guard instants.continuous >= schedules.lastLook else { return }
    schedules.lastLook = instants.continuous
    let offset = instants.wall.earlier(by: instants.continuous)
    let (knownOffset, knownZone) = (schedules.wallOffset ?? offset, schedules.zone ?? instants.zone)
    let change = offset.earlier(by: knownOffset)
    let isSet = Self.isSet(offset, from: knownOffset)
    let hasMoved = instants.zone.identifier != knownZone.identifier
    if isSet || schedules.wallOffset == nil { schedules.wallOffset = offset }
    schedules.zone = instants.zone
    guard isSet || hasMoved else { return }
    if !observers.isEmpty, isSet {
      observe(.clockChanged(by: .nanoseconds(change)), now: instants.continuous)
    }
    if !observers.isEmpty, hasMoved {
      observe(.timeZoneChanged(from: knownZone.identifier, to: instants.zone.identifier), now: instants.continuous)
    }
    guard schedules.wallCount > 0 else { return }
    var dice = Dice(instants.chance)
    for task in declared(Array(schedules.states.keys)) {
      let state = schedules.states[task]!
      guard state.line == .wall, let slot = state.armed?.slot else { continue }
      disarm(task)
      // A slot that has come and is held back, by jitter or tolerance, stays the one that it is.
      if slot > instants.wall, case .calendar(let rule, let zone, let policy) = state.schedule.rule,
        isSet || zone.followsMachine
      {
        // From the latest slot on, so that one that has just passed here is not left out, nor used twice. What was set back
        // has nearer ones again.
        let from = max(state.last ?? .min, min(slot, instants.wall).later(by: -1))
        let next = rule.next(
          after: Date(nanosecondsSince1970: from), in: zone.zone(ofMachine: instants.zone), clockChanges: policy)
        if let next { arm(task, slot: next.nanosecondsSince1970, &dice) }
      } else {
        if hasMoved { keepName(ofSlot: slot, of: task, state, zone: knownZone) }
        armAgain(task, slot: slot, wallOffset: schedules.wallOffset)
      }
    }
    effects.append(.setAlarm)
  }

  /// What the clocks show, by the calendar's clock and the zone that have been seen last: whoever has read them earlier and comes
  /// later may know others, and nothing would plan anew what is planned by those.
  func asSeenLast(_ reading: Instants) -> Instants {
    let offset = reading.wall.earlier(by: reading.continuous)
    let known = schedules.wallOffset ?? offset
    return Instants(
      continuous: reading.continuous, suspending: reading.suspending,
      wall: Self.isSet(offset, from: known) ? reading.continuous.later(by: known) : reading.wall,
      zone: schedules.zone ?? reading.zone, chance: reading.chance)
  }

  /// Whether the calendar's clock has been set since it was ahead of the continuous one by the second of two offsets.
  ///
  /// Two clocks are never quite equally fast: what differs by less than a tenth of a second is left to the moment at which
  /// a slot is due.
  private static func isSet(_ offset: Int64, from known: Int64) -> Bool {
    offset.earlier(by: known).magnitude >= 100_000_000
  }

  /// In the zone to come a slot of a rule that follows the machine would be called as another one.
  private mutating func keepName(ofSlot slot: Int64, of task: Int32, _ state: ScheduleState, zone old: TimeZone) {
    // It may be held back over several changes.
    guard case .calendar(_, let zone, _) = state.schedule.rule, zone.followsMachine,
      schedules.namesOfHeldBack[task]?.slot != slot, let name = localTime(slot, of: state, zone: old)
    else { return }
    schedules.namesOfHeldBack[task] = (slot, name)
  }
}

extension Int64 {
  /// A time not before this one and less than a tolerance later, such that many fall on the same.
  ///
  /// They are the multiples of the largest power of two within the tolerance: what tolerates more meets what tolerates
  /// less.
  func coalesced(within tolerance: Int64) -> Int64 {
    guard tolerance > 1 else { return self }
    let grain = Int64(1) << (63 - tolerance.leadingZeroBitCount)
    let (sum, overflows) = addingReportingOverflow(grain - 1)
    return overflows ? self : sum & -grain
  }
}
