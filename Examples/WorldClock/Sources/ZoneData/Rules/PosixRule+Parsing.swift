extension PosixRule {
  /// Reads a line such as `EST5EDT,M3.2.0,M11.1.0` or `<+0330>-3:30`.
  ///
  /// Times of day may be negative and reach a week, as version 3 of the file format allows.
  ///
  /// - Throws: if it is not in that form.
  init(_ text: String) throws {
    var parser = PosixRuleParser(text)
    do {
      self = try parser.rule()
    } catch let malformed as Malformed {
      throw Malformed("its rule '\(text)' is malformed: \(malformed.reason)")
    }
  }
}

/// Takes a rule apart, from left to right.
private struct PosixRuleParser {
  private var rest: Substring.UTF8View

  init(_ text: String) {
    rest = text[...].utf8
  }

  mutating func rule() throws -> PosixRule {
    let name = try name()
    let offset = -(try time(hours: 24))
    let standard = LocalTimeType(offset: offset, isDaylight: false, abbreviation: name)
    guard !rest.isEmpty else { return PosixRule(standard: standard, daylight: nil) }
    let daylightName = try self.name()
    // An hour ahead unless it says otherwise.
    let daylightOffset = rest.isEmpty || rest.first == UInt8(ascii: ",") ? offset + 3_600 : -(try time(hours: 24))
    let type = LocalTimeType(offset: daylightOffset, isDaylight: true, abbreviation: daylightName)
    try expect(",")
    let start = try day()
    try expect(",")
    let end = try day()
    guard rest.isEmpty else { throw Malformed("there is something behind its end") }
    return PosixRule(standard: standard, daylight: .init(type: type, start: start, end: end))
  }

  /// Letters, or anything between angle brackets; at least three.
  private mutating func name() throws -> String {
    let name: Substring.UTF8View
    if accept("<") {
      guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { throw Malformed("'>' is missing") }
      name = rest[..<end]
      rest = rest[rest.index(after: end)...]
    } else {
      name = rest.prefix { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
      rest = rest.dropFirst(name.count)
    }
    guard name.count >= 3 else { throw Malformed("an abbreviation has at least three characters") }
    return String(Substring(name))
  }

  /// Hours, then minutes and seconds if they are there, with a sign if it is.
  private mutating func time(hours limit: Int) throws -> Int {
    let isNegative = accept("-")
    if !isNegative { _ = accept("+") }
    var seconds = try number(in: 0...limit) * 3_600
    if accept(":") {
      seconds += try number(in: 0...59) * 60
      if accept(":") { seconds += try number(in: 0...59) }
    }
    return isNegative ? -seconds : seconds
  }

  private mutating func day() throws -> RuleDay {
    let day: RuleDay.Day
    if accept("M") {
      let month = try number(in: 1...12)
      try expect(".")
      let week = try number(in: 1...5)
      try expect(".")
      day = .weekday(month: month, week: week, weekday: try number(in: 0...6))
    } else if accept("J") {
      day = .withoutLeapDay(try number(in: 1...365))
    } else {
      day = .counted(try number(in: 0...365))
    }
    return accept("/") ? RuleDay(day, time: try time(hours: 167)) : RuleDay(day)
  }

  private mutating func number(in range: ClosedRange<Int>) throws -> Int {
    let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    guard digits.count <= 3, let number = Int(Substring(digits)), range.contains(number) else {
      throw Malformed(
        "a number from \(range.lowerBound) to \(range.upperBound) belongs where '\(Substring(rest))' stands")
    }
    rest = rest.dropFirst(digits.count)
    return number
  }

  private mutating func accept(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    return true
  }

  private mutating func expect(_ character: Unicode.Scalar) throws {
    guard accept(character) else { throw Malformed("'\(character)' is missing before '\(Substring(rest))'") }
  }
}
