public import Foundation

/// What a call of ``TaskKit/TaskCenter/enqueue(_:_:)->JobID`` decides; what is nil its kind does.
public struct EnqueueOptions: Sendable {
  public var start: NewJob.Start
  public var queue: String?
  public var priority: JobPriority?
  public var attempts: JobAttempts?
  public var deadline: Duration?
  /// A key as it is, without the kind in front.
  public var unique: UniqueKey?
  /// The jobs that have to succeed before: of the same store, since ids are numbers of one store each.
  public var after: [JobID]
  public var parentFailure: ParentFailure?
  public var requires: [Constraint]?
  /// When it runs even if a constraint does not hold: "charging and on Wi-Fi, but no later than Friday".
  public var requiresUntil: NewJob.Start?
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

  /// When others have succeeded.
  public static func after(_ parents: JobID...) -> EnqueueOptions { EnqueueOptions(after: parents) }
}
