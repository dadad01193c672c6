/// A token: what it is and which bytes of the file it covers.
package struct Token: Sendable, Hashable {
  package var kind: TokenKind
  /// Whether a line break stands between it and the token before, or it is the first of the file.
  package var startsLine: Bool
  package var start: Int
  package var end: Int

  package init(_ kind: TokenKind, startsLine: Bool = false, start: Int, end: Int) {
    self.kind = kind
    self.startsLine = startsLine
    self.start = start
    self.end = end
  }

  /// The bytes it covers.
  package var span: SourceSpan { SourceSpan(start: start, end: end) }
}

/// A range of bytes of a file.
package struct SourceSpan: Sendable, Hashable {
  package var start: Int
  package var end: Int

  package init(start: Int, end: Int) {
    self.start = start
    self.end = end
  }

  package var isEmpty: Bool { start >= end }
}
