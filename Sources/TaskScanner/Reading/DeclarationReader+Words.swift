extension DeclarationReader {
  /// Reads a declaration, or a modifier of one, that starts with the current word.
  ///
  /// - Returns: whether it has moved on to the token behind.
  mutating func readWord() -> Bool {
    guard let keyword = Keyword(of: token, in: lexer.bytes), previous.kind != .period, previous.kind != .colonColon
    else {
      forgetPending()
      return false
    }
    if keyword.isTypeKeyword { return readType(keyword) }
    if keyword.isModifier { return readModifier(keyword) }
    if scope.hasPending { noteMisplaced(on: keyword) }
    switch keyword {
    case .typealias where !scope.isLocal: return readAlias()
    case .import: return readImport()
    case .var, .let: return readMember()
    case .operator: return readOperator()
    case .func: return readMethod()
    default:
      forgetPending()
      return false
    }
  }

  private mutating func readModifier(_ keyword: Keyword) -> Bool {
    if keyword.isContextualModifier && !isAtStatementStart {
      forgetPending()
      return false
    }
    scope.modifiers.insert(Modifiers(keyword))
    scope.hasPending = true
    advance()
    if keyword.mayHaveDetail && token.kind == .leftParen { skipDetail(of: keyword) }
    return true
  }

  /// Skips `(set)`, `(unsafe)`; anything else in parentheses makes the modifier a call.
  private mutating func skipDetail(of modifier: Keyword) {
    let restored = (lexer, token, previous)
    advance()
    let isSetter = token.end - token.start == 3 && lexer.bytes[token.start] == UInt8(ascii: "s")
    if token.kind == .word && (isSetter || modifier == .nonisolated || modifier == .unowned) {
      advance()
      if token.kind == .rightParen {
        advance()
        return
      }
    }
    (lexer, token, previous) = restored
  }

  /// Whether a new statement can start with the current word, which may also be an ordinary name.
  private var isAtStatementStart: Bool {
    if scope.hasPending || isBehindType { return true }
    switch previous.kind {
    case .endOfFile, .shebang, .leftBrace, .rightBrace, .semicolon, .poundIf, .poundElse, .poundElseif, .poundEndif:
      return true
    case .colon:
      return true
    case .binaryOperator, .prefixOperator, .equal, .arrow, .comma, .prefixAmpersand, .infixQuestion, .pound, .backslash:
      return false
    case .word:
      if token.startsLine { return true }
      let keyword = Keyword(of: previous, in: lexer.bytes)
      return keyword == .in || keyword == .else
    default:
      return token.startsLine
    }
  }

  /// Whether the line before ended in `>`, `>?` or `>!`: as a rule a list of generic arguments, not a comparison that goes
  /// on.
  var isBehindType: Bool {
    guard token.startsLine else { return false }
    switch previous.kind {
    case .binaryOperator, .prefixOperator, .postfixOperator: break
    default: return false
    }
    var end = previous.end
    while end > previous.start,
      lexer.bytes[end - 1] == UInt8(ascii: "?") || lexer.bytes[end - 1] == UInt8(ascii: "!")
    { end -= 1 }
    return end > previous.start && lexer.bytes[end - 1] == UInt8(ascii: ">")
  }

  /// `prefix operator +++`. Unlike in an expression, the next line starts a statement.
  private mutating func readOperator() -> Bool {
    forgetPending()
    advance()
    guard isOperator else { return true }
    advance()
    previous.kind = .semicolon
    return true
  }

  /// `static var name` in an extension of `LifecycleEvent` is an event.
  private mutating func readMember() -> Bool {
    let modifiers = scope.modifiers
    forgetPending()
    guard modifiers.contains(.static), scope.kind == .members, let type = scope.type,
      result.types[type].kind == .extension, isEventType(result.types[type].name)
    else { return false }
    advance()
    guard token.kind == .word || token.kind == .escapedWord else { return true }
    result.members.append(
      MemberDeclaration(name: token.span, modifiers: modifiers, parent: type, branch: branch))
    return false
  }

  /// Whether the name of a type ends in `LifecycleEvent`, before generic arguments.
  private func isEventType(_ name: SourceSpan) -> Bool {
    let event: StaticString = "LifecycleEvent"
    var end = name.start
    while end < name.end,
      lexer.tables.isWordPart[Int(lexer.bytes[end])] || lexer.bytes[end] == UInt8(ascii: ".")
        || lexer.bytes[end] == UInt8(ascii: ":") || lexer.bytes[end] == UInt8(ascii: "`")
    { end += 1 }
    if end > name.start, lexer.bytes[end - 1] == UInt8(ascii: "`") { end -= 1 }
    let start = end - event.utf8CodeUnitCount
    guard start >= name.start else { return false }
    for index in 0..<event.utf8CodeUnitCount where lexer.bytes[start + index] != event.utf8Start[index] { return false }
    return start == name.start || !lexer.tables.isWordPart[Int(lexer.bytes[start - 1])]
  }
}
