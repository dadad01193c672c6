/// Whether a target holds, at the row where it holds least.
package struct Verdict: Codable, Sendable {
  package let target: String
  package let limit: Double
  package let measured: Double
  package let row: String
  package let isUpperLimit: Bool
  /// What the numbers are; times as much as something else, where it is omitted.
  package var unit = "×"

  package var holds: Bool { isUpperLimit ? measured <= limit : measured >= limit }

  /// The target that no value is greater than `limit`. Nil where nothing was measured.
  package static func atMost(
    _ limit: Double, unit: String = "×", _ target: String, _ values: [(row: String, value: Double)]
  ) -> Verdict? {
    values.max { $0.value < $1.value }.map {
      Verdict(target: target, limit: limit, measured: $0.value, row: $0.row, isUpperLimit: true, unit: unit)
    }
  }

  /// A number with its unit.
  package func text(_ value: Double) -> String {
    unit == "×" ? Section.ratio(value) : "\(Int(value.rounded())) \(unit)"
  }

  /// The target that no value is smaller than `limit`.
  package static func atLeast(_ limit: Double, _ target: String, _ values: [(row: String, value: Double)]) -> Verdict? {
    values.min { $0.value < $1.value }.map {
      Verdict(target: target, limit: limit, measured: $0.value, row: $0.row, isUpperLimit: false)
    }
  }
}
