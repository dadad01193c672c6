/// A change of a zone's clocks.
public struct Transition: Sendable, Hashable {
  /// The Unix time of the first moment that has the new local time.
  public let time: Int64
  public let before: LocalTimeType
  public let after: LocalTimeType

  public init(time: Int64, before: LocalTimeType, after: LocalTimeType) {
    self.time = time
    self.before = before
    self.after = after
  }
}
