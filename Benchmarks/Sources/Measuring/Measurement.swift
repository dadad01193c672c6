/// One number of a run, as `--json` prints it.
package struct Measurement: Codable, Sendable {
  package let suite: String
  package let row: String
  package let column: String
  package let unit: String
  package let value: Double
  /// Times as much as the first column of its row.
  package let ratio: Double?

  package init(suite: String, row: String, column: String, unit: String, value: Double, ratio: Double?) {
    self.suite = suite
    self.row = row
    self.column = column
    self.unit = unit
    self.value = value
    self.ratio = ratio
  }
}
