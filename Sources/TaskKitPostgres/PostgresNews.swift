#if Postgres
import Synchronization

/// What processes tell each other: who has changed something in which queue.
struct PostgresNews {
  /// 0 where it is no process with a store.
  let owner: Int64
  /// Empty for everything.
  let queue: String

  /// - Parameter text: what `taskkit_tell` writes.
  init(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    owner = Int64(parts[0]) ?? 0
    queue = parts.count > 1 ? String(parts[1]) : ""
  }
}

/// Tells other processes in which queues there is something to see: at once, and then for each queue no more often than
/// every 50 ms, in one transaction for all of them, since the server commits such transactions one after the other.
final class PostgresNotifier: Sendable {
  private static let pause = Duration.milliseconds(50)

  private struct State {
    var isPausing = false
    var queues: Set<String> = []
    var owner: Int64 = 0
  }

  private let state = Mutex(State())
  private let send: @Sendable (_ queues: Set<String>, _ owner: Int64) async -> Void

  init(_ send: @escaping @Sendable (_ queues: Set<String>, _ owner: Int64) async -> Void) { self.send = send }

  func tell(_ queues: Set<String>, by owner: Int64) {
    guard !queues.isEmpty else { return }
    let mustStart = state.withLock { state in
      state.queues.formUnion(queues)
      state.owner = owner
      defer { state.isPausing = true }
      return !state.isPausing
    }
    guard mustStart else { return }
    // Ends when nothing has been said during a pause.
    Task {
      while let (queues, owner) = take() {
        await send(queues, owner)
        try? await Task.sleep(for: Self.pause)
      }
    }
  }

  private func take() -> (Set<String>, Int64)? {
    state.withLock { state in
      defer { state.queues = [] }
      if state.queues.isEmpty { state.isPausing = false }
      return state.queues.isEmpty ? nil : (state.queues, state.owner)
    }
  }
}
#endif
