#if !canImport(Darwin)
import Dispatch
import Foundation
import StandInAppKit
import StandInUIKit
import TaskKit
import TaskKitTesting
import Testing

private final class UIKitDelegate: StandInUIKit.TaskApplicationDelegate {
  override class var center: TaskCenter { TestCenter.current ?? TaskCenter() }
}

private final class AppKitDelegate: StandInAppKit.TaskApplicationDelegate {
  override class var center: TaskCenter { TestCenter.current ?? TaskCenter() }
}

private final class HurriedDelegate: StandInUIKit.TaskApplicationDelegate {
  override class var center: TaskCenter { TestCenter.current ?? TaskCenter() }
  override class var deadlines: CallbackDeadlines { CallbackDeadlines(termination: .milliseconds(200)) }
}

/// The last callback of an app: the system ends the process when it returns.
@MainActor
@Suite struct ApplicationEndTests {
  private let clock = VirtualClock()
  private let notes = Recorder()

  enum System: CaseIterable, Sendable {
    case uiKit, appKit

    @MainActor func end(_ center: TaskCenter) {
      TestCenter.$current.withValue(center) {
        switch self {
        case .uiKit: UIKitDelegate().applicationWillTerminate(UIApplication())
        case .appKit: AppKitDelegate().applicationWillTerminate(Notification(name: Notification.Name("any")))
        }
      }
    }

    @MainActor func isAnswered(_ center: TaskCenter) -> Bool {
      TestCenter.$current.withValue(center) {
        switch self {
        case .uiKit: UIKitDelegate().responds(to: "applicationWillTerminate:")
        case .appKit: AppKitDelegate().responds(to: "applicationWillTerminate:")
        }
      }
    }
  }

  private func center(_ tasks: [TaskRegistration]) throws -> TaskCenter {
    TaskCenter(registry: try TaskRegistry(tasks: tasks), time: .virtual(clock))
  }

  /// A task that notes what it does, and is stopped on the main actor.
  private func task(_ name: String, dependencies: [TaskDependency] = []) -> TaskRegistration {
    .stopping(
      name, at: TaskOccasion(.alpha, __output: { name }), dependencies: dependencies,
      TaskStop(
        __stop: { @MainActor [notes] (output: String) in notes.note("\(output) stopped") }, outputOf: String.self))
  }

  /// A task whose stop ends only with the gate, on no actor.
  nonisolated private func deaf(_ gate: Gate) -> TaskRegistration {
    .stopping("deaf", at: TaskOccasion(.alpha, __run: {}), TaskStop(__stop: { await gate.pass() }))
  }

  @Test(.timeLimit(.minutes(15)), arguments: System.allCases)
  func `when an app ends, what its tasks have begun is stopped before the callback returns, in the reverse order`(
    _ system: System
  ) async throws {
    let center = try center([task("database"), task("server", dependencies: ["database"])])
    try center.inject([
      .event(.willTerminate, name: "farewell") { @MainActor [notes] _ in notes.note("farewell") },
      .event(.willTerminate, name: "late", dependencies: ["farewell"]) { [notes] _ in
        await Task.yield()
        notes.note("late")
      },
      .event(.alpha, name: "elsewhere", dependencies: ["server"]) { _ in }
        .stopping { [notes] in notes.note("elsewhere stopped") },
    ])
    await center.send(.alpha)
    system.end(center)
    #expect(notes.notes == ["farewell", "late", "elsewhere stopped", "server stopped", "database stopped"])
    #expect(await center.send(.alpha).status != .completed)
  }

  @Test(.timeLimit(.minutes(15)), arguments: System.allCases)
  func `what closures undo on the main actor is undone there before the callback returns`(_ system: System)
    async throws
  {
    let center = try center([])
    try center.inject([
      .event(.alpha, name: "window") { _ in }
        .stopping { @MainActor [notes] in notes.note("window \(isOnMainActor)") },
      .event(.alpha, name: "server", dependencies: ["window"], returning: { _ in 8080 })
        .stopping { @MainActor [notes] (port: Int) in notes.note("port \(port) \(isOnMainActor)") },
    ])
    await center.send(.alpha)
    system.end(center)
    #expect(notes.notes == ["port 8080 true", "window true"])
  }

  @Test(.timeLimit(.minutes(15)), arguments: System.allCases)
  func `the end of an app waits for a stop that does not return until the deadline, and no longer`(_ system: System)
    async throws
  {
    let (gate, clock) = (Gate(), clock)
    let center = try center([deaf(gate)])
    await center.send(.alpha)
    let passing = Task.detached {
      await gate.arrivals()
      await clock.step(to: .seconds(4))
    }
    system.end(center)
    #expect(clock.now.offset == .seconds(4))
    #expect(await center.terminate().stops.map(\.outcome.description) == ["timed out"])
    gate.open()
    await passing.value
  }

  @Test(.timeLimit(.minutes(15)), arguments: System.allCases)
  func `for a shutdown that has begun before, with more time, the end of an app waits until its own deadline`(
    _ system: System
  ) async throws {
    let (gate, clock) = (Gate(), clock)
    let center = try center([deaf(gate)])
    await center.send(.alpha)
    async let ended = center.terminate(deadline: .seconds(60))
    await gate.arrivals()
    let passing = Task.detached { await clock.step(to: .seconds(4)) }
    system.end(center)
    #expect(clock.now.offset == .seconds(4))
    gate.open()
    await passing.value
    #expect(await ended.isSuccess)
  }

  /// In a process of its own: whatever else this one does would have to wait meanwhile.
  @Test(.timeLimit(.minutes(15)))
  nonisolated func `the end of an app does not wait for the bodies that hold every thread`() async {
    await #expect(processExitsWith: .success) {
      await MainActor.run {
        let gate = DispatchSemaphore(value: 0)
        // More than there can be threads: what comes behind them has none.
        let bodies = 1...1000
        for _ in bodies { Task.detached(priority: Task.currentPriority) { block(at: gate) } }
        TestCenter.$current.withValue(TaskCenter()) {
          HurriedDelegate().applicationWillTerminate(UIApplication())
        }
        for _ in bodies { gate.signal() }
      }
    }
  }

  @Test(arguments: System.allCases)
  func `the end of an app is answered where there is something to stop, also when its task has gone`(_ system: System)
    async throws
  {
    let center = try center([])
    #expect(!system.isAnswered(center))
    try center.inject(.event(.alpha, name: "plain") { _ in })
    #expect(!system.isAnswered(center))
    try center.inject(.event(.alpha, name: "server") { _ in }.stopping {})
    #expect(system.isAnswered(center))
    try center.destroy("server")
    #expect(!system.isAnswered(center))
    try center.inject(.event(.alpha, name: "once", runs: .once) { _ in }.stopping {})
    await center.send(.alpha)
    #expect(system.isAnswered(center))
    await center.terminate()
    #expect(!system.isAnswered(center))
  }
}

/// Holds the thread, as a body that blocks does.
private func block(at gate: DispatchSemaphore) { gate.wait() }
#endif
