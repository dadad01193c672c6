extension DeclarationReader {
  /// Reads an attribute's name. Its arguments are a scope, since there may be closures in them.
  mutating func readAttribute() {
    // Attributes come before modifiers.
    if !scope.modifiers.isEmpty { forgetPending() }
    let start = token.start
    advance()
    guard token.kind == .word || token.kind == .escapedWord else { return forgetPending() }
    var name = token.span
    advance()
    if let end = skipGenericArguments(after: name.end) { name.end = end }
    while token.kind == .period || token.kind == .colonColon {
      advance()
      guard token.kind == .word || token.kind == .escapedWord else { break }
      name.end = token.end
      advance()
      if let end = skipGenericArguments(after: name.end) { name.end = end }
    }
    attributes.append(AttributeDeclaration(start: start, name: name, arguments: nil, branch: branch))
    scope.hasPending = true
    if token.kind == .leftParen && !token.startsLine { enterArguments(of: attributes.count - 1) }
  }

  /// Skips `<…>` right behind a name.
  ///
  /// - Returns: where it ends; nil if there is none.
  mutating func skipGenericArguments(after end: Int) -> Int? {
    guard token.start == end, isOperator, lexer.bytes[token.start] == UInt8(ascii: "<") else { return nil }
    var angles = 0
    var brackets = 0
    while true {
      switch token.kind {
      case .binaryOperator, .prefixOperator, .postfixOperator:
        for index in token.start..<token.end {
          if lexer.bytes[index] == UInt8(ascii: "<") { angles += 1 }
          if lexer.bytes[index] == UInt8(ascii: ">") { angles -= 1 }
        }
        if angles <= 0 && brackets <= 0 {
          let end = token.end
          advance()
          return end
        }
      case .leftParen, .leftSquare, .interpolationOpen: brackets += 1
      case .rightParen, .rightSquare, .interpolationClose: brackets -= 1
      case .endOfFile, .leftBrace, .rightBrace, .semicolon, .poundIf, .poundElse, .poundElseif, .poundEndif:
        return nil
      default: break
      }
      advance()
    }
  }

  /// Keeps the annotations of tasks that stand on a declaration of something else than a type.
  mutating func noteMisplaced(on keyword: Keyword) {
    switch keyword {
    case .func, .var, .let, .typealias, .`init`, .deinit, .subscript, .associatedtype: break
    case .case where scope.kind == .members: break
    default: return
    }
    for attribute in attributes[scope.firstAttribute...] where isAnnotation(attribute) {
      result.misplaced.append(
        MisplacedAnnotation(
          attribute: attribute, keyword: keyword, parent: scope.kind == .members ? scope.type : nil, branch: branch))
    }
  }

  /// Whether the name of an attribute ends as those of annotations do.
  private func isAnnotation(_ attribute: AttributeDeclaration) -> Bool {
    hasSuffix("Task", attribute) || hasSuffix("TaskModule", attribute)
  }

  private func hasSuffix(_ suffix: StaticString, _ attribute: AttributeDeclaration) -> Bool {
    let start = attribute.name.end - suffix.utf8CodeUnitCount
    guard start >= attribute.name.start else { return false }
    return (0..<suffix.utf8CodeUnitCount).allSatisfy { lexer.bytes[start + $0] == suffix.utf8Start[$0] }
  }

  var isOperator: Bool {
    token.kind == .binaryOperator || token.kind == .prefixOperator || token.kind == .postfixOperator
  }
}
