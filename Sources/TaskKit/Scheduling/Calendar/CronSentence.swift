/// Says in English what the fields of a cron expression allow: `every 15 minutes from 09:00 to 17:59 on Monday to
/// Friday`. It speaks of what is allowed, not of how that was written.
struct CronSentence {
  private let fields: CronFields

  init(_ fields: CronFields) {
    self.fields = fields
  }

  var text: String {
    let months = ValueSet(fields.months, of: 1...12)
    let inMonths = months.isFull ? nil : "in \(months.inWords { Self.monthNames[$0 - 1] })"
    return [times, days, inMonths].compactMap(\.self).joined(separator: " ")
  }

  // MARK: - Times

  private var seconds: ValueSet { ValueSet(fields.seconds, of: 0...59) }
  private var minutes: ValueSet { ValueSet(fields.minutes, of: 0...59) }
  private var hours: ValueSet { ValueSet(fields.hours, of: 0...23) }

  private var times: String {
    if seconds.values.count == 1 {
      let second = seconds.values[0]
      if let times = fewTimes(second: second == 0 ? nil : second) { return "at \(times.inWords)" }
      if second == 0 { return minutesInWords }
    }
    let rate = seconds.rate("second")
    let phrase = rate ?? "at \(seconds.noun("second"))"
    if minutes.isFull {
      if rate != nil { return hours.isFull ? phrase : "\(phrase) \(inHours)" }
      return "\(phrase) of every minute\(hours.isFull ? "" : " \(inHours)")"
    }
    if let times = fewTimes(second: nil) {
      return "\(phrase) during the \(times.count == 1 ? "minute" : "minutes") \(times.inWords)"
    }
    return "\(phrase) during \(minutes.noun("minute")) \(ofHours)"
  }

  /// The times of day, while they can be listed.
  private func fewTimes(second: Int?) -> [String]? {
    guard minutes.values.count * hours.values.count <= 4 else { return nil }
    return hours.values.flatMap { hour in minutes.values.map { time(hour, $0, second) } }
  }

  private var minutesInWords: String {
    if let rate = minutes.rate("minute") { return hours.isFull ? rate : "\(rate) \(inHours)" }
    if minutes.values.count == 1 {
      let minute = minutes.values[0]
      if minute == 0, let rate = hours.rate("hour") { return rate }
      if !hours.isFull, let steps = hours.progression {
        let rate = steps.step == 1 ? "every hour" : "every \(steps.step) hours"
        return "\(rate) from \(time(steps.first, minute)) to \(time(steps.last, minute))"
      }
    }
    if let steps = minutes.progression {
      let rate = steps.step == 1 ? "every minute" : "every \(steps.step) minutes"
      return "\(rate) from minute \(steps.first) to \(steps.last) \(ofHours)"
    }
    return "at \(minutes.noun("minute")) \(ofHours)"
  }

  private var inHours: String {
    let runs = hours.runs
    if runs.count <= 3 { return runs.map { "from \(time($0.first, 0)) to \(time($0.last, 59))" }.inWords }
    guard let steps = hours.progression else { return "in the hours \(hours.inWords())" }
    return "in every \(steps.step.ordinal) hour from \(time(steps.first, 0)) to \(time(steps.last, 59))"
  }

  private var ofHours: String {
    if hours.isFull { return "of every hour" }
    let runs = hours.runs
    if runs.count == 1 { return "of every hour \(inHours)" }
    guard let steps = hours.progression else {
      return "of the hours \(hours.inWords())"
    }
    return "of every \(steps.step.ordinal) hour from \(time(steps.first, 0)) to \(time(steps.last, 59))"
  }

  private func time(_ hour: Int, _ minute: Int, _ second: Int? = nil) -> String {
    [hour, minute, second].compactMap { $0?.padded(2) }.joined(separator: ":")
  }

  // MARK: - Days

  private var days: String? {
    let numbers = ValueSet(fields.days, of: 1...31).isFull ? nil : dayNumbers
    let weekdays = ValueSet(fields.weekdays, of: 0...6).isFull ? nil : dayNames
    switch (numbers, weekdays) {
    case (let numbers?, let weekdays?):
      return fields.dayHasStar || fields.weekdayHasStar
        ? "on \(numbers) if that is \(weekdays)" : "on \(numbers) or on \(weekdays)"
    // Every day satisfies one of the fields, and one is enough.
    case (nil, _?) where !fields.dayHasStar && !fields.weekdayHasStar,
      (_?, nil) where !fields.dayHasStar && !fields.weekdayHasStar, (nil, nil):
      return fewTimes(second: nil) == nil ? nil : "every day"
    case (let days?, nil), (nil, let days?):
      return "on \(days)"
    }
  }

  private var dayNumbers: String {
    let days = ValueSet(fields.days, of: 1...31)
    var parts: [String] = []
    if days.values.count > 6, let steps = days.progression, steps.step > 1 {
      parts.append(
        "every \(steps.step.ordinal) day of the month from the \(steps.first.ordinal) to the \(steps.last.ordinal)")
    } else {
      parts += days.parts { "the \($0.ordinal)" }
    }
    parts += Bits(fields.nearestWeekdays).map { "the weekday nearest to the \($0.ordinal)" }
    parts += Bits(fields.lastDays).map { "the \(lastDay($0)) of the month" }
    parts += Bits(fields.nearestToLastDays).map {
      $0 == 0 ? "the last weekday of the month" : "the weekday nearest to the \(lastDay($0)) of the month"
    }
    return parts.inWords
  }

  private func lastDay(_ distance: Int) -> String {
    switch distance {
    case 0: "last day"
    case 1: "last day but one"
    default: "last day but \(distance)"
    }
  }

  private var dayNames: String {
    // The week is written from Monday on.
    var mondayFirst = fields.weekdays >> 1
    if fields.weekdays & 1 != 0 { mondayFirst |= 1 << 6 }
    var parts = ValueSet(mondayFirst, of: 0...6).parts { Self.weekdayNames[($0 + 1) % 7] }
    parts += Bits(fields.numberedWeekdays).map {
      "the \(Self.numbers[$0 / 7]) \(Self.weekdayNames[$0 % 7]) of the month"
    }
    parts += Bits(fields.lastWeekdays).map { "the last \(Self.weekdayNames[$0]) of the month" }
    return parts.inWords
  }

  private static let monthNames = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]
  private static let weekdayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
  private static let numbers = ["first", "second", "third", "fourth", "fifth"]
}

/// The values of a field, and the patterns in them.
private struct ValueSet {
  let values: [Int]
  private let bounds: ClosedRange<Int>

  init(_ bits: UInt64, of bounds: ClosedRange<Int>) {
    values = Array(Bits(bits))
    self.bounds = bounds
  }

  var isFull: Bool { values.count == bounds.count }

  /// Neighbours taken together, around the end too: 22 to 2.
  var runs: [(first: Int, last: Int)] {
    var runs: [(first: Int, last: Int)] = []
    for value in values {
      if let last = runs.last, last.last + 1 == value {
        runs[runs.count - 1].last = value
      } else {
        runs.append((value, value))
      }
    }
    if runs.count > 1, let last = runs.last, last.last == bounds.upperBound, runs[0].first == bounds.lowerBound {
      runs[0].first = last.first
      runs.removeLast()
    }
    return runs
  }

  /// Three values or more in even steps.
  var progression: (first: Int, step: Int, last: Int)? {
    guard values.count >= 3, let first = values.first, let last = values.last else { return nil }
    let step = values[1] - first
    return zip(values.dropFirst(), values).allSatisfy { $0 - $1 == step } ? (first, step, last) : nil
  }

  /// `every 15 minutes`, if the steps from the first value are even and go on evenly at the end; nil otherwise.
  func rate(_ unit: String) -> String? {
    if isFull { return "every \(unit)" }
    guard values.first == 0, values.count >= 2 else { return nil }
    let step = values[1]
    guard values.count * step == bounds.count, values.last == bounds.count - step else { return nil }
    return zip(values.dropFirst(), values).allSatisfy { $0 - $1 == step } ? "every \(step) \(unit)s" : nil
  }

  /// The values and ranges of three or more, each in words.
  func parts(_ name: (Int) -> String = { "\($0)" }) -> [String] {
    runs.flatMap { run in
      let length = (run.last - run.first + bounds.count) % bounds.count + 1
      if length > 2 { return ["\(name(run.first)) to \(name(run.last))"] }
      return length == 1 ? [name(run.first)] : [name(run.first), name(run.last)]
    }
  }

  func inWords(_ name: (Int) -> String = { "\($0)" }) -> String { parts(name).inWords }

  /// `minute 5`, `minutes 5 and 20`.
  func noun(_ unit: String) -> String { "\(unit)\(values.count == 1 ? "" : "s") \(inWords())" }
}

extension [String] {
  /// `a`, `a and b`, `a, b and c`.
  fileprivate var inWords: String {
    guard count > 1, let last else { return first ?? "" }
    return "\(dropLast().joined(separator: ", ")) and \(last)"
  }
}

extension Int {
  /// `1st`, `2nd`, `3rd`, `4th`.
  fileprivate var ordinal: String {
    switch (self % 10, self % 100 / 10) {
    case (_, 1): "\(self)th"
    case (1, _): "\(self)st"
    case (2, _): "\(self)nd"
    case (3, _): "\(self)rd"
    default: "\(self)th"
    }
  }
}
