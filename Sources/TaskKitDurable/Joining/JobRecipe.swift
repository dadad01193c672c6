import Synchronization
public import TaskKit

/// What becomes of running jobs when the app leaves the foreground (Z43).
///
/// In the foreground the workers run again that a recipe has stopped, and no others: what somebody has stopped with
/// ``JobOperations/stop(deadline:)`` stays stopped, and what was not started waits for its start.
public enum JobRecipe: Sendable, Hashable {
  /// Stopped in the background, resumed in the foreground: for apps without background time.
  case stopInBackground(deadline: Duration = .seconds(4))
  /// Goes on in the background until nothing is left to run, and stops when the deadline has passed; resumed in the
  /// foreground, where nothing is stopped any more. The event `didEnterBackground` lasts as long.
  case continueInBackground(deadline: Duration = .seconds(25))
}

extension JobOperations {
  /// Lets the jobs of a center follow its lifecycle. The shutdown of a center stops its jobs without this.
  ///
  /// It injects two tasks, `TaskKitDurable.background` and `TaskKitDurable.foreground`, which can be paused and destroyed as
  /// others.
  ///
  /// The system suspends an app that has left the foreground, unless it asks for time. With `stay` it does, for as long as
  /// the recipe takes. Where that time is over before, what runs is stopped at once, and the time is given back within a
  /// second. On macOS the events come when the app is hidden and shown: there an app goes on, and needs no recipe.
  ///
  /// - Parameters:
  ///   - recipe: what becomes of running jobs.
  ///   - center: whose events they follow.
  ///   - stay: who gives the time, as `SystemBackgroundStay(.shared)` with UIKit; nil where somebody else asks for it.
  /// - Throws: what `inject` of the center throws when it was called before.
  public func follow(_ recipe: JobRecipe, in center: TaskCenter, by stay: (any BackgroundStay)? = nil) throws {
    // The tasks are the center's: they do not hold it.
    let background = BackgroundStop(operations: self)
    try center.inject([
      .event(.didEnterBackground, name: "TaskKitDurable.background") { (_: TaskContext<Void>) async in
        await background.begin(recipe, in: stay?.begin("TaskKitDurable"))
      },
      .event(.willEnterForeground, name: "TaskKitDurable.foreground") { (_: TaskContext<Void>) async in
        background.end()
      },
    ])
  }

  /// Whether anything may run: nobody has stopped all of it.
  var areRunning: Bool { engines.contains { $0.inspect(\.phase.runsOrWill) } }

  /// How often somebody wanted the workers to run, by store.
  var wakings: [Int] { engines.map { $0.inspect(\.background.wakings) } }

  /// Stops the workers that run, unless somebody has wanted them to run since.
  func stopInBackground(deadline: Duration, since wakings: [Int]) async {
    let numbers = Dictionary(uniqueKeysWithValues: zip(engines.map { ObjectIdentifier($0) }, wakings))
    await runtime.stop(engines, within: deadline, awaitsHooks: false) { engine, machine in
      machine.stopInBackground(since: numbers[ObjectIdentifier(engine)] ?? 0)
    }
  }

  /// Lets those workers run again that were stopped by the way into the background. What is on the way to such a stop, as the
  /// end of an earlier time, stops nothing any more.
  ///
  /// - Returns: which waking this was, by store.
  @discardableResult
  func resumeFromBackground() -> [Int] {
    engines.map { engine in
      let (resumes, waking) = engine.receive { $0.resumeFromBackground() }
      if resumes { engine.goOn() }
      return waking
    }
  }
}

extension JobOperations {
  /// Time that the system has given is being used: until its end nothing in the background stops the workers.
  func beginGivenTime() { for engine in engines { engine.receive { $0.beginGivenTime() } } }

  /// It is over, or nothing is left to run.
  func endGivenTime() { for engine in engines { engine.receive { $0.endGivenTime() } } }
}

/// What a recipe does in the background, for as long as the app is there.
private final class BackgroundStop: Sendable {
  private let operations: JobOperations
  private let waiting = Mutex<_Concurrency.Task<Bool, Never>?>(nil)

  init(operations: JobOperations) { self.operations = operations }

  /// - Parameter time: what the system has given for it.
  func begin(_ recipe: JobRecipe, in time: (any BackgroundTime)?) async {
    // All of it at once: a job that has the slot may have to be stopped before there is one again.
    await operations.runtime.waiting { await follow(recipe, in: time) }
  }

  private func follow(_ recipe: JobRecipe, in time: (any BackgroundTime)?) async {
    let wakings = operations.wakings
    let given = time.map { GivenTime($0) }
    given?.whenExpired { [operations] in
      // Ends when all bodies have returned, or have not within a second.
      _Concurrency.Task {
        await operations.stopInBackground(deadline: .seconds(1), since: wakings)
        given?.giveBack(success: false)
      }
    }
    await follow(recipe, since: wakings)
    given?.giveBack(success: true)
  }

  private func follow(_ recipe: JobRecipe, since wakings: [Int]) async {
    switch recipe {
    case .stopInBackground(let deadline):
      await operations.stopInBackground(deadline: deadline, since: wakings)
    case .continueInBackground(let deadline):
      let wait = waiting.withLock { waiting in
        // Ends when nothing is left, at the deadline, or in the foreground.
        let wait = _Concurrency.Task { await operations.idle(deadline: deadline) }
        waiting = wait
        return wait
      }
      // It may be there already.
      if operations.wakings != wakings { wait.cancel() }
      let isIdle = await withTaskCancellationHandler {
        await wait.value
      } onCancel: {
        wait.cancel()
      }
      if !isIdle { await operations.stopInBackground(deadline: .seconds(2), since: wakings) }
    }
  }

  func end() {
    // First: a wait that ends now must not stop anything.
    operations.resumeFromBackground()
    waiting.withLock { $0 }?.cancel()
  }
}
