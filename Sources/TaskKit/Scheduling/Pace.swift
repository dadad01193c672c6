/// What an interval is counted from.
public enum Pace: Sendable, Hashable {
  /// From slot to slot, by arithmetic: nothing shifts it.
  case fixedRate
  /// From the end of a run to the start of the next. There is one slot at a time, so the schedule's own runs never
  /// overlap, and ``MissedRuns/all(max:)`` is refused; `overlap` says what happens beside a run by hand.
  case fixedDelay
}
