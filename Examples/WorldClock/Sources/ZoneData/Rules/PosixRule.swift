/// How local time goes on for ever: the line in the notation of POSIX's `TZ` that ends a time zone file.
///
/// `CET-1CEST,M3.5.0,M10.5.0/3` says: Central European Time, an hour east of Greenwich; summer time from the last
/// Sunday of March at 2 to the last Sunday of October at 3.
public struct PosixRule: Sendable, Hashable {
  /// Daylight saving time, and when it begins and ends.
  public struct Daylight: Sendable, Hashable {
    public let type: LocalTimeType
    public let start: RuleDay
    public let end: RuleDay
  }

  public let standard: LocalTimeType
  public let daylight: Daylight?

  init(standard: LocalTimeType, daylight: Daylight?) {
    self.standard = standard
    self.daylight = daylight
  }

  /// The local time at a Unix time.
  public func localTime(at time: Int64) -> LocalTimeType {
    guard daylight != nil else { return standard }
    return changes(around: time).last { $0.time <= time }?.type ?? standard
  }

  /// The first change after a Unix time; nil where the clock is never changed.
  func nextChange(after time: Int64) -> Int64? {
    changes(around: time).first { $0.time > time && localTime(at: $0.time) != localTime(at: $0.time - 1) }?.time
  }

  /// The changes of the years around a Unix time, in their order.
  ///
  /// Where daylight saving time lasts the whole year, its end coincides with the next beginning; the beginning counts.
  private func changes(around time: Int64) -> [(time: Int64, type: LocalTimeType)] {
    guard let daylight else { return [] }
    let year = CivilTime(seconds: time + Int64(standard.offset)).year
    var changes: [(time: Int64, type: LocalTimeType)] = []
    for year in year - 1...year + 2 {
      changes.append((daylight.end.seconds(inYear: year) - Int64(daylight.type.offset), standard))
      changes.append((daylight.start.seconds(inYear: year) - Int64(standard.offset), daylight.type))
    }
    return changes.sorted { ($0.time, $0.type.isDaylight ? 1 : 0) < ($1.time, $1.type.isDaylight ? 1 : 0) }
  }
}
