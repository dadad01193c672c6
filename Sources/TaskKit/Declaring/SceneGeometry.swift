/// How large a scene is, and which way up: the payload of ``LifecycleEvent/sceneGeometryDidChange``.
public struct SceneGeometry: Sendable, Hashable {
  /// Whose it is.
  public var scene: SceneIdentifier

  /// In points.
  public var width: Double

  /// In points.
  public var height: Double

  /// Which way up its interface is.
  public var orientation: InterfaceOrientation

  /// Whether the person is still at it, so that more will come. False where the platform does not tell.
  public var isBeingResized: Bool

  public init(
    scene: SceneIdentifier, width: Double, height: Double, orientation: InterfaceOrientation,
    isBeingResized: Bool = false
  ) {
    self.scene = scene
    self.width = width
    self.height = height
    self.orientation = orientation
    self.isBeingResized = isBeingResized
  }
}
