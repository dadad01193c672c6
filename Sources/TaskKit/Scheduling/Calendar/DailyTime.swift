/// A time of day, for what happens once a day: `02:30`, or `02:30:15`.
///
/// It is the cron expression that says the same (``expression``), and follows the same rules when clocks are changed.
public struct DailyTime: Hashable, Sendable, CustomStringConvertible {
  /// Seconds since midnight, on a clock that is never changed.
  private let secondOfDay: Int

  /// Reads hour and minute, and the second if there is one, counting 24 hours a day.
  ///
  /// - Throws: every mistake at once, each with its place in the text.
  public init(_ text: String) throws(CronError) {
    secondOfDay = try DailyReader.read(text)
  }

  /// A time of day in numbers; nil where there is none.
  public init?(hour: Int, minute: Int = 0, second: Int = 0) {
    guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second) else { return nil }
    secondOfDay = hour * 3_600 + minute * 60 + second
  }

  /// From 0 to 23.
  public var hour: Int { secondOfDay / 3_600 }
  /// From 0 to 59.
  public var minute: Int { secondOfDay / 60 % 60 }
  /// From 0 to 59.
  public var second: Int { secondOfDay % 60 }

  /// The rule for every day at this time.
  public var expression: CronExpression {
    CronExpression(
      fields: CronFields(
        seconds: 1 << UInt64(second), minutes: 1 << UInt64(minute), hours: 1 << UInt64(hour),
        months: CronFields.everyMonth, days: CronFields.everyDay, weekdays: CronFields.everyWeekday, dayHasStar: true,
        weekdayHasStar: true),
      text: second == 0 ? "\(minute) \(hour) * * *" : "\(second) \(minute) \(hour) * * *")
  }

  /// As it is read: `02:30`, or `02:30:15`.
  public var description: String {
    let parts = second == 0 ? [hour, minute] : [hour, minute, second]
    return parts.map { $0.padded(2) }.joined(separator: ":")
  }
}
