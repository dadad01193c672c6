/// What a center knows of an event as tasks come and go: what its name means, and for how long.
extension CenterMachine {
  /// The number of the event that a task joins. One without tasks is from now on what this task says of it.
  mutating func join(_ event: EventDescription) -> Int {
    guard let number = knownNumber(of: event.name), events[number].members.first(in: tasks) == nil else {
      return self.number(of: event)
    }
    let isSame = events[number].description.identity == event.identity
    guard isSame, events[number].description.elements == nil else {
      // The name was that of an event of tasks that have gone, or of their sequence: its elements are nobody else's, though
      // they may be of one type. What is going of it, or waits, ends apart from this one.
      eventNumbers[event.name] = nil
      lastEvent = .max
      forgetIfUnused(event: number)
      return self.number(of: event)
    }
    // What it does with a burst, how it is answered, and where it comes from.
    discard(events[number].description)
    events[number].description = event
    return number
  }

  /// Starts what waits for a quiet time of which the tasks of the event do not speak any more: what comes next is not to
  /// overtake it.
  ///
  /// - Parameter new: tasks that have just come.
  mutating func endQuietTimes(of new: [Int32], now: Int64) {
    for event in new.flatMap({ tasks[Int($0)].registration.occasions.map(\.event) }) {
      guard let number = knownNumber(of: event.name), let timer = events[number].quietTimer,
        events[number].description.burst.quietTime == nil
      else { continue }
      _ = timers.remove(timer)
      events[number].quietTimer = nil
      effects.append(.setAlarm)
      startNextQueued(of: number, now: now)
      wakeSettleWaiters()
    }
  }

  /// Refuses what a registry that the build has proved cannot be refused for: only the program knows what types are, and
  /// what is computed.
  ///
  /// - Returns: the registration; where one of its events is another one than that which is known by that name, or does
  ///   something else with a burst, with bodies that say so.
  mutating func meetEvents(of registration: TaskRegistration) -> TaskRegistration {
    for occasion in registration.occasions {
      guard let number = knownNumber(of: occasion.event.name), events[number].members.first(in: tasks) != nil else {
        continue
      }
      let known = events[number].description
      guard !known.agrees(with: occasion.event) else { continue }
      let error = TaskError.conflictingEvent(registration.name, known, occasion.event)
      return registration.failing(with: error, lane: registration.lane)
    }
    return registration
  }

  /// Whether the name of an event may come to mean another one.
  ///
  /// - Parameter isLeft: whether the last of its tasks gives way.
  mutating func isFree(event number: Int, ifLeft isLeft: Bool) -> Bool {
    (isLeft || events[number].members.first(in: tasks) == nil) && events[number].livesForTasks
  }

  /// Forgets an event that has no task, unless that is kept for tasks to come.
  mutating func forgetIfUnused(event number: Int) {
    let event = events[number].description
    guard !events[number].isForgotten, events[number].livesForTasks, event.schedule == nil, events[number].isIdle,
      events[number].members.first(in: tasks) == nil
    else { return }
    forgetPlan(ofEvent: number)
    discard(events[number].latestPayload)
    if eventNumbers[event.name] == number { eventNumbers[event.name] = nil }
    lastEvent = .max
    discard(event)
    events[number] = EventState(description: CenterMachine.nothing)
    events[number].isForgotten = true
    freeEvents.append(number)
  }

  /// In the place of an event that was forgotten.
  private static let nothing = EventDescription(
    EventIdentity(name: "", payload: Void.self, reply: nil, isOnce: false), burst: .queue, reply: nil)
}

extension EventState {
  /// Whether nobody but its tasks has to do with it. Notifications and the elements of a sequence come for the sake of the
  /// tasks at them, and never again; of any other event it is kept for tasks to come that it has happened.
  fileprivate var livesForTasks: Bool {
    description.isListenedTo || (!hasHappened && isIdle)
  }

  /// Whether nothing is going of it, and nothing waits.
  fileprivate var isIdle: Bool { active == nil && queue.isEmpty && quietTimer == nil && !isStartingQueued }
}
