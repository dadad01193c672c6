/// A callback API did not answer its ``Completion`` exactly once (Bw6, Bw15).
///
/// An answer too many is only reported; a dropped token is reported, and is what the wait throws.
public struct CompletionError: Error, Sendable, CustomStringConvertible {
  /// The kind of mistake, for code that decides by it.
  public enum Code: String, Sendable, Hashable {
    /// The token had been answered before; this answer counted for nothing.
    case answeredAgain
    /// The last copy of the token was let go, so that no answer can ever come.
    case dropped
  }

  /// What was done to the token.
  public let code: Code
  /// Where the token was made.
  public let location: TaskLocation
  /// Where the first answer was given, which counted unless nobody waited for one any more; nil for a dropped token.
  public let first: TaskLocation?
  /// Where the answer too many was given; nil for a dropped token.
  public let second: TaskLocation?
  /// Whether the wait was given up before the first answer, so that none has counted.
  private let isLate: Bool

  private init(
    _ code: Code, _ location: TaskLocation, first: TaskLocation? = nil, second: TaskLocation? = nil,
    isLate: Bool = false
  ) {
    self.code = code
    self.location = location
    self.first = first
    self.second = second
    self.isLate = isLate
  }

  static func answeredAgain(
    _ location: TaskLocation, first: TaskLocation, second: TaskLocation, isLate: Bool
  ) -> CompletionError {
    CompletionError(.answeredAgain, location, first: first, second: second, isLate: isLate)
  }

  static func dropped(_ location: TaskLocation) -> CompletionError {
    CompletionError(.dropped, location)
  }

  /// One sentence: what is wrong, where, and what to do.
  public var description: String {
    if let first, let second {
      return
        "the completion made at \(location) was answered at \(first) and again at \(second); "
        + (isLate ? "nobody waited any more, but one answer is all it takes" : "only the first answer counts")
        + ", so answer it on one path"
    }
    return "the completion made at \(location) was let go without an answer; answer it on every path, or keep it until "
      + "the callback comes"
  }
}
