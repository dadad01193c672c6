import Testing

/// A source and what the macros make of it.
struct Sample: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let source: String
  let expanded: String

  init(_ description: String, _ source: String, expandsTo expanded: String) {
    testDescription = description
    self.source = source
    self.expanded = expanded
  }

  /// Expands the source, which must give no error, and compares.
  func check(sourceLocation: SourceLocation = #_sourceLocation) {
    let expansion = Expansion(source)
    #expect(Picture.draw(expansion, over: source) == source, sourceLocation: sourceLocation)
    #expect(expansion.expanded.trimmed == expanded, sourceLocation: sourceLocation)
  }
}

extension String {
  /// Without the empty line that an annotation leaves where it stood.
  fileprivate var trimmed: String { String(drop(while: \.isNewline)) }
}
