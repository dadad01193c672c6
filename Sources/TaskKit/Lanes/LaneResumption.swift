/// Where a lane goes on that a failure has stopped.
public enum LaneResumption: Sendable, Hashable {
  /// With the first that waits.
  case next
  /// With what has failed.
  case failed
}
