/// A body that had not returned when it should have.
public struct UnfinishedTask: Sendable, Hashable {
  /// Whose body has not returned.
  public let name: TaskName
  /// Where that is declared.
  public let location: TaskLocation
  /// How long it had been running; nil where the center takes no times.
  public let duration: Duration?
}
