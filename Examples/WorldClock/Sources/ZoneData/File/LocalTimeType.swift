/// One of the local times that a zone knows: so far from UTC, called that, and daylight saving time or not.
public struct LocalTimeType: Sendable, Hashable {
  /// Seconds east of Greenwich.
  public let offset: Int
  public let isDaylight: Bool
  /// What people write behind the time: `CET`, `EST`, or `+0330` where there is no better name.
  public let abbreviation: String

  public init(offset: Int, isDaylight: Bool, abbreviation: String) {
    self.offset = offset
    self.isDaylight = isDaylight
    self.abbreviation = abbreviation
  }
}
