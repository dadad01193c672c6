/// What the end of an event waited for: the chain of pieces of time, each beginning where the one before ends, that
/// leads from the start of the event to its end.
///
/// Shortening any other task changes nothing. Each link is what the next start really waited for: the end of a
/// dependency, of the task that left its slot, the main actor, or the delay before an attempt.
public struct CriticalPath: Sendable, Hashable, Codable {
  /// One piece of time.
  public struct Segment: Sendable, Hashable, Codable {
    /// What the time went into.
    public enum Kind: String, Sendable, Hashable, Codable {
      /// The body ran.
      case run
      /// The task could start, and waited for a thread, a slot or its lane, be that taken, paused or not open yet.
      case slot
      /// The task had been chosen, and waited for the main actor.
      case mainActor
      /// The task waited for one of another event, or for its one run there.
      case otherEvent
      /// The task waited for its next attempt.
      case retry
      /// The scheduler was at work, before the first task, between two, or after the last.
      case scheduling
    }

    /// What the time went into.
    public let kind: Kind
    /// The task whose time it is; nil for the scheduler's.
    public let task: TaskName?
    /// How long, on the center's continuous clock.
    public let duration: Duration
  }

  /// The pieces from the start of the event to its end, without gaps; none where it took no time.
  public let segments: [Segment]

  /// The sum of all pieces, which is the event's duration.
  public var duration: Duration {
    segments.reduce(.zero) { $0 + $1.duration }
  }

  /// The tasks on the path, in order.
  public var tasks: [TaskName] {
    var names: [TaskName] = []
    for case let task? in segments.map(\.task) where names.last != task { names.append(task) }
    return names
  }
}
