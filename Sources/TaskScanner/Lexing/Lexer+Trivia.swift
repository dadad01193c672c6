import Foundation

extension Lexer {
  /// Skips white space and comments.
  ///
  /// - Returns: whether there was a line break among them.
  mutating func skipTrivia() -> Bool {
    if splitRegexEnd > 0 { return false }
    var hasNewline = false
    while true {
      switch tables.classes[Int(bytes[position])] {
      case .space:
        position += 1
      case .newline:
        // The interpolation of a string on one line ends with the line.
        if let string = strings.last, !string.isMultiline { return hasNewline }
        hasNewline = true
        position += 1
      case .slash:
        let next = bytes[position + 1]
        if next == UInt8(ascii: "/") {
          skipToEndOfLine()
        } else if next == UInt8(ascii: "*") {
          if skipBlockComment() { hasNewline = true }
        } else {
          return hasNewline
        }
      case .nul:
        if position >= end { return hasNewline }
        position += 1
      case .nonASCII:
        let (scalar, length) = scalar(at: position)
        if UnicodeRanges.isWordPart(scalar) && scalar != 0xFEFF { return hasNewline }
        if UnicodeRanges.isOperatorStart(scalar) { return hasNewline }
        // The byte order mark, a non-breaking space, or what is not allowed in source text.
        position += length
      case .other:
        position += 1
      default:
        return hasNewline
      }
    }
  }

  /// Moves to the line break, or to the end.
  mutating func skipToEndOfLine() {
    let start = bytes + position
    let toNewline = memchr(start, 0x0A, end - position)
    var length = toNewline.map { UnsafeRawPointer(start).distance(to: UnsafeRawPointer($0)) } ?? end - position
    if let toReturn = memchr(start, 0x0D, length) {
      length = UnsafeRawPointer(start).distance(to: UnsafeRawPointer(toReturn))
    }
    position += length
  }

  /// Skips a comment that may hold others; one that is not ended goes to the end of the file.
  ///
  /// - Returns: whether there was a line break in it.
  private mutating func skipBlockComment() -> Bool {
    let start = position
    var depth = 1
    var index = position + 2
    while index < end {
      let byte = bytes[index]
      if byte == UInt8(ascii: "*") && bytes[index + 1] == UInt8(ascii: "/") {
        index += 2
        depth -= 1
        if depth == 0 { break }
      } else if byte == UInt8(ascii: "/") && bytes[index + 1] == UInt8(ascii: "*") {
        index += 2
        depth += 1
      } else {
        index += 1
      }
    }
    position = min(index, end)
    let text = bytes + start
    return memchr(text, 0x0A, position - start) != nil || memchr(text, 0x0D, position - start) != nil
  }

  /// The character at a byte that is not ASCII. Wrong UTF-8 gives U+FFFD, as long as the bytes up to the next character.
  func scalar(at index: Int) -> (scalar: UInt32, length: Int) {
    let first = bytes[index]
    if first < 0x80 { return (UInt32(first), 1) }
    var length = 2
    var value = UInt32(first & 0x1F)
    if first >= 0xF0 {
      length = 4
      value = UInt32(first & 0x07)
    } else if first >= 0xE0 {
      length = 3
      value = UInt32(first & 0x0F)
    }
    var isValid = first >= 0xC2 && first < 0xF5
    if isValid {
      for offset in 1..<length {
        // The byte of 0 behind the text stops this before the end.
        let byte = bytes[index + offset]
        if byte & 0xC0 != 0x80 {
          isValid = false
          break
        }
        value = value << 6 | UInt32(byte & 0x3F)
      }
    }
    let isShortest = length == 2 || value >= (length == 3 ? 0x800 : 0x10000)
    if isValid && isShortest && value <= 0x10FFFF && !(0xD800...0xDFFF).contains(value) { return (value, length) }
    var next = index + 1
    while bytes[next] & 0xC0 == 0x80 { next += 1 }
    return (0xFFFD, next - index)
  }
}
