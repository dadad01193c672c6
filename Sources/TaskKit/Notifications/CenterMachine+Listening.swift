/// What a center listens to: the notifications and the sequences of its tasks.
extension CenterMachine {
  /// Enters a task that somebody outside gives occasions to; in a center that was started it listens from now on.
  mutating func enterListener(_ task: Int32, occasion: Int) {
    let event = tasks[Int(task)].registration.occasions[occasion].event
    if event.elements != nil { sequences[task] = .notStarted }
    if schedules.isStarted { effects.append(.lookAtListener(event.name)) }
  }

  mutating func startListening() {
    for event in events where event.description.isListenedTo {
      effects.append(.lookAtListener(event.description.name))
    }
  }

  /// A task has left the center.
  mutating func stopListening(_ task: Int32) {
    for occasion in tasks[Int(task)].registration.occasions where occasion.event.isListenedTo {
      effects.append(.lookAtListener(occasion.event.name))
    }
    // It may hold an error of a user's.
    discard(sequences.removeValue(forKey: task))
  }

  /// Who wants occasions of an event at this moment: its first task, and what that says of where they come from. A
  /// sequence counts as running from the answer on.
  ///
  /// - Parameter task: whose sequence is being iterated already.
  mutating func listener(
    ofEvent name: String, iterating task: TaskList.Entry?
  ) -> (task: TaskList.Entry, event: EventDescription)? {
    guard schedules.isStarted, !isClosed, let number = eventNumbers[name],
      let first = events[number].members.first(in: tasks)
    else { return nil }
    let event = tasks[Int(first.task)].registration.occasions[Int(first.occasion)].event
    if event.elements != nil, task?.sequence != first.sequence { sequences[first.task] = .running }
    return (first, event)
  }

  /// Whether a notification is one that a task of the center wants.
  func wants(_ notification: PostedNotification, event: String) -> Bool {
    guard let number = eventNumbers[event] else { return false }
    return events[number].members.contains(in: tasks) { member in
      let occasion = tasks[Int(member.task)].registration.occasions[Int(member.occasion)]
      guard let sender = occasion.event.notification?.sender else { return true }
      return notification.isSent(by: sender)
    }
  }

  /// No element is asked for any more.
  mutating func endSequences(now: Int64) {
    for task in declared(Array(sequences.keys)) {
      guard case .running? = sequences[task] else { continue }
      sequences[task] = .ended
      if !observers.isEmpty { observe(.sequenceEnded(tasks[Int(task)].registration.name), now: now) }
    }
  }

  mutating func sequenceEnded(_ task: TaskList.Entry, _ status: SequenceStatus, now: Int64) {
    guard task.isPresent(in: tasks), sequences[task.task] != nil else { return }
    sequences[task.task] = status
    guard !observers.isEmpty else { return }
    let name = tasks[Int(task.task)].registration.name
    if case .failed(let error) = status {
      observe(.sequenceFailed(name, "\(error)"), now: now)
    } else {
      observe(.sequenceEnded(name), now: now)
    }
  }
}

extension EventDescription {
  /// Whether occasions come from outside the program's own sends.
  var isListenedTo: Bool { notification != nil || elements != nil }
}
