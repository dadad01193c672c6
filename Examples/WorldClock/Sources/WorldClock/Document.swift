import Foundation
import Presentation
import TaskKit

/// What `--json` prints.
struct Document: Codable {
  let clocks: [ClockRecord]
  /// The launch in its two parts, then each query.
  let reports: [EventReport]

  var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Numbers, texts and lists always encode.
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
