/// A static property or method, or a class's own, among the members of a type.
struct StaticMember {
  /// `let`, `var` or `func`.
  let keyword: String
  let name: SourceSpan
  /// `public`, `private`, …; nil where no level is written.
  let access: String?
  /// The innermost branch of `#if` around it, by index.
  let branch: Int?
  /// What stands between the parentheses behind the name of a method; nil where something else is behind it.
  let parameters: SourceSpan?
}

extension FileReader {
  /// The static properties and methods between the braces of a type, those in `#if` too, as far as some build has them.
  func staticMembers(of type: TypeDeclaration) -> [StaticMember] {
    let tokens = expression(type.body).tokens
    var members: [StaticMember] = []
    var depth = 0
    // What was read since the last declaration began or ended.
    var words: [String] = []
    // Behind whose value, and a comma, another one may be declared.
    var binding: StaticMember?
    var branches = BranchTrail(declarations.branches, around: type.branch)
    for (index, token) in tokens.enumerated() {
      branches.follow(token)
      switch token.kind {
      case .leftParen where depth == 0 && isDetail(at: index, of: tokens, behind: words.last):
        depth += 1
        // It says who may set, not who sees.
        if words.last != "nonisolated", words.last != "unowned" { words.removeLast() }
      case .leftBrace, .leftParen, .leftSquare, .interpolationOpen:
        depth += 1
        words = []
      case .rightBrace, .rightParen, .rightSquare, .interpolationClose: depth -= 1
      case .comma where depth == 0:
        guard let first = binding, isBinding(at: index + 1, of: tokens) else { continue }
        members.append(
          StaticMember(
            keyword: first.keyword, name: tokens[index + 1].span, access: first.access, branch: first.branch,
            parameters: nil))
      case .word, .escapedWord:
        guard depth == 0 else { continue }
        let word = source.text(token.span)
        if let keyword = words.last, ["let", "var", "func"].contains(keyword) {
          if words.contains("static") || words.contains("class"), isInSomeBuild(branches.innermost) {
            let member = StaticMember(
              keyword: keyword, name: token.span, access: words.first { Self.accessLevels.contains($0) },
              branch: branches.innermost,
              parameters: keyword == "func" ? parentheses(at: tokens[(index + 1)...]) : nil)
            members.append(member)
            if keyword != "func" { binding = member }
          }
          words = []
        } else {
          if Self.declaringWords.contains(word), index == 0 || tokens[index - 1].kind != .period { binding = nil }
          words.append(word)
        }
      default: break
      }
    }
    return members
  }

  private static let accessLevels: Set<String> = ["public", "open", "package", "internal", "fileprivate", "private"]

  /// With one of them another declaration begins.
  private static let declaringWords: Set<String> = [
    "let", "var", "func", "init", "deinit", "subscript", "case", "struct", "enum", "class", "actor", "protocol",
    "extension", "typealias", "associatedtype", "static",
  ]

  /// Whether parentheses belong to a modifier: `private(set)`, `nonisolated(unsafe)`.
  private func isDetail(at index: Int, of tokens: [Token], behind modifier: String?) -> Bool {
    guard let modifier, index > 0, index + 2 < tokens.count, tokens[index - 1].kind == .word,
      tokens[index + 2].kind == .rightParen
    else { return false }
    return ["nonisolated", "unowned"].contains(modifier)
      || (Self.accessLevels.contains(modifier) && source.text(tokens[index + 1].span) == "set")
  }

  /// Whether a name stands there with its type or its value.
  private func isBinding(at index: Int, of tokens: [Token]) -> Bool {
    index + 1 < tokens.count && [.word, .escapedWord].contains(tokens[index].kind)
      && [.colon, .equal].contains(tokens[index + 1].kind)
  }

  /// What stands between the parentheses that open with the first of some tokens.
  private func parentheses(at tokens: ArraySlice<Token>) -> SourceSpan? {
    guard let opening = tokens.first, opening.kind == .leftParen else { return nil }
    var depth = 0
    for token in tokens {
      if token.kind == .leftParen { depth += 1 }
      if token.kind == .rightParen { depth -= 1 }
      if depth == 0 { return SourceSpan(start: opening.end, end: token.start) }
    }
    return nil
  }
}
