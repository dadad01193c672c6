public import TaskKit

/// What becomes of running jobs when the app leaves the foreground (Z43).
public enum JobRecipe: Sendable, Hashable {
  /// Stopped in the background, resumed in the foreground: for apps without background time.
  case stopInBackground(deadline: Duration = .seconds(4))
  /// Goes on in the background until nothing is left to run, and stops when the deadline has passed; resumed in the
  /// foreground. The event `didEnterBackground` lasts as long, so whoever sends it holds the
  /// system's background task meanwhile.
  case continueInBackground(deadline: Duration = .seconds(25))
}

extension JobOperations {
  /// Lets the jobs of a center follow its lifecycle. The shutdown of a center stops its jobs without this.
  ///
  /// It injects two tasks, `TaskKitDurable.background` and `TaskKitDurable.foreground`, which can be paused and destroyed as
  /// others.
  ///
  /// - Throws: what `inject` of the center throws when it was called before.
  public func follow(_ recipe: JobRecipe, in center: TaskCenter) throws {
    // The tasks are the center's: they do not hold it.
    let operations = self
    try center.inject([
      .event(.didEnterBackground, name: "TaskKitDurable.background") { (_: TaskContext<Void>) async in
        switch recipe {
        case .stopInBackground(let deadline): await operations.stop(deadline: deadline)
        case .continueInBackground(let deadline):
          if await !operations.idle(deadline: deadline) { await operations.stop(deadline: .seconds(2)) }
        }
      },
      .event(.willEnterForeground, name: "TaskKitDurable.foreground") { (_: TaskContext<Void>) async in
        operations.resume()
      },
    ])
  }
}
