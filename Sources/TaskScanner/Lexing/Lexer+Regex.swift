// Whether a `/` starts a regex literal cannot be seen from the `/` alone. These are the compiler's guesses (SE-0354).

extension Lexer {
  /// The end of a regex literal that starts at a `/` inside an operator; nil if the `/` is part of the operator.
  mutating func regexEnd(at slash: Int, operatorStart: Int, operatorEnd: Int) -> Int? {
    // Behind an operand it is a postfix or binary operator.
    guard !isLeftBound(operatorStart) else { return nil }
    if previous.kind == .word {
      // `func /(a: A, b: A)` declares an operator.
      let keyword = Keyword(of: previous, in: bytes)
      if keyword == .func || keyword == .operator { return nil }
    }
    guard !isRightBound(operatorEnd, isLeftBound: false) else { return regexEnd(from: slash, mustBeRegex: false) }

    // It looks like a binary operator, so it is none only where an expression is due.
    guard isAfterMarkedTry || isRegexPosition else { return nil }
    switch previous.kind {
    case .leftParen, .interpolationOpen, .interpolationNext, .leftSquare, .comma, .colon, .colonColon:
      // An argument may be an operator: `reduce(1, /)`.
      return regexEnd(from: slash, mustBeRegex: isAfterMarkedTry)
    default:
      return regexEnd(from: slash, mustBeRegex: true)
    }
  }

  /// Whether an expression rather than a binary operator follows the token before.
  private var isRegexPosition: Bool {
    switch previous.kind {
    case .endOfFile, .leftBrace, .leftParen, .leftSquare, .interpolationOpen, .interpolationNext, .prefixOperator,
      .prefixAmpersand, .binaryOperator, .equal, .semicolon, .comma, .colon, .infixQuestion, .poundIf, .poundElse,
      .poundElseif, .poundEndif, .unknown:
      true
    case .word:
      switch Keyword(of: previous, in: bytes) {
      case .some(let keyword): keyword.isReserved && !keyword.isOperand
      case .none: false
      }
    default:
      false
    }
  }

  /// The end of the regex literal whose first `#` or `/` stands at `start`; nil if there is none.
  ///
  /// - Parameter mustBeRegex: then a literal without an end goes to the end of the line, or of the text.
  mutating func regexEnd(from start: Int, mustBeRegex: Bool) -> Int? {
    var index = start
    while bytes[index] == UInt8(ascii: "#") { index += 1 }
    let pounds = index - start
    index += 1
    if pounds == 0 {
      switch bytes[index] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"): if !mustBeRegex { return nil }
      case UInt8(ascii: "*"), UInt8(ascii: "/"): return nil
      default: break
      }
      if start > 0 && bytes[start - 1] == UInt8(ascii: "*") { return nil }
    }
    var body = RegexBody(bytes: bytes, end: end, index: index, pounds: pounds, mustBeRegex: mustBeRegex)
    guard let firstNewline = body.firstNewline else { return body.scan() }
    // What was not found once is not looked for again: that keeps the time linear.
    if pounds >= unclosedRegexPounds { return firstNewline }
    let found = body.scan()
    if found == firstNewline { unclosedRegexPounds = pounds }
    return found
  }
}

/// Looks for the end of a regex literal.
private struct RegexBody {
  let bytes: UnsafePointer<UInt8>
  let end: Int
  var index: Int
  let pounds: Int
  let mustBeRegex: Bool
  private(set) var firstNewline: Int?
  private var groupDepth = 0
  private var classDepth = 0
  private var lastSpace = -1

  init(bytes: UnsafePointer<UInt8>, end: Int, index: Int, pounds: Int, mustBeRegex: Bool) {
    self.bytes = bytes
    self.end = end
    self.index = index
    self.pounds = pounds
    self.mustBeRegex = mustBeRegex
    guard pounds > 0 else { return }
    // With nothing behind the opening on its line, the literal goes over several lines.
    var next = index
    while bytes[next] == UInt8(ascii: " ") || bytes[next] == UInt8(ascii: "\t") { next += 1 }
    if isNewline(next) {
      firstNewline = next
      self.index = next
    }
  }

  mutating func scan() -> Int? {
    while index < end {
      let byte = bytes[index]
      if byte == UInt8(ascii: "/"), let result = tryEnding() { return result.end }
      if isNewline(index) && firstNewline == nil { return unterminated() }
      switch byte {
      case UInt8(ascii: "\\"):
        index += 1
        if index >= end || (isNewline(index) && firstNewline == nil) { return unterminated() }
      case UInt8(ascii: "(") where classDepth == 0:
        groupDepth += 1
      case UInt8(ascii: ")") where classDepth == 0:
        if groupDepth > 0 {
          groupDepth -= 1
        } else if !mustBeRegex {
          return nil
        }
      case UInt8(ascii: "["):
        classDepth += 1
      case UInt8(ascii: "]"):
        classDepth = max(0, classDepth - 1)
      case UInt8(ascii: " "), UInt8(ascii: "\t"):
        lastSpace = index
      default:
        break
      }
      index += 1
    }
    return unterminated()
  }

  private struct Ending {
    var end: Int?
  }

  /// What a `/` ends: the literal, the hope that it is one, or (nil) nothing.
  private mutating func tryEnding() -> Ending? {
    var after = index + 1
    if pounds > 0 {
      while bytes[after] == UInt8(ascii: "#") { after += 1 }
      return after - index - 1 >= pounds ? Ending(end: after) : nil
    }
    if bytes[after] == UInt8(ascii: "*") || bytes[after] == UInt8(ascii: "/") {
      return Ending(end: unterminated())
    }
    if lastSpace == index - 1 && !mustBeRegex { return Ending(end: nil) }
    return Ending(end: after)
  }

  private func unterminated() -> Int? {
    guard mustBeRegex else { return nil }
    return firstNewline ?? min(index, end)
  }

  private func isNewline(_ index: Int) -> Bool {
    bytes[index] == UInt8(ascii: "\n") || bytes[index] == UInt8(ascii: "\r")
  }
}
