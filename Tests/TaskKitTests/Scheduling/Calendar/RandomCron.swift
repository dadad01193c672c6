import Foundation
import TaskKit

/// Cron expressions of all forms, by chance.
enum RandomCron {
  static func expression(using random: inout SeededGenerator) -> String {
    let seconds = Int.random(in: 0..<4, using: &random) == 0 ? field(0...59, using: &random) + " " : ""
    let minutes = field(0...59, using: &random)
    let hours = field(0...23, using: &random)
    return "\(seconds)\(minutes) \(hours) \(days(using: &random).text)"
  }

  private static func field(_ bounds: ClosedRange<Int>, using random: inout SeededGenerator) -> String {
    let value = Int.random(in: bounds, using: &random)
    let other = Int.random(in: bounds, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return "*"
    case 1: return "*/\(max(1, min(value, bounds.upperBound)))"
    case 2: return "\(value)-\(other)"
    case 3: return "\(value),\(other)"
    default: return "\(value)"
    }
  }

  /// The three fields of the day, with what they mean.
  static func days(using random: inout SeededGenerator) -> Days {
    let numbers = numberField(using: &random)
    let weekdays = weekdayField(using: &random)
    let month = Int.random(in: 1...12, using: &random)
    let isMonthGiven = Int.random(in: 0..<4, using: &random) == 0
    let needsBoth = [numbers.text, weekdays.text].contains { $0.hasPrefix("*") || $0 == "?" }
    return Days(text: "\(numbers.text) \(isMonthGiven ? "\(month)" : "*") \(weekdays.text)") { day in
      guard !isMonthGiven || day.month == month else { return false }
      return needsBoth
        ? numbers.matches(day) && weekdays.matches(day) : numbers.matches(day) || weekdays.matches(day)
    }
  }

  struct Days {
    let text: String
    let matches: (CalendarDay) -> Bool
  }

  private static func numberField(using random: inout SeededGenerator) -> Days {
    let day = Int.random(in: 1...31, using: &random)
    let distance = Int.random(in: 1...30, using: &random)
    switch Int.random(in: 0..<9, using: &random) {
    case 0: return Days(text: "*") { _ in true }
    case 1: return Days(text: "?") { _ in true }
    case 2: return Days(text: "\(day)") { $0.day == day }
    case 3: return Days(text: "L") { $0.day == $0.monthLength }
    case 4: return Days(text: "L-\(distance)") { $0.day == $0.monthLength - distance }
    case 5: return Days(text: "\(day)W") { $0.isNearestWeekday(to: day) }
    case 6: return Days(text: "LW") { $0.isNearestWeekday(to: $0.monthLength) }
    case 7: return Days(text: "*/\(distance)") { ($0.day - 1).isMultiple(of: distance) }
    default: return Days(text: "\(day)/3,L") { $0.day == $0.monthLength || $0.day >= day && ($0.day - day) % 3 == 0 }
    }
  }

  private static func weekdayField(using random: inout SeededGenerator) -> Days {
    let weekday = Int.random(in: 0...7, using: &random)
    let number = Int.random(in: 1...5, using: &random)
    switch Int.random(in: 0..<7, using: &random) {
    case 0, 1: return Days(text: "*") { _ in true }
    case 2: return Days(text: "\(weekday)") { $0.weekday == weekday % 7 }
    case 3: return Days(text: "MON-FRI") { (1...5).contains($0.weekday) }
    case 4: return Days(text: "SAT-SUN") { $0.weekday == 6 || $0.weekday == 0 }
    case 5: return Days(text: "\(weekday)L") { $0.weekday == weekday % 7 && $0.day + 7 > $0.monthLength }
    default: return Days(text: "\(weekday)#\(number)") { $0.weekday == weekday % 7 && ($0.day + 6) / 7 == number }
    }
  }
}

/// A day as Foundation's calendar says it.
struct CalendarDay {
  let start: Date
  let month: Int
  let day: Int
  /// Sunday is 0.
  let weekday: Int
  let monthLength: Int

  static func days(from start: Date, count: Int) -> [CalendarDay] {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return (0..<count).map { index in
      let date = start.addingTimeInterval(Double(index) * 86_400)
      let parts = calendar.dateComponents([.month, .day, .weekday], from: date)
      return CalendarDay(
        start: date, month: parts.month ?? 0, day: parts.day ?? 0, weekday: (parts.weekday ?? 0) - 1,
        monthLength: calendar.range(of: .day, in: .month, for: date)?.count ?? 0)
    }
  }

  /// Whether it is the day from Monday to Friday that is nearest to that day of its month.
  func isNearestWeekday(to other: Int) -> Bool {
    guard other <= monthLength else { return false }
    let candidates = (1...monthLength).filter { candidate in
      (1...5).contains(((weekday + candidate - day) % 7 + 7) % 7)
    }
    return candidates.min { abs($0 - other) < abs($1 - other) } == day
  }
}
