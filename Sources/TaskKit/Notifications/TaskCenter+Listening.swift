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
          guard !_Concurrency.Task.isCancelled else { return false }
          let delivery = self?.take(element, event, for: task)
          switch delivery {
          case nil, .refused: return false
          case .taken: return true
          case .awaited(let id):
            // Without the center, which may go meanwhile: nobody but it has the run, which may not have begun.
            _ = await withCheckedContinuation { (continuation: CheckedContinuation<EventReport, Never>) in
              guard let self else { return continuation.resume(returning: .ofGoneCenter) }
              let finished = self.receive { $0.claimReport(of: id, ReportWaiter(continuation: continuation)) }
              if let finished { continuation.resume(returning: self.conclusion(of: finished)) }
            }
            return self != nil
          }
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

  /// What becomes of an element.
  private enum Delivery {
    case refused
    /// The next one is asked for at once.
    case taken
    /// The next one is asked for when the tasks of this one have ended: of which run the report is awaited.
    case awaited(UInt64)
  }

  /// With a queue, the next element is asked for when the tasks of this one have ended; with the other policies at once.
  private func take(_ element: some Sendable, _ event: EventDescription, for task: TaskList.Entry) -> Delivery {
    let (admission, _) = admit(event, element, deadline: nil, sender: nil, flavor: .background, for: task)
    let id: UInt64
    switch admission {
    case .answered(.refused): return .refused
    case .answered: return .taken
    case .started(let handle, _): id = handle.id
    case .queued(let queued): id = queued
    }
    if event.burst == .queue { return .awaited(id) }
    receive { $0.dropClaim(on: id) }
    return .taken
  }

  /// For a center that goes. Iterations alone wait for a report without holding it.
  func endReportWaits() {
    for waiter in machine.withLock({ $0.takeReportWaiters() }) { waiter.resume(returning: .ofGoneCenter) }
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

extension EventReport {
  /// What nobody reads who waited for the report of a run that has gone with its center.
  fileprivate static var ofGoneCenter: EventReport { EventReport(event: "", status: .refused("the center has gone")) }
}

/// What the notification center knows an observer by.
// Only ever handed back to it, which any thread may do.
struct ObserverToken: @unchecked Sendable {
  let token: any NSObjectProtocol
}
