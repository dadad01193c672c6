import ZoneData
import ZoneIndex

/// Numbers and dates as text: the same in every country and language setting.
enum Wording {
  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

  /// `+05:30`; `-00:44:30` where there are seconds.
  static func offset(_ seconds: Int) -> String {
    let size = abs(seconds)
    let text = "\(seconds < 0 ? "-" : "+")\(two(size / 3_600)):\(two(size / 60 % 60))"
    return size.isMultiple(of: 60) ? text : text + ":\(two(size % 60))"
  }

  /// `2026-10-25`.
  static func date(_ time: CivilTime) -> String {
    let year = String(time.year)
    let padded = String(repeating: "0", count: max(0, 4 - year.count)) + year
    return "\(padded)-\(two(time.month))-\(two(time.day))"
  }

  /// `03:00:00`, or `03:00` on the minute and if asked for.
  static func timeOfDay(_ time: CivilTime, isShort: Bool = false) -> String {
    let text = "\(two(time.hour)):\(two(time.minute))"
    return isShort && time.second == 0 ? text : text + ":\(two(time.second))"
  }

  static func weekday(_ time: CivilTime) -> String { weekdays[time.weekday] }

  /// A span in the largest unit that leaves more than one of it: `in 12 minutes`, `in 165 days`.
  static func distance(_ seconds: Int64) -> String {
    let units: [(name: String, seconds: Int64)] = [
      ("year", 31_556_952), ("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1),
    ]
    let unit = units.first { seconds >= 2 * $0.seconds } ?? units[units.count - 1]
    let count = seconds / unit.seconds
    return "in \(count) \(unit.name)\(count == 1 ? "" : "s")"
  }

  /// How far a clock is ahead of another: `+7 h`, `-3 h 30 min`, `same`.
  static func difference(_ seconds: Int) -> String {
    guard seconds != 0 else { return "same" }
    let size = abs(seconds)
    let parts = [(size / 3_600, "h"), (size / 60 % 60, "min"), (size % 60, "s")].filter { $0.0 > 0 }
    return (seconds < 0 ? "-" : "+") + parts.map { "\($0.0) \($0.1)" }.joined(separator: " ")
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// `Good evening, Europe/Berlin`.
  static func greeting(_ clock: Clock) -> String {
    let hour = CivilTime(seconds: clock.instant + Int64(clock.localTime.offset)).hour
    let part =
      switch hour {
      case 5..<12: "morning"
      case 12..<18: "afternoon"
      case 18..<22: "evening"
      default: "night"
      }
    return "Good \(part), \(clock.name)"
  }
}
