/// Ways up that an interface may have: the reply to ``LifecycleEvent/supportedInterfaceOrientations``.
public struct InterfaceOrientations: OptionSet, Sendable, Hashable {
  public let rawValue: Int

  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Upright.
  public static let portrait = InterfaceOrientations(rawValue: 1)
  /// Upright, with the top below.
  public static let portraitUpsideDown = InterfaceOrientations(rawValue: 2)
  /// On its side, in the system's word for this one of the two.
  public static let landscapeLeft = InterfaceOrientations(rawValue: 4)
  /// On its side, the other way.
  public static let landscapeRight = InterfaceOrientations(rawValue: 8)
  /// On either side.
  public static let landscape: InterfaceOrientations = [.landscapeLeft, .landscapeRight]
  /// Every one.
  public static let all: InterfaceOrientations = [.portrait, .portraitUpsideDown, .landscape]
}
