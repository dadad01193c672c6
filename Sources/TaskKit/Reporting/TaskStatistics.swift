/// How a task did over the life of a center (R34).
public struct TaskStatistics: Sendable, Hashable {
  /// How often it ran: ended without being skipped.
  public internal(set) var count = 0
  /// How long its last run took, from the start of the body to its end.
  public internal(set) var last = Duration.zero
  /// How long all its runs took together.
  public internal(set) var total = Duration.zero
  /// How long its longest run took.
  public internal(set) var maximum = Duration.zero
  /// How often a body of it came back after its attempt had timed out, by itself or by the deadline of the event: what it
  /// returned then, an output or a reply, did not count.
  public internal(set) var lateReturns = 0
  /// How it ended last, in words; nil before its first end. Skipped occurrences count here.
  public internal(set) var lastOutcome: String?

  mutating func add(_ duration: Duration) {
    count += 1
    last = duration
    total += duration
    maximum = max(maximum, duration)
  }

  /// Adds several runs at once, in nanoseconds.
  mutating func add(count: Int, last: Int64, total: Int64, maximum: Int64) {
    self.count += count
    self.last = .nanoseconds(last)
    self.total += .nanoseconds(total)
    self.maximum = max(self.maximum, .nanoseconds(maximum))
  }
}
