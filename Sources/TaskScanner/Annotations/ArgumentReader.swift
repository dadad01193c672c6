/// An argument of an attribute or a call.
package struct SourceArgument: Sendable, Hashable {
  package var label: SourceSpan?
  package var value: SourceSpan

  package init(label: SourceSpan? = nil, value: SourceSpan) {
    self.label = label
    self.value = value
  }
}

/// Splits what stands between two brackets at its commas.
package struct ArgumentReader {
  private var lexer: Lexer
  private let end: Int
  private var token: Token
  /// The places of `<` that open no list of generic arguments: it was looked for.
  private var comparisons: Set<Int> = []

  /// The arguments in a part of a text that begins and ends between two tokens.
  package static func arguments(in span: SourceSpan, of source: SourceText) -> [SourceArgument] {
    source.withLexer(from: span.start) { lexer in
      var reader = ArgumentReader(lexer, end: span.end)
      return reader.read()
    }
  }

  /// A part of a text without the white space and comments at its ends.
  package static func trimmed(_ span: SourceSpan, of source: SourceText) -> SourceSpan {
    source.withLexer(from: span.start) { lexer in
      var token = lexer.next()
      var trimmed = SourceSpan(start: token.start, end: token.start)
      while token.kind != .endOfFile && token.start < span.end {
        trimmed.end = min(token.end, span.end)
        token = lexer.next()
      }
      return trimmed
    }
  }

  private init(_ lexer: Lexer, end: Int) {
    self.lexer = lexer
    self.end = end
    token = lexer.previous
    token = self.lexer.next()
  }

  private var isAtEnd: Bool { token.kind == .endOfFile || token.start >= end }

  private mutating func read() -> [SourceArgument] {
    var arguments: [SourceArgument] = []
    while !isAtEnd {
      let first = token
      token = lexer.next()
      var argument = SourceArgument(value: first.span)
      if first.kind == .word || first.kind == .escapedWord, !isAtEnd, token.kind == .colon {
        argument.label = first.span
        token = lexer.next()
        argument.value = SourceSpan(start: token.start, end: token.start)
        argument.value.end = readValue(from: argument.value.start)
      } else if first.kind == .comma {
        argument.value.end = argument.value.start
      } else {
        argument.value.end = readValue(from: first)
      }
      arguments.append(argument)
      if !isAtEnd && first.kind != .comma { token = lexer.next() }
    }
    return arguments
  }

  private mutating func readValue(from start: Int) -> Int {
    if isAtEnd || token.kind == .comma { return start }
    let first = token
    token = lexer.next()
    return readValue(from: first)
  }

  /// Reads up to the comma behind a value whose first token is read.
  ///
  /// - Returns: where the value ends.
  private mutating func readValue(from first: Token) -> Int {
    var last = first
    var depth = 0
    var chain = MemberChain()
    while true {
      chain.follow(last, in: lexer.bytes)
      switch last.kind {
      case .leftParen, .leftSquare, .leftBrace, .interpolationOpen: depth += 1
      case .rightParen, .rightSquare, .rightBrace, .interpolationClose: depth -= 1
      default: break
      }
      if isAtEnd || (depth <= 0 && token.kind == .comma) { return last.end }
      if depth <= 0, last.kind == .word || last.kind == .escapedWord, !chain.isImplicit, skipGenericArguments(&last) {
        continue
      }
      last = token
      token = lexer.next()
    }
  }

  /// Skips `<A, B>` behind a name if it can only be a list of types; the compiler decides in the same way.
  private mutating func skipGenericArguments(_ last: inout Token) -> Bool {
    guard isAngle(token), !comparisons.contains(token.start) else { return false }
    var ahead = lexer
    var next = token
    // The places of those that are open. What is inside of them and was closed may be a list though this is none.
    var angles: [Int] = []
    var brackets = 0
    while true {
      switch next.kind {
      case .binaryOperator, .prefixOperator, .postfixOperator, .prefixAmpersand:
        for index in next.start..<next.end {
          switch lexer.bytes[index] {
          case UInt8(ascii: "<"): angles.append(index)
          case UInt8(ascii: ">"): _ = angles.popLast()
          case UInt8(ascii: "&"), UInt8(ascii: "~"), UInt8(ascii: "-"), UInt8(ascii: "."): break
          default: return failGenerics(angles)
          }
        }
      case .leftParen, .leftSquare: brackets += 1
      case .rightParen, .rightSquare: brackets -= 1
      case .colon where brackets > 0: break
      case .word, .escapedWord, .number, .comma, .period, .colonColon, .postfixQuestion, .postfixExclamation, .arrow,
        .atSign:
        break
      default: return failGenerics(angles)
      }
      if brackets < 0 || next.start >= end { return failGenerics(angles) }
      let closing = next
      next = ahead.next()
      guard angles.isEmpty else { continue }
      guard canFollowGenerics(next) else { return failGenerics(angles) }
      (lexer, token, last) = (ahead, next, closing)
      return true
    }
  }

  /// - Parameter open: the places of those that were not closed: none of them is a list either.
  private mutating func failGenerics(_ open: [Int]) -> Bool {
    comparisons.insert(token.start)
    comparisons.formUnion(open)
    return false
  }

  private func isAngle(_ token: Token) -> Bool {
    switch token.kind {
    case .binaryOperator, .prefixOperator, .postfixOperator:
      lexer.bytes[token.start] == UInt8(ascii: "<")
        && (token.end == token.start + 1 || lexer.bytes[token.start + 1] == UInt8(ascii: "~"))
    default: false
    }
  }

  private func canFollowGenerics(_ token: Token) -> Bool {
    if token.start >= end { return true }
    return switch token.kind {
    case .rightParen, .rightSquare, .leftBrace, .rightBrace, .period, .comma, .semicolon, .endOfFile,
      .postfixExclamation, .postfixQuestion, .colon, .equal, .postfixOperator:
      true
    case .leftParen, .leftSquare: !token.startsLine
    case .binaryOperator: lexer.isLeftBound(token.start) == false
    default: false
    }
  }
}

/// Tells `.a` from the `.a` in `b.a`: behind the former a `<` compares, behind the latter it may open a list of types.
private struct MemberChain {
  private enum Place {
    /// Where an operand begins.
    case start
    /// Behind an operand.
    case end
    /// Behind the point of `.a`.
    case implicitPoint
    /// Behind the name of `.a`.
    case implicitName
    /// Behind any other point.
    case point
  }

  private var place = Place.start

  /// Whether the token before is the name of `.a`.
  var isImplicit: Bool { place == .implicitName }

  mutating func follow(_ token: Token, in bytes: UnsafePointer<UInt8>) {
    switch token.kind {
    case .period:
      place = place == .end || place == .implicitName ? .point : .implicitPoint
    case .colonColon:
      // The name before it was that of a module.
      place = place == .implicitName ? .implicitPoint : .point
    case .word, .escapedWord:
      switch place {
      case .implicitPoint: place = .implicitName
      case .point: place = .end
      default: place = isOperand(token, in: bytes) ? .end : .start
      }
    case .number, .string, .interpolationClose, .regex, .rightParen, .rightSquare, .rightBrace, .postfixQuestion,
      .postfixExclamation, .postfixOperator:
      place = .end
    default:
      place = .start
    }
  }

  private func isOperand(_ word: Token, in bytes: UnsafePointer<UInt8>) -> Bool {
    guard word.kind == .word, let keyword = Keyword(of: word, in: bytes) else { return true }
    return !keyword.isReserved || keyword.isOperand
  }
}
