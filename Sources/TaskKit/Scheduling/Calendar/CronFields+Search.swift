extension CronFields {
  /// The first matching second from that one on, in seconds of civil time; nil when there is none.
  func firstMatch(from seconds: Int) -> Int? {
    let day = seconds.flooredQuotient(86_400)
    if isMatch(day: day), let time = firstTime(from: seconds - day * 86_400) { return day * 86_400 + time }
    guard let day = firstDay(from: day + 1), let time = firstTime(from: 0) else { return nil }
    return day * 86_400 + time
  }

  /// The last matching second up to that one, in seconds of civil time; nil when there is none.
  func lastMatch(through seconds: Int) -> Int? {
    let day = seconds.flooredQuotient(86_400)
    if isMatch(day: day), let time = lastTime(through: seconds - day * 86_400) { return day * 86_400 + time }
    guard let day = lastDay(through: day - 1), let time = lastTime(through: 86_399) else { return nil }
    return day * 86_400 + time
  }

  /// Whether a day since 1 January 1970 matches.
  func isMatch(day: Int) -> Bool {
    let date = CivilDay(sinceEpoch: day)
    return matchingDays(year: date.year, month: date.month) & 1 << UInt64(date.day) != 0
  }

  /// Whether anything in the hour around that second of civil time matches, judged by day and hour alone.
  func isHourMatch(around seconds: Int) -> Bool {
    let day = seconds.flooredQuotient(86_400)
    return hours & 1 << UInt64((seconds - day * 86_400) / 3_600) != 0 && isMatch(day: day)
  }

  // MARK: - Days

  /// The calendar repeats itself, days of the week included, after 400 years: what does not match once in so many
  /// months never does.
  private static let monthsOfCycle = 4_800

  private func firstDay(from first: Int) -> Int? {
    var date = CivilDay(sinceEpoch: first)
    for _ in 0...Self.monthsOfCycle {
      let later = matchingDays(year: date.year, month: date.month) & (~0 << UInt64(date.day))
      if later != 0 {
        date.day = later.trailingZeroBitCount
        return date.sinceEpoch
      }
      date = date.firstOfNextMonth
    }
    return nil
  }

  private func lastDay(through last: Int) -> Int? {
    var date = CivilDay(sinceEpoch: last)
    for _ in 0...Self.monthsOfCycle {
      let earlier = matchingDays(year: date.year, month: date.month) & (1 << UInt64(date.day + 1) - 1)
      if earlier != 0 {
        date.day = earlier.highestBit
        return date.sinceEpoch
      }
      date = CivilDay(year: date.month == 1 ? date.year - 1 : date.year, month: (date.month + 10) % 12 + 1, day: 31)
    }
    return nil
  }

  /// The days of a month that match: bit n is day n.
  func matchingDays(year: Int, month: Int) -> UInt64 {
    guard months & 1 << UInt64(month) != 0 else { return 0 }
    let first = CivilDay(year: year, month: month, day: 1).sinceEpoch
    return days(
      monthLength: CivilDay.days(inMonth: month, of: year), firstWeekday: CivilDay.weekday(sinceEpoch: first))
  }

  // MARK: - Times of day

  private func firstTime(from time: Int) -> Int? {
    let (hour, minute, second) = (time / 3_600, time / 60 % 60, time % 60)
    if hours.has(hour) {
      if minutes.has(minute), let found = seconds.first(from: second) { return hour * 3_600 + minute * 60 + found }
      if let found = minutes.first(from: minute + 1), let first = seconds.first(from: 0) {
        return hour * 3_600 + found * 60 + first
      }
    }
    guard let found = hours.first(from: hour + 1), let minute = minutes.first(from: 0),
      let second = seconds.first(from: 0)
    else { return nil }
    return found * 3_600 + minute * 60 + second
  }

  private func lastTime(through time: Int) -> Int? {
    let (hour, minute, second) = (time / 3_600, time / 60 % 60, time % 60)
    if hours.has(hour) {
      if minutes.has(minute), let found = seconds.last(through: second) { return hour * 3_600 + minute * 60 + found }
      if let found = minutes.last(through: minute - 1), let last = seconds.last(through: 59) {
        return hour * 3_600 + found * 60 + last
      }
    }
    guard let found = hours.last(through: hour - 1), let minute = minutes.last(through: 59),
      let second = seconds.last(through: 59)
    else { return nil }
    return found * 3_600 + minute * 60 + second
  }
}

extension UInt64 {
  fileprivate func has(_ bit: Int) -> Bool { self & 1 << UInt64(bit) != 0 }

  fileprivate var highestBit: Int { 63 - leadingZeroBitCount }

  /// The lowest bit that is set, from that one on.
  fileprivate func first(from bit: Int) -> Int? {
    let rest = self & (~0 << UInt64(bit))
    return rest == 0 ? nil : rest.trailingZeroBitCount
  }

  /// The highest bit that is set, up to that one.
  fileprivate func last(through bit: Int) -> Int? {
    let rest = self & (1 << UInt64(bit + 1) - 1)
    return rest == 0 ? nil : rest.highestBit
  }
}
