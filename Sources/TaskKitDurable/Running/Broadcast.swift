import Synchronization

/// Hands elements to any number of observers, each of which has a buffer of its own.
final class Broadcast<Element: Sendable>: Sendable {
  private struct State {
    var observers: [Observer<Element>] = []
    var isFinished = false
  }

  private let state = Mutex(State())
  private let wasObserved = Atomic(false)
  /// What stands for a number of elements that an observer has lost; nil where losing some makes no difference.
  private let gap: (@Sendable (Int) -> Element)?

  init(gap: (@Sendable (Int) -> Element)? = nil) { self.gap = gap }

  /// False as long as nobody has ever wanted to hear of anything.
  var isObserved: Bool { wasObserved.load(ordering: .acquiring) }

  /// What is sent from now on. A full buffer takes no more until it has room again; how much was lost meanwhile is said at
  /// that place, at the end too.
  func elements(buffering capacity: Int) -> AsyncStream<Element> {
    let observer = Observer(capacity: capacity, gap: gap)
    let isFinished = state.withLock { state in
      if !state.isFinished {
        wasObserved.store(true, ordering: .releasing)
        state.observers.append(observer)
      }
      return state.isFinished
    }
    if isFinished { observer.finish() }
    // The stream keeps it: when nobody has that any more, nobody is told any more.
    let subscription = Subscription { [weak self] in self?.remove(observer) }
    return AsyncStream { await subscription.next(of: observer) }
  }

  private func remove(_ observer: Observer<Element>) {
    state.withLock { state in state.observers.removeAll { $0 === observer } }
  }

  func send(_ element: Element) {
    guard isObserved else { return }
    // Under the lock, so that the order is that of the calls; whoever waits goes on in its own task.
    state.withLock { state in
      for observer in state.observers { observer.take(element) }
    }
  }

  func finish() {
    let observers = state.withLock { state in
      state.isFinished = true
      defer { state.observers = [] }
      return state.observers
    }
    for observer in observers { observer.finish() }
  }

  deinit { finish() }
}

/// What one observer has not taken yet.
private final class Observer<Element: Sendable>: Sendable {
  fileprivate struct State {
    var buffer: [Element] = []
    /// How many of the buffer have been taken.
    var taken = 0
    var lost = 0
    var isFinished = false
    var nextWaiter = 0
    /// In the order in which they came: of one stream there may be several.
    var waiters: [(number: Int, continuation: CheckedContinuation<Element?, Never>)] = []
    /// Those who were cancelled before they began to wait.
    var cancelled: Set<Int> = []
  }

  private let capacity: Int
  private let gap: (@Sendable (Int) -> Element)?
  private let state = Mutex(State())

  init(capacity: Int, gap: (@Sendable (Int) -> Element)?) {
    self.capacity = capacity
    self.gap = gap
  }

  func take(_ element: Element) {
    let waiter = state.withLock { state -> CheckedContinuation<Element?, Never>? in
      guard state.waiters.isEmpty else { return state.waiters.removeFirst().continuation }
      if state.lost > 0, let gap, state.buffer.count - state.taken < capacity {
        state.buffer.append(gap(state.lost))
        state.lost = 0
      }
      if state.buffer.count - state.taken < capacity { state.buffer.append(element) } else { state.lost += 1 }
      return nil
    }
    waiter?.resume(returning: element)
  }

  func finish() {
    let waiters = state.withLock { state in
      state.isFinished = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.continuation.resume(returning: nil) }
  }

  /// - Returns: nil at the end, and for a task that is cancelled.
  func next() async -> Element? {
    let number = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (isKnown, element) = state.withLock { state -> (Bool, Element?) in
          let isCancelled = state.cancelled.remove(number) != nil
          if let element = state.takeNext(gap) { return (true, element) }
          if isCancelled || state.isFinished { return (true, nil) }
          state.waiters.append((number, continuation))
          return (false, nil)
        }
        if isKnown { continuation.resume(returning: element) }
      }
    } onCancel: {
      let waiter = state.withLock { state -> CheckedContinuation<Element?, Never>? in
        guard let place = state.waiters.firstIndex(where: { $0.number == number }) else {
          state.cancelled.insert(number)
          return nil
        }
        return state.waiters.remove(at: place).continuation
      }
      waiter?.resume(returning: nil)
    }
  }
}

extension Observer.State {
  fileprivate mutating func takeNext(_ gap: (@Sendable (Int) -> Element)?) -> Element? {
    if taken < buffer.count {
      defer {
        taken += 1
        // What was taken is let go of in bulk, so that taking costs the same however much there is.
        if taken == buffer.count || taken >= 64 && taken * 2 >= buffer.count {
          buffer.removeFirst(taken)
          taken = 0
        }
      }
      return buffer[taken]
    }
    guard lost > 0, let gap else { return nil }
    defer { lost = 0 }
    return gap(lost)
  }
}

/// Ends what it stands for when nobody has it any more.
private final class Subscription: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  func next<Element>(of observer: Observer<Element>) async -> Element? { await observer.next() }

  deinit { end() }
}
