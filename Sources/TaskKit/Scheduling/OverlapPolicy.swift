/// What happens at a slot while an earlier run of the task is still going.
public enum OverlapPolicy: Sendable, Hashable {
  /// Nothing: the slot is missed.
  case skip
  /// It runs beside it.
  case allow
  /// It runs when the earlier one has ended; of several such slots the latest.
  case queueOne
  /// The earlier run is cancelled, and this one runs when that has ended.
  case replace
}
