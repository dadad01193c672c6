/// A shortcut of the app's icon that was chosen: the payload of ``LifecycleEvent/performShortcut``.
public struct ShortcutItem: Sendable, Hashable {
  /// Which shortcut it is, as the app's property list declares it.
  public var type: String
  /// What the menu shows.
  public var title: String
  /// What the menu shows below that, where it does.
  public var subtitle: String?
  /// What whoever made the shortcut has put into it.
  public var userInfo: [String: PropertyValue]

  public init(type: String, title: String, subtitle: String? = nil, userInfo: [String: PropertyValue] = [:]) {
    self.type = type
    self.title = title
    self.subtitle = subtitle
    self.userInfo = userInfo
  }
}
