import ZoneData

/// What a clock in a zone shows.
public struct Clock: Sendable, Hashable {
  /// The zone's name as it was found: an alias stays one.
  public let name: String
  /// The zone's proper name.
  public let canonicalName: String
  /// The countries that use it, as far as known.
  public let countries: [String]
  /// The Unix time at which the clock was read.
  public let instant: Int64
  public let localTime: LocalTimeType
  public let next: Transition?

  public init(
    name: String, canonicalName: String, countries: [String] = [], instant: Int64, localTime: LocalTimeType,
    next: Transition?
  ) {
    self.name = name
    self.canonicalName = canonicalName
    self.countries = countries
    self.instant = instant
    self.localTime = localTime
    self.next = next
  }
}
