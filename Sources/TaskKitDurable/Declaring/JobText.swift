/// Texts and names as every store can keep them.
enum JobText {
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
}
