/// What a center listens to: the notifications and the sequences of its tasks.
extension CenterMachine {
  /// Enters a task that somebody outside gives occasions to; in a center that was started it listens from now on.
  mutating func enterListener(_ task: Int32, occasion: Int) {
    let event = tasks[Int(task)].registration.occasions[occasion].event
    if event.elements != nil { sequences[task] = .notStarted }
    if schedules.isStarted { effects.append(.listen(task, event)) }
  }

  mutating func startListening() {
    for task in tasks.indices where !isGone(Int32(task)) {
      for occasion in tasks[task].registration.occasions where occasion.event.isListenedTo {
        effects.append(.listen(Int32(task), occasion.event))
      }
    }
  }

  /// A task has left the center.
  mutating func stopListening(_ task: Int32) {
    for occasion in tasks[Int(task)].registration.occasions where occasion.event.isListenedTo {
      let isNeeded = eventNumbers[occasion.event.name].map { number in
        events[number].members.contains { $0.task != task }
      }
      if isNeeded != true { effects.append(.stopListening(occasion.event.name)) }
    }
    sequences[task] = nil
  }

  /// Whether a notification is one that a task of the center wants.
  func wants(_ notification: PostedNotification, event: String) -> Bool {
    guard let number = eventNumbers[event] else { return false }
    return events[number].members.contains { task, occasion in
      guard let sender = tasks[Int(task)].registration.occasions[occasion].event.notification?.sender else {
        return true
      }
      return notification.isSent(by: sender)
    }
  }

  mutating func sequenceEnded(_ task: Int32, _ status: SequenceStatus, now: Int64) {
    guard sequences[task] != nil else { return }
    sequences[task] = status
    guard !observers.isEmpty else { return }
    let name = tasks[Int(task)].registration.name
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
