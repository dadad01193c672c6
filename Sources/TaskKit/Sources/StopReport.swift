/// What the `stop` of one task came to.
public struct StopReport: Sendable {
  /// Whose stop it was.
  public let name: TaskName
  /// Where that is declared.
  public let location: TaskLocation
  /// `timedOut` where its share of the deadline passed before it returned; it was cancelled then, and left to itself. A
  /// synchronous one of the main actor that had not begun by then, because that was busy, never does.
  /// `skipped(.noTimeLeft)` where no time was left to call it.
  public let outcome: TaskOutcome
  /// How long it took, or had taken when it was given up.
  public let duration: Duration
  /// How long it was allowed to take.
  public let share: Duration
}
