#if TASKKIT_STAND_INS || (canImport(UserNotifications) && !os(tvOS) && !os(watchOS))
import Foundation
#if TASKKIT_STAND_INS
public import TaskKit
#else
public import UserNotifications
#endif

/// A delegate of the notification center of the system that sends what it hears to a center.
///
/// ```swift
/// let notifications = TaskNotificationDelegate(center: .app)
/// UNUserNotificationCenter.current().delegate = notifications
/// ```
///
/// The system holds it weakly and wants it before the launch is finished. It answers that it responds only to callbacks for
/// which the center has a task (Ew4). Its completion handlers are called exactly once, on the main actor.
///
/// It does not call ``TaskCenter/start()``: an app with schedules, notifications, sequences or jobs calls it itself, or none
/// of them ever runs.
public final class TaskNotificationDelegate: NSObject, UNUserNotificationCenterDelegate {
  private let bridge: CallbackBridge

  /// - Parameters:
  ///   - center: to which what the system tells goes.
  ///   - deadlines: how long a completion handler may be kept waiting.
  public init(center: TaskCenter, deadlines: CallbackDeadlines = CallbackDeadlines()) {
    bridge = CallbackBridge(center, deadlines: deadlines)
    super.init()
  }

  public override func responds(to selector: Selector!) -> Bool {
    guard super.responds(to: selector), let selector else { return false }
    return UserNotificationsCallbacks.center.isAnswered(NSStringFromSelector(selector), in: bridge.center) ?? true
  }

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
  ) {
    let payload = SystemNotification(notification)
    // Ended by the center, at the deadline at the latest.
    _Concurrency.Task { @MainActor [bridge] in
      bridge.answer(.willPresentNotification, payload, otherwise: []) { presentation in
        completionHandler(UNNotificationPresentationOptions(presentation))
      }
    }
  }

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping @Sendable () -> Void
  ) {
    let payload = SystemNotificationResponse(response)
    // Ended by the center, at the deadline at the latest.
    _Concurrency.Task { @MainActor [bridge] in
      bridge.answer(.didReceiveNotificationResponse, payload, completionHandler)
    }
  }

  public func userNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?)
  {
    let payload = notification.map { SystemNotification($0) }
    // Ended at once.
    _Concurrency.Task { @MainActor [bridge] in bridge.tell(.openNotificationSettings, payload) }
  }
}
#endif
