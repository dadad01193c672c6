import TaskKit

/// The graph as registries, in each of the ways in which a program can come by one.
enum Registries {
  private enum NoType {}

  /// With the numbers that the build gave the tasks: no name is looked up.
  static func generated(_ graph: BenchmarkGraph, _ work: Work, takesContext: Bool = false) -> TaskRegistry {
    TaskRegistry(__proved: [module(registrations(graph, work, takesContext: takesContext), graph)])
  }

  /// The module that generated code would make.
  static func module(_ registrations: [TaskRegistration], _ graph: BenchmarkGraph) -> ModuleTasks {
    var module = ModuleTasks(module: "Shop", count: graph.count)
    for task in 0..<graph.count {
      module.add(
        registrations[task], at: task, dependencies: graph.prerequisites[task].map { TaskSlot($0) }, after: [])
    }
    return module
  }

  /// The same tasks without the numbers: each dependency is looked up by its name.
  static func named(_ registrations: [TaskRegistration]) -> TaskRegistry {
    var module = ModuleTasks(module: "Shop", count: registrations.count)
    for (slot, registration) in registrations.enumerated() { module.add(registration, at: slot) }
    return TaskRegistry(__proved: [module])
  }

  /// What the macros would make of the annotations.
  ///
  /// - Parameter takesContext: whether `run` has a parameter, as it has in injected tasks.
  static func registrations(_ graph: BenchmarkGraph, _ work: Work, takesContext: Bool = false) -> [TaskRegistration] {
    (0..<graph.count).map { task in
      TaskRegistration(
        __name: graph.names[task], type: NoType.self, collected: (), at: TaskLocation("Shop/Tasks.swift", task + 1, 1),
        occasions: [occasion(task, work, takesContext: takesContext)], priority: Priority(graph.priorities[task]),
        dependencies: graph.prerequisites[task].map { TaskDependency(TaskName(graph.names[Int($0)])) })
    }
  }

  private static func occasion(_ task: Int, _ work: Work, takesContext: Bool) -> TaskOccasion {
    if work.isAsynchronous { return TaskOccasion(.didBecomeActive, __run: work.asyncBodies[task].run) }
    guard takesContext else { return TaskOccasion(.didBecomeActive, __run: work.bodies[task].registered) }
    let body = work.bodies[task].run
    return TaskOccasion(.didBecomeActive, __runWithContext: { (_: TaskContext<Void>) in try body() })
  }

  /// The same tasks for injection, which goes by names.
  static func definitions(_ graph: BenchmarkGraph, _ work: Work) -> [TaskDefinition] {
    (0..<graph.count).map { task in
      let body = work.bodies[task].run
      return .event(
        .didBecomeActive, name: TaskName(graph.names[task]), priority: Priority(graph.priorities[task]),
        dependencies: graph.prerequisites[task].map { TaskDependency(TaskName(graph.names[Int($0)])) }
      ) { _ in try body() }
    }
  }
}
