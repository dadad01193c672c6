// Read by TaskKit at run time and, through a symbolic link, by the macros while compiling: no import, no other file
// but those of Sources/TaskKitMacros/Shared.

/// A text cut by bytes, so that each piece knows where it stands.
struct CronText {
  private let bytes: [UInt8]

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  var all: Range<Int> { bytes.indices }

  subscript(range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The pieces between white space.
  func words(in range: Range<Int>) -> [Range<Int>] {
    let spaces = Set(" \t\r\n".utf8)
    return bytes[range].split { spaces.contains($0) }.map(\.indices)
  }

  /// The pieces between separators, empty ones too.
  func split(_ range: Range<Int>, by separator: Unicode.Scalar) -> [Range<Int>] {
    bytes[range].split(separator: UInt8(ascii: separator), omittingEmptySubsequences: false).map(\.indices)
  }

  /// The number that is written there in decimal digits and nothing else; nil for more than six of them.
  func number(_ range: Range<Int>) -> Int? {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard (1...6).contains(range.count), bytes[range].allSatisfy(digits.contains) else { return nil }
    return bytes[range].reduce(0) { $0 * 10 + Int($1 - digits.lowerBound) }
  }
}
