public import Foundation

/// A rule for dates and times in the form of `cron`, checked when it is made.
///
/// Five fields, minute, hour, day of month, month and day of week; or six, with the second in front:
///
/// ```swift
/// let rule = try CronExpression("30 2 * * MON-FRI")
/// rule.sentence                                   // at 02:30 on Monday to Friday
/// rule.next(3, after: .now, in: .current)         // the next three dates
/// ```
///
/// | written | means |
/// |---|---|
/// | `*` | every value |
/// | `5`, `MON`, `jan` | one value; days of the week count from Sunday, 0 or 7, in expressions with seconds too |
/// | `1,15` | each of a list |
/// | `9-17`, `FRI-MON`, `22-2` | a range; one that ends before it begins goes on from the start |
/// | `*/15`, `9-17/2`, `5/20` | every so many; `5/20` goes from 5 to the end |
/// | `?` | `*`, in the fields of the day |
/// | `L`, `L-3` | day of month: the last day, three days before it |
/// | `15W`, `LW` | day of month: the day from Monday to Friday nearest to the 15th or the last, in the same month |
/// | `5L`, `FRIL` | day of week: the last Friday of the month |
/// | `5#2`, `FRI#2` | day of week: the second Friday of the month |
/// | `@hourly`, `@daily`, `@midnight`, `@weekly`, `@monthly`, `@yearly`, `@annually` | the whole expression |
///
/// When both the day of the month and the day of the week are given, a day that satisfies one of them is enough, as in
/// Vixie cron; when one of them begins with `*`, a day must satisfy both.
///
/// ``ClockChangePolicy`` says what happens when the clocks are changed. Two expressions are equal when they allow the
/// same, however they are written.
public struct CronExpression: Sendable {
  /// The expression as it was written.
  public let text: String

  let fields: CronFields

  /// Reads an expression.
  ///
  /// - Throws: every mistake at once, each with its field and its place in the text.
  public init(_ text: String) throws(CronError) {
    fields = try CronReader.read(text)
    self.text = text
  }

  /// - Parameter text: what says the same as the fields.
  init(fields: CronFields, text: String) {
    self.fields = fields
    self.text = text
  }
}

extension CronExpression {
  /// The first date after another at which the rule is due, to the second; nil when there is none before year 9999.
  ///
  /// The answer depends on nothing but the arguments. Costs about a microsecond.
  public func next(after date: Date, in zone: TimeZone, clockChanges: ClockChangePolicy = .once) -> Date? {
    nextOccurrence(after: date, in: zone, clockChanges: clockChanges)?.date
  }

  /// The first dates after another at which the rule is due: `count` of them, unless there are fewer.
  public func next(
    _ count: Int, after date: Date, in zone: TimeZone, clockChanges: ClockChangePolicy = .once
  ) -> [Date] {
    let dates = sequence(first: date) { next(after: $0, in: zone, clockChanges: clockChanges) }
    return Array(dates.dropFirst().prefix(max(0, count)))
  }

  /// The last date before another at which the rule was due; nil when there is none since year 1.
  public func previous(before date: Date, in zone: TimeZone, clockChanges: ClockChangePolicy = .once) -> Date? {
    previousOccurrence(before: date, in: zone, clockChanges: clockChanges)?.date
  }

  /// The first occurrence after a date.
  public func nextOccurrence(
    after date: Date, in zone: TimeZone, clockChanges: ClockChangePolicy = .once
  ) -> ScheduledInstant? {
    date.wholeSeconds(.down).flatMap {
      CalendarRule(fields: fields, zone: zone, policy: clockChanges).first(after: $0)
    }
  }

  /// The last occurrence before a date.
  public func previousOccurrence(
    before date: Date, in zone: TimeZone, clockChanges: ClockChangePolicy = .once
  ) -> ScheduledInstant? {
    date.wholeSeconds(.up).flatMap {
      CalendarRule(fields: fields, zone: zone, policy: clockChanges).last(before: $0)
    }
  }

  /// How often the rule is due after a date, up to another and including it.
  ///
  /// Costs a few microseconds and as many for each month in between, however often the rule is due.
  public func count(
    after start: Date, through end: Date, in zone: TimeZone, clockChanges: ClockChangePolicy = .once
  ) -> Int {
    guard let start = start.wholeSeconds(.down), let end = end.wholeSeconds(.down) else { return 0 }
    return CalendarRule(fields: fields, zone: zone, policy: clockChanges).count(after: start, through: end)
  }

  /// The date at which the rule is due for the `count`-th time after another one; nil if that is after the end.
  ///
  /// Costs twice as much as to count up to the end, and a few microseconds for each halving of that time, however often the
  /// rule is due.
  func date(
    ofNumber count: Int, after start: Date, through end: Date, in zone: TimeZone, clockChanges: ClockChangePolicy
  ) -> Date? {
    guard var before = start.wholeSeconds(.down), var reached = end.wholeSeconds(.down) else { return nil }
    let rule = CalendarRule(fields: fields, zone: zone, policy: clockChanges)
    var left = count
    guard left > 0, rule.count(after: before, through: reached) >= left else { return nil }
    while reached - before > 1 {
      let middle = before + (reached - before) / 2
      let passed = rule.count(after: before, through: middle)
      if passed < left {
        left -= passed
        before = middle
      } else {
        reached = middle
      }
    }
    return Date(timeIntervalSince1970: Double(reached))
  }
}

extension CronExpression {
  /// What the expression says, in English: `every 15 minutes from 09:00 to 17:59 on Monday to Friday`.
  ///
  /// For people; it may be worded better in a later version.
  public var sentence: String { CronSentence(fields).text }
}

extension CronExpression: Hashable, CustomStringConvertible {
  public static func == (left: CronExpression, right: CronExpression) -> Bool { left.fields == right.fields }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(fields)
  }

  /// The expression as it was written.
  public var description: String { text }
}

extension Date {
  /// Seconds since 1970; nil for a date that no calendar of people has.
  fileprivate func wholeSeconds(_ rounding: FloatingPointRoundingRule) -> Int? {
    Int(exactly: timeIntervalSince1970.rounded(rounding))
  }
}
