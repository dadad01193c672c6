/// Who may wait for whom, by the occasions at which they run (law 5).
///
/// Event, schedule and notification tasks may need event tasks that are not later, and tasks of their own occasion. What
/// may be the same occasion is taken for it, since only the program itself knows: `TaskRegistry(modules:)`, a changed
/// registry and an injection are proved with what it knows.
enum OccasionRules {
  static func problems(in tasks: [DeclaredTask], _ resolutions: [GraphProof.Resolution]) -> [Problem] {
    var result: [Problem] = []
    for (number, task) in tasks.enumerated() {
      for (reference, targets) in zip(task.dependencies, resolutions[number].dependencies) {
        for target in targets {
          if let problem = dependency(reference, of: number, on: target, in: tasks) { result.append(problem) }
        }
      }
      for (reference, targets) in zip(task.after, resolutions[number].after) {
        for target in targets
        where !task.occasions.contains(where: { tasks[target].occasions.contains(where: $0.mayBe) }) {
          result.append(.afterWithoutEffect(reference, of: number, on: target, in: tasks))
        }
      }
    }
    return result
  }

  /// Each occasion of the dependent must be able to see the dependency; the first that cannot is reported.
  private static func dependency(
    _ reference: Reference, of task: Int, on target: Int, in tasks: [DeclaredTask]
  ) -> Problem? {
    let offered = tasks[target].occasions
    for occasion in tasks[task].occasions where !offered.contains(where: occasion.mayBe) {
      let events = offered.filter { $0.eventName != nil }
      if events.isEmpty { return .dependencyOnOtherKind(reference, of: task, at: occasion, on: target, in: tasks) }
      if events.allSatisfy({ $0.moment > occasion.moment }) {
        return .dependencyOnLaterEvent(reference, of: task, at: occasion, on: target, in: tasks)
      }
    }
    return nil
  }
}
