// Read by TaskKit at run time and, through a symbolic link, by the macros while compiling: no import, no other file
// but those of Sources/TaskKitMacros/Shared.

extension CronReader {
  /// Reads what only the fields of the day have: `L`, `L-3`, `LW`, `15W`, `5L`, `5#2`.
  /// - Returns: whether it was one of these, right or wrong.
  mutating func readSpecial(_ item: Range<Int>, as field: Field) -> Bool {
    let word = text[item].uppercased()
    switch field {
    case .dayOfMonth where word.hasPrefix("L"):
      readLastDay(item, word)
    case .dayOfMonth where word.hasSuffix("W"):
      readNearestWeekday(item)
    case .dayOfWeek where word.contains("#"):
      readNumberedWeekday(item)
    case .dayOfWeek where word.hasSuffix("L"):
      readLastWeekday(item)
    case .dayOfMonth where word.contains("#"):
      report(field, item, "'\(text[item])' counts days of the week", "write it in the last field")
    case .dayOfWeek where word.hasSuffix("W"):
      report(
        field, item, "'\(text[item])' is the weekday nearest to a day of the month", "write it in the field of that")
    default:
      return false
    }
    return true
  }

  private mutating func readLastDay(_ item: Range<Int>, _ word: String) {
    let isNearest = word.hasSuffix("W")
    let distance = item.lowerBound + 1..<item.upperBound - (isNearest ? 1 : 0)
    var days = 0
    if !distance.isEmpty {
      let parts = text.split(distance, by: "-")
      guard parts.count == 2, parts[0].isEmpty, let number = text.number(parts[1]) else {
        return report(
          .dayOfMonth, item, "'\(text[item])' is no day of the month",
          "write 'L' for the last one, 'L-3' for three days before it, 'LW' for the last weekday")
      }
      guard (1...30).contains(number) else {
        return report(
          .dayOfMonth, parts[1], "no month has a day that is \(number) days before its last",
          "write a number from 1 to 30", replacement: nil)
      }
      days = number
    }
    if isNearest {
      fields.nearestToLastDays |= 1 << UInt64(days)
    } else {
      fields.lastDays |= 1 << UInt64(days)
    }
  }

  private mutating func readNearestWeekday(_ item: Range<Int>) {
    let day = item.dropLast()
    guard !day.isEmpty else {
      return report(.dayOfMonth, item, "'W' names no day", "write the day in front, as in '15W'")
    }
    guard text.number(day) != nil else {
      return report(.dayOfMonth, item, "'W' stands behind one day of the month", "write it as in '15W' or 'LW'")
    }
    if let number = readValue(day, as: .dayOfMonth) { fields.nearestWeekdays |= 1 << UInt64(number) }
  }

  private mutating func readNumberedWeekday(_ item: Range<Int>) {
    let parts = text.split(item, by: "#")
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      return report(
        .dayOfWeek, item, "'\(text[item])' does not count a day of the week",
        "write it as in 'FRI#2', the second Friday")
    }
    let weekday = readValue(parts[0], as: .dayOfWeek)
    guard let number = text.number(parts[1]), (1...5).contains(number) else {
      return report(
        .dayOfWeek, parts[1],
        "a month has no day of the week number '\(text[parts[1]])'", "write a number from 1 to 5 behind '#'")
    }
    if let weekday { fields.numberedWeekdays |= 1 << UInt64(7 * (number - 1) + weekday % 7) }
  }

  private mutating func readLastWeekday(_ item: Range<Int>) {
    let day = item.dropLast()
    guard !day.isEmpty else {
      return report(.dayOfWeek, item, "'L' names no day of the week", "write the day in front, as in '5L' or 'FRIL'")
    }
    if let weekday = readValue(day, as: .dayOfWeek) { fields.lastWeekdays |= 1 << UInt64(weekday % 7) }
  }
}
