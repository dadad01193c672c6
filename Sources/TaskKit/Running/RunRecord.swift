/// What became of the tasks of one occurrence, and when, as a report tells it: it stays for as long as somebody has that.
///
/// Apart from ``RunState``, which goes with the run: what tasks have returned and been sent is nobody's who has a report.
// Changes only under the lock of its center, and not after the last node has ended.
final class RunRecord: @unchecked Sendable {
  /// What releases the start of a task, for the critical path.
  struct Times {
    var ready: Int64 = 0
    /// Chosen by the scheduler; the body begins later where a thread or the main actor has to be waited for.
    var chosen: Int64 = 0
    var begun: Int64 = 0
    /// Of the first attempt, where there are several.
    var firstChosen: Int64 = 0
    var firstBegun: Int64 = 0
    var ended: Int64 = 0
    var retryDelay: Int64 = 0
    /// The prerequisite whose end made the task ready, ``otherEvent``, or -1.
    var readiedBy: Int32 = -1
    /// The task whose end left the worker or the slot free that this one got, or -1.
    var freedBy: Int32 = -1

    /// In place of a prerequisite: one that belongs to another event.
    static let otherEvent: Int32 = -2

    /// The first start: the body begins now unless somebody says otherwise.
    @inline(__always)
    mutating func start(at now: Int64, freedBy node: Int32) {
      chosen = now
      begun = now
      firstChosen = now
      firstBegun = now
      freedBy = node
    }
  }

  /// The time between two attempts of a task.
  struct RetryPause {
    let since: Int64
    /// When the next attempt could begin, unless the pause ended before.
    var ready: Int64 = .max
    var chosen: Int64 = .max
    var until: Int64
    /// As of the first attempt, see ``Times`` and ``laneReleases``.
    var freedBy: Int32 = -1
    var laneRelease: LaneRelease?
  }

  /// A lane was free again for a node: the node of the same run that left it, or -1, and when.
  typealias LaneRelease = (node: Int32, at: Int64)

  let plan: EventPlan
  /// Whether times are taken.
  let isTimed: Bool
  /// Whether a task may have had to wait for a slot.
  let isLimited: Bool
  let origin: Int64
  let memory: RunMemory

  var errors: [Int32: any Error] = [:]
  /// What they say of themselves.
  var errorWords: [Int32: String] = [:]
  /// What bodies threw that had been told to end, but for a `CancellationError`.
  var errorsAfterCancellation: [Int32: any Error] = [:]
  /// Because of whom a node was skipped.
  var culprits: [Int32: TaskName] = [:]
  /// How many attempts of a node have failed before its last one.
  var attempts: [Int32: Int] = [:]
  /// The times between the attempts of a node.
  var retryPauses: [Int32: [RetryPause]] = [:]
  /// For nodes whose first attempt waited for their lane.
  var laneReleases: [Int32: LaneRelease] = [:]
  /// For the same nodes: how long the lane was held meanwhile; what is less than nothing has not come to its end.
  var laneHolds: [Int32: Int64] = [:]

  init(plan: EventPlan, isTimed: Bool, isLimited: Bool, now: Int64) {
    self.plan = plan
    self.isTimed = isTimed
    self.isLimited = isLimited
    origin = now
    memory = RunMemory(plan: plan, isTimed: isTimed)
  }

  var status: UnsafeMutablePointer<NodeStatus> { memory.status }

  /// In the order of their starts.
  var started: UnsafeBufferPointer<Int32> {
    UnsafeBufferPointer(start: memory.started, count: memory.counters.pointee.startedCount)
  }

  /// When what happened to a node; only of a timed run.
  func times(of node: Int32) -> Times {
    memory.times?[Int(node)] ?? Times()
  }

  /// When the wait for a slot was over and that for the main actor began. For other tasks, when the body began; without
  /// a limit there is none but the lane to wait for on the way to the main actor.
  func slotFound(_ times: Times, of node: Int32) -> Int64 {
    guard plan.forms[Int(node)] == .main else { return times.firstBegun }
    return isLimited ? times.firstChosen : laneReleases[node]?.at ?? times.ready
  }

  // MARK: - Words

  func outcome(of node: Int32) -> TaskOutcome {
    switch status[Int(node)] {
    case .succeeded: .succeeded
    case .failed: errors[node].map(TaskOutcome.failed) ?? .cancelled
    case .timedOut: .timedOut
    case .skippedForDependency: .skipped(.dependency(culprits[node] ?? plan.name(node)))
    case .skippedNeverRan: .skipped(.dependencyNeverRan(culprits[node] ?? plan.name(node)))
    case .skippedPaused: .skipped(.paused)
    case .skippedDisabled: .skipped(.disabled)
    case .skippedAlreadyRan: .skipped(.alreadyRan)
    case .skippedStopped: .skipped(.eventStopped)
    case .cancelled, .cancelledUnstarted, .waiting, .ready, .waitingForLane, .running, .waitingToRetry: .cancelled
    }
  }

  /// The outcome's description. An error is not asked for its own: that is a user's code.
  func outcomeWords(of node: Int32) -> String {
    if status[Int(node)] == .failed, let words = errorWords[node] { return "failed: \(words)" }
    return outcome(of: node).description
  }
}
