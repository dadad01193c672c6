// Read by TaskKit at run time and, through a symbolic link, by the macros while compiling: no import, no other file
// but those of Sources/TaskKitMacros/Shared.

/// Reads a time of day, as in `02:30` or `02:30:15`.
struct DailyReader {
  typealias Field = CronError.Field

  private let text: CronText
  private var problems: [CronError.Problem] = []

  /// The second of the day.
  static func read(_ text: String) throws(CronError) -> Int {
    var reader = DailyReader(text: CronText(text))
    let second = reader.readAll()
    guard let second, reader.problems.isEmpty else {
      throw CronError(subject: "time of day", text: text, problems: reader.problems)
    }
    return second
  }

  private init(text: CronText) {
    self.text = text
  }

  private mutating func report(
    _ field: Field?, _ range: Range<Int>, _ reason: String, _ repair: String, replacement: String? = nil
  ) {
    problems.append(
      CronError.Problem(
        field: field, range: range, part: text[range], reason: reason, repair: repair, replacement: replacement))
  }

  private mutating func readAll() -> Int? {
    let parts = text.split(text.all, by: ":")
    guard (2...3).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }) else {
      report(nil, text.all, "'\(text[text.all])' is no time of day", "write hour and minute, as in '02:30'")
      return nil
    }
    let values = zip([Field.hour, .minute, .second], parts).map { field, part in read(part, as: field) }
    var second = 0
    for (value, unit) in zip(values, [3600, 60, 1]) {
      guard let value else { return nil }
      second += value * unit
    }
    return second
  }

  private mutating func read(_ part: Range<Int>, as field: Field) -> Int? {
    let bounds = field.bounds
    let written = text[part]
    guard let number = text.number(part), part.count <= 2, field == .hour || part.count == 2 else {
      report(
        field, part, "'\(written)' is no \(field.rawValue)",
        "write \(field == .hour ? "0" : "00") to \(bounds.upperBound), counting 24 hours a day")
      return nil
    }
    guard bounds.contains(number) else {
      let isMidnight = field == .hour && number == 24
      report(
        field, part, "\(field.rawValue) '\(written)' is more than \(bounds.upperBound)",
        isMidnight ? "write '00' for midnight" : "write \(field == .hour ? "0" : "00") to \(bounds.upperBound)",
        replacement: isMidnight ? "00" : nil)
      return nil
    }
    return number
  }
}
