/// Compares types as sources write them: `Shop.Order` and `Order` may be one.
enum TypeSpelling {
  /// Whether the types are two, as far as the sources tell.
  ///
  /// - Parameter otherScope: of the second; nil for one that TaskKit names.
  static func areDifferent(
    _ first: String, in scope: NameScope, _ second: String, in otherScope: NameScope?, _ known: KnownTypes
  ) -> Bool {
    guard !mayBeSame(first, second), let first = unaliased(first, in: scope, known),
      let second = unaliased(second, in: otherScope, known)
    else { return false }
    return !mayBeSame(first, second)
  }

  /// Whether two types may be one, however each is written.
  static func mayBeSame(_ first: String, _ second: String) -> Bool {
    let (first, second) = (normalized(first), normalized(second))
    if first.isEmpty || second.isEmpty || first == second { return true }
    if first.hasSuffix("." + second) || second.hasSuffix("." + first) { return true }
    for beginning in ["Optional<", "Array<"] where first.hasPrefix(beginning) && second.hasPrefix(beginning) {
      let inner = [first, second].map { String($0.dropFirst(beginning.count).dropLast()) }
      return mayBeSame(inner[0], inner[1])
    }
    // One type may be written in several ways, unless one of them is a name.
    return !isPath(first) && !isPath(second)
  }

  private static func isPath(_ type: String) -> Bool {
    type.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
  }

  /// What is behind the aliases in a type; nil where the sources do not tell.
  private static func unaliased(_ type: String, in scope: NameScope?, _ known: KnownTypes) -> String? {
    guard var scope else { return type }
    let source = SourceText(path: "", type)
    var path = TypePath.read(SourceSpan(start: 0, end: source.count), of: source)
    guard path.isPlain, !path.hasGenericArguments else {
      return mayMeanAnother(source, in: scope, known) ? nil : type
    }
    for _ in 0..<NameScope.longestAlias {
      switch known.target(of: path, in: scope) {
      case .none where !isKnown(path, in: scope, known): return nil
      case .none: return path.names.joined(separator: ".")
      // Which of the two is nearer, only the compiler follows.
      case .one where !known.types(path, in: scope).isEmpty: return nil
      case .one(let target, let next) where !target.hasGenericArguments: (path, scope) = (target, next)
      case .one, .unknown: return nil
      }
    }
    return nil
  }

  /// Whether a name in a type that is written as more than a path may stand for something else than a known type.
  private static func mayMeanAnother(_ type: SourceText, in scope: NameScope, _ known: KnownTypes) -> Bool {
    let tokens = SourceExpression(SourceSpan(start: 0, end: type.count), of: type).tokens
    // `[A.B: C]`
    let paths = tokens.split { ![.word, .escapedWord, .period, .colonColon].contains($0.kind) }
    return paths.contains { path in
      guard let first = path.first, let last = path.last else { return false }
      let path = TypePath.read(SourceSpan(start: first.start, end: last.end), of: type)
      return path.plainNames.contains(where: known.mayBeAlias) || !isKnown(path, in: scope, known)
    }
  }

  /// Whether the sources tell which type is meant: a module that is not scanned may declare an alias of anything, and what
  /// is inherited from elsewhere they do not show.
  private static func isKnown(_ path: TypePath, in scope: NameScope, _ known: KnownTypes) -> Bool {
    var path = path
    if let first = path.names.first { path.names[0] = withoutAny(first) }
    return known.isStandard(path) || !known.types(path, in: scope).isEmpty
  }

  /// Without spaces and the language's shorthands.
  private static func normalized(_ type: String) -> String {
    var type = type.replacing("::", with: ".").filter { !$0.isWhitespace && $0 != "`" }
    if type == "()" { return "Void" }
    // `(any Error)`, and what Swift 5 lets one write without that word.
    if type.hasPrefix("("), type.hasSuffix(")"), !type.dropFirst().dropLast().contains(where: "(),".contains) {
      type = String(type.dropFirst().dropLast())
    }
    type = withoutAny(type)
    if let other = commonAliases[type] { return other }
    if type.hasSuffix("?") { return "Optional<\(normalized(String(type.dropLast())))>" }
    if type.hasPrefix("["), type.hasSuffix("]"), !type.contains(":"), !type.dropFirst().dropLast().contains("]") {
      return "Array<\(normalized(String(type.dropFirst().dropLast())))>"
    }
    return type
  }

  /// `anyError`, where white space is left out.
  private static func withoutAny(_ type: String) -> String {
    type.hasPrefix("any") && type.dropFirst(3).first?.isUppercase == true ? String(type.dropFirst(3)) : type
  }

  /// Aliases of libraries that are not scanned.
  private static let commonAliases = [
    "TimeInterval": "Double", "Float64": "Double", "Float32": "Float", "CDouble": "Double", "CFloat": "Float",
    "CInt": "Int32", "CLong": "Int", "CBool": "Bool", "CChar": "Int8", "CSignedChar": "Int8", "CUnsignedChar": "UInt8",
    "CShort": "Int16", "CUnsignedShort": "UInt16", "CUnsignedInt": "UInt32", "CUnsignedLong": "UInt",
    "CLongLong": "Int64",
    "CUnsignedLongLong": "UInt64", "NSNotification.Name": "Notification.Name", "UnicodeScalar": "Unicode.Scalar",
  ]
}
