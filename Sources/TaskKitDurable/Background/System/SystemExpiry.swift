#if TASKKIT_STAND_INS || (canImport(UIKit) && !os(watchOS)) || (canImport(BackgroundTasks) && !os(macOS) && !os(watchOS))
import Synchronization

/// When the time that the system gives is over: it tells that once, which may be before anybody has said what is to be done then.
final class SystemExpiry: Sendable {
  private struct State {
    var isOver = false
    var body: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// The system says so.
  func end() {
    let body = state.withLock { state in
      state.isOver = true
      return state.body
    }
    body?()
  }

  /// Says what is to be done then: at once where it is over.
  func whenOver(_ body: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      state.body = body
      return state.isOver
    }
    if isOver { body() }
  }

  /// The time was given back: nothing is to be done any more, and what would have been holds nothing.
  func forget() { state.withLock { $0.body = nil } }
}
#endif
