/// What a byte can be the start of. The lexer decides by it, so that a byte costs one look into a table.
enum ByteClass: UInt8 {
  case space, newline, nul, slash, letter, digit, dollar
  /// An ASCII character that starts an operator, apart from those with a case of their own.
  case operatorStart
  case less, questionOrExclamation
  case leftBrace, rightBrace, leftParen, rightParen, leftSquare, rightSquare
  case comma, semicolon, colon, atSign, backslash, pound
  case quote, singleQuote, backtick
  /// The first byte of a character outside ASCII, or of none.
  case nonASCII
  case other
}

/// Tables over all bytes. They live as long as the process.
struct ByteTables {
  let classes: UnsafePointer<ByteClass>
  /// True for the ASCII letters, digits, `_` and `$`.
  let isWordPart: UnsafePointer<Bool>
  /// True for what ends a run of ordinary characters in a string literal.
  let isStringStop: UnsafePointer<Bool>

  // Written once, before the first reader gets them, and never again.
  nonisolated(unsafe) static let shared = ByteTables()

  private init() {
    let classes = UnsafeMutablePointer<ByteClass>.allocate(capacity: 256)
    let isWordPart = UnsafeMutablePointer<Bool>.allocate(capacity: 256)
    let isStringStop = UnsafeMutablePointer<Bool>.allocate(capacity: 256)
    for byte in 0..<256 {
      classes[byte] = Self.classify(UInt8(byte))
      isWordPart[byte] = classes[byte] == .letter || classes[byte] == .digit || classes[byte] == .dollar
      switch classes[byte] {
      case .quote, .singleQuote, .backslash, .newline, .nul: isStringStop[byte] = true
      default: isStringStop[byte] = false
      }
    }
    self.classes = UnsafePointer(classes)
    self.isWordPart = UnsafePointer(isWordPart)
    self.isStringStop = UnsafePointer(isStringStop)
  }

  private static func classify(_ byte: UInt8) -> ByteClass {
    switch Unicode.Scalar(byte) {
    case _ where byte >= 0x80: .nonASCII
    case " ", "\t", "\u{B}", "\u{C}": .space
    case "\n", "\r": .newline
    case "\0": .nul
    case "/": .slash
    case "a"..."z", "A"..."Z", "_": .letter
    case "0"..."9": .digit
    case "$": .dollar
    case "=", "-", "+", "*", "%", ">", "&", "|", "^", "~", ".": .operatorStart
    case "<": .less
    case "?", "!": .questionOrExclamation
    case "{": .leftBrace
    case "}": .rightBrace
    case "(": .leftParen
    case ")": .rightParen
    case "[": .leftSquare
    case "]": .rightSquare
    case ",": .comma
    case ";": .semicolon
    case ":": .colon
    case "@": .atSign
    case "\\": .backslash
    case "#": .pound
    case "\"": .quote
    case "'": .singleQuote
    case "`": .backtick
    default: .other
    }
  }
}
