/// What a run waits for the clock to do.
enum RunTimer: Sendable {
  /// With the worker that runs the body, which would else have to be looked for among as many as there are bodies.
  case timeout(node: Int32, worker: Int32, attempt: Int)
  case retry(node: Int32, attempt: Int)
  /// A retry was due while the timed-out body still ran, and it has had as long again.
  case abandonRetry(node: Int32, attempt: Int)
  case deadline
}
