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
    let payload = SystemNotificationResponse(
      notification: SystemNotification(response.notification), action: response.actionIdentifier,
      text: (response as? UNTextInputNotificationResponse)?.userText)
    // Ended by the center, at the deadline at the latest.
    _Concurrency.Task { @MainActor [bridge] in
      bridge.answer(.didReceiveNotificationResponse, payload, completionHandler)
    }
  }

  public func userNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?)
  {
    // Ended at once.
    _Concurrency.Task { @MainActor [bridge] in bridge.tell(.openNotificationSettings) }
  }
}

// MARK: - The system's values as those of the events

extension SystemNotification {
  init(_ notification: UNNotification) {
    let content = notification.request.content
    self.init(
      identifier: notification.request.identifier, title: content.title, subtitle: content.subtitle, body: content.body,
      badge: content.badge?.intValue, category: content.categoryIdentifier, thread: content.threadIdentifier,
      date: notification.date, isRemote: notification.request.trigger is UNPushNotificationTrigger,
      userInfo: PropertyValue.dictionary(content.userInfo))
  }
}

extension UNNotificationPresentationOptions {
  init(_ presentation: NotificationPresentation) {
    self = []
    if presentation.contains(.badge) { insert(.badge) }
    if presentation.contains(.sound) { insert(.sound) }
    if presentation.contains(.list) { insert(.list) }
    if presentation.contains(.banner) { insert(.banner) }
  }
}
#endif
