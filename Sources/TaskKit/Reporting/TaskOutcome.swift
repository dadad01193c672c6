/// How a task of an occurrence ended. Nothing else exists, and each task of a plan has exactly one.
public enum TaskOutcome: Sendable {
  /// `run` returned.
  case succeeded
  /// `run` threw at its last attempt.
  case failed(any Error)
  /// Its time passed. The body was cancelled; whether it still runs is in the report.
  case timedOut
  /// The send, the run or the task was cancelled.
  case cancelled
  /// It did not run.
  case skipped(SkipReason)

  /// Whether `run` returned; false for everything else, a task that was skipped for good reason included.
  public var isSuccess: Bool {
    if case .succeeded = self { true } else { false }
  }
}

/// Why a task did not run.
public enum SkipReason: Sendable, Hashable {
  /// That task, on which it depends directly or through others, did not end well.
  case dependency(TaskName)
  /// That task, on which it depends, belongs to another event, which was never sent.
  case dependencyNeverRan(TaskName)
  /// It was paused.
  case paused
  /// Its `isEnabled` was false.
  case disabled
  /// It runs once, and has.
  case alreadyRan
  /// A task with `onFailure: .stopEvent` failed, or the event's deadline passed.
  case eventStopped
  /// The deadline of a shutdown had passed before its turn came.
  case noTimeLeft
}

extension SkipReason: CustomStringConvertible {
  public var description: String {
    switch self {
    case .dependency(let name): "'\(name)' did not end well"
    case .dependencyNeverRan(let name): "'\(name)' has not run yet"
    case .paused: "paused"
    case .disabled: "disabled"
    case .alreadyRan: "already ran"
    case .eventStopped: "event stopped"
    case .noTimeLeft: "no time left"
    }
  }
}

extension TaskOutcome: CustomStringConvertible {
  public var description: String {
    switch self {
    case .succeeded: "succeeded"
    case .failed(let error): "failed: \(error)"
    case .timedOut: "timed out"
    case .cancelled: "cancelled"
    case .skipped(let reason): "skipped: \(reason)"
    }
  }
}
