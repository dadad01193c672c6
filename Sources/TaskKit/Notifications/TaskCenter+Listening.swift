import Foundation
import Synchronization

/// Where occasions come from that nobody sends: the notification center, and sequences.
///
/// What listens does not hold the center: it ends with it.
extension TaskCenter {
  /// What listens to one event.
  enum Listener {
    case observer(ObserverToken)
    case iteration(_Concurrency.Task<Void, Never>)
  }

  func listen(_ task: Int32, to event: EventDescription) {
    if let trigger = event.notification { observe(trigger.name, event) }
    if let trigger = event.elements { iterate(trigger, task, event) }
  }

  func stopListening(to event: String) {
    if let listener = listeners.withLock({ $0.removeValue(forKey: event) }) { end(listener) }
  }

  func end(_ listener: Listener) {
    switch listener {
    case .observer(let observer): configuration.notificationCenter.removeObserver(observer.token)
    case .iteration(let task): task.cancel()
    }
  }

  // MARK: - Notifications

  private func observe(_ name: Notification.Name, _ event: EventDescription) {
    guard listeners.withLock({ $0[event.name] == nil }) else { return }
    let observer = configuration.notificationCenter.addObserver(forName: name, object: nil, queue: nil) {
      [weak self] notification in
      self?.receive(PostedNotification(notification), event)
    }
    keep(.observer(ObserverToken(token: observer)), event.name)
  }

  /// On the main actor what is synchronous runs before the poster goes on; everything else follows.
  private func receive(_ notification: PostedNotification, _ event: EventDescription) {
    guard inspect({ $0.wants(notification, event: event.name) }) else { return }
    begin(LifecycleEvent<PostedNotification, Void>(event), notification)
  }

  // MARK: - Sequences

  private func iterate(_ trigger: ElementsTrigger, _ task: Int32, _ event: EventDescription) {
    receive { $0.sequences[task] = .running }
    // Ended by the end of the sequence, or by the cancellation when its task or the center goes.
    let iteration = _Concurrency.Task { [weak self] in
      let status: SequenceStatus
      do {
        try await trigger.iterate { [weak self] element in
          guard let self, !_Concurrency.Task.isCancelled else { return false }
          return await self.deliver(element, event)
        }
        status = .ended
      } catch {
        status = .failed(error)
      }
      guard let self, !_Concurrency.Task.isCancelled else { return }
      let now = self.now
      self.receive { $0.sequenceEnded(task, status, now: now) }
    }
    keep(.iteration(iteration), event.name)
  }

  /// With a queue, the next element is asked for when the tasks of this one have ended; with the other policies at once.
  private func deliver(_ element: some Sendable, _ event: EventDescription) async -> Bool {
    let (admission, _) = admit(event, element, deadline: nil, sender: nil, flavor: .background)
    switch admission {
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

  private func keep(_ listener: Listener, _ event: String) {
    let old = listeners.withLock { listeners in
      defer { listeners[event] = listener }
      return listeners[event]
    }
    if let old { end(old) }
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
}

/// What the notification center knows an observer by.
// Only ever handed back to it, which any thread may do.
struct ObserverToken: @unchecked Sendable {
  let token: any NSObjectProtocol
}
