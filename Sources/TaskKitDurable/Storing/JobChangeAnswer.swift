/// What a change did.
public struct JobChangeAnswer: Hashable, Sendable {
  /// How many of the selected jobs were changed; what follows for others is not counted.
  public var count: Int
  /// Attempts of this owner that are no longer wanted.
  public var cancelled: [AttemptToken]

  public init(count: Int, cancelled: [AttemptToken] = []) {
    self.count = count
    self.cancelled = cancelled
  }
}
