// Read by TaskKit at run time and, through a symbolic link, by the macros while compiling: no import, no other file
// but those of Sources/TaskKitMacros/Shared.

/// What a cron expression allows, as sets of bits: two expressions that say the same are equal.
struct CronFields: Hashable, Sendable {
  /// Bit n: second n.
  var seconds: UInt64 = 1
  /// Bit n: minute n.
  var minutes: UInt64 = 0
  /// Bit n: hour n.
  var hours: UInt64 = 0
  /// Bit n: month n, from 1.
  var months: UInt64 = 0

  /// Bit n: day n, from 1.
  var days: UInt64 = 0
  /// Bit n: the weekday nearest to day n (`15W`).
  var nearestWeekdays: UInt64 = 0
  /// Bit n: n days before the last one (`L` is bit 0, `L-3` bit 3).
  var lastDays: UInt64 = 0
  /// Bit n: the weekday nearest to the day that is n days before the last one (`LW` is bit 0).
  var nearestToLastDays: UInt64 = 0

  /// Bit n: day n of the week, Sunday being 0.
  var weekdays: UInt64 = 0
  /// Bit n: the last such day of the month (`5L`).
  var lastWeekdays: UInt64 = 0
  /// Bit 7 × (k - 1) + n: the k-th such day of the month (`5#2`).
  var numberedWeekdays: UInt64 = 0

  /// Whether the day of the month begins with `*` or is `?`: then a day must satisfy both fields, else one is enough.
  var dayHasStar = false
  /// The same of the day of the week.
  var weekdayHasStar = false
  /// Whether the minutes begin with `*`, so that the expression names a rate rather than times.
  var minuteHasStar = false
}

extension CronFields {
  static let everyHour: UInt64 = 1 << 24 - 1
  static let everyMonth: UInt64 = 1 << 13 - 2
  static let everyDay: UInt64 = 1 << 32 - 2
  static let everyWeekday: UInt64 = 1 << 7 - 1

  /// Whether the rule follows elapsed time when clocks are changed: it runs in every hour, or its minutes are a rate.
  var followsElapsedTime: Bool { hours == Self.everyHour || minuteHasStar }

  /// The days that match, in a month of that length that begins on that day of the week: bit n is day n.
  func days(monthLength length: Int, firstWeekday: Int) -> UInt64 {
    let byDay = daysByNumber(monthLength: length, firstWeekday: firstWeekday)
    let byWeekday = daysByWeekday(monthLength: length, firstWeekday: firstWeekday)
    return dayHasStar || weekdayHasStar ? byDay & byWeekday : byDay | byWeekday
  }

  /// What the field for the day of the month alone allows.
  func daysByNumber(monthLength length: Int, firstWeekday: Int) -> UInt64 {
    var result = days & Self.daysOfMonth(length)
    for day in Bits(nearestWeekdays) where day <= length {
      result |= 1 << UInt64(Self.weekday(nearestTo: day, monthLength: length, firstWeekday: firstWeekday))
    }
    for distance in Bits(lastDays) where distance < length {
      result |= 1 << UInt64(length - distance)
    }
    for distance in Bits(nearestToLastDays) where distance < length {
      let day = length - distance
      result |= 1 << UInt64(Self.weekday(nearestTo: day, monthLength: length, firstWeekday: firstWeekday))
    }
    return result
  }

  /// What the field for the day of the week alone allows.
  private func daysByWeekday(monthLength length: Int, firstWeekday: Int) -> UInt64 {
    if weekdays == Self.everyWeekday { return Self.daysOfMonth(length) }
    var result: UInt64 = 0
    for weekday in Bits(weekdays) {
      // Every seventh bit, from the first such day of the month on.
      result |= 0x1020_4081 << UInt64(Self.first(weekday, firstWeekday: firstWeekday))
    }
    for weekday in Bits(lastWeekdays) {
      let first = Self.first(weekday, firstWeekday: firstWeekday)
      result |= 1 << UInt64(first + (length - first) / 7 * 7)
    }
    for bit in Bits(numberedWeekdays) {
      result |= 1 << UInt64(Self.first(bit % 7, firstWeekday: firstWeekday) + bit / 7 * 7)
    }
    return result & Self.daysOfMonth(length)
  }

  private static func daysOfMonth(_ length: Int) -> UInt64 { 1 << UInt64(length + 1) - 2 }

  /// The first day of the month that is that day of the week.
  private static func first(_ weekday: Int, firstWeekday: Int) -> Int { 1 + (weekday - firstWeekday + 7) % 7 }

  /// The day from Monday to Friday that is nearest to that one, in the same month.
  private static func weekday(nearestTo day: Int, monthLength length: Int, firstWeekday: Int) -> Int {
    switch (firstWeekday + day - 1) % 7 {
    case 6: day > 1 ? day - 1 : day + 2
    case 0: day < length ? day + 1 : day - 2
    default: day
    }
  }
}

/// The numbers of the bits that are set, from the lowest on.
struct Bits: Sequence, IteratorProtocol {
  private var rest: UInt64

  init(_ set: UInt64) { rest = set }

  mutating func next() -> Int? {
    guard rest != 0 else { return nil }
    defer { rest &= rest - 1 }
    return rest.trailingZeroBitCount
  }
}
