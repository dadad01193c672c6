/// How a task did over the life of a center (R34).
public struct TaskStatistics: Sendable, Hashable, CustomStringConvertible {
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

  /// For people: `3 runs, 12.0 ms on average, 20.0 ms at most, the last 4.00 ms: succeeded`. It may be worded better in a
  /// later version.
  public var description: String {
    guard count > 0 else { return "no run" + (lastOutcome.map { ", the last occurrence: \($0)" } ?? "") }
    let times = [
      "\(EventReport.text(total / count)) on average", "\(EventReport.text(maximum)) at most",
      "the last \(EventReport.text(last))",
    ]
    let late = lateReturns > 0 ? ["\(lateReturns) returned after \(lateReturns == 1 ? "its" : "their") time"] : []
    return (["\(count) run\(count == 1 ? "" : "s")"] + late + times).joined(separator: ", ")
      + (lastOutcome.map { ": \($0)" } ?? "")
  }

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
