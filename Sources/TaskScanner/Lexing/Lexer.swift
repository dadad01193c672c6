/// Cuts Swift source text into tokens, one at a time, in time linear in the text.
///
/// It follows the compiler's lexer, down to the guesses by which a `/` is an operator or the start of a regex literal,
/// and it is total: whatever the bytes are, tokens come out and the end is reached.
package struct Lexer {
  /// The text, with at least one byte of 0 behind it.
  let bytes: UnsafePointer<UInt8>
  /// The number of bytes of the text.
  let end: Int
  let tables = ByteTables.shared

  package var position: Int
  /// The token before the next one.
  package private(set) var previous: Token
  /// The string literals with an open interpolation around `position`.
  var strings: ContiguousArray<OpenString> = []
  /// The end of a regex literal that was found in the middle of an operator and starts at `position`; 0 if there is none.
  var splitRegexEnd = 0
  /// Set by `try?` and `try!`: what follows cannot be a binary operator.
  var isAfterMarkedTry = false
  /// The number of `#` for which no multi-line regex literal is closed any more.
  var unclosedRegexPounds = Int.max

  /// - Parameters:
  ///   - bytes: the whole file, ended by a byte of 0; it must outlive the lexer.
  ///   - position: where to start; a place between two tokens.
  package init(_ bytes: UnsafeBufferPointer<UInt8>, from position: Int = 0) {
    // An empty buffer may have no address; a source text always has its byte of 0.
    precondition(bytes.last == 0, "the text is ended by a byte of 0")
    self.bytes = bytes.baseAddress.unsafelyUnwrapped
    self.end = bytes.count - 1
    self.position = position
    self.previous = Token(.endOfFile, start: position, end: position)
  }

  /// The next token. At the end it is `endOfFile`, again and again.
  package mutating func next() -> Token {
    let isFirst = previous.kind == .endOfFile && previous.start == position
    let isBroken = skipTrivia()
    let start = position
    let kind = splitRegexEnd > 0 ? takeSplitRegex() : lexToken()
    if kind != .postfixQuestion && kind != .postfixExclamation { isAfterMarkedTry = false }
    let token = Token(kind, startsLine: isBroken || isFirst, start: start, end: position)
    previous = token
    return token
  }

  private mutating func lexToken() -> TokenKind {
    let start = position
    switch tables.classes[Int(bytes[start])] {
    case .letter:
      skipWord()
      return .word
    case .leftParen: return openParenthesis()
    case .rightParen: return closeParenthesis()
    case .comma: return single(.comma)
    case .colon:
      position = start + (bytes[start + 1] == UInt8(ascii: ":") ? 2 : 1)
      return position == start + 2 ? .colonColon : .colon
    case .leftBrace: return single(.leftBrace)
    case .rightBrace: return single(.rightBrace)
    case .leftSquare: return single(.leftSquare)
    case .rightSquare: return single(.rightSquare)
    case .semicolon: return single(.semicolon)
    case .atSign: return single(.atSign)
    case .backslash: return single(.backslash)
    case .operatorStart, .slash: return lexOperator()
    case .less: return lexPlaceholder() ? .word : lexOperator()
    case .questionOrExclamation: return lexQuestionOrExclamation()
    case .quote: return lexString(pounds: 0)
    case .singleQuote: return lexSingleQuoted()
    case .digit:
      skipNumber()
      return .number
    case .pound: return lexPound()
    case .backtick: return lexBacktick()
    case .dollar:
      position = start + 1
      skipWord()
      // `$0` is no name, as `$0a` is: neither generic arguments nor a declaration can follow.
      let name = start + 1..<position
      return !name.isEmpty && name.allSatisfy { tables.classes[Int(bytes[$0])] == .digit } ? .number : .word
    case .nonASCII: return lexNonASCII()
    case .newline: return leaveStringAtNewline()
    case .nul where start >= end: return .endOfFile
    case .nul, .space, .other: return single(.unknown)
    }
  }

  private mutating func single(_ kind: TokenKind) -> TokenKind {
    position += 1
    return kind
  }

  private mutating func takeSplitRegex() -> TokenKind {
    position = splitRegexEnd
    splitRegexEnd = 0
    return .regex
  }
}
