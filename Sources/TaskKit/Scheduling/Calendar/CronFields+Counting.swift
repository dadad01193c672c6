extension CronFields {
  /// The number of matching seconds of civil time in a range, counted by months.
  func countMatches(in range: Range<Int>) -> Int {
    let first = range.lowerBound.flooredQuotient(86_400)
    let last = range.upperBound.flooredQuotient(86_400)
    var count = countDays(in: first..<last) * countTimes(before: 86_400)
    if isMatch(day: first) { count -= countTimes(before: range.lowerBound - first * 86_400) }
    if isMatch(day: last) { count += countTimes(before: range.upperBound - last * 86_400) }
    return count
  }

  /// The number of matching days in a range of days since 1 January 1970.
  private func countDays(in range: Range<Int>) -> Int {
    var count = 0
    var date = CivilDay(sinceEpoch: range.lowerBound)
    var day = range.lowerBound
    while day < range.upperBound {
      let length = CivilDay.days(inMonth: date.month, of: date.year)
      let end = min(length, date.day + range.upperBound - day - 1)
      let wanted: UInt64 = (1 << UInt64(end + 1) - 1) & (~0 << UInt64(date.day))
      count += (matchingDays(year: date.year, month: date.month) & wanted).nonzeroBitCount
      day += length - date.day + 1
      date = date.firstOfNextMonth
    }
    return count
  }

  /// The number of matching times of a day before that second of it.
  private func countTimes(before time: Int) -> Int {
    let (hour, minute, second) = (time / 3_600, time / 60 % 60, time % 60)
    func below(_ set: UInt64, _ bit: Int) -> Int { (set & (1 << UInt64(bit) - 1)).nonzeroBitCount }
    var count = below(hours, hour) * minutes.nonzeroBitCount * seconds.nonzeroBitCount
    guard hours >> UInt64(hour) & 1 == 1 else { return count }
    count += below(minutes, minute) * seconds.nonzeroBitCount
    return minutes >> UInt64(minute) & 1 == 1 ? count + below(seconds, second) : count
  }
}
