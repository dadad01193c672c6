import ZoneData
import ZoneIndex

/// A clock for programs.
public struct ClockRecord: Codable, Sendable, Hashable {
  /// The next change.
  public struct Change: Codable, Sendable, Hashable {
    public let time: Int64
    public let offset: Int
    public let abbreviation: String
  }

  public let name: String
  public let canonicalName: String
  public let countries: [String]
  /// Unix time.
  public let time: Int64
  /// The local time, as in RFC 3339; seconds of the offset, which old times have, are only in `offset`.
  public let localTime: String
  /// Seconds east of Greenwich.
  public let offset: Int
  public let abbreviation: String
  public let isDaylight: Bool
  public let next: Change?

  public init(_ clock: Clock) {
    let local = CivilTime(seconds: clock.instant + Int64(clock.localTime.offset))
    name = clock.name
    canonicalName = clock.canonicalName
    countries = clock.countries
    time = clock.instant
    localTime =
      "\(Wording.date(local))T\(Wording.timeOfDay(local))\(Wording.offset(clock.localTime.offset).prefix(6))"
    offset = clock.localTime.offset
    abbreviation = clock.localTime.abbreviation
    isDaylight = clock.localTime.isDaylight
    next = clock.next.map { Change(time: $0.time, offset: $0.after.offset, abbreviation: $0.after.abbreviation) }
  }
}
