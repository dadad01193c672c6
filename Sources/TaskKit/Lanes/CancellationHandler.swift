/// What a token calls when nobody waits for its answer any more, and where.
enum CancellationHandler: Sendable {
  case anywhere(@Sendable () -> Void)
  case onMain(@MainActor @Sendable () -> Void)

  func call() async {
    switch self {
    case .anywhere(let handler): handler()
    case .onMain(let handler): await handler()
    }
  }

  /// Calls it where nothing can be awaited; one of the main actor follows there if this is elsewhere.
  func callAtOnce() {
    switch self {
    case .anywhere(let handler):
      handler()
    case .onMain(let handler):
      if MainThread.isCurrent {
        MainActor.assumeIsolated { handler() }
      } else {
        // Ends with the handler.
        _Concurrency.Task { @MainActor in handler() }
      }
    }
  }
}
