public import Foundation

// Stands in for UserNotifications where there is none: names and types as Apple publishes them, as far as the adapter goes.

open class UNUserNotificationCenter: NSObject {
  open weak var delegate: (any UNUserNotificationCenterDelegate)?

  public override init() {}

  /// One for each call, as nothing is kept between tests.
  open class func current() -> UNUserNotificationCenter { UNUserNotificationCenter() }
}

open class UNNotificationContent: NSObject {
  public let title: String
  public let subtitle: String
  public let body: String
  public let badge: NSNumber?
  public let categoryIdentifier: String
  public let threadIdentifier: String
  public let userInfo: [AnyHashable: Any]

  public init(
    title: String, subtitle: String = "", body: String, badge: NSNumber? = nil, categoryIdentifier: String = "",
    threadIdentifier: String = "", userInfo: [AnyHashable: Any]
  ) {
    self.title = title
    self.subtitle = subtitle
    self.body = body
    self.badge = badge
    self.categoryIdentifier = categoryIdentifier
    self.threadIdentifier = threadIdentifier
    self.userInfo = userInfo
  }
}

open class UNNotificationTrigger: NSObject {}
open class UNPushNotificationTrigger: UNNotificationTrigger {}

open class UNNotificationRequest: NSObject {
  public let identifier: String
  public let content: UNNotificationContent
  public let trigger: UNNotificationTrigger?

  public init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger? = nil) {
    self.identifier = identifier
    self.content = content
    self.trigger = trigger
  }
}

open class UNNotification: NSObject {
  public let date: Date
  public let request: UNNotificationRequest

  public init(date: Date, request: UNNotificationRequest) {
    self.date = date
    self.request = request
  }
}

open class UNNotificationResponse: NSObject {
  public let notification: UNNotification
  public let actionIdentifier: String

  public init(notification: UNNotification, actionIdentifier: String) {
    self.notification = notification
    self.actionIdentifier = actionIdentifier
  }
}

open class UNTextInputNotificationResponse: UNNotificationResponse {
  public let userText: String

  public init(notification: UNNotification, actionIdentifier: String, userText: String) {
    self.userText = userText
    super.init(notification: notification, actionIdentifier: actionIdentifier)
  }
}

public struct UNNotificationPresentationOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let badge = UNNotificationPresentationOptions(rawValue: 1)
  public static let sound = UNNotificationPresentationOptions(rawValue: 2)
  public static let list = UNNotificationPresentationOptions(rawValue: 8)
  public static let banner = UNNotificationPresentationOptions(rawValue: 16)
}

// In Objective-C every one of these is optional.
public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void)
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping @Sendable () -> Void)
  func userNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?)
}
