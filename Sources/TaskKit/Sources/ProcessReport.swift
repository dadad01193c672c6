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
