/// What a task asks of the scheduler beyond being run.
///
/// One byte, which each plan keeps for each of its tasks and each step reads: all of its bits are taken, and another one would
/// not compile before it is made wider.
struct TaskDemands: OptionSet, Sendable {
  let rawValue: UInt8
  static let timeout = TaskDemands(rawValue: 1)
  static let retry = TaskDemands(rawValue: 2)
  static let lane = TaskDemands(rawValue: 4)
  static let once = TaskDemands(rawValue: 8)
  static let failureIsIgnored = TaskDemands(rawValue: 16)
  static let failureStopsEvent = TaskDemands(rawValue: 32)
  static let stop = TaskDemands(rawValue: 64)
  /// A schedule counts the runs that begin.
  static let number = TaskDemands(rawValue: 128)
}

extension TaskDemands {
  init(
    timeout: Duration?, retry: RetryPolicy, onFailure: FailurePolicy, runs: RunLimit, lane: Lane?, stop: TaskStop?,
    isScheduled: Bool
  ) {
    self = []
    if timeout != nil { insert(.timeout) }
    if retry.attempts > 1 { insert(.retry) }
    if lane != nil { insert(.lane) }
    if runs == .once { insert(.once) }
    if stop != nil { insert(.stop) }
    if isScheduled { insert(.number) }
    switch onFailure {
    case .skipDependents: break
    case .ignore: insert(.failureIsIgnored)
    case .stopEvent: insert(.failureStopsEvent)
    }
  }
}
