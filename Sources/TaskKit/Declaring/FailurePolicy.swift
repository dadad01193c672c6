/// What the failure of a task means for the others.
///
/// Failure here means: failed, timed out or cancelled. A task that was skipped has not failed, so none of this applies to it.
public enum FailurePolicy: Sendable, Hashable {
  /// Tasks that depend on it are skipped, with its name as the reason. Everything else goes on.
  case skipDependents

  /// Tasks that depend on it run all the same; reading its output throws.
  case ignore

  /// No further task of this occurrence starts; what runs already is left to end.
  case stopEvent
}
