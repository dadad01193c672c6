import TaskKit

private enum Declared {}

extension TaskRegistration {
  /// A task with a `stop`, as the macro would make it.
  static func stopping(
    _ name: String, at occasion: TaskOccasion, priority: Priority = .default, dependencies: [TaskDependency] = [],
    onFailure: FailurePolicy = .skipDependents, runs: RunLimit = .always, _ stop: TaskStop
  ) -> TaskRegistration {
    TaskRegistration(
      __name: name, type: Declared.self, collected: (), at: TaskLocation("Tests/\(name).swift", 1, 1),
      occasions: [occasion], priority: priority, dependencies: dependencies, onFailure: onFailure, runs: runs,
      stop: stop)
  }
}
