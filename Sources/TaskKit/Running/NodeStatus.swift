/// Where a task of a running occurrence stands.
enum NodeStatus: UInt8, Sendable {
  /// Something that it needs has not ended.
  case waiting
  /// It could start.
  case ready
  /// It could start, but its lane is busy.
  case waitingForLane
  case running
  /// An attempt failed, and the next one is not due, or the failed one has not returned.
  case waitingToRetry

  // It has ended: by their order, from here on.
  case succeeded
  case failed
  case timedOut
  case cancelled
  case skippedForDependency
  case skippedNeverRan
  case skippedPaused
  case skippedDisabled
  case skippedAlreadyRan
  case skippedStopped
  /// Cancelled before its body ran.
  case cancelledUnstarted

  /// Whether the body ran and did not succeed.
  var isFailure: Bool { self == .failed || self == .timedOut || self == .cancelled }

  var hasEnded: Bool { rawValue >= NodeStatus.succeeded.rawValue }
  var hasStarted: Bool {
    switch self {
    case .running, .waitingToRetry, .succeeded, .failed, .timedOut, .cancelled: true
    default: false
    }
  }
}
