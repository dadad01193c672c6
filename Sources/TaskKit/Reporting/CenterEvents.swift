import Synchronization

/// What happens in a center, for one observer: complete and in order from its subscription.
///
/// A slow observer never delays a task. When its buffer is full the oldest are dropped, and it is told how many.
public struct CenterEvents: AsyncSequence, Sendable {
  let center: TaskCenter
  let capacity: Int

  /// Subscribes. What happens from now on is delivered.
  public func makeAsyncIterator() -> Iterator {
    // Before: what it is told of has its time.
    center.needsTime.store(true, ordering: .relaxed)
    let id = center.receive(at: center.now) { machine, _ in machine.addObserver(capacity: capacity) }
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
      let happening = await withTaskCancellationHandler {
        await withCheckedContinuation { (continuation: CheckedContinuation<Happening?, Never>) in
          let immediate = center.receive { machine in
            // Two copies of one iterator wait at once: only one of them can be told what comes.
            if let other = machine.observers.takeWaiter(of: id) { machine.effects.append(.wake(other)) }
            return machine.observers.next(for: id, continuation)
          }
          if let immediate { continuation.resume(returning: immediate.happening) }
        }
      } onCancel: {
        center.receive { machine in
          if let waiter = machine.observers.cancel(id) { machine.effects.append(.wake(waiter)) }
        }
      }
      return happening?.event
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

    deinit { center.receive { $0.removeObserver(id) } }
  }
}

/// Something that happened, until somebody reads it: making a report asks the event how it merges replies, which is a
/// user's code.
struct Happening: Sendable {
  enum Content: Sendable {
    case told(CenterEvent.Kind)
    case ended(FinishedRun)
  }

  let content: Content
  let time: Duration
  let occurrence: UInt64?

  var event: CenterEvent {
    switch content {
    case .told(let kind): CenterEvent(kind: kind, time: time, occurrence: occurrence)
    case .ended(let run): CenterEvent(kind: .eventEnded(EventReport(run)), time: time, occurrence: occurrence)
    }
  }
}

/// The observers of a center and what each has not read.
struct ObserverList {
  struct Immediate: Sendable {
    let happening: Happening?
  }

  private struct Observer {
    let capacity: Int
    var buffer = Line<Happening>()
    var lost = 0
    var isCancelled = false
    var waiter: CheckedContinuation<Happening?, Never>?

    mutating func next() -> Happening? {
      guard lost == 0 else {
        defer { lost = 0 }
        return Happening(content: .told(.lost(lost)), time: buffer.first?.time ?? .zero, occurrence: nil)
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

  /// - Returns: what it has not read.
  mutating func remove(_ id: Int) -> [Happening] {
    observers.removeValue(forKey: id).map { Array($0.buffer.all) } ?? []
  }

  /// - Returns: what is there, or the end; nil if the continuation will be resumed later.
  mutating func next(for id: Int, _ continuation: CheckedContinuation<Happening?, Never>) -> Immediate? {
    guard let observer = observers[id], !observer.isCancelled else { return Immediate(happening: nil) }
    if let happening = observers[id]!.next() { return Immediate(happening: happening) }
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
    return observers[id]?.waiter.map { ObserverWaiter(continuation: $0, happening: nil) }
  }

  /// Hands something to every observer.
  ///
  /// - Returns: those who were waiting for it, and what others had no room for.
  mutating func publish(_ happening: Happening) -> (waiters: [ObserverWaiter], lost: [Happening]) {
    var waiters: [ObserverWaiter] = []
    var lost: [Happening] = []
    // Not of the dictionary's own keys: to go through these holds it, so that the first change copies each buffer.
    for id in Array(observers.keys) {
      if let waiter = observers[id]!.waiter {
        observers[id]!.waiter = nil
        waiters.append(ObserverWaiter(continuation: waiter, happening: happening))
        continue
      }
      if observers[id]!.buffer.count == observers[id]!.capacity {
        if let oldest = observers[id]!.buffer.popFirst() { lost.append(oldest) }
        observers[id]!.lost += 1
      }
      observers[id]!.buffer.append(happening)
    }
    return (waiters, lost)
  }
}

/// An observer that was waiting, and what it gets.
struct ObserverWaiter: Sendable {
  let continuation: CheckedContinuation<Happening?, Never>
  let happening: Happening?

  func resume() { continuation.resume(returning: happening) }
}

extension CenterMachine {
  /// Adds an observer, who also hears of what is going already.
  mutating func addObserver(capacity: Int) -> Int {
    for slot in runs.indices { runs[slot]?.state.reportsEnds = true }
    return observers.add(capacity: capacity)
  }

  mutating func removeObserver(_ id: Int) {
    for happening in observers.remove(id) { discard(happening) }
  }

  /// - Parameter run: the occurrence that it is about.
  mutating func observe(_ kind: CenterEvent.Kind, of run: UInt64? = nil, now: Int64) {
    observe(.told(kind), of: run, now: now)
  }

  mutating func observe(endOf run: FinishedRun, now: Int64) {
    observe(.ended(run.withoutWaiters), of: run.state.id, now: now)
  }

  private mutating func observe(_ content: Happening.Content, of run: UInt64?, now: Int64) {
    // Schedules go by what all clocks have shown together, which may have been read before what was told since.
    let time = Duration.nanoseconds(inOrder(now))
    let (waiters, lost) = observers.publish(Happening(content: content, time: time, occurrence: run))
    for waiter in waiters { effects.append(.wake(waiter)) }
    // Outputs and errors go with it.
    for happening in lost { discard(happening) }
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
