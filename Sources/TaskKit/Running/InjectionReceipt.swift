/// What an injection came to.
public struct InjectionReceipt: Sendable, Hashable {
  /// The task's, by which it can be paused and destroyed.
  public let name: TaskName
  /// Its event is running: the task takes part from the next occurrence on.
  public let startsWithNextOccurrence: Bool
  /// Its event happens once, and has: the task was run now, as asked, or never will be.
  public let eventHasPassed: Bool
  /// What its `after:` names and no task of the center is called, where the declaration does not say that it may be absent:
  /// perhaps a mistake. It counts from the injection of such a task on.
  public let unmatchedAfter: [TaskName]
}
