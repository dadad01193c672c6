import TaskGraph

/// Everything that is wrong with the tasks of a module and of what it depends on, and what each task refers to.
struct ScanProof {
  let problems: [Problem]
  /// By task: the tasks that it depends on, in the order of the annotation.
  let dependencies: [[Int]]
  /// By task: the tasks that `after:` names, in the order of the annotation; nil where a name belongs to none.
  let after: [[Int]?]

  /// - Parameters:
  ///   - refused: annotated types that cannot be collected; what needs them is no mistake of its own.
  ///   - target: the module that is being built. What is wrong inside another module has been said there.
  init(modules: [ScannedModule], tasks: [ScannedTask], refused: [ScannedTask], target: String) {
    let events = EventTable(modules)
    let resolver = TypeResolver(modules: modules, tasks: tasks)
    let refusedTypes = TypeResolver(modules: modules, tasks: refused)
    var problems = events.problems + modules.flatMap(\.problems)
    var declared: [DeclaredTask] = []
    var dependencies: [[Int]] = []
    for task in tasks {
      var found: [Int] = []
      var references: [Reference] = []
      for reference in task.dependencies {
        switch resolver.resolve(reference, from: task) {
        case .task(let number):
          found.append(number)
          references.append(Reference(.task(number), text: reference.text, place: reference.place))
        case .notImported(let number):
          problems.append(.notImported(reference, of: task, found: tasks[number]))
        case .notATask where refusedTypes.finds(reference, from: task): break
        case .unknown where refusedTypes.finds(reference, from: task): break
        case .notATask: problems.append(.notATask(reference, of: task))
        case .brokenAlias(let target): problems.append(.aliasNotFound(reference, of: task, target: target))
        case .unknown:
          problems.append(
            .unknownType(reference, of: task, suggestion: resolver.suggestion(for: reference)))
        }
      }
      dependencies.append(found)
      declared.append(
        DeclaredTask(
          name: task.name, module: task.module, occasions: task.occasions.map { events.resolve($0, in: task) },
          priority: task.priority, dependencies: references,
          after: task.after.map { Reference(.name($0.name), place: $0.place, mayBeAbsent: $0.mayBeAbsent) },
          place: task.place,
          branch: Dictionary(task.conditions.map { ($0.group, $0.branch) }, uniquingKeysWith: { first, _ in first })))
    }
    let proof = GraphProof(declared)
    self.dependencies = dependencies
    after = proof.resolutions.map { resolution in
      let numbers = resolution.after.map(\.first)
      return numbers.allSatisfy { $0 != nil } ? numbers.compactMap { $0 } : nil
    }
    let isOwn: (Problem) -> Bool = { problem in
      // A warning belongs to the module that can mend it; an error stops whoever would run into it.
      problem.severity == .error || problem.tasks.contains { tasks[$0].module == target }
    }
    self.problems = (problems + proof.problems.filter(isOwn)).sorted { first, second in
      switch (first.place, second.place) {
      case (let one?, let other?): one < other
      case (.some, nil): true
      default: false
      }
    }
  }
}
