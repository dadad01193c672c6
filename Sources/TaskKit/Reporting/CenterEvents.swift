import Synchronization

/// What happens in a center, for one observer: complete and in order from its subscription.
///
/// A slow observer never delays a task. When its buffer is full the oldest are dropped, and it is told how many.
public struct CenterEvents: AsyncSequence, Sendable {
  let center: TaskCenter
  let capacity: Int

  /// Subscribes. What happens from now on is delivered.
  public func makeAsyncIterator() -> Iterator {
    let id = center.receive { $0.addObserver(capacity: capacity) }
    return Iterator(subscription: Subscription(center: center, id: id))
  }

  /// One subscription. It ends with its last copy.
  public struct Iterator: AsyncIteratorProtocol {
    let subscription: Subscription

    /// The next thing that happens; nil once the calling task is cancelled.
    ///
    /// Copies of an iterator share one subscription, of which one at a time may be waited for: nil for who waits while
    /// another one begins to.
    public func next() async -> CenterEvent? {
      let center = subscription.center
      let id = subscription.id
      return await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let immediate = center.receive { machine in
            // Two copies of one iterator wait at once: only one of them can be told what comes.
            if let other = machine.observers.takeWaiter(of: id) { machine.effects.append(.wake(other)) }
            return machine.observers.next(for: id, continuation)
          }
          if let immediate { continuation.resume(returning: immediate.event) }
        }
      } onCancel: {
        center.receive { machine in
          if let waiter = machine.observers.cancel(id) { machine.effects.append(.wake(waiter)) }
        }
      }
    }
  }

  /// Ends the subscription with the iterator.
  final class Subscription: Sendable {
    let center: TaskCenter
    let id: Int

    init(center: TaskCenter, id: Int) {
      self.center = center
      self.id = id
    }

    deinit { center.receive { $0.observers.remove(id) } }
  }
}

/// The observers of a center and what each has not read.
struct ObserverList {
  struct Immediate: Sendable {
    let event: CenterEvent?
  }

  private struct Observer {
    let capacity: Int
    var buffer = Line<CenterEvent>()
    var lost = 0
    var isCancelled = false
    var waiter: CheckedContinuation<CenterEvent?, Never>?

    mutating func next() -> CenterEvent? {
      guard lost == 0 else {
        defer { lost = 0 }
        return CenterEvent(kind: .lost(lost), time: buffer.first?.time ?? .zero)
      }
      return buffer.popFirst()
    }
  }

  private var observers: [Int: Observer] = [:]
  private var nextID = 0

  var isEmpty: Bool { observers.isEmpty }
  var hasWaiters: Bool { observers.values.contains { $0.waiter != nil } }

  mutating func add(capacity: Int) -> Int {
    observers[nextID] = Observer(capacity: capacity)
    defer { nextID += 1 }
    return nextID
  }

  mutating func remove(_ id: Int) { observers[id] = nil }

  /// - Returns: the event that is there, or the end; nil if the continuation will be resumed later.
  mutating func next(for id: Int, _ continuation: CheckedContinuation<CenterEvent?, Never>) -> Immediate? {
    guard let observer = observers[id], !observer.isCancelled else { return Immediate(event: nil) }
    if let event = observers[id]!.next() { return Immediate(event: event) }
    observers[id]!.waiter = continuation
    return nil
  }

  mutating func cancel(_ id: Int) -> ObserverWaiter? {
    observers[id]?.isCancelled = true
    return takeWaiter(of: id)
  }

  /// Who waits for the next event: it gets the end instead.
  mutating func takeWaiter(of id: Int) -> ObserverWaiter? {
    defer { observers[id]?.waiter = nil }
    return observers[id]?.waiter.map { ObserverWaiter(continuation: $0, event: nil) }
  }

  /// Hands an event to every observer.
  ///
  /// - Returns: those who were waiting for it.
  mutating func publish(_ event: CenterEvent) -> [ObserverWaiter] {
    var waiters: [ObserverWaiter] = []
    for id in observers.keys {
      if let waiter = observers[id]!.waiter {
        observers[id]!.waiter = nil
        waiters.append(ObserverWaiter(continuation: waiter, event: event))
        continue
      }
      if observers[id]!.buffer.count == observers[id]!.capacity {
        _ = observers[id]!.buffer.popFirst()
        observers[id]!.lost += 1
      }
      observers[id]!.buffer.append(event)
    }
    return waiters
  }
}

/// An observer that was waiting, and what it gets.
struct ObserverWaiter: Sendable {
  let continuation: CheckedContinuation<CenterEvent?, Never>
  let event: CenterEvent?

  func resume() { continuation.resume(returning: event) }
}

extension CenterMachine {
  /// Adds an observer, who also hears of what is going already.
  mutating func addObserver(capacity: Int) -> Int {
    for slot in runs.indices { runs[slot]?.state.reportsEnds = true }
    return observers.add(capacity: capacity)
  }

  mutating func observe(_ kind: CenterEvent.Kind, now: Int64) {
    for waiter in observers.publish(CenterEvent(kind: kind, time: .nanoseconds(now))) { effects.append(.wake(waiter)) }
  }
}

extension TaskCenter {
  /// What happens in this center, for any number of observers, each complete and in order from its subscription.
  public var events: CenterEvents { events(bufferingNewest: 1024) }

  /// What happens in this center, with a buffer of that many for an observer that is slow.
  public func events(bufferingNewest capacity: Int) -> CenterEvents {
    CenterEvents(center: self, capacity: Swift.max(1, capacity))
  }
}
