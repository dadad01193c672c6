/// What a calendar and a clock on the wall show: a date and a time of day, without a time zone.
///
/// It is the name of an occurrence of a calendar rule: the rule says `02:30`, and 8 March 2026 02:30 stays that
/// occurrence's name even where the clocks skip this time and the rule runs at 03:00.
public struct CivilTime: Hashable, Comparable, Sendable {
  /// Seconds since 1 January 1970 00:00 on the same clock, as if its days were never changed.
  let seconds: Int

  init(seconds: Int) {
    self.seconds = seconds
  }

  /// A date and a time of day of the Gregorian calendar; nil when there is none, as on 30 February or at 24:00.
  ///
  /// - Parameters:
  ///   - year: from 1 to 9999.
  ///   - month: from 1 to 12.
  ///   - day: from 1 to the last of that month.
  ///   - hour: from 0 to 23.
  ///   - minute: from 0 to 59.
  ///   - second: from 0 to 59.
  public init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    guard
      (1...9999).contains(year), (1...12).contains(month), (1...CivilDay.days(inMonth: month, of: year)).contains(day),
      (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second)
    else { return nil }
    seconds =
      CivilDay(year: year, month: month, day: day).sinceEpoch * 86_400 + hour * 3_600 + minute * 60 + second
  }

  private var civilDay: CivilDay { CivilDay(sinceEpoch: seconds.flooredQuotient(86_400)) }
  private var secondOfDay: Int { seconds.flooredRemainder(86_400) }

  /// In the Gregorian calendar, also before there was one.
  public var year: Int { civilDay.year }
  /// From 1 to 12.
  public var month: Int { civilDay.month }
  /// From 1 to 31.
  public var day: Int { civilDay.day }
  /// From 0 to 23.
  public var hour: Int { secondOfDay / 3_600 }
  /// From 0 to 59.
  public var minute: Int { secondOfDay / 60 % 60 }
  /// From 0 to 59.
  public var second: Int { secondOfDay % 60 }
  /// From 0, Sunday, to 6, Saturday.
  public var dayOfWeek: Int { CivilDay.weekday(sinceEpoch: seconds.flooredQuotient(86_400)) }

  public static func < (left: CivilTime, right: CivilTime) -> Bool { left.seconds < right.seconds }
}

extension CivilTime: CustomStringConvertible, LosslessStringConvertible {
  /// As ISO 8601 writes it: `2026-03-08T02:30:00`.
  public var description: String {
    let day = civilDay
    let time = [secondOfDay / 3_600, secondOfDay / 60 % 60, secondOfDay % 60].map { $0.padded(2) }
    return "\(day.year.padded(4))-\(day.month.padded(2))-\(day.day.padded(2))T\(time.joined(separator: ":"))"
  }

  /// Reads exactly what ``description`` writes; nil for anything else.
  public init?(_ description: String) {
    let digits = description.utf8.map { Int($0) - 48 }
    guard digits.count == 19 else { return nil }
    // Wrong signs and separators are caught by the comparison at the end.
    func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
    self.init(
      year: number(0..<4), month: number(5..<7), day: number(8..<10), hour: number(11..<13), minute: number(14..<16),
      second: number(17..<19))
    guard self.description == description else { return nil }
  }
}

extension Int {
  /// With zeros in front, as times are written.
  func padded(_ width: Int) -> String {
    let digits = String(self)
    return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
  }
}
