public import TaskKit

/// Two tasks of which one has to start before the other, although nothing says so.
public struct OrderDependence: Error, Sendable, CustomStringConvertible {
  /// One of the two.
  public struct Participant: Sendable, Hashable {
    /// The task.
    public let name: TaskName
    /// Where it was declared or injected.
    public let location: TaskLocation
    /// The event at which it runs.
    public let event: String
  }

  /// The one that has to start first.
  public let first: Participant
  /// The one that must not start before it.
  public let second: Participant
  /// The event at which both run; if they run at two that are going at the same time, that of the first.
  public var event: String { first.event }
  /// The order of the event's tasks, or of those of both events, with which all is well.
  public let passing: [TaskName]
  /// The same with the two exchanged.
  public let failing: [TaskName]
  /// What went wrong then: the error, or the result that is another than in the order of the law.
  public let failure: String
  /// The seed of the first order that failed: with it and one run the search begins there.
  public let seed: UInt64
  /// Whether both orders gave the same again when they were tried once more. If not, something else than the order decides.
  public let isRepeatable: Bool

  public var description: String {
    let isOneEvent = second.event == event
    let other = isOneEvent ? "" : " at '\(second.event)'"
    // A task of an event may not wait for one of a schedule, nor for one of an event that only comes later.
    let advice =
      isOneEvent
      ? "name it in the dependencies of '\(second.name)'"
      : "name it in the dependencies of '\(second.name)' where that may wait for it, or let '\(second.event)' not begin "
        + "before '\(event)' has ended"
    var text = """
      at '\(event)', '\(first.name)' (\(first.location)) has to start before '\(second.name)' (\(second.location))\(other), and \
      nothing says so: \(failure); \(advice) (seed \(seed))
      """
    if !isRepeatable { text += "; tried again, the same orders gave something else" }
    return text
  }
}
