/// What a schedule's `count` is of.
public enum CountRule: Sendable, Hashable {
  /// Runs that began. What is missed, left out because of an overlap, or skipped uses up nothing, so the last run may
  /// come later than `count` slots after the beginning.
  case runs
  /// Slots that passed, used or not, those before the start of the center among them: an offer of seven days ends
  /// after seven days, however often it was shown. Those that pass in a pause use up nothing; one that passed before it, and
  /// whose run the pause keeps from beginning, has been counted.
  case slots
}
