import Synchronization

/// What bodies did, in the order in which they did it.
final class Recorder: Sendable {
  private struct State {
    var notes: [String] = []
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  var notes: [String] { state.withLock { $0.notes } }

  func note(_ text: String) {
    let watchers = state.withLock { state in
      state.notes.append(text)
      let satisfied = state.watchers.filter { $0.count <= state.notes.count }.map(\.continuation)
      state.watchers.removeAll { $0.count <= state.notes.count }
      return satisfied
    }
    for watcher in watchers { watcher.resume() }
  }

  /// The notes, once there are that many.
  func notes(_ count: Int) async -> [String] {
    await withCheckedContinuation { continuation in
      let isSatisfied = state.withLock { state in
        guard state.notes.count < count else { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isSatisfied { continuation.resume() }
    }
    return notes
  }
}
