/// Which clock an interval is measured with.
public enum ScheduleClock: Sendable, Hashable {
  /// The time in which the machine sleeps counts.
  case continuous
  /// The time in which the machine sleeps does not count.
  case suspending
}
