import Synchronization

extension TaskCenter {
  /// Whether a task of this center runs at an event: declared or injected, paused or not.
  ///
  /// What an adapter asks before it tells a system that it wants to hear of something (Ew4). Callable from any thread.
  ///
  /// - Complexity: one look-up of a name.
  public func isSubscribed<Payload: Sendable, Reply: Sendable>(to event: LifecycleEvent<Payload, Reply>) -> Bool {
    isSubscribed(toEventNamed: event.name)
  }

  func isSubscribed(toEventNamed name: String) -> Bool {
    receive { machine in
      guard let number = machine.knownNumber(of: name) else { return false }
      return machine.events[number].members.first(in: machine.tasks) != nil
    }
  }

  /// Whether a shutdown would have more to end than what is going: a task with a `stop`, here or gone after it has
  /// succeeded, or something that lives beside the center.
  ///
  /// - Complexity: one look at each task.
  var hasSomethingToStop: Bool {
    if companions.withLock({ !$0.isEmpty }) { return true }
    return receive { machine in
      !machine.stops.isEmpty || machine.tasks.contains { $0.sequence >= 0 && $0.registration.stop != nil }
    }
  }
}
