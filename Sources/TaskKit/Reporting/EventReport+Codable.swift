/// The encoded form of a report, for machines. Times are whole nanoseconds.
///
/// Within one version fields are added, never changed or removed. An error is encoded as its text, and decodes as a
/// ``ReportedError``; a reply is not encoded, because its type is the event's.
extension EventReport: Codable {
  /// The version that is written; a later one is refused.
  public static let encodedVersion = 1

  private enum Key: String, CodingKey {
    case version, event, status, duration, taskCount, tasks, criticalPath
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(EventReport.encodedVersion, forKey: .version)
    try container.encode(event, forKey: .event)
    try container.encode(EncodedStatus(status), forKey: .status)
    try container.encode(duration.nanoseconds, forKey: .duration)
    try container.encode(taskCount, forKey: .taskCount)
    try container.encode(tasks.map(EncodedTask.init), forKey: .tasks)
    try container.encode(criticalPath.segments.map(EncodedSegment.init), forKey: .criticalPath)
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let version = try container.decode(Int.self, forKey: .version)
    guard version <= EventReport.encodedVersion else {
      throw DecodingError.dataCorruptedError(
        forKey: .version, in: container,
        debugDescription: "report of version \(version); this TaskKit reads up to \(EventReport.encodedVersion)")
    }
    self.init(
      event: try container.decode(String.self, forKey: .event),
      status: try container.decode(EncodedStatus.self, forKey: .status).status,
      duration: .nanoseconds(try container.decode(Int64.self, forKey: .duration)),
      taskCount: try container.decodeIfPresent(Int.self, forKey: .taskCount),
      tasks: try container.decode([EncodedTask].self, forKey: .tasks).map(\.report),
      criticalPath: CriticalPath(
        segments: try container.decode([EncodedSegment].self, forKey: .criticalPath).map(\.segment)))
  }
}

/// An error that was read from an encoded report: its text is all that is left of it.
public struct ReportedError: Error, Sendable, Hashable, CustomStringConvertible {
  public let description: String
}

private struct EncodedStatus: Codable {
  enum Kind: String, Codable { case completed, alreadyHappened, refused, dropped, cancelled, deadlineExceeded }
  let kind: Kind
  let reason: String?

  init(_ status: EventReport.Status) {
    (kind, reason) =
      switch status {
      case .completed: (.completed, nil)
      case .alreadyHappened: (.alreadyHappened, nil)
      case .refused(let reason): (.refused, reason)
      case .dropped: (.dropped, nil)
      case .cancelled: (.cancelled, nil)
      case .deadlineExceeded: (.deadlineExceeded, nil)
      }
  }

  var status: EventReport.Status {
    switch kind {
    case .completed: .completed
    case .alreadyHappened: .alreadyHappened
    case .refused: .refused(reason ?? "")
    case .dropped: .dropped
    case .cancelled: .cancelled
    case .deadlineExceeded: .deadlineExceeded
    }
  }
}

private struct EncodedSkip: Codable {
  enum Kind: String, Codable {
    case dependency, dependencyNeverRan, paused, disabled, alreadyRan, eventStopped, noTimeLeft
  }
  let kind: Kind
  /// The one that it waited for.
  let task: TaskName?

  init(_ reason: SkipReason) {
    (kind, task) =
      switch reason {
      case .dependency(let name): (.dependency, name)
      case .dependencyNeverRan(let name): (.dependencyNeverRan, name)
      case .paused: (.paused, nil)
      case .disabled: (.disabled, nil)
      case .alreadyRan: (.alreadyRan, nil)
      case .eventStopped: (.eventStopped, nil)
      case .noTimeLeft: (.noTimeLeft, nil)
      }
  }

  var reason: SkipReason {
    switch kind {
    case .dependency: .dependency(task ?? "")
    case .dependencyNeverRan: .dependencyNeverRan(task ?? "")
    case .paused: .paused
    case .disabled: .disabled
    case .alreadyRan: .alreadyRan
    case .eventStopped: .eventStopped
    case .noTimeLeft: .noTimeLeft
    }
  }
}

private struct EncodedSegment: Codable {
  let kind: CriticalPath.Segment.Kind
  let task: TaskName?
  let duration: Int64

  init(_ segment: CriticalPath.Segment) {
    kind = segment.kind
    task = segment.task
    duration = segment.duration.nanoseconds
  }

  var segment: CriticalPath.Segment {
    CriticalPath.Segment(kind: kind, task: task, duration: .nanoseconds(duration))
  }
}

private struct EncodedTask: Codable {
  enum Outcome: String, Codable { case succeeded, failed, timedOut, cancelled, skipped }

  struct Waits: Codable {
    let dependency, slot, mainActor, retry, pause: Int64
  }

  let name: TaskName
  let outcome: Outcome
  /// Why it failed, or what it threw after it was told to end.
  let error: String?
  let skipReason: EncodedSkip?
  let started: Int64?
  let duration: Int64
  let waits: Waits
  let effectivePriority: Priority
  let attempts: Int
  let isStillRunning: Bool
  let location: TaskLocation
  let module: String?

  init(_ task: TaskReport) {
    name = task.name
    var error: String?
    var reason: SkipReason?
    switch task.outcome {
    case .succeeded: outcome = .succeeded
    case .failed(let failure):
      outcome = .failed
      error = "\(failure)"
    case .timedOut: outcome = .timedOut
    case .cancelled:
      outcome = .cancelled
      error = task.errorAfterCancellation.map { "\($0)" }
    case .skipped(let why):
      outcome = .skipped
      reason = why
    }
    self.error = error
    skipReason = reason.map(EncodedSkip.init)
    started = task.started?.nanoseconds
    duration = task.duration.nanoseconds
    waits = Waits(
      dependency: task.waits.dependency.nanoseconds, slot: task.waits.slot.nanoseconds,
      mainActor: task.waits.mainActor.nanoseconds, retry: task.waits.retry.nanoseconds,
      pause: task.waits.pause.nanoseconds)
    effectivePriority = task.effectivePriority
    attempts = task.attempts
    isStillRunning = task.isStillRunning
    location = task.location
    module = task.module
  }

  var report: TaskReport {
    var reported = TaskReport.Waits()
    reported.dependency = .nanoseconds(waits.dependency)
    reported.slot = .nanoseconds(waits.slot)
    reported.mainActor = .nanoseconds(waits.mainActor)
    reported.retry = .nanoseconds(waits.retry)
    reported.pause = .nanoseconds(waits.pause)
    let ending: TaskOutcome =
      switch outcome {
      case .succeeded: .succeeded
      case .failed: .failed(ReportedError(description: error ?? ""))
      case .timedOut: .timedOut
      case .cancelled: .cancelled
      case .skipped: .skipped(skipReason?.reason ?? .eventStopped)
      }
    return TaskReport(
      name: name, outcome: ending,
      errorAfterCancellation: outcome == .cancelled ? error.map(ReportedError.init) : nil,
      started: started.map { .nanoseconds($0) }, duration: .nanoseconds(duration), waits: reported,
      effectivePriority: effectivePriority, attempts: attempts, isStillRunning: isStillRunning,
      location: location, module: module)
  }
}
