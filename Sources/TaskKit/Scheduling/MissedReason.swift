/// Why a slot was not used.
public enum MissedReason: Sendable, Hashable {
  /// It had passed when its center was started.
  case beforeStart
  /// The clock was looked at too late: the machine slept, or the clock was set.
  case late
  /// The task was paused, and it is too late for the slot, or the task that has taken its place has no more runs, or the
  /// task has left or the center has shut down in the pause.
  case paused
  /// An earlier run was still going, or had yet to begin where the task that has taken its place has no more runs.
  case overlap
}
