/// What someone asks: the payload of the event ``TaskKit/LifecycleEvent/query``.
public struct Query: Sendable, Hashable {
  /// A zone, a city or a country.
  public let text: String
  /// The Unix time at which the clocks are read.
  public let instant: Int64

  public init(_ text: String, at instant: Int64) {
    self.text = text
    self.instant = instant
  }
}
