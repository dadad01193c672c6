/// How the interface is about to turn: the payload of ``LifecycleEvent/willChangeStatusBarOrientation``.
public struct InterfaceTurn: Sendable, Hashable {
  /// Which way up it will be.
  public var orientation: InterfaceOrientation

  /// How long the turn takes.
  public var duration: Duration

  public init(to orientation: InterfaceOrientation, duration: Duration = .zero) {
    self.orientation = orientation
    self.duration = duration
  }
}
