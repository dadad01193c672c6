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
