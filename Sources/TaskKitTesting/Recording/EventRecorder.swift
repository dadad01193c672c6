import Synchronization
public import TaskKit

/// Writes down what happens in a center, from its making on, for as long as it lives.
///
/// ```swift
/// let recorder = EventRecorder(center)
/// await center.send(.didBecomeActive)
/// let words = await recorder.words(until: "eventEnded didBecomeActive")
/// #expect(words.contains("taskEnded Feed.Refresh: succeeded"))
/// ```
///
/// It hears of things a moment after they happen, so a test awaits the last one that it is about. Nothing is polled.
public final class EventRecorder: Sendable {
  private struct State {
    var events: [CenterEvent] = []
    var words: [String] = []
    var watchers: [Int: Watcher] = [:]
    var cancelled: Set<Int> = []
    var nextID = 0
  }

  /// Somebody who waits for something to have happened so often.
  private struct Watcher {
    let text: String
    var left: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  /// Apart from the recorder, so that the one who writes does not keep it alive.
  private final class Notes: Sendable {
    let state = Mutex(State())

    func add(_ event: CenterEvent) {
      let words = event.words
      let satisfied = state.withLock { state in
        state.events.append(event)
        state.words.append(words)
        var satisfied: [CheckedContinuation<Void, Never>] = []
        for (id, watcher) in state.watchers where watcher.text == words {
          state.watchers[id]!.left -= 1
          if watcher.left == 1 {
            satisfied.append(watcher.continuation)
            state.watchers[id] = nil
          }
        }
        return satisfied
      }
      for continuation in satisfied { continuation.resume() }
    }
  }

  private let notes = Notes()
  private let writer: Task<Void, Never>

  /// Begins to record.
  public init(_ center: TaskCenter) {
    // Subscribed here, so that nothing is missed.
    let iterator = center.events(bufferingNewest: .max).makeAsyncIterator()
    // Ended by the recorder's end.
    writer = Task { [notes] in
      while let event = await iterator.next() { notes.add(event) }
    }
  }

  deinit { writer.cancel() }

  /// What has been heard of so far.
  public var events: [CenterEvent] { notes.state.withLock { $0.events } }

  /// The same in words; see `CenterEvent.words`.
  public var words: [String] { notes.state.withLock { $0.words } }

  /// Forgets what has been heard of so far.
  public func clear() {
    notes.state.withLock { state in
      state.events = []
      state.words = []
    }
  }

  /// Returns when something has been heard of that often, or the calling task is cancelled.
  ///
  /// - Parameters:
  ///   - text: the words of it, exactly.
  ///   - count: how often it has to have happened.
  /// - Returns: everything that has been heard of up to then, the awaited included.
  @discardableResult
  public func words(until text: String, count: Int = 1) async -> [String] {
    let id = notes.state.withLock { state in
      defer { state.nextID += 1 }
      return state.nextID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = notes.state.withLock { state in
          let left = count - state.words.count { $0 == text }
          if left <= 0 || state.cancelled.remove(id) != nil { return true }
          state.watchers[id] = Watcher(text: text, left: left, continuation: continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let watcher = notes.state.withLock { state in
        let watcher = state.watchers.removeValue(forKey: id)
        if watcher == nil { state.cancelled.insert(id) }
        return watcher
      }
      watcher?.continuation.resume()
    }
    let words = notes.state.withLock { state in
      state.cancelled.remove(id)
      return state.words
    }
    // What came after it while nobody looked is not part of it.
    var seen = 0
    guard
      let last = words.firstIndex(where: { word in
        if word == text { seen += 1 }
        return seen == count
      })
    else { return words }
    return Array(words[...last])
  }
}
