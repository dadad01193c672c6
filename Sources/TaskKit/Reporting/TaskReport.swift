/// What one task of an occurrence came to.
public struct TaskReport: Sendable {
  /// What a task waited for before its body began, and between its attempts.
  public struct Waits: Sendable, Hashable, Codable {
    /// For what it depends on or comes after, from the start of the event.
    public internal(set) var dependency = Duration.zero
    /// For a thread, a slot or its lane, while more urgent tasks went first.
    public internal(set) var slot = Duration.zero
    /// For the main actor.
    public internal(set) var mainActor = Duration.zero
    /// Between its attempts: for the delay, and after that for a slot, its lane or the main actor.
    public internal(set) var retry = Duration.zero
    /// For being resumed, where it was held back: in a lane that was paused or not open. A paused task of an event is
    /// skipped, and what it missed is delivered as an occurrence of its own.
    public internal(set) var pause = Duration.zero
  }

  /// Its whole name, with the module.
  public let name: TaskName
  /// How it ended.
  public let outcome: TaskOutcome
  /// What the body threw after it was told to end, if that was no `CancellationError`; nil with every outcome but
  /// ``TaskOutcome/cancelled``.
  public internal(set) var errorAfterCancellation: (any Error)?
  /// When the body began, from the start of the event; nil if it never did.
  public let started: Duration?
  /// From the beginning of the first attempt's body until the task's end, delays between attempts included.
  public let duration: Duration
  /// What it waited for.
  public let waits: Waits
  /// The declared priority, or that of its most urgent dependent.
  public let effectivePriority: Priority
  /// How often the body was run.
  public let attempts: Int
  /// The body still runs although the task has ended: it ignores cancellation, or cannot be cancelled.
  public let isStillRunning: Bool
  /// Where it was declared or injected.
  public let location: TaskLocation
  /// The module whose method it is, by its name; nil for other tasks.
  public let module: String?
  /// Whether its declaration says that its failure does not matter; the task may have left the center.
  var failureIsIgnored = false
}
