#if TASKKIT_STAND_INS || (canImport(UIKit) && !os(watchOS))
import Synchronization
#if TASKKIT_STAND_INS
public import TaskKitDurable
#else
public import UIKit
#endif

/// The time that UIKit gives an app which has left the foreground, `beginBackgroundTask`: about half a minute.
public struct SystemBackgroundStay: BackgroundStay {
  private let application: UIApplication

  /// - Parameter application: the app's, `.shared`.
  public init(_ application: UIApplication) { self.application = application }

  public func begin(_ name: String) -> (any BackgroundTime)? {
    let time = SystemStayTime(application)
    return time.begin(name) ? time : nil
  }
}

/// One background task of UIKit.
private final class SystemStayTime: BackgroundTime {
  private struct State {
    var identifier = UIBackgroundTaskIdentifier.invalid
    var isOver = false
    var expired: (@Sendable () -> Void)?
  }

  private let application: UIApplication
  private let state = Mutex(State())

  init(_ application: UIApplication) { self.application = application }

  func begin(_ name: String) -> Bool {
    // Held by the system until the task has ended.
    let identifier = application.beginBackgroundTask(withName: name) { self.expire() }
    state.withLock { $0.identifier = identifier }
    return identifier != .invalid
  }

  private func expire() {
    let body = state.withLock { state in
      state.isOver = true
      return state.expired
    }
    body?()
  }

  func whenExpired(_ body: @escaping @Sendable () -> Void) {
    // It may be over before anybody could say so.
    let isOver = state.withLock { state in
      state.expired = body
      return state.isOver
    }
    if isOver { body() }
  }

  func complete(success: Bool) {
    let identifier = state.withLock { state in
      // Who gives it back holds it by what it does when it is over.
      defer { (state.identifier, state.expired) = (.invalid, nil) }
      return state.identifier
    }
    if identifier != .invalid { application.endBackgroundTask(identifier) }
  }
}
#endif
