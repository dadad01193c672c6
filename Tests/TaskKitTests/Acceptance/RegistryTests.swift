import TaskGraph
@testable import TaskKit
import TaskKitTesting
import Testing

/// Leaving parts of a registry out, and putting others in their place, checked in the words of the build (DESIGN 4).
@Suite struct RegistryTests {
  private func registry() throws -> TaskRegistry {
    try TaskRegistry(tasks: [Load.registration, Show.registration])
  }

  private func center(_ registry: TaskRegistry) -> TaskCenter {
    TaskCenter(registry: registry, time: .virtual(VirtualClock()))
  }

  @Test func `leaving out what others need is refused, with a list of them`() throws {
    let error = try #require(throws: TaskGraphError.self) { try registry().excluding(Load.self) }
    #expect(
      error.sentences == [
        "'Tests.Show' depends on 'Tests.Load'; exclude it too (dependents: .include), or let it go on without "
          + "(dependents: .detach)"
      ])
  }

  @Test func `the places of what is left out, and of all that leads to it, are in the list`() throws {
    let far = TaskDefinition.event(
      .alpha, name: "far", dependencies: ["Tests.Show"], fileID: "Tests/Far.swift", line: 3, column: 5
    ) { _ in }
    let registry = try TaskRegistry(tasks: [Load.registration, Show.registration, far.registration])
    let error = try #require(throws: TaskGraphError.self) { try registry.excluding(Load.self) }
    #expect(
      error.description == """
        error: 'far' depends on 'Tests.Load'; exclude it too (dependents: .include), or let it go on without (dependents: \
        .detach)
          declared at Tests/Far.swift:3:5
          'Tests.Show' is declared here at Tests/Show.swift:1:1
          'Tests.Load' is declared here at Tests/Load.swift:1:1
        error: 'Tests.Show' depends on 'Tests.Load'; exclude it too (dependents: .include), or let it go on without \
        (dependents: .detach)
          declared at Tests/Show.swift:1:1
          'Tests.Load' is declared here at Tests/Load.swift:1:1
        """)
  }

  @Test func `in a long chain each names the next one and what is left out, and not all between them`() throws {
    let chain = (0..<200).map { number in
      TaskDefinition.event(
        .alpha, name: TaskName("t\(number)"),
        dependencies: number == 0 ? [] : [TaskDependency(TaskName("t\(number - 1)"))]
      ) { _ in }
    }
    let registry = try TaskRegistry(tasks: chain.map(\.registration))
    let error = try #require(throws: TaskGraphError.self) {
      try registry.excluding(what: "'t0'", dependents: .refuse) { $0.name == "t0" }
    }
    let notes = Set(error.problems.map { $0.notes.map(\.message) })
    #expect(error.problems.count == 199 && notes.count == 199)
    #expect(notes.contains(["'t0' is declared here"]))
    for number in 1..<199 { #expect(notes.contains(["'t\(number)' is declared here", "'t0' is declared here"])) }
  }

  @Test(.timeLimit(.minutes(1)))
  func `a chain of tens of thousands goes with its first task at once`() throws {
    let count = 50_000
    var module = ModuleTasks(module: "App", count: count)
    for number in 0..<count {
      let task = TaskDefinition.event(
        .alpha, name: TaskName("t\(number)"),
        dependencies: number == 0 ? [] : [TaskDependency(TaskName("t\(number - 1)"))]
      ) { _ in }
      module.add(task.registration, at: number)
    }
    let registry = TaskRegistry(__proved: [module])
    let rest = try registry.excluding(what: "'t0'", dependents: .include) { $0.name == "t0" }
    #expect(rest.count == 0)
  }

  @Test func `what needs it goes with it when asked`() throws {
    #expect(try registry().excluding(Load.self, dependents: .include).count == 0)
    #expect(try registry().excluding(Show.self).registrations.map(\.name) == ["Tests.Load"])
  }

  @Test func `or goes on without it, and reading its output throws`() async throws {
    let center = center(try registry().excluding(Load.self, dependents: .detach))
    #expect(
      await center.send(.alpha).outcomes == [
        "Tests.Show": "failed: 'Load' has no output: it was destroyed or left out"
      ])
  }

  @Test func `another task in the place of one has its name, and its output is read`() async throws {
    let other = TaskDefinition.event(.alpha, name: "other", returning: { _ in 7 })
    let center = center(try registry().replacing(Load.self, with: other))
    #expect(await center.send(.alpha).outcomes == ["Tests.Load": "succeeded", "Tests.Show": "succeeded"])
    #expect(try await center.output(of: Load.self) == 7)
  }

  @Test func `a replacement that what needs it cannot wait for is refused`() throws {
    let late = TaskDefinition.event(.willTerminate, name: "late", returning: { _ in 7 })
    let error = try #require(throws: TaskGraphError.self) { try registry().replacing(Load.self, with: late) }
    #expect(
      error.sentences == [
        "task 'Tests.Show' of 'alpha' cannot wait for 'Tests.Load', which runs at 'willTerminate', a later event; "
          + "remove the dependency, or move one of the two tasks"
      ])
  }

  @Test func `a module that others need is left out with them, or not at all`() throws {
    let registry = try TaskRegistry(modules: [
      .of("Core", [.event(.alpha, name: "Core.Open") { _ in }]),
      .of("News", imports: ["Core"], [.event(.alpha, name: "News.Show", dependencies: ["Core.Open"]) { _ in }]),
      .of("Ads", [.event(.alpha, name: "Ads.Show") { _ in }]),
    ])
    #expect(try registry.excluding(module: "Ads").registrations.map(\.name) == ["Core.Open", "News.Show"])
    let error = try #require(throws: TaskGraphError.self) { try registry.excluding(module: "Core") }
    #expect(
      error.sentences == [
        "'News.Show' depends on module 'Core'; exclude it too (dependents: .include), or let it go on without "
          + "(dependents: .detach)"
      ])
    #expect(error.problems.flatMap(\.notes).map(\.message) == ["'Core.Open' is declared here"])
    #expect(
      try registry.excluding(module: "Core", dependents: .include).registrations.map(\.name) == ["Ads.Show"])
  }

  @Test func `what is not there cannot be left out or replaced`() throws {
    let none = TaskRegistry()
    let excluded = try #require(throws: TaskGraphError.self) { try none.excluding(Load.self) }
    #expect(
      excluded.sentences == [
        "'Tests.Load' is not in the registry, so there is nothing to exclude; remove this call, or add its module"
      ])
    let module = try #require(throws: TaskGraphError.self) { try registry().excluding(module: "Ads") }
    #expect(module.sentences == ["the registry has no module 'Ads'; it has none that has a name"])
    let misspelt = try #require(throws: TaskGraphError.self) {
      try TaskRegistry(modules: [.of("Core", []), .of("News", [])]).excluding(module: "Nwes")
    }
    #expect(
      misspelt.sentences == ["the registry has no module 'Nwes'; it has 'Core', 'News'; did you mean 'News'?"])
    let replaced = try #require(throws: TaskGraphError.self) {
      try none.replacing(Load.self, with: .event(.alpha, name: "other") { _ in })
    }
    #expect(
      replaced.sentences == [
        "task 'Tests.Load' is not in the registry, so nothing can replace it; remove this call, or add its module"
      ])
  }

  @Test func `a registry is printed a task a line`() throws {
    #expect(
      try registry().description == """
        Tests.Load at alpha, priority default (Tests/Load.swift:1:1)
        Tests.Show at alpha, priority default, needs Load (Tests/Show.swift:1:1)
        """)
  }

  /// Generated code as it would be for `Load`, `Show` and a third task: slots that are not those of the types.
  private func module(waitingFor slots: [TaskSlot]) -> ModuleTasks {
    var module = ModuleTasks(module: "Tests", count: 3)
    module.add(Load.registration, at: 0)
    module.add(Show.registration, at: 1, dependencies: slots)
    module.add(TaskDefinition.event(.alpha, name: "Tests.Other", returning: { _ in 7 }).registration, at: 2)
    return module
  }

  @Test func `slots that are those of the types are what a task waits for`() async throws {
    let center = center(TaskRegistry(__proved: [module(waitingFor: [0])]))
    #expect(await center.send(.alpha).outcomes["Tests.Show"] == "succeeded")
  }

  #if DEBUG && (os(macOS) || os(Linux) || os(Windows))
  @Test func `a debug build stops at slots that are not those of the types`() async {
    await #expect(processExitsWith: .success) {
      _ = TaskCenter(registry: TaskRegistry(__proved: [RegistryTests().module(waitingFor: [0])]))
    }
    await #expect(processExitsWith: .failure) {
      _ = TaskCenter(registry: TaskRegistry(__proved: [RegistryTests().module(waitingFor: [2])]))
    }
    await #expect(processExitsWith: .failure) {
      _ = TaskCenter(registry: TaskRegistry(__proved: [RegistryTests().module(waitingFor: [])]))
    }
  }
  #endif
}
