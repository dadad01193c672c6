/// What a condition of `#if` says for sure: enough to tell `#if DEBUG` from `#if !DEBUG`, and `os(iOS)` from
/// `os(macOS)`, in whatever files they stand.
struct ConditionFacts {
  /// By question: the answer. Conditions with two answers to one question are never true together.
  private(set) var answers: [String: Int] = [:]

  /// Whether no build has what stands under the condition: an old version that is kept beside the new one.
  var isNever: Bool { answers["false"] == 1 || answers["true"] == 0 }

  /// Whether a question has the same answer in all modules of a build. Flags have not, nor have the language's version, features and
  /// what can be imported.
  static func isOfBuild(_ question: String) -> Bool {
    ["os", "arch", "targetEnvironment", "compiler"].contains { question == $0 || question.hasPrefix($0 + "(") }
  }

  /// More tokens than anybody writes: of such a condition nothing is said, because each nesting costs a look at the rest.
  private static let mostTokens = 1_000

  init(_ condition: String) {
    let source = SourceText(path: "", condition)
    let expression = SourceExpression(SourceSpan(start: 0, end: source.count), of: source)
    guard expression.tokens.count <= Self.mostTokens else { return }
    read(expression.tokens[...], of: source, isNegated: false)
  }

  private mutating func read(_ tokens: ArraySlice<Token>, of source: SourceText, isNegated: Bool) {
    // Of `a || b` nothing is sure, and of `!(a && b)` neither.
    for (separator, isSure) in [("||", isNegated), ("&&", !isNegated)] {
      let parts = Self.split(tokens, at: separator, of: source)
      guard parts.count > 1 else { continue }
      if isSure { for part in parts { read(part, of: source, isNegated: isNegated) } }
      return
    }
    guard let first = tokens.first, let last = tokens.last else { return }
    if first.kind == .prefixOperator, source.text(first.span) == "!" {
      read(tokens.dropFirst(), of: source, isNegated: !isNegated)
    } else if first.kind == .leftParen, last.kind == .rightParen {
      read(tokens.dropFirst().dropLast(), of: source, isNegated: isNegated)
    } else {
      let text = source.text(SourceSpan(start: first.start, end: last.end)).filter { !$0.isWhitespace }
      answers[text] = isNegated ? 0 : 1
      // A build is for one system and one processor.
      for question in ["os", "arch"] where !isNegated && text.hasPrefix(question + "(") {
        answers[question] = text.utf8.reduce(5381) { $0 &* 33 &+ Int($1) }
      }
    }
  }

  private static func split(
    _ tokens: ArraySlice<Token>, at separator: String, of source: SourceText
  ) -> [ArraySlice<Token>] {
    var depth = 0
    return tokens.split(omittingEmptySubsequences: false) { token in
      if token.kind == .leftParen { depth += 1 }
      if token.kind == .rightParen { depth -= 1 }
      return depth == 0 && token.kind == .binaryOperator && source.text(token.span) == separator
    }
  }
}
