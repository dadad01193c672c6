// Read by TaskKit at run time and, through a symbolic link, by the macros while compiling: no import, no other file
// but those of Sources/TaskKitMacros/Shared.

/// Reads the text of a cron expression, to the end whatever is wrong with it, so that all mistakes are told at once.
struct CronReader {
  typealias Field = CronError.Field

  let text: CronText
  var fields = CronFields()
  private var problems: [CronError.Problem] = []

  /// What the text allows.
  static func read(_ text: String) throws(CronError) -> CronFields {
    var reader = CronReader(text: CronText(text))
    reader.readAll()
    guard reader.problems.isEmpty else {
      throw CronError(subject: "cron expression", text: text, problems: reader.problems)
    }
    return reader.fields
  }

  private init(text: CronText) {
    self.text = text
  }

  mutating func report(
    _ field: Field?, _ range: Range<Int>, _ reason: String, _ repair: String, replacement: String? = nil
  ) {
    problems.append(
      CronError.Problem(
        field: field, range: range, part: text[range], reason: reason, repair: repair, replacement: replacement))
  }

  private mutating func readAll() {
    let words = text.words(in: text.all)
    guard let first = words.first, let last = words.last else {
      return report(nil, text.all, "there is no cron expression", "write five fields, as in '30 2 * * *'")
    }
    if text[first].hasPrefix("@") { return readNickname(first, rest: words.dropFirst()) }
    guard (5...6).contains(words.count) else {
      if words.count == 7 {
        return report(nil, last, "'\(text[last])' is a seventh field, and there is none for the year", "remove it")
      }
      return report(
        nil, first.lowerBound..<last.upperBound,
        words.count == 1 ? "this is 1 field" : "these are \(words.count) fields",
        "write minute, hour, day of month, month and day of week, or six fields with the second in front")
    }
    for (field, word) in zip(Field.allCases.suffix(words.count), words) { read(word, as: field) }
    if problems.isEmpty { refuseImpossibleDays(days: words[words.count - 3], weekdays: last) }
  }

  // MARK: - Nicknames

  private static let nicknames = [
    "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *", "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@hourly": "0 * * * *",
  ]

  private mutating func readNickname(_ word: Range<Int>, rest: ArraySlice<Range<Int>>) {
    let name = text[word].lowercased()
    if name == "@reboot" {
      return report(
        nil, word, "'@reboot' is a moment of the process, not of the calendar",
        "use '@EventTask(event: .didFinishLaunching)'")
    }
    if name == "@every" {
      return report(
        nil, word, "'@every' is an interval, not a calendar rule", "use 'every:', as in 'every: .minutes(5)'")
    }
    guard let expansion = Self.nicknames[name] else {
      return report(
        nil, word, "'\(text[word])' is no nickname",
        "write one of '@hourly', '@daily', '@midnight', '@weekly', '@monthly', '@yearly' and '@annually'")
    }
    if let extra = rest.first, let last = rest.last {
      let range = extra.lowerBound..<last.upperBound
      return report(nil, range, "'\(text[range])' follows '\(name)', which is a whole expression", "remove it")
    }
    var reader = CronReader(text: CronText(expansion))
    reader.readAll()
    fields = reader.fields
  }

  // MARK: - A field

  private mutating func read(_ word: Range<Int>, as field: Field) {
    let isQuestion = text[word] == "?"
    let hasStar = text[word].hasPrefix("*")
    switch field {
    case .minute: fields.minuteHasStar = hasStar
    case .dayOfMonth: fields.dayHasStar = hasStar || isQuestion
    case .dayOfWeek: fields.weekdayHasStar = hasStar || isQuestion
    default: break
    }
    if field == .second { fields.seconds = 0 }
    if isQuestion, field == .dayOfMonth || field == .dayOfWeek { return add(field.bounds, step: 1, to: field) }

    for item in text.split(word, by: ",") {
      if item.isEmpty {
        report(field, item, "the list of the \(field.rawValue) has an empty part", "remove a comma")
      } else if !readSpecial(item, as: field) {
        readRange(item, as: field)
      }
    }
  }

  /// Reads `*`, a number or a range, each with a step or without.
  private mutating func readRange(_ item: Range<Int>, as field: Field) {
    let parts = text.split(item, by: "/")
    guard parts.count <= 2 else {
      return report(field, item, "'\(text[item])' has two steps", "write one, as in '*/15'")
    }
    let range = readValues(parts[0], as: field, hasStep: parts.count == 2)
    let step = parts.count == 2 ? readStep(parts[1], of: item, as: field) : 1
    if let range, let step { add(range, step: step, to: field) }
  }

  private mutating func readValues(_ part: Range<Int>, as field: Field, hasStep: Bool) -> ClosedRange<Int>? {
    let bounds = field.bounds
    // Sunday has two numbers, and is counted once.
    let full = field == .dayOfWeek ? 0...6 : bounds
    if text[part] == "*" { return full }
    let ends = text.split(part, by: "-")
    switch ends.count {
    case 1:
      guard let value = readValue(ends[0], as: field) else { return nil }
      if field == .dayOfWeek, value == 7 { return hasStep ? full : 0...0 }
      return value...(hasStep ? full.upperBound : value)
    case 2:
      guard !ends[0].isEmpty, !ends[1].isEmpty else {
        report(field, part, "the range '\(text[part])' has one end", "write both, as in '\(field.example)'")
        return nil
      }
      let first = readValue(ends[0], as: field)
      let last = readValue(ends[1], as: field)
      guard var first, let last else { return nil }
      if field == .dayOfWeek, first == 7 { first = last == 7 ? 7 : 0 }
      // A range that ends before it begins goes on from the start: 22-2 is 22, 23, 0, 1, 2.
      return first...(first <= last ? last : last + full.count)
    default:
      report(field, part, "'\(text[part])' has two hyphens", "write a range, as in '\(field.example)', or a list")
      return nil
    }
  }

  private mutating func readStep(_ part: Range<Int>, of item: Range<Int>, as field: Field) -> Int? {
    let largest = field == .dayOfWeek ? 6 : field.bounds.upperBound
    let repair = "write a number from 1 to \(largest)"
    guard !part.isEmpty else {
      report(field, item, "'\(text[item])' has no step", "\(repair) behind '/'")
      return nil
    }
    guard let step = text.number(part) else {
      report(field, part, "'\(text[part])' is no step", repair)
      return nil
    }
    guard step >= 1 else {
      report(field, part, "a step of 0 goes nowhere", repair, replacement: "1")
      return nil
    }
    guard step <= largest else {
      report(
        field, part, "a step of \(step) leaves only the first \(field.valueName)",
        "write at most \(largest), or an interval ('every:')")
      return nil
    }
    return step
  }

  /// Reads a number or a name.
  mutating func readValue(_ part: Range<Int>, as field: Field) -> Int? {
    let bounds = field.bounds
    let written = text[part]
    if let number = text.number(part) {
      if bounds.contains(number) { return number }
      let isMidnight = field == .hour && number == 24
      report(
        field, part,
        "\(field.valueName) '\(written)' is "
          + (number < bounds.lowerBound ? "less than \(bounds.lowerBound)" : "more than \(bounds.upperBound)"),
        isMidnight ? "write '0' for midnight" : "write a number from \(bounds.lowerBound) to \(bounds.upperBound)",
        replacement: isMidnight ? "0" : nil)
      return nil
    }
    if let index = field.names.firstIndex(of: written.uppercased()) { return index + field.firstNamed }

    if written == "?" {
      let isDay = field == .dayOfMonth || field == .dayOfWeek
      report(
        field, part, isDay ? "'?' stands for the whole field" : "'?' stands only in the fields of the day",
        "write '*'", replacement: "*")
    } else if let name = field.name(like: written) {
      report(
        field, part, "'\(written)' is no \(field.valueName)", "write '\(name)'", replacement: name)
    } else {
      let names = field.names.first.map { "\($0) to \(field.names.last ?? $0), or " } ?? ""
      report(
        field, part, "'\(written)' is no \(field.valueName)",
        "write \(names)a number from \(bounds.lowerBound) to \(bounds.upperBound)")
    }
    return nil
  }

  private mutating func add(_ range: ClosedRange<Int>, step: Int, to field: Field) {
    let bounds = field == .dayOfWeek ? 0...6 : field.bounds
    var bits: UInt64 = 0
    for value in stride(from: range.lowerBound, through: range.upperBound, by: step) {
      bits |= 1 << UInt64(bounds.lowerBound + (value - bounds.lowerBound) % bounds.count)
    }
    switch field {
    case .second: fields.seconds |= bits
    case .minute: fields.minutes |= bits
    case .hour: fields.hours |= bits
    case .dayOfMonth: fields.days |= bits
    case .month: fields.months |= bits
    case .dayOfWeek: fields.weekdays |= bits
    }
  }

  // MARK: - The expression as a whole

  /// Refuses a day that no month of the expression has, which would be a schedule that never runs.
  private mutating func refuseImpossibleDays(days: Range<Int>, weekdays: Range<Int>) {
    func isPossible(_ matches: (_ monthLength: Int, _ firstWeekday: Int) -> UInt64) -> Bool {
      Bits(fields.months).contains { month in
        // February's 29 days begin on every day of the week, as do all other months.
        let length = month == 2 ? 29 : [4, 6, 9, 11].contains(month) ? 30 : 31
        return (0..<7).contains { matches(length, $0) != 0 }
      }
    }
    let isNumberPossible = isPossible(fields.daysByNumber)
    if isNumberPossible, isPossible(fields.days) { return }
    if isNumberPossible {
      report(
        .dayOfWeek, weekdays, "no day of the month is both '\(text[days])' and '\(text[weekdays])'",
        "write '*' in one of the two fields")
    } else {
      let months = Bits(fields.months).map { Field.month.names[$0 - 1] }.joined(separator: ", ")
      report(
        .dayOfMonth, days, "there is no day '\(text[days])' in \(months)",
        "write a day that the month has, or 'L' for the last one", replacement: "L")
    }
  }
}

extension CronError.Field {
  /// The number of the first name.
  fileprivate var firstNamed: Int { self == .month ? 1 : 0 }

  /// A range, for messages.
  fileprivate var example: String {
    switch self {
    case .second, .minute: "0-29"
    case .hour: "9-17"
    case .dayOfMonth: "1-15"
    case .month: "JAN-JUN"
    case .dayOfWeek: "MON-FRI"
    }
  }

  /// The only name that a misspelt or a full one can mean: two of its first three letters are right.
  fileprivate func name(like word: String) -> String? {
    let word = word.uppercased()
    guard word.count >= 3 else { return nil }
    let candidates = names.filter { name in zip(name, word).count(where: ==) >= 2 }
    return candidates.first { word.hasPrefix($0) } ?? (candidates.count == 1 ? candidates[0] : nil)
  }
}
