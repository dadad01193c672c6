import Foundation

/// What a center listens to: the notifications and the sequences of its tasks.
extension CenterMachine {
  /// Enters a task that somebody outside gives occasions to; in a center that was started it listens from now on.
  mutating func enterListener(_ task: Int32, occasion: Int) {
    let event = tasks[Int(task)].registration.occasions[occasion].event
    if event.elements != nil { sequences[task] = .notStarted }
    if let trigger = event.notification {
      notifications[trigger.name, default: NotificationEvents()].addTask(of: event, sender: trigger.sender)
    }
    if schedules.isStarted { effects.append(.lookAtListener(event.source)) }
  }

  /// Lets everything that is listened to be looked at.
  mutating func lookAtListeners() {
    for name in notifications.keys { effects.append(.lookAtListener(.notification(name))) }
    for event in events where event.description.elements != nil {
      effects.append(.lookAtListener(event.description.source))
    }
  }

  /// A task has left the center.
  mutating func stopListening(_ task: Int32) {
    for occasion in tasks[Int(task)].registration.occasions where occasion.event.isListenedTo {
      effects.append(.lookAtListener(occasion.event.source))
      guard let trigger = occasion.event.notification else { continue }
      discard(notifications[trigger.name]?.removeTask(sender: trigger.sender))
      if notifications[trigger.name]?.isEmpty == true { notifications[trigger.name] = nil }
    }
    // It may hold an error of a user's.
    discard(sequences.removeValue(forKey: task))
  }

  /// What is to be listened to at this moment, of that which was looked at; nil for nothing. A sequence counts as running
  /// from the answer on.
  ///
  /// - Parameter task: whose sequence is being iterated already.
  mutating func wanted(of source: ListenerSource, iterating task: TaskList.Entry?) -> Wanted? {
    guard schedules.isStarted, !isClosed else { return nil }
    switch source {
    case .notification(let name): return notifications[name] == nil ? nil : .notification(name)
    case .event(let name):
      guard let number = eventNumbers[name], let first = events[number].members.first(in: tasks) else { return nil }
      let event = tasks[Int(first.task)].registration.occasions[Int(first.occasion)].event
      guard let trigger = event.elements else { return nil }
      if task?.sequence != first.sequence { sequences[first.task] = .running }
      return .elements(trigger, of: first, event)
    }
  }

  /// The events that a notification is an occurrence of, in the order in which they begin. Whose tasks wait for tasks of
  /// the other comes second, else the less urgent one, else that of any sender.
  mutating func events(at notification: PostedNotification) -> [EventDescription] {
    guard let events = notifications[notification.name]?.events(at: notification) else { return [] }
    guard events.count == 2 else { return events }
    let plans = events.map { plan(ofEvent: number(of: $0)) }
    let (own, all) = (plans[0], plans[1])
    if all.waits(for: own) { return events }
    let isFirst = (own.effectivePriorities.first ?? 0) >= (all.effectivePriorities.first ?? 0)
    return own.waits(for: all) || !isFirst ? events.reversed() : events
  }

  /// No element is asked for any more.
  mutating func endSequences(now: Int64) {
    for task in declared(Array(sequences.keys)) {
      guard case .running? = sequences[task] else { continue }
      sequences[task] = .ended
      if !observers.isEmpty { observe(.sequenceEnded(tasks[Int(task)].registration.name), now: now) }
    }
  }

  /// - Parameter words: what the error says, if it has failed.
  mutating func sequenceEnded(_ task: TaskList.Entry, _ status: SequenceStatus, words: String, now: Int64) {
    // Where the center shuts down it has ended already, though its iteration may not have heard of that.
    guard task.isPresent(in: tasks), case .running? = sequences[task.task] else { return }
    sequences[task.task] = status
    let registration = tasks[Int(task.task)].registration
    if case .failed = status {
      effects.append(
        .report(
          "the sequence of '\(registration.name)' (\(registration.location)) has failed, and the task runs no more: \(words)"
        ))
      if !observers.isEmpty { observe(.sequenceFailed(registration.name, words), now: now) }
    } else if !observers.isEmpty {
      observe(.sequenceEnded(registration.name), now: now)
    }
  }
}

/// Where occasions come from that nobody sends.
enum ListenerSource: Hashable {
  case notification(Notification.Name)
  /// The sequence that one event belongs to.
  case event(String)
}

/// What a center listens to.
enum Wanted {
  case notification(Notification.Name)
  case elements(ElementsTrigger, of: TaskList.Entry, EventDescription)
}

extension EventDescription {
  /// Whether occasions come from outside the program's own sends.
  var isListenedTo: Bool { notification != nil || elements != nil }

  /// Where those come from.
  var source: ListenerSource { notification.map { .notification($0.name) } ?? .event(name) }
}

extension EventPlan {
  /// Whether a task waits for one of another event.
  fileprivate func waits(for other: EventPlan) -> Bool {
    externals.contains { other.node(ofTask: $0.task) != nil }
  }
}
