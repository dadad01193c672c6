/// What a run, or an event between two runs, waits for the clock to do.
enum RunTimer: Sendable {
  /// With the worker that runs the body, which would else have to be looked for among as many as there are bodies.
  case timeout(RunHandle, node: Int32, worker: Int32, attempt: Int)
  case retry(RunHandle, node: Int32, attempt: Int)
  /// A retry was due while the timed-out body still ran, and it has had as long again.
  case abandonRetry(RunHandle, node: Int32, attempt: Int)
  case deadline(RunHandle)
  /// A burst of sends of an event is over.
  case quiet(event: Int)

  var run: RunHandle? {
    switch self {
    case .timeout(let run, _, _, _), .retry(let run, _, _), .abandonRetry(let run, _, _), .deadline(let run): run
    case .quiet: nil
    }
  }

  func isRetry(of node: Int32, attempt: Int, in run: RunHandle) -> Bool {
    if case .retry(run, node, attempt) = self { true } else { false }
  }
}
