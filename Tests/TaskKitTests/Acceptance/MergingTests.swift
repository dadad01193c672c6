@testable import TaskKit
import TaskKitTesting
import Testing

/// Registries of several modules, together from the beginning or later (R4, Rt33, Rw8).
@Suite struct MergingTests {
  private let core = ModuleTasks.of("Core", [.event(.alpha, name: "Core.Open") { _ in }])
  private let news = ModuleTasks.of(
    "News", imports: ["Core"], [.event(.alpha, name: "News.Show", dependencies: ["Core.Open"]) { _ in }])

  private func center(_ modules: [ModuleTasks]) throws -> TaskCenter {
    TaskCenter(registry: try TaskRegistry(modules: modules), time: .virtual(VirtualClock()))
  }

  @Test func `the tasks of two modules are one graph, each of them once, Rt33`() async throws {
    let center = try center([core, news, core])
    #expect(center.order(of: .alpha) == ["Core.Open", "News.Show"])
    #expect(await center.send(.alpha).isSuccess)
  }

  @Test func `all that is wrong between two modules is told at once`() throws {
    let clashing = ModuleTasks.of(
      "Sport",
      [.event(.alpha, name: "Core.Open") { _ in }, .event(.alpha, name: "Sport.Show", dependencies: ["Opne"]) { _ in }])
    let error = try #require(throws: TaskGraphError.self) { try TaskRegistry(modules: [core, clashing]) }
    #expect(error.sentences.count == 2)
  }

  @Test func `a module that is loaded later joins with its tasks, which may need what is there, Rt33`() async throws {
    let center = try center([core])
    #expect(await center.send(.alpha).names == ["Core.Open"])
    try center.add(TaskRegistry(modules: [core, news]))
    #expect(await center.send(.alpha).outcomes == ["Core.Open": "succeeded", "News.Show": "succeeded"])
    #expect(try center.statistics(of: "Core.Open").count == 2)
    // The part behind the module is enough, as for one that was there from the beginning.
    #expect(try center.statistics(of: "Show").count == 1)
  }

  /// A registry in which the build has found the task that another one comes after, without the module of that.
  private func withoutCore() throws -> TaskRegistry {
    var app = ModuleTasks(module: "App", imports: ["Core"], count: 1)
    app.add(
      TaskDefinition.event(.alpha, name: "App.Show", after: ["Core.Open"]) { _ in }.registration, at: 0,
      dependencies: [], after: [TaskSlot(0, module: 0)])
    return try TaskRegistry(modules: [core, app]).excluding(module: "Core")
  }

  @Test func `a module that was left out can be switched on later, and what comes after its tasks does so then`() throws
  {
    let center = TaskCenter(registry: try withoutCore())
    #expect(center.order(of: .alpha) == ["App.Show"])
    try center.add(TaskRegistry(modules: [core]))
    #expect(center.order(of: .alpha) == ["Core.Open", "App.Show"])
  }

  @Test func `what comes after a task that was left out comes after the one that is injected under its name`() throws {
    let center = TaskCenter(registry: try withoutCore())
    try center.inject(.event(.alpha, name: "Core.Open") { _ in })
    #expect(center.order(of: .alpha) == ["Core.Open", "App.Show"])
  }

  @Test func `what it has for an event that has passed runs when it joins`() async throws {
    let recorder = Recorder()
    let center = try center([core])
    await center.send(.opening)
    let late = ModuleTasks.of("Late", [.event(.opening, name: "Late.Start") { _ in recorder.note("start") }])
    try center.add(TaskRegistry(modules: [late]))
    #expect(await recorder.notes(1) == ["start"])
  }

  @Test func `a module that is there is left as it is, and what does not fit changes nothing`() async throws {
    let center = try center([core, news])
    try center.add(TaskRegistry(modules: [core, news]))
    let clashing = ModuleTasks.of(
      "Sport", [.event(.alpha, name: "Sport.Show") { _ in }, .event(.alpha, name: "Core.Open") { _ in }])
    let error = try #require(throws: TaskGraphError.self) { try center.add(TaskRegistry(modules: [clashing])) }
    #expect(error.sentences == ["two tasks are named 'Core.Open'; give one of them another name with 'name:'"])
    #expect(await center.send(.alpha).names == ["Core.Open", "News.Show"])
  }

  @Test(arguments: [Int.max, 1])
  func `where the tasks of two events that have passed need each other, each runs after what it needs`(limit: Int)
    async throws
  {
    let other = LifecycleEvent<Void, Void>("other", once: true)
    let recorder = Recorder()
    let center = TaskCenter(
      configuration: .init(maximumConcurrency: limit), time: .virtual(VirtualClock()))
    await center.send(.opening)
    await center.send(other)
    let late = ModuleTasks.of(
      "Late",
      [
        .event(.opening, name: "Late.First") { _ in recorder.note("first") },
        .event(other, name: "Late.Second", dependencies: ["Late.First"]) { _ in recorder.note("second") },
        .event(.opening, name: "Late.Third", dependencies: ["Late.Second"]) { _ in recorder.note("third") },
      ])
    try center.add(TaskRegistry(modules: [late]))
    await center.quiet()
    #expect(recorder.notes == ["first", "second", "third"])
  }
}
