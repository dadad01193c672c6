import Foundation
import Synchronization

/// Where occasions come from that nobody sends: the notification center, and sequences.
///
/// What listens does not hold the center: it ends with it.
extension TaskCenter {
  /// What gives occasions.
  enum Listener {
    case observer(ObserverToken)
    case iteration(_Concurrency.Task<Void, Never>, of: TaskList.Entry)

    var task: TaskList.Entry? {
      if case .iteration(_, let task) = self { task } else { nil }
    }
  }

  /// Lets begin or end what gives occasions. Effects of two threads may arrive in any order, so the machine is
  /// asked again here; it never takes the listeners' lock, so this order of the two locks is the only one.
  func lookAtListener(of source: ListenerSource) {
    let old = listeners.withLock { listeners -> Listener? in
      let old = listeners[source]
      switch machine.withLock({ $0.wanted(of: source, iterating: old?.task) }) {
      case nil: listeners[source] = nil
      case .notification(let name):
        if old != nil { return nil }
        listeners[source] = observe(name)
      case .elements(let trigger, let task, let event):
        if let old, old.task?.sequence == task.sequence { return nil }
        listeners[source] = iterate(trigger, task, event)
      }
      return old
    }
    if let old { end(old) }
  }

  func end(_ listener: Listener) {
    switch listener {
    case .observer(let observer): configuration.notificationCenter.removeObserver(observer.token)
    case .iteration(let task, _): task.cancel()
    }
  }

  // MARK: - Notifications

  private func observe(_ name: Notification.Name) -> Listener {
    let observer = configuration.notificationCenter.addObserver(forName: name, object: nil, queue: nil) {
      [weak self] notification in
      self?.receive(PostedNotification(notification))
    }
    return .observer(ObserverToken(token: observer))
  }

  /// On the main actor what is synchronous runs before the poster goes on; everything else follows.
  private func receive(_ notification: PostedNotification) {
    for event in receive({ $0.events(at: notification) }) {
      begin(LifecycleEvent<PostedNotification, Void>(event), notification)
    }
  }

  // MARK: - Sequences

  private func iterate(_ trigger: ElementsTrigger, _ task: TaskList.Entry, _ event: EventDescription) -> Listener {
    // Ended by the end of the sequence, or by the cancellation when its task or the center goes. Detached: a task may have
    // injected this one, and what the sequence does while it is asked would count as done inside of that task.
    let iteration = _Concurrency.Task.detached { [weak self] in
      let status: SequenceStatus
      var words = ""
      do {
        try await trigger.iterate { [weak self] element in
          guard let self, !_Concurrency.Task.isCancelled else { return false }
          return await self.deliver(element, event, to: task)
        }
        status = .ended
      } catch {
        status = .failed(error)
        words = "\(error)"
      }
      guard let self, !_Concurrency.Task.isCancelled else { return }
      let now = self.now
      self.receive(at: now) { [words] in $0.sequenceEnded(task, status, words: words, now: $1) }
    }
    return .iteration(iteration, of: task)
  }

  /// With a queue, the next element is asked for when the tasks of this one have ended; with the other policies at once.
  private func deliver(_ element: some Sendable, _ event: EventDescription, to task: TaskList.Entry) async -> Bool {
    let (admission, _) = admit(event, element, deadline: nil, sender: nil, flavor: .background, for: task)
    switch admission {
    case .answered(.refused): return false
    case .answered: break
    case .started(let handle, _): await settle(handle.id, event)
    case .queued(let id): await settle(id, event)
    }
    return true
  }

  private func settle(_ id: UInt64, _ event: EventDescription) async {
    if event.burst == .queue {
      _ = await report(of: id, sender: nil)
    } else {
      receive { $0.dropClaim(on: id) }
    }
  }

  /// How the sequence stands whose elements a task runs at.
  ///
  /// - Throws: ``TaskError`` if there is no such task, or if it has no sequence.
  public func sequence(of name: TaskName) throws -> SequenceStatus {
    try receive { machine in
      let task = try machine.find(name)
      guard let status = machine.sequences[task] else {
        throw TaskError.hasNoSequence(machine.tasks[Int(task)].registration.name)
      }
      return status
    }
  }

  /// How the sequence of a type's task stands. See ``sequence(of:)-(TaskName)``.
  public func sequence<Declared: LifecycleTask>(of type: Declared.Type) throws -> SequenceStatus {
    try sequence(of: Declared.registration.name)
  }
}

/// What the notification center knows an observer by.
// Only ever handed back to it, which any thread may do.
struct ObserverToken: @unchecked Sendable {
  let token: any NSObjectProtocol
}
