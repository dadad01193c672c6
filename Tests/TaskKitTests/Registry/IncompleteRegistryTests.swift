@testable import TaskKit
import TaskKitTesting
import Testing

/// A registry as it is generated for a target of Xcode: of what the target depends on, the build knows nothing.
@Suite struct IncompleteRegistryTests {
  /// As the module that declares ``Load``.
  private var core: ModuleTasks {
    var module = ModuleTasks(module: "Core", count: 1)
    module.add(Load.registration, at: 0)
    return module
  }

  /// As the target's own file: the build has not found what its tasks need.
  private func app(_ tasks: [TaskRegistration]) -> ModuleTasks {
    var module = ModuleTasks(module: "App", count: tasks.count)
    for (slot, task) in tasks.enumerated() { module.add(task, at: slot) }
    return module
  }

  private func definition(_ name: TaskName, needs dependencies: [TaskDependency]) -> TaskRegistration {
    TaskDefinition.event(.alpha, name: name, dependencies: dependencies) { _ in }.registration
  }

  @Test func `a task that needs what is not there fails, says what is missing, and holds back what needs it`() async {
    let tasks = [definition("App.Other", needs: []), Show.registration, definition("App.Last", needs: ["Tests.Show"])]
    let center = TaskCenter(registry: TaskRegistry(__proved: [app(tasks)]), time: .virtual(VirtualClock()))
    for _ in 0..<2 {
      #expect(
        await center.send(.alpha).outcomes == [
          "App.Other": "succeeded",
          "Tests.Show": "failed: 'Tests.Show' needs 'Load', which is not in the registry; make that with "
            + "'TaskRegistry(modules:)', and '_taskKit_TaskKitTests()' among them",
          "App.Last": "skipped: 'Tests.Show' did not end well",
        ])
    }
  }

  @Test func `one that is run by itself fails in the same way`() async throws {
    let center = TaskCenter(registry: TaskRegistry(__proved: [app([Show.registration])]))
    let outcome = try await center.run("Tests.Show").outcomes["Tests.Show"]
    #expect(outcome?.hasPrefix("failed: 'Tests.Show' needs 'Load', which is not in the registry") == true)
  }

  @Test(
    arguments: [
      (["base"], "'App.Task' needs 'base', which is not in the registry; register it"),
      (["base", "top"], "'App.Task' needs 'base', 'top', which are not in the registry; register them"),
      (
        [.task(Load.self), .task(Duration.Nested.self)],
        "'App.Task' needs 'Tests.Load', 'Tests.Nested', which are not in the registry; make that with "
          + "'TaskRegistry(modules:)', and '_taskKit_TaskKitTests()' among them"
      ),
    ] as [([TaskDependency], String)])
  func `all that is missing is named, with the modules that declare it`(
    dependencies: [TaskDependency], sentence: String
  ) async {
    let center = TaskCenter(registry: TaskRegistry(__proved: [app([definition("App.Task", needs: dependencies)])]))
    #expect(await center.send(.alpha).outcomes == ["App.Task": "failed: \(sentence)"])
  }

  @Test func `with the functions of all modules the task waits for what it needs, whatever their order`() async throws {
    for modules in [[core, app([Show.registration])], [app([Show.registration]), core]] {
      let center = TaskCenter(registry: try TaskRegistry(modules: modules), time: .virtual(VirtualClock()))
      #expect(await center.send(.alpha).outcomes == ["Tests.Load": "succeeded", "Tests.Show": "succeeded"])
    }
  }

  @Test func `where the function of a module is missing the error names it`() throws {
    let error = try #require(throws: TaskGraphError.self) { try TaskRegistry(modules: [app([Show.registration])]) }
    #expect(
      error.description == """
        error: task 'Tests.Show' needs 'Load', which is not registered; register it, or remove the dependency
          declared at Tests/Show.swift:1:1
          'Load' is declared in module 'TaskKitTests'; add '_taskKit_TaskKitTests()'
        """)
  }

  @Test func `what was left out on purpose is not missing`() async throws {
    let registry = TaskRegistry(__proved: [
      core, app([definition("App.Task", needs: [.task(Load.self), "Tests.Load"])]),
    ])
    let center = TaskCenter(registry: try registry.excluding(Load.self, dependents: .detach))
    #expect(await center.send(.alpha).outcomes == ["App.Task": "succeeded"])
  }
}

extension Duration {
  /// A type whose printed name does not begin with its module.
  fileprivate enum Nested: LifecycleTask {
    typealias Output = Void
    nonisolated static var registration: TaskRegistration {
      TaskRegistration(
        __name: "Tests.Nested", type: Nested.self, collected: (), at: TaskLocation("Tests/Nested.swift", 1, 1),
        occasions: [TaskOccasion(.alpha, __run: {})])
    }
  }
}
