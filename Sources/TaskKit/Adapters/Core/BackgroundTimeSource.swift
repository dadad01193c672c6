/// Who lets a program go on for a while after it has left the foreground: what a system with such a thing brings to a center.
package struct BackgroundTimeSource: Sendable {
  /// Gives time back that was asked for.
  package typealias GiveBack = @MainActor @Sendable () -> Void

  fileprivate enum Key: SharedKey {
    typealias Value = BackgroundTimeSource
  }

  fileprivate let begin: @MainActor @Sendable (String, @escaping @MainActor @Sendable () -> Void) -> GiveBack?

  /// - Parameter begin: asks the system for time, with what it is for and what to do when the time is over sooner than the
  ///   work; gives nil where the system gives none.
  package init(
    _ begin:
      @escaping @MainActor @Sendable (
        _ name: String, _ whenOver: @escaping @MainActor @Sendable () -> Void
      ) -> GiveBack?
  ) {
    self.begin = begin
  }

  /// Lets the center ask here from now on.
  package func serve(_ center: TaskCenter) { center[Key.self] = self }
}

extension CallbackBridge {
  /// Holds time for what is still at work: until it has ended, or the time is over, which cancels it (Bw16).
  ///
  /// Asks for none where nothing is at work, or no system has brought any.
  @MainActor func holdTime(for run: EventRun) {
    guard run.finishedReport == nil, let source = center[BackgroundTimeSource.Key.self] else { return }
    let time = HeldTime()
    time.giveBack = source.begin("TaskKit \(run.event)") {
      run.cancel()
      // At once: a system ends a program that keeps time which is over.
      time.end()
    }
    guard time.giveBack != nil else { return }
    // Ended by the report, which comes for what is cancelled as well.
    _Concurrency.Task {
      _ = await run.report
      time.end()
    }
  }
}

/// Time that is given back once.
@MainActor private final class HeldTime {
  var giveBack: BackgroundTimeSource.GiveBack?

  func end() {
    let giveBack = self.giveBack.take()
    giveBack?()
  }
}
