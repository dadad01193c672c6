import Measuring

extension Section {
  /// Adds a row of times and ratios, in the order of the columns; an engine that was left out has a dash.
  mutating func add(_ cell: Cell, extra: [(column: String, value: Int)] = []) {
    var row = [cell.graph.title]
    var measurements: [Measurement] = []
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
    add(row, measurements)
  }
}
