package import Foundation

extension TaskSchedule: CustomStringConvertible {
  /// When it runs, in English: `every 30 s, 3 times`, `daily at 02:30 Europe/Berlin`, `every 15 minutes on Monday to
  /// Friday, local time`.
  ///
  /// For people; it may be worded better in a later version.
  public var description: String {
    if let problem { return "never: \(problem)" }
    return ([rhythm] + options).compactMap(\.self).joined(separator: ", ")
  }

  private var rhythm: String {
    switch rule {
    case .interval(let interval) where pace == .fixedDelay: "\(Self.words(interval)) after each run"
    case .interval(let interval): "every \(Self.words(interval))"
    case .dated(let date, nil): "at \(Date(nanosecondsSince1970: date).words)"
    case .dated(let date, let interval?):
      "at \(Date(nanosecondsSince1970: date).words), then every \(Self.words(interval))"
    case .calendar(let rule, let zone, _):
      rule.sentence.hasSuffix(Self.everyDay)
        ? "daily \(rule.sentence.dropLast(Self.everyDay.count)) \(zone.words)" : "\(rule.sentence), \(zone.words)"
    // There is a problem then.
    case .none: "never"
    }
  }

  private var options: [String?] {
    let unit = counting == .runs ? ("once", "times") : ("for one slot", "slots")
    let times: String? =
      isSingleDate
      ? nil : count.map { $0 == 1 ? unit.0 : counting == .runs ? "\($0) \(unit.1)" : "for \($0) \(unit.1)" }
    return [
      first == .immediately ? "the first at once" : nil, clock == .suspending ? "sleep not counted" : nil, times,
      grace.map { "at most \(Self.words($0)) late" },
    ]
  }

  private static let everyDay = " every day"

  /// In the largest unit that needs no point.
  private static func words(_ nanoseconds: Int64) -> String {
    let units: [(Int64, String)] = [
      (3_600_000_000_000, "h"), (60_000_000_000, "min"), (1_000_000_000, "s"), (1_000_000, "ms"), (1000, "µs"),
    ]
    let (size, name) = units.first { nanoseconds >= $0.0 && nanoseconds.isMultiple(of: $0.0) } ?? (1, "ns")
    return "\(nanoseconds / size) \(name)"
  }
}

extension Date {
  /// For people, whole seconds: `2026-11-25 07:00:00 UTC`.
  package var words: String {
    formatted(.iso8601.dateTimeSeparator(.space).timeZoneSeparator(.colon)).replacing("Z", with: " UTC")
  }
}
