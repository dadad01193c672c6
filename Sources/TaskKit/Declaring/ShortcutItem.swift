/// A shortcut of the app's icon that was chosen: the payload of ``LifecycleEvent/performShortcut``.
public struct ShortcutItem: Sendable, Hashable {
  public var type: String
  public var title: String
  public var subtitle: String?
  public var userInfo: [String: PropertyValue]

  public init(type: String, title: String, subtitle: String? = nil, userInfo: [String: PropertyValue] = [:]) {
    self.type = type
    self.title = title
    self.subtitle = subtitle
    self.userInfo = userInfo
  }
}
