/// When a task with an interval runs for the first time.
public enum FirstRun: Sendable, Hashable {
  /// One interval after its center was started, or after it was injected into a started one (R38, R39).
  case afterInterval
  /// At once, and then after each interval.
  case immediately
}
