/// What a process does when its launch fails: when a task of ``LifecycleEvent/willFinishLaunching`` or
/// ``LifecycleEvent/didFinishLaunching`` fails or times out, or one of the two events is refused
/// (``EventReport/Status/refused(_:)``).
///
/// A task that says `onFailure: .ignore` is not meant: its failure does not matter.
public enum LaunchFailureRule: Sendable, Hashable {
  /// It goes on without what the task and its dependents would have done, as after a failure in any other event. The
  /// ``ProcessReport`` and the center's events tell.
  case goOn
  /// It shuts down in order once that event has ended: the next launch event is not sent, nothing is started, and the reason
  /// names who failed.
  case shutDown
}
