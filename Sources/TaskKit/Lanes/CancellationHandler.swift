/// What a token calls when nobody waits for its answer any more, and where.
enum CancellationHandler: Sendable {
  case anywhere(@Sendable () -> Void)
  case onMain(@MainActor @Sendable () -> Void)

  /// Calls it and waits for its end, also where the calling task is cancelled.
  func call() async {
    guard case .onMain(let handler) = self, !MainThread.isCurrent else { return callAtOnce() }
    await withCheckedContinuation { continuation in
      Self.addToMain(handler) { continuation.resume() }
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
        Self.addToMain(handler) {}
      }
    }
  }

  /// Not by a plain hop: the main actor may be waiting for the very task whose wait ends with the handler.
  private static func addToMain(_ handler: @escaping MainActorWork.Body, then end: @escaping @Sendable () -> Void) {
    // It belongs to whoever calls, on whichever thread's turn it comes.
    let box = WorkerBox.current
    MainActorWork.add {
      WorkerBox.$current.withValue(box) { handler() }
      end()
    }
  }
}
