import Synchronization

/// Hands elements to any number of observers, each of which has a buffer of its own.
final class Broadcast<Element: Sendable>: Sendable {
  private struct Observer {
    let continuation: AsyncStream<Element>.Continuation
    var lost = 0
  }

  private struct State {
    var observers: [Int: Observer] = [:]
    var next = 0
    var isFinished = false
  }

  private let state = Mutex(State())
  private let wasObserved = Atomic(false)

  /// False as long as nobody has ever wanted to hear of anything.
  var isObserved: Bool { wasObserved.load(ordering: .acquiring) }
  /// What stands for a number of elements that an observer has lost; nil where losing some makes no difference.
  private let gap: (@Sendable (Int) -> Element)?

  init(gap: (@Sendable (Int) -> Element)? = nil) { self.gap = gap }

  /// What is sent from now on. A full buffer takes no more until it has room again, and says then how much was lost.
  func elements(buffering capacity: Int) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: .bufferingOldest(capacity))
    let number = state.withLock { state -> Int? in
      guard !state.isFinished else { return nil }
      defer { state.next += 1 }
      wasObserved.store(true, ordering: .releasing)
      state.observers[state.next] = Observer(continuation: continuation)
      return state.next
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.observers.removeValue(forKey: number) }
    }
    return stream
  }

  func send(_ element: Element) {
    guard isObserved else { return }
    // Yielding only hands over: an observer's code runs in its own task. Under the lock the order is that of the calls.
    state.withLock { state in
      for number in state.observers.keys { Self.send(element, to: &state.observers[number]!, gap) }
    }
  }

  private static func send(_ element: Element, to observer: inout Observer, _ gap: (@Sendable (Int) -> Element)?) {
    if observer.lost > 0, let gap {
      guard case .enqueued = observer.continuation.yield(gap(observer.lost)) else {
        observer.lost += 1
        return
      }
      observer.lost = 0
    }
    if case .dropped = observer.continuation.yield(element) { observer.lost += 1 }
  }

  func finish() {
    let observers = state.withLock { state in
      state.isFinished = true
      defer { state.observers = [:] }
      return state.observers.values.map(\.continuation)
    }
    for continuation in observers { continuation.finish() }
  }

  deinit { finish() }
}
