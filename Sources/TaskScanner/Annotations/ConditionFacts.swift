/// What a condition of `#if` says for sure: enough to tell `#if DEBUG` from `#if !DEBUG`, and `os(iOS)` from
/// `os(macOS)`, in whatever files they stand.
struct ConditionFacts {
  /// By question: the answer. Conditions with two answers to one question are never true together.
  private(set) var answers: [String: Int] = [:]
  /// By question to which a build has one answer of many, the system or the processor: those that the condition leaves open.
  private(set) var choices: [String: Set<String>] = [:]

  /// Whether no build has what stands under the condition: an old version that is kept beside the new one.
  var isNever: Bool { answers["false"] == 1 || answers["true"] == 0 }

  /// Whether a question has the same answer in all modules of a build. Flags have not, nor have the language's version, features and
  /// what can be imported.
  static func isOfBuild(_ question: String) -> Bool {
    (choiceQuestions + ["targetEnvironment", "compiler"]).contains { question.hasPrefix($0 + "(") }
  }

  /// A build is for one system and one processor.
  private static let choiceQuestions = ["os", "arch"]

  /// Two names of one system.
  private static let synonyms = ["os(OSX)": "os(macOS)", "os(xrOS)": "os(visionOS)"]

  /// More tokens than anybody writes: of such a condition nothing is said, because each nesting costs a look at the rest.
  private static let mostTokens = 1_000

  private init() {}

  init(_ condition: String) {
    let source = SourceText(path: "", condition)
    let expression = SourceExpression(SourceSpan(start: 0, end: source.count), of: source)
    guard expression.tokens.count <= Self.mostTokens else { return }
    read(expression.tokens[...], of: source, isNegated: false)
  }

  private mutating func read(_ tokens: ArraySlice<Token>, of source: SourceText, isNegated: Bool) {
    for (separator, isSure) in [("||", isNegated), ("&&", !isNegated)] {
      let parts = Self.split(tokens, at: separator, of: source)
      guard parts.count > 1 else { continue }
      if isSure {
        for part in parts { read(part, of: source, isNegated: isNegated) }
      } else {
        readAlternatives(parts, of: source, isNegated: isNegated)
      }
      return
    }
    guard let first = tokens.first, let last = tokens.last else { return }
    if first.kind == .prefixOperator, source.text(first.span) == "!" {
      read(tokens.dropFirst(), of: source, isNegated: !isNegated)
    } else if first.kind == .leftParen, last.kind == .rightParen {
      read(tokens.dropFirst().dropLast(), of: source, isNegated: isNegated)
    } else {
      let written = source.text(SourceSpan(start: first.start, end: last.end)).filter { !$0.isWhitespace }
      let text = Self.synonyms[written] ?? written
      answers[text] = isNegated ? 0 : 1
      for question in Self.choiceQuestions where !isNegated && text.hasPrefix(question + "(") {
        restrict(question, to: [text])
      }
    }
  }

  /// Of `a || b` nothing is sure, and of `!(a && b)` neither, but that a system is one of those which the parts leave open.
  private mutating func readAlternatives(_ parts: [ArraySlice<Token>], of source: SourceText, isNegated: Bool) {
    let alternatives = parts.map { part in
      var facts = ConditionFacts()
      facts.read(part, of: source, isNegated: isNegated)
      return facts
    }
    for question in Self.choiceQuestions {
      let choices = alternatives.compactMap { $0.choices[question] }
      if choices.count == parts.count { restrict(question, to: Set(choices.joined())) }
    }
  }

  private mutating func restrict(_ question: String, to choices: Set<String>) {
    self.choices[question] = self.choices[question].map { $0.intersection(choices) } ?? choices
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
