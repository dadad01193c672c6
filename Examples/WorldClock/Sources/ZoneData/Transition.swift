/// A change of a zone's clocks.
public struct Transition: Sendable, Hashable {
  /// The Unix time of the first moment that has the new local time.
  public let time: Int64
  public let before: LocalTimeType
  public let after: LocalTimeType
}
