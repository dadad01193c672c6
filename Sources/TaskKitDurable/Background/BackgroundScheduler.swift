public import Foundation

/// Who gives a program time in the background: `SystemBackgroundScheduler` on Apple's systems, or a test's own.
public protocol BackgroundScheduler: Sendable {
  /// Says what to do with time that is given under an identifier: once for each, before the launch is finished.
  ///
  /// - Returns: false if the identifier is not permitted, or somebody has registered it here before.
  func register(_ identifier: String, _ launch: @escaping @Sendable (any BackgroundTime) -> Void) -> Bool

  /// Asks for time, in the place of an earlier request of the same identifier.
  ///
  /// - Throws: what the system throws.
  func submit(_ request: BackgroundTimeRequest) throws
}

/// Time that the system has given.
public protocol BackgroundTime: Sendable {
  /// Calls that when the time is over sooner than the work; what follows from it must be done within seconds.
  func whenExpired(_ body: @escaping @Sendable () -> Void)

  /// Gives back what is left of it.
  func complete(success: Bool)
}

/// A wish for time in the background.
public struct BackgroundTimeRequest: Sendable, Hashable {
  /// The one that the app's property list permits; the system allows one wish for each.
  public var identifier: String
  /// Not before that; nil for as soon as the system sees fit.
  public var earliest: Date?
  /// Whether the time is of no use without a network.
  public var needsNetwork: Bool
  /// Whether it is only worth it on mains power.
  public var needsPower: Bool

  public init(identifier: String, earliest: Date? = nil, needsNetwork: Bool = false, needsPower: Bool = false) {
    self.identifier = identifier
    self.earliest = earliest
    self.needsNetwork = needsNetwork
    self.needsPower = needsPower
  }
}
