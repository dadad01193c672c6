#if TASKKIT_STAND_INS || (canImport(UserNotifications) && !os(tvOS) && !os(watchOS))
import Foundation
#if TASKKIT_STAND_INS
import TaskKit
#else
import UserNotifications
#endif

// The system's values as those of the events. UIKit hands some of them over as well.

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

extension SystemNotificationResponse {
  init(_ response: UNNotificationResponse) {
    self.init(
      notification: SystemNotification(response.notification), action: response.actionIdentifier,
      text: (response as? UNTextInputNotificationResponse)?.userText)
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
