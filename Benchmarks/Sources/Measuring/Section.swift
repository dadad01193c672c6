/// What a suite found out: a table, the numbers in it, and which targets hold.
struct Section: Sendable {
  let suite: String
  let title: String
  var columns: [String]
  private(set) var rows: [[String]] = []
  private(set) var measurements: [Measurement] = []
  private(set) var verdicts: [Verdict] = []
  private(set) var mistakes: [String] = []

  init(_ suite: String, _ title: String, columns: [String]) {
    self.suite = suite
    self.title = title
    self.columns = columns
  }

  /// Adds a row of times and ratios, in the order of the columns; an engine that was left out has a dash.
  mutating func add(_ cell: Cell, extra: [(column: String, value: Int)] = []) {
    var row = [cell.graph.title]
    for column in columns.dropFirst() {
      if let extra = extra.first(where: { $0.column == column }) {
        row.append("\(extra.value)")
        measurements.append(
          Measurement(
            suite: suite, row: cell.graph.title, column: column, unit: "", value: Double(extra.value), ratio: nil))
        continue
      }
      guard let index = cell.series.firstIndex(where: { $0.name == column }) else {
        row.append("–")
        continue
      }
      let median = cell.median(index)
      let ratio = index == 0 ? nil : cell.ratio(column)
      row.append(Self.nanoseconds(median) + (ratio.map { " (\(Self.ratio($0)))" } ?? ""))
      measurements.append(
        Measurement(
          suite: suite, row: cell.graph.title, column: column, unit: "ns/task", value: median, ratio: ratio))
    }
    rows.append(row)
  }

  /// Adds a row of any kind.
  mutating func add(_ title: String, _ values: [(column: String, text: String, value: Double, unit: String)]) {
    rows.append([title] + columns.dropFirst().map { column in values.first { $0.column == column }?.text ?? "–" })
    for value in values {
      measurements.append(
        Measurement(
          suite: suite, row: title, column: value.column, unit: value.unit, value: value.value, ratio: nil))
    }
  }

  mutating func judge(_ verdict: Verdict?) {
    if let verdict { verdicts.append(verdict) }
  }

  mutating func note(mistake: String?) {
    if let mistake { mistakes.append(mistake) }
  }

  // MARK: - Numbers for people

  static func nanoseconds(_ value: Double) -> String {
    switch value {
    case ..<100: "\(rounded(value, 1)) ns"
    case ..<10_000: "\(Int(value.rounded())) ns"
    case ..<10_000_000: "\(rounded(value / 1000, 1)) µs"
    default: "\(rounded(value / 1_000_000, 1)) ms"
    }
  }

  static func ratio(_ value: Double) -> String {
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
  var description: String {
    var lines = ["## \(suite): \(title)", ""]
    lines.append("| " + columns.joined(separator: " | ") + " |")
    lines.append("|---" + String(repeating: "|--:", count: columns.count - 1) + "|")
    lines += rows.map { "| " + $0.joined(separator: " | ") + " |" }
    lines.append("")
    for mistake in mistakes { lines.append("MISTAKE: \(mistake)") }
    return lines.joined(separator: "\n")
  }
}
