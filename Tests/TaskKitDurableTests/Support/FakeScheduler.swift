import Synchronization
import TaskKitDurable

/// A system that gives time in the background when a test says so.
final class FakeScheduler: BackgroundScheduler {
  struct State {
    var requests: [BackgroundTimeRequest] = []
    var handlers: [String: @Sendable (any BackgroundTime) -> Void] = [:]
    var refuses = false
  }

  let state = Mutex(State())

  var requests: [BackgroundTimeRequest] { state.withLock { $0.requests } }

  func register(_ identifier: String, _ launch: @escaping @Sendable (any BackgroundTime) -> Void) -> Bool {
    state.withLock { state in
      guard !state.refuses else { return false }
      state.handlers[identifier] = launch
      return true
    }
  }

  func submit(_ request: BackgroundTimeRequest) throws {
    try state.withLock { state in
      guard !state.refuses else { throw Failure() }
      state.requests.append(request)
    }
  }

  func launch(_ identifier: String, _ time: any BackgroundTime) { state.withLock { $0.handlers[identifier] }?(time) }
}
