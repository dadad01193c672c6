import TaskKit

// Types as the macro would make them, for what needs a type.

enum Load: LifecycleTask {
  typealias Output = Int
  nonisolated static var registration: TaskRegistration {
    TaskRegistration(
      __name: "Tests.Load", type: Load.self, collected: (), at: TaskLocation("Tests/Load.swift", 1, 1),
      occasions: [TaskOccasion(.alpha, __output: { 42 })])
  }
}

/// Depends on ``Load`` by type and notes what it read.
enum Show: LifecycleTask {
  static let shown = Values<Int>()
  nonisolated static var registration: TaskRegistration {
    TaskRegistration(
      __name: "Tests.Show", type: Show.self, collected: (), at: TaskLocation("Tests/Show.swift", 1, 1),
      occasions: [
        TaskOccasion(.alpha, __runWithContext: { context in shown.append(try context.output(of: Load.self)) })
      ],
      dependencies: [.init(__type: Load.self, "Load")])
  }
}
