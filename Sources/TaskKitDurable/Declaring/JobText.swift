import Foundation

/// Texts and names as every store can keep them.
package enum JobText {
  /// The longest text that is kept of an error or a reason, in bytes: some describe a whole document.
  static let longest = 10_000

  /// A text of somebody else, cut where it is too long. For NUL, which neither SQLite nor PostgreSQL keeps, it has U+2400.
  static func kept(_ text: String) -> String {
    var text = text
    if text.utf8.contains(0) { text = text.replacing("\0", with: "\u{2400}") }
    guard text.utf8.count > longest else { return text }
    return String(decoding: text.utf8.prefix(longest), as: UTF8.self) + "…"
  }

  /// - Throws: ``DurableError`` for a name that stores would keep as another one.
  static func check(_ name: String, of what: String) throws {
    if name.utf8.contains(0) { throw DurableError.unusableName(name, of: what) }
  }

  /// The names of constraints.
  ///
  /// - Throws: ``DurableError`` for one that stores would keep as another one, which no monitor ever says.
  static func names(of constraints: [Constraint]) throws -> [String] {
    for constraint in constraints { try check(constraint.name, of: "constraint") }
    return constraints.map(\.name)
  }

  /// - Throws: ``DurableError`` for a name that stores would tell from the same name in another spelling, where a center would not.
  static func checkForm(_ name: String, of what: String) throws {
    if isInPieces(name) { throw DurableError.nameInPieces(name, of: what) }
  }

  /// Whether a text has letters and their accents apart, or otherwise another form than the composed one (NFC): in Swift it is the same
  /// as that, and to files and servers, which compare bytes, it is another one.
  static func isInPieces(_ text: String) -> Bool { !text.utf8.elementsEqual(composed(text).utf8) }

  /// The spellings of a text under which a store that compares bytes may have it: an older build, and SQL, write down what they are
  /// given. Each once, first the given one.
  package static func spellings(of text: String) -> [String] {
    guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return [text] }
    return [composed(text), text.decomposedStringWithCanonicalMapping].reduce(into: [text]) { all, other in
      if !all.contains(where: { $0.utf8.elementsEqual(other.utf8) }) { all.append(other) }
    }
  }

  /// The composed form (NFC) of a text: one for all that are the same in Swift.
  package static func composed(_ text: String) -> String {
    text.utf8.allSatisfy { $0 < 0x80 } ? text : text.precomposedStringWithCanonicalMapping
  }
}
