public import Foundation

/// Something that a person was doing, here or on another device: the payload of ``LifecycleEvent/continueUserActivity``.
public struct UserActivity: Sendable, Hashable {
  /// What kind of activity, as the app's property list declares it.
  public var type: String
  /// What the system shows of it; nil where it has none.
  public var title: String?
  /// A page that shows the same in a browser, where there is one.
  public var webpageURL: URL?
  /// The page that led to it, where somebody has said.
  public var referrerURL: URL?
  /// What it is about, by which a scene that shows the same is found; nil where nobody has said.
  public var targetContentIdentifier: String?
  /// What is needed to go on with it, as the app that began it wrote it.
  public var userInfo: [String: PropertyValue]

  public init(
    type: String, title: String? = nil, webpageURL: URL? = nil, referrerURL: URL? = nil,
    targetContentIdentifier: String? = nil, userInfo: [String: PropertyValue] = [:]
  ) {
    self.type = type
    self.title = title
    self.webpageURL = webpageURL
    self.referrerURL = referrerURL
    self.targetContentIdentifier = targetContentIdentifier
    self.userInfo = userInfo
  }
}

/// An activity that could not be brought over: the payload of ``LifecycleEvent/didFailToContinueUserActivity``.
public struct UserActivityFailure: Sendable {
  /// What kind of activity.
  public var type: String
  /// Why, as the system says it.
  public var error: any Error

  public init(type: String, error: any Error) {
    self.type = type
    self.error = error
  }
}
