/// Follows the branches of `#if` through the tokens of a file.
struct BranchTrail {
  private let branches: [ConditionBranch]
  private var open: [Int?]

  /// - Parameters:
  ///   - branches: those of the file.
  ///   - around: the one in which the first token stands, by index.
  init(_ branches: [ConditionBranch], around: Int?) {
    self.branches = branches
    open = [around]
  }

  /// The innermost branch around the last token, by index.
  var innermost: Int? { open.last ?? nil }

  mutating func follow(_ token: Token) {
    switch token.kind {
    case .poundIf, .poundElseif, .poundElse:
      if token.kind != .poundIf, open.count > 1 { open.removeLast() }
      // Branches are in the order of the text, and each one's condition stands behind the word, or in its place.
      open.append(branches.firstIndex { $0.condition.start >= token.start })
    case .poundEndif: if open.count > 1 { open.removeLast() }
    default: break
    }
  }
}
