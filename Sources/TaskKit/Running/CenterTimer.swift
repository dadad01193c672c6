/// What a center waits for the clock to do, but for its schedules.
enum CenterTimer: Sendable {
  /// A burst of sends of an event is over.
  case quiet(event: Int)
  case ofRun(RunHandle, RunTimer)

  func isRetry(of node: Int32, attempt: Int, in run: RunHandle) -> Bool {
    if case .ofRun(run, .retry(node, attempt)) = self { true } else { false }
  }
}
