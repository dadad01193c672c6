import Foundation
import Synchronization

/// What the test says to the process: lines, of which only the number counts.
final class Input: Sendable {
  private struct State {
    var count = 0
    var waiting: [(line: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  /// Reads until the test is gone, and ends the process then; holds its thread.
  func read() {
    while readLine() != nil {
      let due = state.withLock { state in
        state.count += 1
        defer { state.waiting.removeAll { $0.line <= state.count } }
        return state.waiting.filter { $0.line <= state.count }.map(\.continuation)
      }
      for continuation in due { continuation.resume() }
    }
    exit(0)
  }

  /// Waits until so many lines have come.
  func line(_ number: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.count < number { state.waiting.append((number, continuation)) }
        return state.count >= number
      }
      if isThere { continuation.resume() }
    }
  }
}
