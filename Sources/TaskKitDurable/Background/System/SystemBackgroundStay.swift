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
  private let application: UIApplication
  private let expiry = SystemExpiry()
  /// Invalid before it has begun, and once it has been given back.
  private let identifier = Mutex(UIBackgroundTaskIdentifier.invalid)

  init(_ application: UIApplication) { self.application = application }

  func begin(_ name: String) -> Bool {
    // Held by the system until the task has ended.
    let identifier = application.beginBackgroundTask(withName: name) { self.expiry.end() }
    self.identifier.withLock { $0 = identifier }
    return identifier != .invalid
  }

  func whenExpired(_ body: @escaping @Sendable () -> Void) { expiry.whenOver(body) }

  func complete(success: Bool) {
    // Who gives it back holds it by what it does when it is over.
    expiry.forget()
    let identifier = identifier.withLock { identifier in
      defer { identifier = .invalid }
      return identifier
    }
    if identifier != .invalid { application.endBackgroundTask(identifier) }
  }
}
#endif
