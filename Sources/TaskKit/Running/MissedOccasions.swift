/// What becomes of the occasions that a paused task misses.
public enum MissedOccasions: Sendable, Hashable {
  /// They are skipped.
  case skip
  /// The latest of them is delivered once when the task is resumed. Where a later pause says ``skip``, what was kept until then is
  /// skipped, too.
  ///
  /// Unless it is a slot of a schedule, it is delivered as an occurrence of that task alone, beside those of its event: whatever
  /// of that is going, the task begins, no ``BurstPolicy`` looks at it, and what comes next does not wait for it, unless the task
  /// has a ``Lane``.
  case deliver
}
