public import Foundation

/// Something that happened in a center.
public struct CenterEvent: Sendable {
  /// What can happen. Texts are for people, and may change.
  public enum Kind: Sendable {
    /// An occurrence of the event of that name begins: its turn has come.
    case eventStarted(String)
    /// All its tasks have ended, with this report, whoever began the occurrence: a send, a schedule, a notification, a source
    /// of events or a callback of the system. Of a send that ended before it had its turn, by a cancellation, a deadline or a
    /// shutdown, it is all that is told.
    case eventEnded(EventReport)
    /// An occurrence of the event of that name does not run, because of its ``BurstPolicy``: one that came while another was going,
    /// or one that waited and in whose place a later one has come. It has no number: the one in its place keeps that.
    case occurrenceDropped(String)
    /// The body of an attempt begins.
    case taskStarted(TaskName)
    /// A task of an occurrence ended, or was skipped.
    case taskEnded(TaskName, TaskOutcome)
    /// The body of an attempt came back after that had timed out, by itself or by the deadline of the event: too late for its
    /// output or its reply to count. The text is what it came to.
    case taskReturnedLate(TaskName, String)
    /// A body that was told to end threw something else than a `CancellationError`. Its task ends as cancelled all the same;
    /// the text is the error, which ``TaskReport/errorAfterCancellation`` has as well.
    case taskThrewAfterCancellation(TaskName, String)
    /// An attempt failed; the one of that number, from 2, comes after the delay.
    case taskRetried(TaskName, attempt: Int)
    /// It was declared at run time, and takes part from now on.
    case taskInjected(TaskName)
    /// It is gone, and its name is free.
    case taskDestroyed(TaskName)
    /// It does not start until it is resumed.
    case taskPaused(TaskName)
    /// It takes part again.
    case taskResumed(TaskName)
    /// Slots of a scheduled task were not used: so many, of which `latest` was the last. A run that stands for them is
    /// at a later slot.
    case runsMissed(TaskName, count: Int, latest: Date, MissedReason)
    /// A collected task can never fire, for what is wrong with its schedule: the text says what, and how to mend it.
    case scheduleIsImpossible(TaskName, String)
    /// The sequence at whose elements a task runs has ended.
    case sequenceEnded(TaskName)
    /// It has thrown; the text is the error.
    case sequenceFailed(TaskName, String)
    /// The calendar's clock was set by so much; what follows it was planned anew.
    case clockChanged(by: Duration)
    /// The machine is in another time zone; schedules in its local time were planned anew.
    case timeZoneChanged(from: String, to: String)
    /// It was put into a lane at run time.
    case taskEnqueued(TaskName, Lane)
    /// Nothing starts in it until it is resumed.
    case lanePaused(Lane)
    /// What waits in it goes on.
    case laneResumed(Lane)
    /// Its gate opened.
    case laneOpened(Lane)
    /// That failed in it, and the lane stops then.
    case laneStopped(Lane, by: TaskName)
    /// The completion of something in a lane was answered twice or let go unanswered; the text says where.
    case completionMisused(TaskName, String)
    /// A source of events, by its name, listens from now on.
    case sourceStarted(String)
    /// It has ended, by itself or in the shutdown: nothing more comes from it.
    case sourceEnded(String)
    /// A source of events is not available here, or threw; the text says which.
    case sourceFailed(String, String)
    /// What a source of events cannot do, or does in another way.
    case sourceNoted(String, String)
    /// The center shuts down, for that reason.
    case shutdownStarted(String)
    /// The `stop` of a task begins, in a shutdown.
    case stopStarted(TaskName)
    /// The `stop` of a task ended; the text is its outcome in words.
    case stopEnded(TaskName, String)
    /// This observer was too slow: that many of the oldest were dropped before the next one.
    case lost(Int)
  }

  /// What happened.
  public let kind: Kind
  /// When, on the center's continuous clock; not before what was told before it.
  public let time: Duration
  /// Which occurrence it is about, by a number that no other one of this center has; nil where it is about none. What was
  /// put into a lane is one of its own.
  public let occurrence: UInt64?
}
