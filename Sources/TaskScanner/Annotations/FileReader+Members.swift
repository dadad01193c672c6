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
    var branches = BranchTrail(declarations.branches, around: type.branch)
    for (index, token) in tokens.enumerated() {
      branches.follow(token)
      switch token.kind {
      case .leftBrace, .leftParen, .leftSquare, .interpolationOpen:
        depth += 1
        words = []
      case .rightBrace, .rightParen, .rightSquare, .interpolationClose: depth -= 1
      case .word, .escapedWord:
        guard depth == 0 else { continue }
        if let keyword = words.last, ["let", "var", "func"].contains(keyword) {
          if words.contains("static") || words.contains("class"), isInSomeBuild(branches.innermost) {
            members.append(
              StaticMember(
                keyword: keyword, name: token.span,
                access: words.first {
                  ["public", "open", "package", "internal", "fileprivate", "private"].contains($0)
                },
                branch: branches.innermost,
                parameters: keyword == "func" ? parentheses(at: tokens[(index + 1)...]) : nil))
          }
          words = []
        } else {
          words.append(source.text(token.span))
        }
      default: break
      }
    }
    return members
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
