extension Lexer {
  /// Skips what a name goes on with.
  mutating func skipWord() {
    var index = position
    while true {
      let byte = bytes[index]
      if tables.isWordPart[Int(byte)] {
        index += 1
      } else if byte >= 0x80 {
        let (scalar, length) = scalar(at: index)
        if !UnicodeRanges.isWordPart(scalar) { break }
        index += length
      } else {
        break
      }
    }
    position = index
  }

  /// A number, with what is stuck to it: nothing here depends on the difference between `1e5`, `0x1p-3` and `1a`.
  mutating func skipNumber() {
    let start = position
    let isTupleIndex = previous.kind == .period && previous.end == start
    let base = bytes[start + 1]
    let isDecimal = !(bytes[start] == UInt8(ascii: "0") && (base == 0x78 || base == 0x6F || base == 0x62))
    skipWord()
    skipSign(isDecimal: isDecimal, from: start)
    guard bytes[position] == UInt8(ascii: "."), !isTupleIndex else { return }
    let next = bytes[position + 1]
    if isDecimal ? isDigit(next) : base == 0x78 && isHexFraction(after: position + 1) {
      position += 1
      let fraction = position
      skipWord()
      skipSign(isDecimal: isDecimal, from: fraction)
    }
  }

  /// The sign of an exponent and its digits, if the word before ends in `e` (decimal) or `p` (hexadecimal).
  private mutating func skipSign(isDecimal: Bool, from start: Int) {
    let sign = bytes[position]
    guard sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+"), position > start else { return }
    let mark = bytes[position - 1] | 0x20
    guard mark == (isDecimal ? 0x65 : 0x70), isDigit(bytes[position + 1]) else { return }
    // In `0xfep` only the first letter that is no digit of the number starts the exponent.
    var index = isDecimal ? start : start + 2
    while index < position - 1 {
      let byte = bytes[index]
      guard isDigit(byte) || byte == UInt8(ascii: "_") || (!isDecimal && isHexDigit(byte)) else { return }
      index += 1
    }
    position += 1
    skipWord()
  }

  /// Whether digits and an exponent follow: `0x1.8p3` is a number, `0xff.description` a member of one.
  private func isHexFraction(after point: Int) -> Bool {
    var index = point
    while isHexDigit(bytes[index]) || (bytes[index] == UInt8(ascii: "_") && index > point) { index += 1 }
    guard index > point, bytes[index] | 0x20 == 0x70 else { return false }
    let next = bytes[index + 1]
    return isDigit(next) || next == UInt8(ascii: "-") || next == UInt8(ascii: "+")
  }

  private func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  private func isHexDigit(_ byte: UInt8) -> Bool { isDigit(byte) || (byte | 0x20) &- 0x61 < 6 }

  /// A name between backticks, on one line; a lone backtick else.
  mutating func lexBacktick() -> TokenKind {
    var index = position + 1
    while index < end && bytes[index] != UInt8(ascii: "`") && tables.classes[Int(bytes[index])] != .newline {
      index += 1
    }
    guard index < end, bytes[index] == UInt8(ascii: "`") else {
      position += 1
      return .backtick
    }
    position = index + 1
    return .escapedWord
  }

  /// `<#placeholder#>` counts as a name.
  mutating func lexPlaceholder() -> Bool {
    guard bytes[position + 1] == UInt8(ascii: "#") else { return false }
    var index = position + 2
    while index < end {
      switch bytes[index] {
      case UInt8(ascii: "\n"): return false
      case UInt8(ascii: "<") where bytes[index + 1] == UInt8(ascii: "#"): return false
      case UInt8(ascii: "#") where bytes[index + 1] == UInt8(ascii: ">"):
        position = index + 2
        return true
      default: index += 1
      }
    }
    return false
  }

  mutating func lexNonASCII() -> TokenKind {
    let (scalar, length) = scalar(at: position)
    if UnicodeRanges.isOperatorStart(scalar) { return lexOperator() }
    if UnicodeRanges.isWordPart(scalar) {
      position += length
      skipWord()
      return .word
    }
    position += length
    return .unknown
  }

  /// `#if` and its relatives, `#"raw strings"#`, `#/regex literals/#`, and the `#` of a macro.
  mutating func lexPound() -> TokenKind {
    let start = position
    if start == 0 && bytes[1] == UInt8(ascii: "!") {
      skipToEndOfLine()
      return .shebang
    }
    var index = start
    while bytes[index] == UInt8(ascii: "#") { index += 1 }
    let pounds = index - start
    if bytes[index] == UInt8(ascii: "\"") {
      position = index
      return lexString(pounds: pounds)
    }
    if bytes[index] == UInt8(ascii: "/"), let regexEnd = regexEnd(from: start, mustBeRegex: true) {
      position = regexEnd
      return .regex
    }
    if pounds > 1 {
      // All but the last at once: each on its own would look over the rest again.
      position = index - 1
      return .unknown
    }
    var wordEnd = index
    while tables.classes[Int(bytes[wordEnd])] == .letter { wordEnd += 1 }
    let kind = Self.directive(bytes + index, length: wordEnd - index)
    position = kind == .pound ? index : wordEnd
    return kind
  }

  private static func directive(_ word: UnsafePointer<UInt8>, length: Int) -> TokenKind {
    func matches(_ text: StaticString) -> Bool {
      guard text.utf8CodeUnitCount == length else { return false }
      for index in 0..<length where word[index] != text.utf8Start[index] { return false }
      return true
    }
    return switch length {
    case 2: matches("if") ? .poundIf : .pound
    case 4: matches("else") ? .poundElse : .pound
    case 5: matches("endif") ? .poundEndif : .pound
    case 6: matches("elseif") ? .poundElseif : .pound
    case 9: matches("available") ? .poundWord : .pound
    case 11: matches("unavailable") ? .poundWord : .pound
    case 14: matches("sourceLocation") ? .poundWord : .pound
    default: .pound
    }
  }
}
