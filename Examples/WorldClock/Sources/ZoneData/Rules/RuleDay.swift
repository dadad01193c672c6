/// The moment of a year at which a rule changes local time: a day in one of POSIX's three notations, and a time.
public struct RuleDay: Sendable, Hashable {
  /// How the day is named.
  public enum Day: Sendable, Hashable {
    /// `J60`: 1 to 365; the leap day is never counted, so 60 is the first of March in every year.
    case withoutLeapDay(Int)
    /// `60`: 0 to 365; the leap day counts.
    case counted(Int)
    /// `M10.5.0`: month, week of the month (5 is the last), day of the week (0 is Sunday).
    case weekday(month: Int, week: Int, weekday: Int)
  }

  public let day: Day
  /// Seconds from the midnight that begins the day, before or after it by up to a week.
  public let time: Int

  public init(_ day: Day, time: Int = 7_200) {
    self.day = day
    self.time = time
  }

  /// Seconds since 1970-01-01 00:00:00 of the zone's own clock.
  func seconds(inYear year: Int) -> Int64 {
    Int64(dayNumber(inYear: year)) * 86_400 + Int64(time)
  }

  private func dayNumber(inYear year: Int) -> Int {
    let newYear = CivilTime.day(year: year, month: 1, day: 1)
    switch day {
    case .counted(let day): return newYear + day
    case .withoutLeapDay(let day): return newYear + day - 1 + (CivilTime.isLeap(year) && day >= 60 ? 1 : 0)
    case .weekday(let month, let week, let weekday):
      let first = CivilTime.day(year: year, month: month, day: 1)
      let next =
        month == 12
        ? CivilTime.day(year: year + 1, month: 1, day: 1) : CivilTime.day(year: year, month: month + 1, day: 1)
      let firstMatch = first + (weekday - CivilTime.weekday(ofDay: first) + 7) % 7
      let wanted = firstMatch + (week - 1) * 7
      return wanted < next ? wanted : wanted - 7
    }
  }
}
