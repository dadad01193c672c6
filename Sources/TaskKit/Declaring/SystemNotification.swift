public import Foundation

/// A notification that a person may see, local or remote.
///
/// Its sound, its attachments and what triggers it stay with the system.
public struct SystemNotification: Sendable, Hashable {
  /// The identifier of its request; empty where the platform gives none.
  public var identifier: String
  /// What is shown first; empty where there is none.
  public var title: String
  /// What is shown second; empty where there is none.
  public var subtitle: String
  /// The text below; empty where there is none.
  public var body: String
  /// The number that it puts on the app's icon; nil where it leaves that as it is.
  public var badge: Int?
  /// The identifier of its category, which says what can be done with it; empty where it has none.
  public var category: String
  /// The identifier of what it is shown together with; empty where it has none.
  public var thread: String
  /// When it was delivered; nil where the platform does not say.
  public var date: Date?
  /// Whether a server has sent it.
  public var isRemote: Bool
  /// What the sender has put into it.
  public var userInfo: [String: PropertyValue]

  public init(
    identifier: String = "", title: String = "", subtitle: String = "", body: String = "", badge: Int? = nil,
    category: String = "", thread: String = "", date: Date? = nil, isRemote: Bool = false,
    userInfo: [String: PropertyValue] = [:]
  ) {
    self.identifier = identifier
    self.title = title
    self.subtitle = subtitle
    self.body = body
    self.badge = badge
    self.category = category
    self.thread = thread
    self.date = date
    self.isRemote = isRemote
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
