/// What the life of a process came to: how it was launched, what its sources did, and how it ended.
///
/// `description` is a text for people and makes no promise about its form.
public struct ProcessReport: Sendable, CustomStringConvertible {
  /// Of ``LifecycleEvent/willFinishLaunching`` and ``LifecycleEvent/didFinishLaunching``, as far as they had ended.
  public let launch: [EventReport]
  /// In the order in which they were given.
  public let sources: [EventSourceReport]
  /// How it ended.
  public let shutdown: ShutdownReport

  /// Whether no task of the launch has failed or timed out, but for those whose declaration says that it does not matter,
  /// none of its events was refused, and the shutdown has ended well and in time.
  public var isSuccess: Bool {
    launch.allSatisfy { $0.failures.isEmpty && $0.refusal == nil } && shutdown.isSuccess
  }

  public var description: String {
    let launched = launch.flatMap { [$0.summary] + $0.failures.map(\.failureLine) }
    return ([shutdown.description] + launched + sources.map { "source \($0)" }).joined(separator: "\n")
  }
}

extension EventReport {
  /// Why nothing of it ran; nil for one that was not refused.
  var refusal: String? {
    if case .refused(let reason) = status { reason } else { nil }
  }

  /// Who failed or timed out, but for those whose declaration says that it does not matter.
  var failures: [TaskReport] {
    tasks.filter { task in
      switch task.outcome {
      case .failed, .timedOut: !task.failureIsIgnored
      case .succeeded, .cancelled, .skipped: false
      }
    }
  }
}

extension TaskReport {
  /// Who failed, how and where that is declared.
  fileprivate var failureLine: String { "\(name): \(outcome), \(location)" }
}

/// What a process does when its launch fails: when a task of ``LifecycleEvent/willFinishLaunching`` or
/// ``LifecycleEvent/didFinishLaunching`` fails or times out, or one of the two events is refused
/// (``EventReport/Status/refused(_:)``).
///
/// A task that says `onFailure: .ignore` is not meant: its failure does not matter.
public enum LaunchFailureRule: Sendable, Hashable {
  /// It goes on without what the task and its dependents would have done, as after a failure in any other event. The
  /// ``ProcessReport`` and the center's events tell.
  case goOn
  /// It shuts down in order once that event has ended: the next launch event is not sent, nothing is started, and the reason
  /// names who failed.
  case shutDown
}

/// Why a center shuts down.
public enum ShutdownReason: Sendable, Hashable, CustomStringConvertible {
  /// Somebody called ``TaskCenter/shutDown(because:)`` without a reason, or ``TaskCenter/terminate(deadline:)``.
  case requested
  /// Somebody called ``TaskCenter/shutDown(because:)``, and said why.
  case because(String)
  /// Tasks of the launch failed, and ``TaskCenter/run(sources:options:ifLaunchFails:shutdownDeadline:)`` was told to end then:
  /// their names.
  case launchFailed([TaskName])
  /// An event of the launch was refused, and the same: the event, and why.
  case launchRefused(String, String)
  /// A source of events said so: its name, and why.
  case source(String, String)
  /// The task that ran the process was cancelled.
  case cancelled

  public var description: String {
    switch self {
    case .requested: "requested"
    case .because(let reason), .source(_, let reason): reason
    case .launchRefused(let event, let reason): "the launch failed: '\(event)' was refused: \(reason)"
    case .launchFailed(let names): "the launch failed: " + names.map(\.rawValue).joined(separator: ", ")
    case .cancelled: "cancelled"
    }
  }
}

/// How a center shut down: what ``LifecycleEvent/willTerminate`` came to, what was undone, and who did not make it.
public struct ShutdownReport: Sendable, CustomStringConvertible {
  /// Why it ended.
  public let reason: ShutdownReason
  /// How long the shutdown was allowed to take.
  public let deadline: Duration
  /// From the beginning of the shutdown to its end.
  public let duration: Duration
  /// Of ``LifecycleEvent/willTerminate``.
  public let termination: EventReport
  /// The stops in the order in which they were called: the reverse of that in which their tasks had started.
  public let stops: [StopReport]
  /// Bodies of tasks that were asked to end and had not returned when the stops began, those of
  /// ``LifecycleEvent/willTerminate`` among them.
  public let unfinished: [UnfinishedTask]

  /// Whether everything has ended well and in time. A task of ``LifecycleEvent/willTerminate`` that failed or timed out
  /// counts, unless its declaration says that it does not matter.
  public var isSuccess: Bool {
    hasTerminatedWell && unfinished.isEmpty && stops.allSatisfy(\.outcome.isSuccess)
  }

  private var hasTerminatedWell: Bool { termination.status == .completed && termination.failures.isEmpty }

  public var description: String {
    var lines = ["shutdown (\(reason)) after \(EventReport.text(duration)) of \(EventReport.text(deadline))"]
    if !hasTerminatedWell {
      // Whoever still runs has a line below.
      let late = Set(unfinished.map(\.name))
      lines.append(termination.summary)
      lines += termination.failures.filter { !late.contains($0.name) }.map(\.failureLine)
    }
    lines += unfinished.map { task in
      "still running: \(task.name), \(task.location)" + (task.duration.map { ", for \(EventReport.text($0))" } ?? "")
    }
    lines += stops.map { stop in
      "stop of \(stop.name): \(stop.outcome), \(EventReport.text(stop.duration)) of \(EventReport.text(stop.share)), "
        + "\(stop.location)"
    }
    return lines.joined(separator: "\n")
  }
}

/// What the `stop` of one task came to.
public struct StopReport: Sendable {
  /// Whose stop it was.
  public let name: TaskName
  /// Where that is declared.
  public let location: TaskLocation
  /// `timedOut` where its share of the deadline passed before it returned; it was cancelled then, and left to itself. A
  /// synchronous one of the main actor that had not begun by then, because that was busy, never does.
  /// `skipped(.noTimeLeft)` where no time was left to call it.
  public let outcome: TaskOutcome
  /// How long it took, or had taken when it was given up.
  public let duration: Duration
  /// How long it was allowed to take.
  public let share: Duration
}

/// A body that had not returned when it should have.
public struct UnfinishedTask: Sendable, Hashable {
  /// Whose body has not returned.
  public let name: TaskName
  /// Where that is declared.
  public let location: TaskLocation
  /// How long it had been running; nil where the center takes no times.
  public let duration: Duration?
}
