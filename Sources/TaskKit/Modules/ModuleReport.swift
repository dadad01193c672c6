/// What one module did at an occurrence of an event.
public struct ModuleReport: Sendable, Hashable {
  /// The module's name.
  public let name: String
  /// Its methods, in the order of their starts.
  public let tasks: [TaskName]
  /// How long they took together; what ran at the same time counts twice.
  public let duration: Duration
}
