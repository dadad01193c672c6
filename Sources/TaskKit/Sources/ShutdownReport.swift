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
  /// ``LifecycleEvent/willTerminate`` among them; and what began as the stores of jobs were closed, because a job had given up, and
  /// had not returned at the deadline.
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
