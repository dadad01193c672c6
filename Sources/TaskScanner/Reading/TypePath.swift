/// The names in a type that is written as a path: `A.B`, `M::A.B`, `A<Int>.B`.
package struct TypePath: Sendable, Hashable {
  /// With their backticks.
  package var names: [String] = []
  /// The module selector in front.
  package var module: String?
  package var hasGenericArguments = false
  /// False for `[A]`, `A?`, `(A, B)`, `any A`: then the names are only a part.
  package var isPlain = true

  /// As source.
  package var text: String { (module.map { $0 + "::" } ?? "") + names.joined(separator: ".") }

  /// The names without backticks.
  package var plainNames: [String] { names.map(Self.plain) }

  package static func plain(_ name: String) -> String {
    name.count > 2 && name.hasPrefix("`") && name.hasSuffix("`") ? String(name.dropFirst().dropLast()) : name
  }

  package static func read(_ span: SourceSpan, of source: SourceText) -> TypePath {
    source.withLexer(from: span.start) { lexer in
      var path = TypePath()
      var depth = 0
      var expectsName = true
      while true {
        let token = lexer.next()
        if token.kind == .endOfFile || token.start >= span.end { break }
        switch token.kind {
        case .word, .escapedWord:
          guard depth == 0 else { continue }
          if !expectsName { path.isPlain = false }
          path.names.append(source.text(token.span))
          expectsName = false
        case .period where depth == 0:
          // Nothing before it, or two of them.
          if expectsName { path.isPlain = false }
          expectsName = true
        case .colonColon where depth == 0:
          // Only the first one says which module is meant; the others agree with it.
          let module = path.names.popLast().map(plain)
          path.module = path.module ?? module
          expectsName = true
        case .binaryOperator, .prefixOperator, .postfixOperator:
          for byte in source.bytes[token.start..<token.end] {
            if byte == UInt8(ascii: "<") { depth += 1 }
            if byte == UInt8(ascii: ">") { depth -= 1 }
          }
          path.hasGenericArguments = true
        default:
          if depth == 0 { path.isPlain = false }
        }
      }
      path.isPlain = path.isPlain && !path.names.isEmpty && !expectsName
      return path
    }
  }
}
