import Synchronization
import TaskKit
import TaskKitTesting

/// Where bodies sleep until a test wakes them, or they are cancelled if they heed that.
///
/// Whoever is woken counts as awake at once, before it has a thread.
final class Beds: Sendable {
  private struct State {
    var next = 0
    var asleep: [Int: CheckedContinuation<Void, Never>] = [:]
    var cancelled: Set<Int> = []
  }

  private let state = Mutex(State())

  var count: Int { state.withLock { $0.asleep.count } }

  func sleep(heedsCancellation: Bool) async {
    let number = state.withLock { state in
      defer { state.next += 1 }
      return state.next
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isCancelled = state.withLock { state in
          if state.cancelled.contains(number) { return true }
          state.asleep[number] = continuation
          return false
        }
        if isCancelled { continuation.resume() }
      }
    } onCancel: {
      guard heedsCancellation else { return }
      state.withLock { state in
        state.cancelled.insert(number)
        return state.asleep.removeValue(forKey: number)
      }?.resume()
    }
  }

  func wakeOne(_ random: inout SeededGenerator) {
    guard let number = state.withLock({ $0.asleep.keys.sorted() }).randomElement(using: &random) else { return }
    state.withLock { $0.asleep.removeValue(forKey: number) }?.resume()
  }
}
