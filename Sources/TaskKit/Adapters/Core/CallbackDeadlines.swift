/// How long tasks may take in callbacks for whose end the system waits.
public struct CallbackDeadlines: Sendable, Hashable {
  /// For ``LifecycleEvent/willTerminate``, which blocks the main thread until its tasks have ended. iOS gives about five
  /// seconds.
  public var termination: Duration

  /// For callbacks with a completion handler, counted from the callback. iOS gives about thirty seconds.
  public var reply: Duration

  /// - Parameters:
  ///   - termination: for the tasks of the end of the program.
  ///   - reply: for an answer that comes later.
  public init(termination: Duration = .seconds(4), reply: Duration = .seconds(25)) {
    self.termination = termination
    self.reply = reply
  }
}
