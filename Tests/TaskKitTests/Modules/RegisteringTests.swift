import TaskKitTesting
import Testing

@testable import TaskKit

@Suite struct RegisteringTests {
  private let center = TaskCenter(configuration: .init(maximumConcurrency: 1), time: .virtual(VirtualClock()))
  private let recorder = Recorder()

  @Test func `registering twice is once, and the result tells, Et3`() async throws {
    let first = try center.register(Plugin(title: "first"))
    let second = try center.register(Plugin(title: "second"))
    #expect(first.isNew)
    #expect(first.tasks.map(\.name) == ["TaskKitTests.Plugin.start"])
    #expect(!second.isNew)
    #expect(second.tasks.isEmpty)
    await center.send(.noted, recorder)
    #expect(recorder.notes == ["plugin first"])
  }

  @Test func `an instance that is registered for a module of the registry is the module's instance`() async throws {
    let center = TaskCenter(registry: try TaskRegistry(taskModules: [Plugin.registration]))
    let before = await center.send(.noted, recorder)
    #expect(before.outcomes == ["TaskKitTests.Plugin.start": "skipped: disabled"])
    #expect(before.isSuccess)
    #expect(try await center.module(creating: Plugin.self) == nil)
    #expect(try center.register(Plugin(title: "late")).isNew)
    await center.send(.noted, recorder)
    #expect(recorder.notes == ["plugin late"])
  }

  @Test func `registered ones run in the order of registration, or by priority, Et1`() async throws {
    let preferences = Preferences()
    try center.register(Plugin(title: "one"))
    try center.register(await Banner(preferences: preferences))
    try center.register(preferences)
    await center.send(.noted, recorder)
    // The banner is behind the preferences, though these came later; it is critical, and makes them urgent.
    #expect(recorder.notes == ["preferences", "banner in de", "plugin one"])
  }

  @Test(arguments: [false, true])
  func `two that are equally urgent run in the order of registration, Et1`(isOtherFirst: Bool) async throws {
    if isOtherFirst { try center.register(OtherPlugin()) }
    try center.register(Plugin(title: "one"))
    if !isOtherFirst { try center.register(OtherPlugin()) }
    await center.send(.noted, recorder)
    #expect(recorder.notes == (isOtherFirst ? ["other plugin", "plugin one"] : ["plugin one", "other plugin"]))
  }

  @Test func `an unregistered module gets nothing more, is not found, and lets go of its instance, Et4`() async throws {
    weak var kept: Plugin?
    func register() throws {
      let plugin = Plugin(title: "short")
      kept = plugin
      try center.register(plugin)
    }
    try register()
    await center.send(.noted, recorder)
    #expect(kept != nil)
    #expect(try center.unregister(Plugin.self))
    #expect(kept == nil)
    #expect(center.module(Plugin.self) == nil)
    #expect(try !center.unregister(Plugin.self))
    await center.send(.noted, recorder)
    #expect(recorder.notes == ["plugin short"])
    try center.register(Plugin(title: "again"))
    await center.send(.noted, recorder)
    #expect(recorder.notes.last == "plugin again")
  }

  @Test func `a method whose event is another one to the center fails as one of its module, which can be unregistered`()
    async throws
  {
    var module = ModuleTasks(module: "One", count: 2)
    let first = TaskDefinition.event(LifecycleEvent<Int, Void>("noted"), name: "first") { _ in }
    module.add(first.registration, at: 0)
    module.add(Plugin.registration, at: 1, [ModuleTasks.Links()])
    let center = TaskCenter(registry: TaskRegistry(__proved: [module]), time: .virtual(VirtualClock()))
    try center.register(Plugin(title: "odd"))
    let report = await center.send(LifecycleEvent<Int, Void>("noted"), 1)
    let task = try #require(report["Plugin.start"])
    #expect(task.module == "TaskKitTests.Plugin")
    #expect(
      task.outcome.description
        == "failed: event 'noted' carries Int in one place and Recorder in another; give one of them another name")
    #expect(try center.unregister(Plugin.self))
    #expect(await center.send(LifecycleEvent<Int, Void>("noted"), 1).names == ["first"])
  }

  @Test func `unregistering inside a callback is safe, and the event goes on with the others, Et4`() async throws {
    let center = TaskCenter(
      registry: try TaskRegistry(taskModules: [Quitter.registration, Preferences.registration, Plugin.registration]),
      configuration: .init(maximumConcurrency: 1))
    try center.register(Plugin(title: "gone"))
    let report = await center.send(.noted, recorder)
    #expect(recorder.notes == ["quitter", "preferences"])
    #expect(report["Plugin.start"]?.outcome.description == "cancelled")
    #expect(report["Preferences.load"]?.outcome.description == "succeeded")
    await center.send(.noted, recorder)
    #expect(recorder.notes == ["quitter", "preferences", "preferences"])
  }

  @Test func `unregistering what others depend on is refused, or they go with it, or go on without`() async throws {
    func filled() throws -> TaskCenter {
      TaskCenter(
        registry: try TaskRegistry(
          taskModules: [Preferences.registration, Banner.registration, Counter.registration]))
    }
    let error = #expect(throws: TaskError.self) { try filled().unregister(Preferences.self) }
    #expect(error?.code == .hasDependents)
    #expect(
      error?.description
        == "module 'TaskKitTests.Preferences' cannot be unregistered, because 'TaskKitTests.Banner' depends on it; "
        + "unregister them too (dependents: .include), or let them go on without it (dependents: .detach)")
    let included = try filled()
    try included.unregister(Preferences.self, dependents: .include)
    #expect(await included.send(.noted, recorder).tasks.isEmpty)
    let detached = try filled()
    try detached.unregister(Banner.self, dependents: .detach)
    #expect(await detached.send(.noted, recorder).isSuccess)
    #expect(await detached.module(Counter.self)?.hasBanner == false)
  }

  @Test func `a task that depends on a method by name keeps its module there`() async throws {
    try center.register(Plugin(title: "needed"))
    try center.inject(.event(.noted, name: "needs", dependencies: ["Plugin.start"]) { _ in })
    #expect(throws: TaskError.self) { try center.unregister(Plugin.self) }
    #expect(center.module(Plugin.self) != nil)
    try center.unregister(Plugin.self, dependents: .detach)
    #expect(await center.send(.noted, recorder).names == ["needs"])
  }

  @Test func `for an event that happens once, and has, registering fails or runs the method now, Et8`() async throws {
    await center.send(.openedOnce, recorder)
    #expect(throws: TaskError.self) { try center.register(Latecomer(title: "a")) }
    #expect(center.module(Latecomer.self) == nil)
    let receipt = try center.register(Latecomer(title: "b"), ifPassed: .runNow)
    #expect(receipt.tasks.map(\.eventHasPassed) == [true])
    #expect(await recorder.notes(1) == ["late b"])
  }

  @Test func `so it does for a module of the registry that the event found without an instance, Et8`() async throws {
    let center = TaskCenter(registry: try TaskRegistry(taskModules: [Straggler.registration]))
    let before = await center.send(.openedOnce, recorder)
    #expect(before["Straggler.open"]?.outcome.description == "skipped: disabled")
    #expect(before["Straggler.replay"]?.outcome.description.contains("Straggler.open") == true)
    let error = #expect(throws: TaskError.self) { try center.register(Straggler(title: "a")) }
    #expect(error?.code == .eventHasPassed)
    #expect(error?.task == "TaskKitTests.Straggler.replay")
    #expect(center.module(Straggler.self) == nil)
    let receipt = try center.register(Straggler(title: "b"), ifPassed: .runNow)
    #expect(receipt.isNew)
    // Nothing of what comes again.
    #expect(receipt.tasks.map(\.name) == ["TaskKitTests.Straggler.replay", "TaskKitTests.Straggler.open"])
    #expect(receipt.tasks.map(\.eventHasPassed) == [true, true])
    #expect(await recorder.notes(2) == ["open b", "replay b"])
    #expect(try !center.register(Straggler(title: "c")).isNew)
  }

  @Test func `a method that has yet to run at an event that happens once finds the instance`() async throws {
    let center = TaskCenter(
      registry: try TaskRegistry(taskModules: [Straggler.registration]), configuration: .init(maximumConcurrency: 1))
    let gate = Gate()
    try center.inject(.event(.openedOnce, name: "first", priority: .critical) { _ in await gate.pass() })
    let run = center.begin(.openedOnce, recorder)
    await gate.arrivals()
    #expect(try center.register(Straggler(title: "b")).tasks.isEmpty)
    gate.open()
    #expect(await run.report.isSuccess)
    #expect(recorder.notes == ["open b", "replay b"])
  }

  @Test func `what would be created at launch can be registered after it`() async throws {
    await center.send(.didFinishLaunching, LaunchOptions(arguments: [], environment: [:]))
    #expect(try center.register(Eager()).isNew)
    #expect(center.module(Eager.self) != nil)
  }

  @Test func `a module that a registry brings late is waited for by one that is there and depends on it`() async throws
  {
    let center = TaskCenter(
      registry: try TaskRegistry(taskModules: [Forecast.registration]), configuration: .init(maximumConcurrency: 1))
    try center.add(TaskRegistry(taskModules: [Weather.registration]))
    #expect(await center.send(.notedLater, recorder).outcomes == ["TaskKitTests.Forecast.tell": "succeeded"])
    #expect(recorder.notes == ["forecast with weather"])
  }

  @Test func `a module that a registry brings late is waited for by one that depends on it through another`()
    async throws
  {
    let center = TaskCenter(
      registry: try TaskRegistry(taskModules: [Outing.registration, Forecast.registration]),
      configuration: .init(maximumConcurrency: 1))
    try center.add(TaskRegistry(taskModules: [Weather.registration]))
    #expect(await center.send(.alpha).isSuccess)
    #expect(center.module(Outing.self) != nil)
    #expect(center.module(Weather.self) != nil)
  }

  @Test func `a method that cannot wait for a module that has joined meanwhile says so, and waits the next time`()
    async throws
  {
    let center = TaskCenter(
      registry: try TaskRegistry(taskModules: [Forecast.registration]), configuration: .init(maximumConcurrency: 1))
    let gate = Gate()
    try center.inject(.event(.notedLater, name: "first", priority: .critical) { _ in await gate.pass() })
    let run = center.begin(.notedLater, recorder)
    await gate.arrivals()
    try center.add(TaskRegistry(taskModules: [Weather.registration]))
    gate.open()
    #expect(
      await run.report.outcomes["TaskKitTests.Forecast.tell"]
        == "failed: the instance of module 'TaskKitTests.Forecast' has to be waited for, because a module that it depends "
        + "on has joined since the event was sent; send the event again")
    #expect(await center.send(.notedLater, recorder).isSuccess)
    #expect(recorder.notes == ["forecast with weather"])
  }

  @Test func `a registry that is added brings its modules`() async throws {
    try center.add(TaskRegistry(taskModules: [Preferences.registration]))
    await center.send(.noted, recorder)
    #expect(recorder.notes == ["preferences"])
    #expect(center.module(Preferences.self) != nil)
    // One that does not fit changes nothing.
    #expect(throws: TaskGraphError.self) {
      try center.add(TaskRegistry(taskModules: [Plugin.registration, Preferences.registration]))
    }
    #expect(try await center.module(creating: Plugin.self) == nil)
    #expect(try center.register(Plugin(title: "x")).isNew)
  }

  @Test func `registered one by one, modules that wait for each other in the end are refused, and so is a name twice`()
    throws
  {
    try center.register(Sited<First>())
    try center.register(Plugin(title: "between"))
    try center.register(Sited<Second>())
    let circle = #expect(throws: TaskGraphError.self) { try center.register(Sited<Third>()) }
    #expect(
      circle?.sentences == [
        "these modules wait for each other: 'First' needs 'Second', 'Second' needs 'Third', 'Third' needs 'First'; "
          + "remove one of these dependencies"
      ])
    let twice = #expect(throws: TaskGraphError.self) { try center.register(Sited<OtherFirst>()) }
    #expect(twice?.sentences == ["two modules are named 'First'; give one of them another name with 'name:'"])
    // What has been refused or has gone is nobody's hindrance.
    try center.unregister(Sited<First>.self)
    #expect(try center.register(Sited<OtherFirst>()).isNew)
    #expect(try center.register(Sited<Third>()).isNew)
    let both = #expect(throws: TaskGraphError.self) { try center.register(Sited<First>()) }
    #expect(
      both?.sentences.sorted() == [
        "these modules wait for each other: 'Second' needs 'Third', 'Third' needs 'First', 'First' needs 'Second'; "
          + "remove one of these dependencies",
        "two modules are named 'First'; give one of them another name with 'name:'",
      ])
    try center.unregister(Sited<Third>.self, dependents: .detach)
    try center.unregister(Sited<OtherFirst>.self)
    #expect(try center.register(Sited<First>()).isNew)
  }

  @Test func `registering, unregistering and sending at the same time is safe, Et9`() async throws {
    let center = TaskCenter(
      registry: try TaskRegistry(taskModules: [Preferences.registration, Banner.registration]))
    let recorder = recorder
    await withTaskGroup { group in
      for number in 0..<100 {
        group.addTask { _ = try? center.register(Plugin(title: "\(number)")) }
        group.addTask { await center.send(.noted, recorder) }
        group.addTask { _ = try? center.unregister(Plugin.self) }
        group.addTask { _ = center.module((any Greeting).self) }
      }
    }
    // Whatever the order: the module is there as a whole, or not at all.
    let report = await center.send(.noted, Recorder())
    #expect((report["Plugin.start"] != nil) == (center.module(Plugin.self) != nil))
    #expect(report.isSuccess)
  }
}

extension LifecycleEvent<Recorder, Void> {
  nonisolated static var openedOnce: Self { .init("openedOnce", once: true) }
}

/// What a module is called, and which others it needs.
private protocol Site {
  static var name: String { get }
  static var needs: [ModuleDependency] { get }
}

private enum First: Site {
  static var name: String { "First" }
  static var needs: [ModuleDependency] { [.init(__type: Sited<Second>.self, "Second")] }
}

private enum Second: Site {
  static var name: String { "Second" }
  static var needs: [ModuleDependency] { [.init(__type: Sited<Third>.self, "Third")] }
}

private enum Third: Site {
  static var name: String { "Third" }
  static var needs: [ModuleDependency] { [.init(__type: Sited<First>.self, "First")] }
}

private enum OtherFirst: Site {
  static var name: String { "First" }
  static var needs: [ModuleDependency] { [] }
}

private final class Sited<Place: Site>: LifecycleModule, Sendable {
  static var registration: ModuleRegistration {
    ModuleRegistration(
      __name: Place.name, type: Sited<Place>.self, collected: (), at: TaskLocation("\(Place.self).swift", 1, 1),
      creation: .byRegistering, dependencies: Place.needs, methods: [])
  }
}

/// Made on the main actor, of one that is made there, too, and depends on one that is not.
@MainActor private final class Outing: LifecycleModule {
  nonisolated static var registration: ModuleRegistration {
    ModuleRegistration(
      __name: "Outing", type: Outing.self, collected: (), at: TaskLocation("Outing.swift", 1, 1),
      dependencies: [.init(__type: Forecast.self, "Forecast")], make: make,
      methods: [
        ModuleMethod(
          __method: "go", at: TaskLocation("Outing.swift", 2, 1),
          occasions: [
            TaskOccasion(
              LifecycleEvent<Void, Void>.alpha,
              __runWithContext: { @MainActor (context: TaskContext<Void>) throws in
                _ = try context.__module(Outing.self)
              })
          ])
      ])
  }

  static func make(_ dependencies: ModuleDependencies) throws -> Outing { Outing() }
}

/// Unregisters itself and another one in the middle of an event.
@TaskModule
@MainActor final class Quitter {
  @ModuleTask(priority: .high, event: .noted)
  func quit(_ context: TaskContext<Recorder>) throws {
    context.payload.note("quitter")
    try context.center.unregister(Quitter.self)
    try context.center.unregister(Plugin.self)
  }
}

@TaskModule(creation: .byRegistering)
final class Latecomer: Sendable {
  let title: String
  init(title: String) { self.title = title }

  @ModuleTask(event: .openedOnce)
  func start(_ recorder: Recorder) { recorder.note("late \(title)") }
}

/// Has missed two things when it comes, one of them because of the other.
@TaskModule(creation: .byRegistering)
final class Straggler: Sendable {
  let title: String
  init(title: String) { self.title = title }

  @ModuleTask(event: .openedOnce, needs: ["open"])
  func replay(_ recorder: Recorder) { recorder.note("replay \(title)") }

  @ModuleTask(event: .openedOnce)
  func open(_ recorder: Recorder) { recorder.note("open \(title)") }

  @ModuleTask(event: .noted)
  func goOn(_ recorder: Recorder) { recorder.note("go on \(title)") }
}
