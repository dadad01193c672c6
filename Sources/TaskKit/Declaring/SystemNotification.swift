/// A notification that a person may see, local or remote.
public struct SystemNotification: Sendable, Hashable {
  /// The identifier of its request; empty where the platform gives none.
  public var identifier: String
  /// What is shown first; empty where there is none.
  public var title: String
  /// The text below; empty where there is none.
  public var body: String
  /// What the sender has put into it.
  public var userInfo: [String: PropertyValue]

  public init(identifier: String = "", title: String = "", body: String = "", userInfo: [String: PropertyValue] = [:]) {
    self.identifier = identifier
    self.title = title
    self.body = body
    self.userInfo = userInfo
  }
}

/// What a person did with a notification: the payload of ``LifecycleEvent/didReceiveNotificationResponse``.
public struct SystemNotificationResponse: Sendable, Hashable {
  /// The notification that it is about.
  public var notification: SystemNotification

  /// The action that was chosen, in the platform's words; opening and dismissing have names of their own there.
  public var action: String

  /// What the person typed, where the action asks for text.
  public var text: String?

  public init(notification: SystemNotification, action: String, text: String? = nil) {
    self.notification = notification
    self.action = action
    self.text = text
  }
}

/// How a notification that arrives in the foreground is shown: the reply to ``LifecycleEvent/willPresentNotification``.
public struct NotificationPresentation: OptionSet, Sendable, Hashable {
  public let rawValue: Int

  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// The number on the app's icon.
  public static let badge = NotificationPresentation(rawValue: 1)
  /// Its sound is played.
  public static let sound = NotificationPresentation(rawValue: 2)
  /// It stays in the list of notifications.
  public static let list = NotificationPresentation(rawValue: 4)
  /// It appears over what is on the screen, for a moment.
  public static let banner = NotificationPresentation(rawValue: 8)
}

/// What notifications may do, in the words of ``LifecycleEvent/didRegisterNotificationSettings``.
public struct NotificationKinds: OptionSet, Sendable, Hashable {
  public let rawValue: Int

  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// They may put a number on the app's icon.
  public static let badge = NotificationKinds(rawValue: 1)
  /// They may be heard.
  public static let sound = NotificationKinds(rawValue: 2)
  /// They may be shown.
  public static let alert = NotificationKinds(rawValue: 4)
}
