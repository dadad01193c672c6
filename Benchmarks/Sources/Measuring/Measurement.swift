/// One number of a run, as `--json` prints it.
struct Measurement: Codable, Sendable {
  let suite: String
  let row: String
  let column: String
  let unit: String
  let value: Double
  /// Times as much as the first column of its row.
  let ratio: Double?
}
