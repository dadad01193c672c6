#if Postgres
import Synchronization

/// What keeps the watch of a store from its work.
final class PostgresTrouble: Sendable {
  private struct State {
    var count = 0
    var reason = ""
    var since = ContinuousClock.now
  }

  private let state = Mutex(State())

  func add(_ reason: String) {
    state.withLock { state in
      if state.count == 0 { state.since = .now }
      state.count += 1
      state.reason = reason
    }
  }

  func end() { state.withLock { $0.count = 0 } }

  /// What it is at present; nil where it fails for the first time, as happens whenever a connection breaks.
  var now: PostgresHealth.Watch? {
    state.withLock { state in
      guard state.count > 1 else { return nil }
      return PostgresHealth.Watch(failures: state.count, reason: state.reason, age: ContinuousClock.now - state.since)
    }
  }
}
#endif
