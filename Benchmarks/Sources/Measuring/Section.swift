/// What a suite found out: a table, the numbers in it, and which targets hold.
package struct Section: Sendable {
  package let suite: String
  package let title: String
  package var columns: [String]
  package private(set) var rows: [[String]] = []
  package private(set) var measurements: [Measurement] = []
  package private(set) var verdicts: [Verdict] = []
  package private(set) var mistakes: [String] = []

  package init(_ suite: String, _ title: String, columns: [String]) {
    self.suite = suite
    self.title = title
    self.columns = columns
  }

  /// Adds a row of any kind.
  package mutating func add(_ title: String, _ values: [(column: String, text: String, value: Double, unit: String)]) {
    rows.append([title] + columns.dropFirst().map { column in values.first { $0.column == column }?.text ?? "–" })
    for value in values {
      measurements.append(
        Measurement(
          suite: suite, row: title, column: value.column, unit: value.unit, value: value.value, ratio: nil))
    }
  }

  /// Adds a row of texts, and the numbers in it.
  package mutating func add(_ row: [String], _ measurements: [Measurement]) {
    rows.append(row)
    self.measurements += measurements
  }

  package mutating func judge(_ verdict: Verdict?) {
    if let verdict { verdicts.append(verdict) }
  }

  package mutating func note(mistake: String?) {
    if let mistake { mistakes.append(mistake) }
  }

  // MARK: - Numbers for people

  package static func nanoseconds(_ value: Double) -> String {
    switch value {
    case ..<100: "\(rounded(value, 1)) ns"
    case ..<10_000: "\(Int(value.rounded())) ns"
    case ..<10_000_000: "\(rounded(value / 1000, 1)) µs"
    default: "\(rounded(value / 1_000_000, 1)) ms"
    }
  }

  package static func ratio(_ value: Double) -> String {
    value < 10 ? "\(rounded(value, 2))×" : value < 100 ? "\(rounded(value, 1))×" : "\(Int(value.rounded()))×"
  }

  private static func rounded(_ value: Double, _ digits: Int) -> String {
    let scale = digits == 1 ? 10 : 100
    let scaled = Int((value * Double(scale)).rounded())
    let fraction = String(scaled % scale)
    return "\(scaled / scale)." + String(repeating: "0", count: digits - fraction.count) + fraction
  }
}

extension Section: CustomStringConvertible {
  /// A Markdown table.
  package var description: String {
    var lines = ["## \(suite): \(title)", ""]
    lines.append("| " + columns.joined(separator: " | ") + " |")
    lines.append("|---" + String(repeating: "|--:", count: columns.count - 1) + "|")
    lines += rows.map { "| " + $0.joined(separator: " | ") + " |" }
    lines.append("")
    for mistake in mistakes { lines.append("MISTAKE: \(mistake)") }
    return lines.joined(separator: "\n")
  }
}
