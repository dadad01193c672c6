extension DeclarationReader {
  /// Reads a type up to its name; its braces are awaited.
  mutating func readType(_ keyword: Keyword) -> Bool {
    let kind: TypeDeclaration.Kind
    switch keyword {
    case .struct: kind = .struct
    case .enum: kind = .enum
    case .protocol: kind = .protocol
    case .extension: kind = .extension
    case .class: kind = .class
    default:
      guard isAtStartOfActor else {
        forgetPending()
        return false
      }
      kind = .actor
    }
    let restored = (lexer, token, previous)
    advance()
    if kind == .extension {
      readExtension()
      return true
    }
    if kind == .class && isModifiedByClass {
      scope.modifiers.insert(Modifiers(.class))
      scope.hasPending = true
      return true
    }
    guard isName(token) else {
      // `protocol P: class {`, `.init(class: x)`
      if kind == .actor { (lexer, token, previous) = restored }
      forgetPending()
      return kind != .actor
    }
    let name = token.span
    advance()
    if kind == .actor && !isAtTypeHeader {
      // `let boss = actor` and a call on the next line.
      (lexer, token, previous) = restored
      forgetPending()
      return false
    }
    declare(kind, name: name, isGeneric: isAtGenerics)
    return true
  }

  private func isName(_ token: Token) -> Bool {
    switch token.kind {
    case .escapedWord: true
    case .word: Keyword(of: token, in: lexer.bytes).map { !$0.isReserved } ?? true
    default: false
    }
  }

  /// Whether the current token can follow the name of a type.
  private var isAtTypeHeader: Bool {
    token.kind == .leftBrace || token.kind == .colon || isAtGenerics
      || (token.kind == .word && Keyword(of: token, in: lexer.bytes) == .where)
  }

  private var isAtGenerics: Bool {
    isOperator && lexer.bytes[token.start] == UInt8(ascii: "<")
  }

  /// `actor` is an ordinary name, too.
  private var isAtStartOfActor: Bool {
    if isBehindType { return true }
    if previous.kind == .word, !token.startsLine, !scope.hasPending { return isAfterStatementWord }
    switch previous.kind {
    case .binaryOperator, .prefixOperator, .equal, .arrow, .comma, .prefixAmpersand, .infixQuestion, .pound, .backslash:
      return false
    default:
      return true
    }
  }

  private var isAfterStatementWord: Bool {
    let keyword = Keyword(of: previous, in: lexer.bytes)
    return keyword == .in || keyword == .else
  }

  /// In `class func`, `class final func` and `class override var`, `class` is a modifier.
  private var isModifiedByClass: Bool {
    var ahead = lexer
    var next = token
    while next.kind == .word, let keyword = Keyword(of: next, in: ahead.bytes) {
      if !keyword.isModifier {
        switch keyword {
        case .var, .let, .func, .subscript, .`init`, .class, .struct, .enum, .typealias: return true
        default: return false
        }
      }
      next = ahead.next()
    }
    return false
  }

  private mutating func declare(_ kind: TypeDeclaration.Kind, name: SourceSpan, isGeneric: Bool) {
    let attributes = takeAttributes()
    result.types.append(
      TypeDeclaration(
        kind: kind, name: name, attributes: attributes, modifiers: scope.modifiers, parent: scope.type,
        isLocal: scope.isLocal, isGeneric: isGeneric, branch: branch,
        header: SourceSpan(start: name.end, end: name.end),
        body: SourceSpan(start: name.end, end: name.end)))
    scope.modifiers = []
    scope.hasPending = false
    scope.awaited = result.types.count - 1
  }

  /// Moves the pending attributes to a declaration.
  mutating func takeAttributes() -> Range<Int> {
    let first = result.attributes.count
    result.attributes.append(contentsOf: attributes[scope.firstAttribute...])
    attributes.removeLast(attributes.count - scope.firstAttribute)
    return first..<result.attributes.count
  }

  /// The type that is extended: everything up to `:`, `where` or the brace.
  private mutating func readExtension() {
    var name = SourceSpan(start: token.start, end: token.start)
    var depth = 0
    var isGeneric = false
    loop: while true {
      switch token.kind {
      case .endOfFile, .leftBrace, .rightBrace, .semicolon, .poundIf, .poundElse, .poundElseif, .poundEndif:
        break loop
      case .colon where depth == 0:
        break loop
      case .word where depth == 0 && Keyword(of: token, in: lexer.bytes) == .where:
        break loop
      case .leftParen, .leftSquare, .interpolationOpen:
        depth += 1
        isGeneric = true
      case .rightParen, .rightSquare, .interpolationClose:
        depth -= 1
      default:
        if isAtGenerics { isGeneric = true }
      }
      name.end = token.end
      advance()
    }
    // `extension:` labels something.
    if name.isEmpty { return forgetPending() }
    declare(.extension, name: name, isGeneric: isGeneric)
  }
}
