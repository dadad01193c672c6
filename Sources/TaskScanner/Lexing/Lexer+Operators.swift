extension Lexer {
  /// A run of operator characters; in it a regex literal or a comment may start.
  mutating func lexOperator() -> TokenKind {
    let start = position
    var index = endOfOperator(from: start)
    var slash = start
    while slash < index && bytes[slash] != UInt8(ascii: "/") { slash += 1 }
    if slash < index {
      if let regexEnd = regexEnd(at: slash, operatorStart: start, operatorEnd: index) {
        if slash == start {
          position = regexEnd
          return .regex
        }
        splitRegexEnd = regexEnd
        position = slash
        return classifyOperator(from: start, to: slash)
      }
      index = startOfComment(from: start + 1, to: index) ?? index
    }
    position = index
    return classifyOperator(from: start, to: index)
  }

  /// `?` and `!` right behind an operand are tokens of their own.
  mutating func lexQuestionOrExclamation() -> TokenKind {
    guard isLeftBound(position) else { return lexOperator() }
    isAfterMarkedTry = previous.kind == .word && Keyword(of: previous, in: bytes) == .try
    position += 1
    return bytes[position - 1] == UInt8(ascii: "?") ? .postfixQuestion : .postfixExclamation
  }

  private func endOfOperator(from start: Int) -> Int {
    let mayHoldPoints = bytes[start] == UInt8(ascii: ".")
    var index = start + scalar(at: start).length
    while true {
      switch tables.classes[Int(bytes[index])] {
      case .operatorStart:
        if bytes[index] == UInt8(ascii: ".") && !mayHoldPoints { return index }
        index += 1
      case .slash, .less, .questionOrExclamation:
        index += 1
      case .nonASCII:
        let (scalar, length) = scalar(at: index)
        if !UnicodeRanges.isOperatorPart(scalar) { return index }
        index += length
      default:
        return index
      }
    }
  }

  private func startOfComment(from start: Int, to end: Int) -> Int? {
    var index = start
    while index + 1 < end {
      if bytes[index] == UInt8(ascii: "/"),
        bytes[index + 1] == UInt8(ascii: "/") || bytes[index + 1] == UInt8(ascii: "*")
      {
        return index
      }
      index += 1
    }
    return nil
  }

  /// Binary if both sides or none are bound to an operand; else postfix or prefix.
  private func classifyOperator(from start: Int, to end: Int) -> TokenKind {
    let isLeft = isLeftBound(start)
    let isRight = isRightBound(end, isLeftBound: isLeft)
    if end == start + 1 {
      switch bytes[start] {
      case UInt8(ascii: "="): return .equal
      case UInt8(ascii: "."): return .period
      case UInt8(ascii: "&") where !isLeft && isRight: return .prefixAmpersand
      case UInt8(ascii: "?"): return isLeft ? .postfixQuestion : .infixQuestion
      default: break
      }
    } else if end == start + 2 {
      if bytes[start] == UInt8(ascii: "-") && bytes[start + 1] == UInt8(ascii: ">") { return .arrow }
      if bytes[start] == UInt8(ascii: "*") && bytes[start + 1] == UInt8(ascii: "/") { return .unknown }
    }
    if isLeft == isRight { return .binaryOperator }
    return isLeft ? .postfixOperator : .prefixOperator
  }

  /// Whether an operator that starts here has an operand right before it.
  func isLeftBound(_ start: Int) -> Bool {
    guard start > 0 else { return false }
    switch bytes[start - 1] {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0,
      UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"),
      UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"):
      return false
    case UInt8(ascii: "/"):
      // The end of a comment is white space.
      return !(start > 1 && bytes[start - 2] == UInt8(ascii: "*"))
    case 0xA0:
      return !(start > 1 && bytes[start - 2] == 0xC2)
    default:
      return true
    }
  }

  /// Whether an operator that ends here has an operand right behind it.
  func isRightBound(_ end: Int, isLeftBound: Bool) -> Bool {
    switch bytes[end] {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0,
      UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"),
      UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"):
      return false
    case UInt8(ascii: "."):
      return !isLeftBound
    case UInt8(ascii: "/"):
      return bytes[end + 1] != UInt8(ascii: "/") && bytes[end + 1] != UInt8(ascii: "*")
    case 0xC2:
      return bytes[end + 1] != 0xA0
    default:
      return true
    }
  }
}
