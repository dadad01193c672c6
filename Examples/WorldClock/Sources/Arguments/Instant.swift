import ZoneData

/// Points in time as they are written on a command line.
enum Instant {
  /// The years 1 to 9999.
  private static let range: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// Reads a Unix time (`@1761350400`, `1761350400`) or a date and time of day in UTC (`2026-10-25T00:59:59Z`).
  static func parse(_ text: String) throws(UsageError) -> Int64 {
    let number = Int64(text.hasPrefix("@") ? text.dropFirst() : text[...])
    guard let seconds = number ?? utc(text) else {
      throw UsageError(
        description: "'\(text)' is no time; write a Unix time such as 1761350400, or 2026-10-25T00:59:59Z")
    }
    guard range.contains(seconds) else {
      throw UsageError(description: "'\(text)' lies outside of the years 1 to 9999")
    }
    return seconds
  }

  private static func utc(_ text: String) -> Int64? {
    guard let match = text.wholeMatch(of: /(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?Z?)?/) else {
      return nil
    }
    func number(_ part: Substring?) -> Int { part.flatMap { Int($0) } ?? 0 }
    let (year, month, day) = (number(match.1), number(match.2), number(match.3))
    let (hour, minute, second) = (number(match.4), number(match.5), number(match.6))
    guard year > 0, (1...12).contains(month), hour < 24, minute < 60, second < 60 else { return nil }
    let seconds =
      Int64(CivilTime.day(year: year, month: month, day: day)) * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
    // A day that the month does not have ends up in the next.
    let read = CivilTime(seconds: seconds)
    return read.month == month && read.day == day ? seconds : nil
  }
}
