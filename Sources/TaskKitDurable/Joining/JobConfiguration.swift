public import Foundation

/// What can be chosen about the jobs of a center.
public struct JobConfiguration: Sendable {
  /// By name; those that are not here have the default.
  public var queues: [String: QueueOptions]
  /// What holds for queues that are not in ``queues``.
  public var defaultQueue: QueueOptions
  /// Where the states of constraints come from. When two know the same one, what has changed last counts, and who says that it
  /// is unknown takes nothing away from the other.
  public var monitors: [any ConstraintMonitor]
  /// What this process is called in pauses and in the store.
  public var owner: String

  public init(
    queues: [String: QueueOptions] = [:], defaultQueue: QueueOptions = QueueOptions(),
    monitors: [any ConstraintMonitor] = .system,
    owner: String = "\(ProcessInfo.processInfo.processName) \(ProcessInfo.processInfo.processIdentifier)"
  ) {
    self.queues = queues
    self.defaultQueue = defaultQueue
    self.monitors = monitors
    self.owner = owner
  }
}

/// What can be chosen about a queue.
public struct QueueOptions: Sendable, Hashable {
  /// How many of its jobs run at a time in this process: four, as ever (Z15). At least one; a center refuses others. Of a center
  /// with several stores each has as many workers for its jobs of the queue.
  public var workers: Int
  /// After how long of waiting a job's major priority counts as one more, so that none waits for ever (Z12); nil: never.
  ///
  /// What waiting adds changes the order of jobs of different priorities all the time, and never that of equal ones: of these
  /// the first is the one that became ready first. In an SQLite file a claim looks at one job of each priority and number of
  /// attempts, however many wait; the file has an index for that from the first such claim on, which jobs of its other queues
  /// pay for, too. In memory and in PostgreSQL each claim of such a queue looks at all of its jobs that are ready.
  ///
  /// With it a job of major priority `p` waits behind later ones of priority `q` for at most `(q - p + 1) * aging` of
  /// free workers.
  public var aging: Duration?

  public init(workers: Int = 4, aging: Duration? = nil) {
    self.workers = workers
    self.aging = aging
  }
}
