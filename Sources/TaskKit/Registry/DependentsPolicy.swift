/// What becomes of tasks that depend on one that is left out, destroyed or replaced.
public enum DependentsPolicy: Sendable, Hashable {
  /// The call is refused, and the error lists them.
  case refuse
  /// They go with it, and so do those that depend on them.
  case include
  /// They stay and no longer wait for it; reading its output throws.
  case detach
}
