/// An `#if` whose `#endif` has not come yet.
struct OpenDirective {
  var group: Int
  var number = 0
  /// The branch around it.
  var parent: Int?
  /// How deep the scopes were.
  var depth: Int
}

extension DeclarationReader {
  /// Reads `#if`, `#elseif` or `#else` with its condition, or `#endif`. Attributes stay pending, since an `#if` may hold
  /// attributes only.
  mutating func readDirective() {
    if !scope.modifiers.isEmpty { forgetPending() }
    let kind = token.kind
    let group = token.start
    if kind == .poundIf {
      directives.append(OpenDirective(group: group, parent: branch, depth: depth))
      advance()
      openBranch(readCondition())
      return
    }
    guard var directive = directives.popLast() else { return advance() }
    leaveScopes(downTo: directive.depth)
    advance()
    if kind == .poundEndif {
      branch = directive.parent
      return
    }
    directive.number += 1
    directives.append(directive)
    if kind == .poundElse {
      openBranch(SourceSpan(start: group, end: group))
    } else {
      openBranch(readCondition())
    }
  }

  private mutating func openBranch(_ condition: SourceSpan) {
    guard let directive = directives.last else { return }
    let previous = directive.number == 0 ? nil : branch
    result.branches.append(
      ConditionBranch(
        parent: directive.parent, group: directive.group, number: directive.number, previous: previous,
        condition: condition))
    branch = result.branches.count - 1
  }

  /// A condition goes to the end of the line, and further in parentheses.
  private mutating func readCondition() -> SourceSpan {
    var condition = SourceSpan(start: token.start, end: token.start)
    var depth = 0
    while depth > 0 || !token.startsLine {
      switch token.kind {
      case .endOfFile, .poundIf, .poundElse, .poundElseif, .poundEndif: return condition
      case .rightBrace where depth == 0: return condition
      case .leftParen, .leftBrace: depth += 1
      case .rightParen, .rightBrace: depth -= 1
      default: break
      }
      condition.end = token.end
      advance()
    }
    return condition
  }
}
