/// A date and a time of day in the proleptic Gregorian calendar, of no particular zone.
public struct CivilTime: Sendable, Hashable {
  public let year: Int
  /// 1 to 12.
  public let month: Int
  /// 1 to 31.
  public let day: Int
  public let hour: Int
  public let minute: Int
  public let second: Int
  /// 0 is Sunday.
  public let weekday: Int

  /// - Parameter seconds: seconds since 1970-01-01 00:00:00 of the same zone.
  public init(seconds: Int64) {
    let days = CivilTime.floored(seconds, by: 86_400)
    let rest = Int(seconds - days * 86_400)
    (year, month, day) = CivilTime.date(ofDay: Int(days))
    hour = rest / 3_600
    minute = rest / 60 % 60
    second = rest % 60
    weekday = CivilTime.weekday(ofDay: Int(days))
  }

  /// Days since 1970-01-01.
  ///
  /// Years begin in March here, so that the leap day is the last of them, and eras of 400 years are all alike.
  public static func day(year: Int, month: Int, day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = floored(shifted, by: 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The date of a day that is counted from 1970-01-01.
  static func date(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = day + 719_468
    let era = floored(shifted, by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    )
  }

  static func weekday(ofDay day: Int) -> Int {
    let fromSunday = day + 4
    return fromSunday - floored(fromSunday, by: 7) * 7
  }

  static func isLeap(_ year: Int) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }

  static func floored<Number: BinaryInteger>(_ number: Number, by divisor: Number) -> Number {
    let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
