public import Foundation

/// What a call of ``TaskKit/TaskCenter/enqueue(_:_:)->JobID`` decides; what is nil its kind does.
public struct EnqueueOptions: Sendable {
  /// When it may run at the earliest.
  public var start: NewJob.Start
  /// The queue whose workers run it.
  public var queue: String?
  /// How early, among the jobs of its queue.
  public var priority: JobPriority?
  /// How often it is tried in all.
  public var attempts: JobAttempts?
  /// How long one attempt may take; see ``JobOptions/deadline``.
  public var deadline: Duration?
  /// A key as it is, without the kind in front. As the name of a queue it is refused where letters and their accents are apart.
  public var unique: UniqueKey?
  /// The jobs that have to succeed before: of the same store, since ids are numbers of one store each.
  ///
  /// One that the store no longer knows counts as ended without a result, and holds up nothing: that is so for a job that has
  /// succeeded and is not kept, as by default, and for one that was discarded or deleted. Where its result is needed, or it
  /// may have failed, the jobs are enqueued together, as a ``JobBatch``, or the parent's kind has a ``JobRetention``.
  public var after: [JobID]
  /// What becomes of it when one of those does not succeed.
  public var parentFailure: ParentFailure?
  /// What has to hold outside of the program.
  public var requires: [Constraint]?
  /// When it runs even if a constraint does not hold: "charging and on Wi-Fi, but no later than Friday".
  public var requiresUntil: NewJob.Start?
  /// Words by which it is selected; see ``JobSelection/tags``.
  public var tags: [String]

  public init(
    start: NewJob.Start = .now, queue: String? = nil, priority: JobPriority? = nil, attempts: JobAttempts? = nil,
    deadline: Duration? = nil, unique: UniqueKey? = nil, after: [JobID] = [], parentFailure: ParentFailure? = nil,
    requires: [Constraint]? = nil, requiresUntil: NewJob.Start? = nil, tags: [String] = []
  ) {
    self.start = start
    self.queue = queue
    self.priority = priority
    self.attempts = attempts
    self.deadline = deadline
    self.unique = unique
    self.after = after
    self.parentFailure = parentFailure
    self.requires = requires
    self.requiresUntil = requiresUntil
    self.tags = tags
  }

  /// Not before that time has passed.
  public static func delayed(_ delay: Duration) -> EnqueueOptions { EnqueueOptions(start: .after(delay)) }

  /// Not before a date.
  public static func at(_ date: Date) -> EnqueueOptions { EnqueueOptions(start: .at(date)) }

  /// When others have succeeded; those that are no longer there count as ended without a result: see ``after``.
  public static func after(_ parents: JobID...) -> EnqueueOptions { EnqueueOptions(after: parents) }
}
