import TaskGraph

extension CenterMachine {
  /// Refuses what a registry that the build has proved cannot be refused for: only the program knows which notifications
  /// are one, what is computed, and for which conditions it was built.
  ///
  /// Tasks that wait for each other in a circle wait no more, and fail with its path; what depends on them is skipped. Of
  /// circles that hang together one is broken at a time.
  ///
  /// - Parameters:
  ///   - members: tasks of which no plan could be made, in the order of declaration.
  ///   - isMixed: whether not all of them run at the occasion.
  mutating func breakCircles(among members: ContiguousArray<Int32>, at occasion: Occasion, isMixed: Bool = false) {
    // Plans are about to go that finished walks were made of.
    settle()
    let rows = PlanRows(members, in: tasks, table: nil, at: occasion, isMixed: isMixed)
    let graph = DependencyGraph(nodeCount: rows.count, edges: rows.edges)
    let cycles = graph.cycles()
    precondition(!cycles.isEmpty, "tasks can be ordered, and there is no plan of them")
    for cycle in cycles {
      let sentence = graph.sentence(ofCycle: cycle) { tasks[Int(members[$0])].registration.name.rawValue }
      let circle = cycle.map { members[$0] }
      for task in circle { refuse(task, toWaitFor: circle, sentence) }
    }
  }

  /// Lets a task fail instead of waiting for some others, as if its declaration did not speak of them.
  private mutating func refuse(_ task: Int32, toWaitFor others: [Int32], _ sentence: String) {
    let registration = tasks[Int(task)].registration
    let dependencies = registration.dependencies.filter { dependency in
      number(of: dependency, for: task).map { !others.contains($0) } ?? true
    }
    let after = registration.after.filter { reference in
      !others.contains { other in
        tasks[Int(other)].registration.name.isCalled(reference.name, module: tasks[Int(other)].module)
      }
    }
    forgetPlans(of: task)
    discard(registration)
    let error = TaskError.waitsForItself(registration.name, circle: sentence)
    tasks[Int(task)].registration = registration.depending(on: dependencies).following(after)
      .failing(with: error, lane: registration.lane)
    tasks[Int(task)].dependencies.removeAll { others.contains($0) }
    tasks[Int(task)].after.removeAll { others.contains($0) }
  }
}
