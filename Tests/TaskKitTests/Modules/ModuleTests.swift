import Foundation
import Synchronization
import TaskGraph
import TaskKit
import TaskKitTesting
import Testing

@Suite struct ModuleTests {
  private func center(_ modules: ModuleRegistration..., limit: Int = .max) throws -> TaskCenter {
    TaskCenter(
      registry: try TaskRegistry(taskModules: modules), configuration: .init(maximumConcurrency: limit),
      time: .virtual(VirtualClock()))
  }

  // MARK: - The life of an app

  @Test func `modules as the pages write them do their part at each moment of an app's life, E11, Ew8`() async throws {
    let center = try center(limit: 1)
    let (playback, session) = (Playback(), Session(user: "Ada"))
    try center.register(session)
    try center.register(playback)
    let opening: LifecycleScript = [.launch, .foreground]
    let opened = await opening.run(in: center)
    #expect(await playback.isPlaying)
    let closing: LifecycleScript = [.background, .terminate]
    let closed = await closing.run(in: center)
    #expect(await !playback.isPlaying)
    #expect(await session.saved == ["Ada", "Ada"])
    #expect(
      opened.lines + closed.lines == [
        "at 0.0 seconds: willFinishLaunching", "at 0.0 seconds: didFinishLaunching",
        "at 0.0 seconds: willEnterForeground", "at 0.0 seconds: didBecomeActive",
        "  TaskKitTests.Playback.resume: succeeded", "at 0.0 seconds: willResignActive",
        "at 0.0 seconds: didEnterBackground", "  TaskKitTests.Playback.pause: succeeded",
        "  TaskKitTests.Session.save: succeeded", "at 0.0 seconds: willTerminate",
        "  TaskKitTests.Session.save: succeeded",
      ])
  }

  // MARK: - Order and instances

  @Test func `methods run by dependency between modules, then by priority and declaration, Et1`() async throws {
    let recorder = Recorder()
    // The one that depends on the others comes first in the list, and is more urgent.
    let center = try center(Counter.registration, Banner.registration, Preferences.registration, limit: 1)
    let report = await center.send(.noted, recorder)
    #expect(recorder.notes == ["preferences", "banner in de", "counter prepared", "counter 1"])
    #expect(
      report.outcomes == [
        "TaskKitTests.Preferences.load": "succeeded", "TaskKitTests.Banner.show": "succeeded",
        "TaskKitTests.Counter.prepare": "succeeded", "TaskKitTests.Counter.add": "succeeded",
      ])
  }

  @Test func `only methods that are marked with the event are called, each with one instance for all, E8`() async throws
  {
    let recorder = Recorder()
    let center = try center(Preferences.registration, Banner.registration, Counter.registration)
    await center.send(.noted, recorder)
    await center.send(.noted, recorder)
    await center.send(.notedLater, recorder)
    #expect(recorder.notes.last == "counter 2")
    #expect(!recorder.notes.contains("never"))
    let banner = try #require(center.module(Banner.self))
    #expect(banner.preferences === center.module(Preferences.self))
  }

  @Test func `the generated registry has modules with their tasks, behind those they depend on`() {
    let names = TaskRegistry.generated.taskModules.map(\.name)
    #expect(names.contains("TaskKitTests.Banner"))
    let show = TaskRegistry.generated.registrations.first { $0.name == "TaskKitTests.Banner.show" }
    #expect(show?.after.map(\.name) == ["TaskKitTests.Preferences.load"])
    #expect(show?.priority == .critical)
  }

  @Test @MainActor
  func `synchronous methods of the main actor run inline from the first event on, with their instances`()
    throws
  {
    let recorder = Recorder()
    let center = try center(Banner.registration, Preferences.registration)
    let run = center.begin(.noted, recorder)
    #expect(recorder.notes == ["preferences", "banner in de"])
    #expect(run.progress.fraction == 1)
  }

  @Test @MainActor func `a synchronous method of no actor runs inline once there is an instance`() async throws {
    let center = try center(Ledger.registration)
    let ledger = try #require(try await center.module(creating: Ledger.self))
    center.begin(.notedLater, Recorder())
    #expect(ledger.entries.withLock { $0 } >= 2)
  }

  @Test @MainActor func `a blocking send of the main actor makes what has to be made there meanwhile`() throws {
    let center = try center(Counter.registration, Banner.registration, Preferences.registration)
    // The actor's initialiser needs what two initialisers of the main actor make.
    let report = center.sendAndWait(.notedLater, Recorder())
    #expect(report.isSuccess)
    #expect(center.module(Banner.self)?.preferences === center.module(Preferences.self))
  }

  @Test func `an instance is created once, however many need it at the same time`() async throws {
    let center = try center(Counted.registration)
    await withTaskGroup { group in
      for _ in 0..<20 {
        group.addTask { _ = try? await center.module(creating: Counted.self) }
        group.addTask { await center.send(.notedLater, Recorder()) }
      }
    }
    let module = try #require(center.module(Counted.self))
    #expect(Counted.created.values.count == 1)
    #expect(module.calls.withLock { $0 } == 40)
    #expect(center.modules(of: Counted.self).count == 1)
  }

  @Test @MainActor func `what the initialiser throws is the failure of the method, and the next one tries again`()
    async throws
  {
    let recorder = Recorder()
    let center = try center(Fragile.registration)
    Fragile.failures = 1
    let report = await center.send(.noted, recorder)
    #expect(report.outcomes == ["TaskKitTests.Fragile.work": "failed: broken"])
    #expect(center.module(Fragile.self) == nil)
    #expect(await center.send(.noted, recorder).isSuccess)
    #expect(recorder.notes == ["fragile"])
  }

  @Test func `a module created at launch is there after the launch, by a task of its own`() async throws {
    let center = try center(Eager.registration)
    #expect(center.module(Eager.self) == nil)
    let report = await center.send(.didFinishLaunching, LaunchOptions(arguments: []))
    #expect(report.names == ["Tests.Eager.init"])
    #expect(report.tasks.map(\.effectivePriority) == [.critical])
    #expect(center.module(Eager.self) != nil)
  }

  @Test func `a module that asks for itself in its initialiser is told so`() async throws {
    let center = try center(Narcissus.registration, Echo.registration)
    Narcissus.center.append(center)
    await #expect(throws: TaskError.self) { try await center.module(creating: Narcissus.self) }
    #expect(center.module(Echo.self) == nil)
  }

  // MARK: - Replies

  @Test func `every method answers, and one true is enough; without modules the answer is false, Et2`() async throws {
    let recorder = Recorder()
    let with = try center(Preferences.registration, Banner.registration, limit: 1)
    let report = await with.send(.asked, recorder)
    #expect(report.reply(to: .asked) == true)
    #expect(recorder.notes == ["preferences asked", "banner asked"])
    let without = try center()
    #expect(await without.send(.asked, recorder).reply(to: .asked) == false)
  }

  @Test(arguments: 0...2)
  func `the merged reply comes once for any number of repliers, Et7`(count: Int) async throws {
    let modules = [Preferences.registration, Banner.registration].prefix(count)
    let center = TaskCenter(
      registry: try TaskRegistry(taskModules: Array(modules)), time: .virtual(VirtualClock()))
    let report = await center.send(.asked, Recorder())
    #expect(report.reply(to: .asked) == (count > 0))
    #expect(report.tasks.count == count)
  }

  @Test func `a method that never answers does not hold up the reply of the others, Et7`() async throws {
    let clock = VirtualClock()
    let center = TaskCenter(
      registry: try TaskRegistry(taskModules: [Preferences.registration, Silent.registration]), time: .virtual(clock))
    let gate = Gate()
    let silent = Silent(gate: gate)
    try center.register(silent)
    let run = center.begin(.asked, Recorder(), deadline: .seconds(1))
    await gate.arrivals()
    await run.ready(.default)
    clock.advance(by: .seconds(1))
    let report = await run.report
    #expect(report.reply(to: .asked) == true)
    #expect(report.status == .deadlineExceeded)
    gate.open()
  }

  // MARK: - Looking up

  @Test func `lookup finds the exact type, a superclass, a protocol, or nothing, Et5`() async throws {
    let center = try center(Preferences.registration, Banner.registration, Counter.registration)
    #expect(center.module(Preferences.self) == nil)
    _ = try await center.module(creating: Counter.self)
    #expect(center.module(Preferences.self) != nil)
    #expect(center.module((any Greeting).self)?.greeting == "preferences")
    #expect(center.modules(of: (any Greeting).self).map(\.greeting) == ["preferences", "banner"])
    #expect(center.module(Ledger.self) == nil)
    #expect(center.module(String.self) == nil)
    let derived = TaskCenter(registry: try TaskRegistry(taskModules: [Preferences.registration, Banner.registration]))
    let preferences = try #require(try await derived.module(creating: Preferences.self))
    let special = await SpecialBanner(preferences: preferences)
    try derived.register(special)
    #expect(derived.module(Banner.self) === special)
    #expect(derived.module(SpecialBanner.self) === special)
  }

  @Test func `a superclass finds the first of its modules in the order of declaration, and all of them, Et5`()
    async throws
  {
    let center = try center(FirstScreen.registration, SecondScreen.registration)
    let second = try #require(try await center.module(creating: SecondScreen.self))
    #expect(center.module(Screen.self) === second)
    let first = try #require(try await center.module(creating: FirstScreen.self))
    #expect(center.module(Screen.self) === first)
    #expect(center.module(FirstScreen.self) === first)
    #expect(center.module(SecondScreen.self) === second)
    let all = center.modules(of: Screen.self)
    #expect(all.count == 2)
    #expect(all.first === first)
    #expect(all.last === second)
  }

  @Test func `a module that is left out is not called, not found, and its dependents go on without it, Et6`()
    async throws
  {
    let all = try TaskRegistry(
      taskModules: [Preferences.registration, Banner.registration, Counter.registration])
    let error = #expect(throws: TaskGraphError.self) { try all.excluding(Banner.self) }
    #expect(
      error?.sentences == [
        "module 'TaskKitTests.Counter' depends on module 'TaskKitTests.Banner'; exclude it too (dependents: .include), or "
          + "let it go on without (dependents: .detach)"
      ])
    let notes = error?.problems.flatMap(\.notes) ?? []
    #expect(notes.map(\.message) == ["'TaskKitTests.Banner' is declared here"])
    #expect(notes.first?.place?.path.hasSuffix(".swift") == true)
    #expect(
      try all.excluding(Banner.self, dependents: .include).taskModules.map(\.name) == ["TaskKitTests.Preferences"])
    let center = TaskCenter(
      registry: try all.excluding(Banner.self, dependents: .detach), configuration: .init(maximumConcurrency: 1))
    let recorder = Recorder()
    #expect(await center.send(.noted, recorder).isSuccess)
    #expect(recorder.notes == ["preferences", "counter prepared", "counter 1"])
    #expect(center.module(Banner.self) == nil)
    #expect(try await center.module(creating: Banner.self) == nil)
    #expect(await center.module(Counter.self)?.hasBanner == false)
  }

  @Test func `a dependency that the initialiser cannot do without is missed by name`() async throws {
    let registry = try TaskRegistry(taskModules: [Preferences.registration, Banner.registration])
      .excluding(Preferences.self, dependents: .detach)
    let report = await TaskCenter(registry: registry).send(.noted, Recorder())
    #expect(
      report.outcomes == [
        "TaskKitTests.Banner.show":
          "failed: module 'TaskKitTests.Banner' cannot be created without 'Preferences', which was left out or unregistered; "
          + "register it, or take it as an optional"
      ])
  }

  @Test func `another module can stand in the place of one`() async throws {
    let registry = try TaskRegistry(taskModules: [Preferences.registration]).replacing(
      Preferences.self, with: Ledger.self)
    let center = TaskCenter(registry: registry)
    #expect(try await center.module(creating: Preferences.self) == nil)
    #expect(try await center.module(creating: Ledger.self) != nil)
    #expect(registry.registrations.map(\.name.rawValue).allSatisfy { $0.contains("Ledger") })
  }

  // MARK: - Telling

  @Test func `the report says how long each method and each module took, Et10`() async throws {
    let clock = VirtualClock()
    let center = TaskCenter(
      registry: try TaskRegistry(taskModules: [Slow.registration, Preferences.registration]),
      configuration: .init(maximumConcurrency: 1), time: .virtual(clock))
    try center.register(Slow(clock: clock))
    let report = await center.send(.noted, Recorder())
    #expect(report.modules.map(\.name) == ["TaskKitTests.Slow", "TaskKitTests.Preferences"])
    #expect(report.modules.map(\.duration) == [.seconds(5), .zero])
    #expect(report.modules.map(\.tasks.count) == [2, 1])
    #expect(report["Slow.first"]?.duration == .seconds(2))
    #expect(report.description.contains("modules\n  TaskKitTests.Slow         2 tasks in 5.00 s\n"))
    let copy = try JSONDecoder().decode(EventReport.self, from: JSONEncoder().encode(report))
    #expect(copy.modules == report.modules)
    #expect(try center.statistics(of: Slow.self).total == .seconds(5))
    #expect(try center.statistics(of: Slow.self).count == 2)
  }

  @Test func `pausing a module pauses its methods, each can be paused by name as well`() async throws {
    let recorder = Recorder()
    let center = try center(Preferences.registration, Plugin.registration)
    try center.register(Plugin(title: "x"))
    try center.pause(Preferences.self)
    await center.send(.noted, recorder)
    try center.resume(Preferences.self)
    try center.pause("Preferences.load")
    await center.send(.noted, recorder)
    #expect(recorder.notes == ["plugin x", "plugin x"])
  }

  @Test func `a module that is not there cannot be paused, resumed or asked how it did`() throws {
    let center = try center(Preferences.registration)
    let problems = [
      #expect(throws: TaskError.self) { try center.pause(Plugin.self) },
      #expect(throws: TaskError.self) { try center.resume(Plugin.self) },
      #expect(throws: TaskError.self) { _ = try center.statistics(of: Plugin.self) },
    ]
    for problem in problems {
      #expect(problem?.code == .missingModule)
      #expect(
        problem?.description
          == "there is no module 'TaskKitTests.Plugin' in this center: it was left out or unregistered, or never registered"
      )
    }
  }

  @Test func `the instance goes with its center`() async throws {
    weak var kept: Preferences?
    func use() async throws -> EventReport {
      let center = try center(Preferences.registration, Banner.registration)
      let report = await center.send(.noted, Recorder())
      kept = center.module(Preferences.self)
      #expect(kept != nil)
      return report
    }
    let report = try await use()
    #expect(kept == nil)
    #expect(report.tasks.count == 2)
  }
}

/// Created at launch; written by hand, so that no other test's launch has its task.
final class Eager: LifecycleModule, Sendable {
  nonisolated static var registration: ModuleRegistration {
    ModuleRegistration(
      __name: "Tests.Eager", type: Eager.self, collected: (), at: TaskLocation("Tests/Eager.swift", 1, 1),
      creation: .atLaunch, make: { _ in Eager() }, methods: [])
  }
}

/// Needs itself, through another.
@TaskModule(dependencies: [Echo.self])
final class Narcissus: Sendable {
  static let center = Values<TaskCenter>()
  init(echo: Echo) {}
}

@TaskModule
final class Echo: Sendable {
  init() async throws {
    guard let center = Narcissus.center.values.first else { return }
    _ = try await center.module(creating: Narcissus.self)
  }
}

@TaskModule(creation: .byRegistering)
final class Silent: Sendable {
  private let gate: Gate
  init(gate: Gate) { self.gate = gate }

  @ModuleTask(priority: .low, event: .asked)
  func ask(_ recorder: Recorder) async -> Bool {
    await gate.pass()
    return false
  }
}

@TaskModule(creation: .byRegistering)
@MainActor final class Slow {
  private let clock: VirtualClock
  nonisolated init(clock: VirtualClock) { self.clock = clock }

  @ModuleTask(event: .noted) func first() { clock.advance(by: .seconds(2)) }
  @ModuleTask(event: .noted) func second() { clock.advance(by: .seconds(3)) }
}

/// Not annotated itself.
final class SpecialBanner: Banner {}

/// No module, but what two of them are.
@MainActor class Screen {}

@TaskModule
@MainActor final class FirstScreen: Screen {}

@TaskModule
@MainActor final class SecondScreen: Screen {}
