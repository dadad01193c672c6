import Foundation

/// All sections of a run together.
package struct Output: Encodable {
  package let measurements: [Measurement]
  package let verdicts: [Verdict]
  package let mistakes: [String]

  package init(_ sections: [Section]) {
    measurements = sections.flatMap(\.measurements)
    verdicts = sections.flatMap(\.verdicts)
    mistakes = sections.flatMap(\.mistakes)
  }

  package var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else { preconditionFailure("numbers and texts cannot be encoded") }
    return String(decoding: data, as: UTF8.self)
  }
}

extension Output: CustomStringConvertible {
  /// Which targets hold, as a Markdown table.
  package var description: String {
    var lines = ["## Targets", "", "| target | limit | measured | at | holds |", "|---|--:|--:|---|---|"]
    lines += verdicts.map {
      "| \($0.target) | \($0.isUpperLimit ? "≤" : "≥") \($0.text($0.limit)) | \($0.text($0.measured)) "
        + "| \($0.row) | \($0.holds ? "yes" : "NO") |"
    }
    return lines.joined(separator: "\n")
  }
}
