/// The tokens of an argument, with what can be read off them.
struct SourceExpression {
  let source: SourceText
  let span: SourceSpan
  let tokens: [Token]

  init(_ span: SourceSpan, of source: SourceText) {
    self.source = source
    self.span = span
    tokens = source.withLexer(from: span.start) { lexer in
      var tokens: [Token] = []
      while true {
        let token = lexer.next()
        if token.kind == .endOfFile || token.start >= span.end { return tokens }
        tokens.append(token)
      }
    }
  }

  var text: String { source.text(span) }

  /// What a message says of it: its first line, and an ellipsis for what follows; the macro says the same.
  var quotation: String {
    let text = text
    return text.firstIndex(where: \.isNewline).map { "\(text[..<$0])…" } ?? text
  }

  /// The text without white space.
  var compactText: String { text.filter { !$0.isWhitespace } }

  private func text(_ token: Token) -> String { source.text(token.span) }

  /// Whether it is the literal `nil`: an option of that value is as one that is not written.
  var isNil: Bool { text == "nil" }

  /// What a string literal says that is on one line and has neither interpolation, escapes nor pound signs; the macro
  /// reads the same.
  var plainString: String? {
    guard tokens.count == 1, tokens[0].kind == .string else { return nil }
    // By bytes: of characters the quotation mark may be a part, as before an accent.
    let literal = Array(text.utf8)
    let mark = UInt8(ascii: "\"")
    guard literal.count >= 2, literal.first == mark, literal.last == mark, !literal.starts(with: [mark, mark, mark]),
      !literal.contains(UInt8(ascii: "\\"))
    else { return nil }
    return String(decoding: literal.dropFirst().dropLast(), as: UTF8.self)
  }

  /// The value of an integer literal, with a sign.
  var integer: Int? {
    var rest = tokens[...]
    var sign = ""
    if let first = rest.first, first.kind == .prefixOperator, text(first) == "-" {
      sign = "-"
      rest = rest.dropFirst()
    }
    guard rest.count == 1, let token = rest.first, token.kind == .number else { return nil }
    let digits = text(token).filter { $0 != "_" }
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where digits.hasPrefix(prefix) {
      return Int(sign + digits.dropFirst(2), radix: radix)
    }
    return Int(sign + digits)
  }

  /// The value of a literal of a number, with a sign.
  var number: Double? {
    if let integer { return Double(integer) }
    let isNegative = tokens.count == 2 && tokens[0].kind == .prefixOperator && text(tokens[0]) == "-"
    guard tokens.count == (isNegative ? 2 : 1), let token = tokens.last, token.kind == .number else { return nil }
    return Double(text(token).filter { $0 != "_" }).map { isNegative ? -$0 : $0 }
  }

  /// The elements of an array literal, if the whole expression is one.
  var elements: [SourceExpression]? {
    guard let first = tokens.first, first.kind == .leftSquare, let last = tokens.last, last.kind == .rightSquare,
      opening(of: tokens.count - 1) == 0
    else { return nil }
    let inside = SourceSpan(start: first.end, end: last.start)
    let arguments = ArgumentReader.arguments(in: inside, of: source)
    return arguments.map { argument in
      SourceExpression(
        SourceSpan(start: argument.label?.start ?? argument.value.start, end: argument.value.end), of: source)
    }
  }

  /// A call: what is called, and the arguments.
  var call: (callee: SourceExpression, arguments: [SourceArgument])? {
    // Behind the last parenthesis that is opened in none: generic arguments may hold some, too.
    guard let open = opening(of: tokens.count - 1), open > 0, tokens[open].kind == .leftParen else { return nil }
    // Blanks may stand between them, behind which an operator is not what is called.
    let isBehindBlank = tokens[open - 1].end < tokens[open].start
    if isBehindBlank, tokens[open].startsLine || tokens[open - 1].kind == .binaryOperator { return nil }
    let callee = SourceExpression(SourceSpan(start: span.start, end: tokens[open - 1].end), of: source)
    let inside = SourceSpan(start: tokens[open].end, end: tokens[tokens.count - 1].start)
    return (callee, ArgumentReader.arguments(in: inside, of: source))
  }

  /// The names in `.a`, `A.b`, `M::A<C>.b`, module selectors left out, with an empty first one where it starts with a point;
  /// nil for anything else.
  var memberPath: [String]? {
    var names: [String] = []
    var depth = 0
    var expectsName = true
    for token in tokens {
      switch token.kind {
      case .word, .escapedWord:
        if depth > 0 { continue }
        guard expectsName else { return nil }
        names.append(TypePath.plain(text(token)))
        expectsName = false
      case .period:
        if depth > 0 { continue }
        if names.isEmpty { names.append("") }
        expectsName = true
      case .colonColon:
        if depth > 0 { continue }
        // The name before it was that of a module.
        if expectsName { return nil }
        names.removeLast()
        expectsName = true
      case .binaryOperator, .prefixOperator, .postfixOperator:
        // Behind the name of `.a` nothing but a comparison can follow.
        if depth == 0, names.count == 2, names[0].isEmpty { return nil }
        for byte in source.bytes[token.start..<token.end] {
          switch byte {
          case UInt8(ascii: "<"): depth += 1
          case UInt8(ascii: ">") where depth > 0: depth -= 1
          default: if depth == 0 { return nil }
          }
        }
      // What stands in a list of types: `<@Sendable () -> Void, [3 of Int]?>`.
      case .comma, .postfixQuestion, .postfixExclamation, .leftSquare, .rightSquare, .leftParen, .rightParen, .colon,
        .arrow, .atSign, .number:
        if depth == 0 { return nil }
      default:
        return nil
      }
    }
    return expectsName || depth > 0 ? nil : names
  }

  /// The type in `A.B.self`: as written, without layout, and as its names; nil for anything else.
  var metatype: (text: String, path: TypePath)? {
    guard tokens.count >= 3, let last = tokens.last, last.kind == .word, text(last) == "self",
      tokens[tokens.count - 2].kind == .period
    else { return nil }
    let type = SourceSpan(start: span.start, end: tokens[tokens.count - 3].end)
    let path = TypePath.read(type, of: source)
    guard path.isPlain, !path.hasGenericArguments else { return nil }
    return (path.text, path)
  }

  /// The index of the token that opens the bracket that is closed at an index; nil if none is closed there.
  private func opening(of close: Int) -> Int? {
    var depth = 0
    for index in tokens.indices.prefix(close + 1).reversed() {
      switch tokens[index].kind {
      case .rightParen, .rightSquare, .rightBrace, .interpolationClose: depth += 1
      case .leftParen, .leftSquare, .leftBrace, .interpolationOpen: depth -= 1
      default: break
      }
      if depth <= 0 { return index == close ? nil : index }
    }
    return nil
  }
}
