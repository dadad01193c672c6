/// What a token is. Words are not told apart here: only a few keywords matter, and only in some places.
package enum TokenKind: UInt8, Sendable {
  case endOfFile
  /// `name`, a keyword, `_`, `$name`, or an editor placeholder.
  case word
  /// A name between backticks.
  case escapedWord
  /// `12`, `0x1p-3`, or `$0`.
  case number
  /// A whole string literal without interpolation.
  case string
  /// The part of a string literal up to and including `\(`.
  case interpolationOpen
  /// From the `)` that ends one interpolation to the `\(` of the next one of the same literal.
  case interpolationNext
  /// From the `)` that ends the last interpolation to the end of the literal.
  case interpolationClose
  case regex

  case leftBrace, rightBrace
  case leftParen, rightParen
  case leftSquare, rightSquare
  case comma, semicolon, colon, colonColon, atSign, backslash, backtick, period, arrow, equal

  /// `#` that starts none of the following.
  case pound
  case poundIf, poundElseif, poundElse, poundEndif
  /// `#available`, `#unavailable`, `#sourceLocation`.
  case poundWord
  case shebang

  /// `&` before an operand.
  case prefixAmpersand
  case infixQuestion, postfixQuestion, postfixExclamation
  case binaryOperator, prefixOperator, postfixOperator
  case unknown
}
