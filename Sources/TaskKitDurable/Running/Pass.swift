/// How it stands with something that one does at a time, and does once more where somebody has wanted it meanwhile.
enum Pass {
  case resting
  case going
  case goingAgain

  /// Somebody wants it.
  ///
  /// - Returns: whether it is his to do; otherwise the one does it once more who is at it.
  mutating func begin() -> Bool {
    defer { self = self == .resting ? .going : .goingAgain }
    return self == .resting
  }

  /// It is done.
  ///
  /// - Returns: whether it is to be done once more.
  mutating func goOn() -> Bool {
    defer { self = self == .goingAgain ? .going : .resting }
    return self == .goingAgain
  }
}
