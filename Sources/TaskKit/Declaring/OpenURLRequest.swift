public import Foundation

/// A request to open a URL: the payload of ``LifecycleEvent/openURL``.
public struct OpenURLRequest: Sendable, Hashable {
  /// What is to be opened.
  public var url: URL

  /// The bundle identifier of the app that asked, where the platform tells it.
  public var sourceApplication: String?

  /// Whether the file behind the URL is to be used where it is instead of being copied.
  public var opensInPlace: Bool

  /// The scene in which it is to be opened, where there are scenes.
  public var scene: SceneIdentifier?

  public init(
    _ url: URL, sourceApplication: String? = nil, opensInPlace: Bool = false, scene: SceneIdentifier? = nil
  ) {
    self.url = url
    self.sourceApplication = sourceApplication
    self.opensInPlace = opensInPlace
    self.scene = scene
  }
}
