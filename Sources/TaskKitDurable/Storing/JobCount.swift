/// How many jobs of a kind are in a state, in a queue.
public struct JobCount: Hashable, Sendable, Codable {
  /// The queue.
  public var queue: String
  /// The kind.
  public var kind: String
  /// The state.
  public var state: JobState
  /// How many; what has none is not listed.
  public var count: Int

  public init(queue: String, kind: String, state: JobState, count: Int) {
    self.queue = queue
    self.kind = kind
    self.state = state
    self.count = count
  }
}
