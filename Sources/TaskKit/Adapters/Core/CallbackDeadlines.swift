/// How long tasks may take in callbacks for whose end the system waits.
public struct CallbackDeadlines: Sendable, Hashable {
  /// For the end of the program, which blocks the main thread until the center has shut down: the tasks of
  /// ``LifecycleEvent/willTerminate``, what is still going, and what has to be stopped. iOS gives about five seconds. Where
  /// bodies that block hold every thread of the process, it is an eighth more, and at least a tenth of a second.
  public var termination: Duration

  /// For callbacks with a completion handler, counted from the callback. iOS gives about thirty seconds.
  public var reply: Duration

  /// - Parameters:
  ///   - termination: for all that is to be done at the end of the program.
  ///   - reply: for an answer that comes later.
  public init(termination: Duration = .seconds(4), reply: Duration = .seconds(25)) {
    self.termination = termination
    self.reply = reply
  }
}
