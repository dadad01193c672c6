import TaskGraph

/// Everything that is wrong with the tasks of a module and of what it depends on, and what each task refers to.
struct ScanProof {
  let problems: [Problem]
  /// By task: the tasks that it depends on, in the order of the annotation. Where branches of `#if` declare one of them,
  /// each branch's is listed. Nil where one is not in the scanned modules.
  let dependencies: [[Int]?]
  /// By task: the tasks that `after:` names, in the same way; nil where a name belongs to none.
  let after: [[Int]?]

  /// - Parameters:
  ///   - refused: annotated types that cannot be collected; what needs them is no mistake of its own.
  ///   - refusedModules: the same of modules.
  ///   - target: the module that is being built. What is wrong inside another module has been said there.
  ///   - isComplete: whether all modules that the target depends on are scanned. If not, what is not found may be there.
  init(
    modules: [ScannedModule], tasks: [ScannedTask], refused: [ScannedTask], refusedModules: [ScannedTask],
    known: KnownTypes, target: String, isComplete: Bool
  ) {
    let events = EventTable(modules, known)
    let notifications = NotificationNames(modules)
    // Where no notification task waits for anything, it makes no difference which notification is which.
    let areNotificationsRead = tasks.contains { task in
      task.kind == .notification && !(task.dependencies.isEmpty && task.after.isEmpty)
    }
    let resolver = TypeResolver(tasks: tasks, known: known)
    let refusedTypes = TypeResolver(tasks: refused, known: known)
    var problems = events.problems + modules.flatMap(\.problems)
    problems += modules.filter { $0.name == target }.flatMap { module in
      MembersInExtensions.problems(in: module, known) + InheritedMembers.problems(in: module, known)
        + NamesInside.problems(in: module, known) + PlaceChecks.problems(in: module, known)
        + ModuleSuperclasses.problems(in: module, known)
    }
    var references = [[Reference]](repeating: [], count: tasks.count)
    var dependencies = [[Int]?](repeating: [], count: tasks.count)
    let names = Set(modules.map(\.name))
    for (number, task) in tasks.enumerated() {
      let seesEverything = isComplete && !task.mayImport(besides: names)
      for reference in task.dependencies {
        switch resolver.resolve(reference, from: task) {
        case .tasks(let found):
          dependencies[number]? += found
          references[number] += found.map { Reference(.task($0), text: reference.text, place: reference.place) }
        case .undecided(let found):
          dependencies[number] = nil
          references[number] += found.map { Reference(.task($0), text: reference.text, place: reference.place) }
        case .none where refusedTypes.finds(reference, from: task): break
        case .none(let reason) where !seesEverything && reason.mayBeElsewhere: dependencies[number] = nil
        case .none(let reason): problems.append(.unresolved(reference, of: task, reason, in: tasks))
        }
      }
      if task.module == target, let problem = ExtendedTypes.problem(of: task, known) { problems.append(problem) }
    }
    let branches = Self.branches(of: tasks)
    let order = ModuleOrder(
      modules.flatMap(\.taskModules), refused: refusedModules, tasks: tasks, events: events, known: known,
      scanned: names, target: target, isComplete: isComplete)
    problems += order.problems
    problems += KindChecks.problems(in: modules, known: known, target: target, isComplete: isComplete)
    let proof = GraphProof(
      tasks.indices.map { number in
        let task = tasks[number]
        let seesEverything = isComplete && !task.mayImport(besides: names)
        return DeclaredTask(
          name: task.name, module: task.module,
          occasions: task.occasions.map { occasion in
            areNotificationsRead
              ? notifications.resolve(events.resolve(occasion, in: task), in: task) : events.resolve(occasion, in: task)
          },
          priority: task.priority, dependencies: references[number],
          after: task.after.map {
            Reference(.name($0.name), place: $0.place, mayBeAbsent: $0.mayBeAbsent || !seesEverything)
          } + order.after[number],
          place: task.place
        ).under(branches[number])
      })
    self.dependencies = dependencies
    after = zip(tasks.indices, proof.resolutions).map { number, resolution in
      resolution.after.contains([]) || order.undecided.contains(number) ? nil : resolution.after.flatMap { $0 }
    }
    let isOwn: (Problem) -> Bool = { problem in
      // A warning belongs to the module that can mend it; an error stops whoever would run into it.
      problem.severity == .error || problem.tasks.contains { tasks[$0].module == target }
    }
    /// Of a module that was built before, the macro said it then.
    let isLeftToMacro: (Problem) -> Bool = { problem in
      guard problem.tasks.count == 1, let place = problem.place else { return false }
      return problem.code == "taskGraph.cycle" && tasks[problem.tasks[0]].ownNames.contains(place)
    }
    let found = proof.problems.filter(isOwn)
    problems += found.filter { !isLeftToMacro($0) }
    problems += RepeatedEvents.problems(in: tasks.filter { $0.module == target }, events)
    problems += NotificationBursts.problems(in: tasks, notifications)
    problems += PayloadChecks.problems(tasks, known: known, target: target, isComplete: isComplete)
    problems += LongChains.problems(tasks, dependencies: dependencies, references: references, target: target)
    problems += UndeclaredOutputs.problems(tasks, dependencies: dependencies, resolver: resolver)
    // An error here keeps the build from the macros, which would say these.
    if problems.contains(where: { $0.severity == .error }) {
      problems += modules.flatMap(\.problemsOfMacros)
      problems += found.filter { isLeftToMacro($0) && tasks[$0.tasks[0]].module == target }
    }
    self.problems = problems.sorted { first, second in
      switch (first.place, second.place) {
      case (let one?, let other?): one < other
      case (.some, nil): true
      default: false
      }
    }
  }

  /// What tells the builds apart that a task is in.
  private static func branches(of tasks: [ScannedTask]) -> [BranchFacts] {
    var branches = tasks.map(\.conditions.facts)
    // One type under conditions of which nothing is known, as `canImport(UIKit)` and `canImport(AppKit)`: the compiler
    // refuses the build that has both.
    let types = Dictionary(grouping: tasks.indices) {
      NameScope.Candidate(module: tasks[$0].module, path: tasks[$0].path)
    }
    for numbers in types.values where numbers.count > 1 && numbers.allSatisfy({ !tasks[$0].conditions.isEmpty }) {
      for number in numbers {
        branches[number].answers["type \(tasks[number].module).\(tasks[number].path.joined(separator: "."))"] = number
      }
    }
    return branches
  }
}
