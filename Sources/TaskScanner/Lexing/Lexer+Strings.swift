/// A string literal around the lexer's position, left for one of its interpolations.
struct OpenString {
  var pounds: Int
  var isMultiline: Bool
  var isSingleQuoted = false
  /// The parentheses that were opened in the interpolation and are not closed yet.
  var depth = 0
}

extension Lexer {
  /// A string literal; `position` is at its quote.
  mutating func lexString(pounds: Int) -> TokenKind {
    let quote = position
    let isMultiline = isMultilineQuote(at: quote, pounds: pounds)
    position = quote + (isMultiline ? 3 : 1)
    return lexStringBody(OpenString(pounds: pounds, isMultiline: isMultiline), isContinued: false)
  }

  /// `'…'` is no literal of the language, but the compiler reads it as one to say so.
  mutating func lexSingleQuoted() -> TokenKind {
    position += 1
    return lexStringBody(OpenString(pounds: 0, isMultiline: false, isSingleQuoted: true), isContinued: false)
  }

  mutating func openParenthesis() -> TokenKind {
    position += 1
    if !strings.isEmpty { strings[strings.count - 1].depth += 1 }
    return .leftParen
  }

  /// Closes a parenthesis, or an interpolation: then its literal goes on.
  mutating func closeParenthesis() -> TokenKind {
    position += 1
    guard var string = strings.popLast() else { return .rightParen }
    if string.depth == 0 { return lexStringBody(string, isContinued: true) }
    string.depth -= 1
    strings.append(string)
    return .rightParen
  }

  /// A line break ends a literal on one line, and with it the interpolation that was left open in it.
  mutating func leaveStringAtNewline() -> TokenKind {
    strings.removeLast()
    return .interpolationClose
  }

  private mutating func lexStringBody(_ string: OpenString, isContinued: Bool) -> TokenKind {
    var index = position
    let ended: TokenKind = isContinued ? .interpolationClose : .string
    while true {
      while !tables.isStringStop[Int(bytes[index])] { index += 1 }
      switch tables.classes[Int(bytes[index])] {
      case .quote:
        if let after = endOfString(string, at: index) {
          position = after
          return ended
        }
        index += 1
      case .singleQuote:
        index += 1
        if string.isSingleQuoted {
          position = index
          return ended
        }
      case .backslash:
        index += 1
        guard hasPounds(string.pounds, at: index) else { continue }
        index += string.pounds
        switch tables.classes[Int(bytes[index])] {
        case .leftParen:
          position = index + 1
          var open = string
          open.depth = 0
          strings.append(open)
          return isContinued ? .interpolationNext : .interpolationOpen
        case .newline, .nul: continue
        default: index += 1
        }
      case .newline where string.isMultiline:
        index += 1
      case .nul where index < end:
        index += 1
      default:
        // The end of the line or of the file: not terminated.
        position = index
        return ended
      }
    }
  }

  /// Where a literal ends, if it does at this quote.
  private func endOfString(_ string: OpenString, at quote: Int) -> Int? {
    if string.isSingleQuoted { return nil }
    var index = quote + 1
    if string.isMultiline {
      guard bytes[index] == UInt8(ascii: "\""), bytes[index + 1] == UInt8(ascii: "\"") else { return nil }
      index += 2
    }
    return hasPounds(string.pounds, at: index) ? index + string.pounds : nil
  }

  private func hasPounds(_ count: Int, at index: Int) -> Bool {
    var found = 0
    // The byte of 0 behind the text stops this before the end.
    while found < count && bytes[index + found] == UInt8(ascii: "#") { found += 1 }
    return found == count
  }

  /// `"""` opens a literal of several lines, but `#"""#` holds a quote.
  private func isMultilineQuote(at quote: Int, pounds: Int) -> Bool {
    guard bytes[quote + 1] == UInt8(ascii: "\""), bytes[quote + 2] == UInt8(ascii: "\"") else { return false }
    guard pounds > 0 else { return true }
    var index = quote + 3
    if hasPounds(pounds, at: index) { return false }
    while index < end && tables.classes[Int(bytes[index])] != .newline {
      if bytes[index] == UInt8(ascii: "\"") && hasPounds(pounds, at: index + 1) { return false }
      index += 1
    }
    return true
  }
}
