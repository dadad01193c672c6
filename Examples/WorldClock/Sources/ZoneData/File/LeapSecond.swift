/// A second that was put into UTC, or left out of it.
public struct LeapSecond: Sendable, Hashable {
  /// The Unix time of the moment from which on the correction counts.
  public let time: Int64
  /// How many leap seconds there have been then, this one included.
  public let correction: Int

  public init(time: Int64, correction: Int) {
    self.time = time
    self.correction = correction
  }
}
