/// What happens with slots that have passed unused when the clock is next looked at.
public enum MissedRuns: Sendable, Hashable {
  /// One run for the latest of them, which is told how many it stands for.
  case latest
  /// None; what passes while the center lives and is less than a second late is not missed. A date that passes while the center
  /// lives is used all the same, as with ``latest``.
  case skip
  /// A run for each of the latest ones, up to that many, one after the other in their order.
  case all(max: Int)
}
