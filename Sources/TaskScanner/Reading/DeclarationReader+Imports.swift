extension DeclarationReader {
  /// `import A`, `public import struct A.B`, `import func A.+`.
  mutating func readImport() -> Bool {
    let attributes = takeAttributes()
    let modifiers = scope.modifiers
    scope.modifiers = []
    scope.hasPending = false
    advance()
    var hasKind = false
    if token.kind == .word, let keyword = Keyword(of: token, in: lexer.bytes) {
      switch keyword {
      case .typealias, .struct, .class, .enum, .protocol, .var, .let, .func:
        hasKind = true
        advance()
      default: break
      }
    }
    var path = SourceSpan(start: token.start, end: token.start)
    while isPathPart(token) {
      path.end = token.end
      advance()
      guard token.kind == .period || token.kind == .colonColon else { break }
      path.end = token.end
      advance()
    }
    if !path.isEmpty {
      result.imports.append(
        ImportDeclaration(attributes: attributes, modifiers: modifiers, path: path, hasKind: hasKind, branch: branch))
    }
    return true
  }

  /// The last part may be an operator.
  private func isPathPart(_ token: Token) -> Bool {
    switch token.kind {
    case .word, .escapedWord, .binaryOperator, .prefixOperator, .postfixOperator: true
    default: false
    }
  }

  /// `typealias Name<T> = A.B<C>`.
  mutating func readAlias() -> Bool {
    let modifiers = scope.modifiers
    forgetPending()
    advance()
    guard token.kind == .word || token.kind == .escapedWord else { return true }
    let name = token.span
    advance()
    _ = skipGenericArguments(after: name.end)
    guard token.kind == .equal else { return true }
    advance()
    result.aliases.append(
      AliasDeclaration(
        name: name, parent: scope.type, branch: branch, modifiers: modifiers, target: readTypePath()))
    return true
  }

  /// A path of names; nothing if the type is written in any other way.
  private mutating func readTypePath() -> SourceSpan {
    let start = token.start
    var end = start
    while token.kind == .word || token.kind == .escapedWord {
      if token.kind == .word, let keyword = Keyword(of: token, in: lexer.bytes), keyword.isReserved,
        keyword != .selfType
      {
        break
      }
      end = token.end
      advance()
      if let generics = skipGenericArguments(after: end) {
        // `A<B>?`, `A<B>&C`: of what closes the angles more may be in one token.
        guard lexer.bytes[generics - 1] == UInt8(ascii: ">") else { break }
        end = generics
      }
      if token.kind == .period || token.kind == .colonColon {
        advance()
        continue
      }
      let isWhole =
        switch token.kind {
        // `A?`, `A & B`, `some A`, `A -> B`.
        case .postfixQuestion, .postfixExclamation, .binaryOperator, .arrow: false
        case .word: token.startsLine
        default: true
        }
      return isWhole ? SourceSpan(start: start, end: end) : SourceSpan(start: start, end: start)
    }
    return SourceSpan(start: start, end: start)
  }
}
