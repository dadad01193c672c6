/// Names one scene (window) of a program, and stays the same when the system brings the scene back.
public struct SceneIdentifier: Sendable, Hashable, Comparable, Codable, RawRepresentable,
  CustomStringConvertible
{
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  public var description: String { rawValue }

  public static func < (left: SceneIdentifier, right: SceneIdentifier) -> Bool { left.rawValue < right.rawValue }
}

/// A scene that is being connected: the payload of ``LifecycleEvent/sceneWillConnect``.
///
/// What the scene is opened for (URLs, an activity, a shortcut, an invitation) comes as events of its own, as it does while
/// the program runs.
public struct SceneConnection: Sendable, Hashable {
  /// Which scene it is; the events of its later life carry the same.
  public var scene: SceneIdentifier

  /// What kind of scene the system says it is: a window, an external display.
  public var role: String

  /// The bundle identifier of the app that asked for the scene, where the platform tells it.
  public var sourceApplication: String?

  /// The type of an activity that is still on its way from another device; it comes as
  /// ``LifecycleEvent/continueUserActivity``.
  public var handoffActivityType: String?

  /// What the person did with a notification, where that opens the scene. The delegate of the notifications hears of it as
  /// well, as ``LifecycleEvent/didReceiveNotificationResponse``.
  public var notificationResponse: SystemNotificationResponse?

  public init(
    scene: SceneIdentifier, role: String, sourceApplication: String? = nil, handoffActivityType: String? = nil,
    notificationResponse: SystemNotificationResponse? = nil
  ) {
    self.scene = scene
    self.role = role
    self.sourceApplication = sourceApplication
    self.handoffActivityType = handoffActivityType
    self.notificationResponse = notificationResponse
  }
}
