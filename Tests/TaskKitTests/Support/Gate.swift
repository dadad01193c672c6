import Synchronization

/// A door at which bodies wait until a test opens it. Once open it stays open.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var arrivals = 0
    var cancelled: Set<Int> = []
    var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  /// Lets everyone through, those who come later as well.
  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [:] }
      return state.waiting.values.map { $0 }
    }
    for continuation in waiting { continuation.resume(returning: true) }
  }

  /// Waits until the gate is open, whatever becomes of the calling task.
  func pass() async {
    _ = await wait(as: arrive())
  }

  /// Waits until the gate is open or the calling task is cancelled.
  func passUnlessCancelled() async throws {
    let id = arrive()
    let isOpen = await withTaskCancellationHandler {
      await wait(as: id)
    } onCancel: {
      let continuation = state.withLock { state in
        state.cancelled.insert(id)
        return state.waiting.removeValue(forKey: id)
      }
      continuation?.resume(returning: false)
    }
    if !isOpen { throw CancellationError() }
  }

  /// Returns when that many have come to the gate.
  func arrivals(_ count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isSatisfied = state.withLock { state in
        guard state.arrivals < count else { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isSatisfied { continuation.resume() }
    }
  }

  private func arrive() -> Int {
    let (id, watchers) = state.withLock { state in
      state.arrivals += 1
      let satisfied = state.watchers.filter { $0.count <= state.arrivals }.map(\.continuation)
      state.watchers.removeAll { $0.count <= state.arrivals }
      return (state.arrivals, satisfied)
    }
    for watcher in watchers { watcher.resume() }
    return id
  }

  /// - Returns: false if the wait was cancelled.
  private func wait(as id: Int) async -> Bool {
    await withCheckedContinuation { continuation in
      let immediate = state.withLock { state -> Bool? in
        if state.isOpen { return true }
        if state.cancelled.contains(id) { return false }
        state.waiting[id] = continuation
        return nil
      }
      if let immediate { continuation.resume(returning: immediate) }
    }
  }
}
