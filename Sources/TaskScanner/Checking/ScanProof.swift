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
  init(
    modules: [ScannedModule], tasks: [ScannedTask], refused: [ScannedTask], refusedModules: [ScannedTask],
    known: KnownTypes, in scope: ScanScope
  ) {
    let events = EventTable(modules, known)
    let notifications = NotificationNames(modules)
    let resolver = TypeResolver(tasks: tasks, known: known)
    let resolved = ResolvedReferences(resolver, refused: TypeResolver(tasks: refused, known: known), in: scope) {
      .unresolved($0, of: $1, $2, in: tasks)
    }
    let order = ModuleOrder(
      modules.flatMap(\.taskModules), refused: refusedModules, tasks: tasks, events: events, known: known, in: scope)
    let graph = Self.graph(of: tasks, resolved.references, order, events, notifications, in: scope)
    let dependencies: [[Int]?] = zip(resolved.found, resolved.isOpen).map { found, isOpen in isOpen ? nil : found }
    self.dependencies = dependencies
    after = zip(tasks.indices, graph.resolutions).map { number, resolution in
      resolution.after.contains([]) || order.undecided.contains(number) ? nil : resolution.after.flatMap { $0 }
    }

    let found = Self.problems(of: graph, tasks, events, in: scope)
    var problems = EventAgreement.problems(of: events, tasks, known)
    problems += modules.flatMap { OtherLibraries.remarked($0.problems, in: $0, known) }
    problems += modules.filter { $0.name == scope.target }.flatMap { Self.problems(inside: $0, known) }
    problems += resolved.problems
    problems += tasks.filter(scope.builds).compactMap { ExtendedTypes.problem(of: $0, known) }
    problems += order.problems
    problems += KindChecks.problems(in: modules, known: known, scope)
    problems += found.own
    problems += RepeatedEvents.problems(in: tasks.filter(scope.builds), events)
    problems += BlankNames.problems(in: tasks, events, notifications, known: known, in: scope)
    problems += NotificationBursts.problems(in: tasks, notifications)
    problems += PayloadChecks.problems(tasks, known: known, in: scope)
    problems += OutputAccess.problems(tasks, known: known, in: scope)
    problems += LongChains.problems(tasks, dependencies: dependencies, references: resolved.references, in: scope)
    problems += UndeclaredOutputs.problems(tasks, dependencies: dependencies, resolver: resolver)
    // An error here keeps the build from the macros, which would say these.
    if problems.contains(where: { $0.severity == .error }) {
      problems += modules.flatMap { OtherLibraries.remarked($0.problemsOfMacros, in: $0, known) }
      problems += found.ofMacros
    }
    self.problems = problems.sorted { first, second in
      switch (first.place, second.place) {
      case (let one?, let other?): one < other
      case (.some, nil): true
      default: false
      }
    }
  }

  /// What is wrong inside the types of a module.
  private static func problems(inside module: ScannedModule, _ known: KnownTypes) -> [Problem] {
    MembersInExtensions.problems(in: module, known) + InheritedMembers.problems(in: module, known)
      + NamesInside.problems(in: module, known) + PlaceChecks.problems(in: module, known)
      + ModuleSuperclasses.problems(in: module, known)
  }

  // MARK: - Graph

  /// Proves the graph of the tasks, in which `after:` and the order of modules have their say as well.
  ///
  /// - Parameter references: by task: what `dependencies:` stands for.
  private static func graph(
    of tasks: [ScannedTask], _ references: [[Reference]], _ order: ModuleOrder, _ events: EventTable,
    _ notifications: NotificationNames, in scope: ScanScope
  ) -> GraphProof {
    // Where no notification task waits for anything, it makes no difference which notification is which.
    let areNotificationsRead = tasks.contains { task in
      task.kind == .notification && !(task.dependencies.isEmpty && task.after.isEmpty)
    }
    let branches = branches(of: tasks)
    return GraphProof(
      tasks.indices.map { number in
        let task = tasks[number]
        let seesEverything = scope.seesEverything(from: task)
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
  }

  /// What is wrong with the graph: what is said here, and what the macros say unless something else keeps the build from
  /// them.
  private static func problems(
    of graph: GraphProof, _ tasks: [ScannedTask], _ events: EventTable, in scope: ScanScope
  ) -> (own: [Problem], ofMacros: [Problem]) {
    let found = graph.problems.filter { problem in
      // Whoever is told to remove what orders nothing must not lose the order that it gives all the same.
      if problem.code == "taskGraph.afterWithoutEffect" {
        let areTold = problem.tasks.allSatisfy { number in
          tasks[number].occasions.allSatisfy { events.isTold($0, in: tasks[number]) }
        }
        if !areTold { return false }
      }
      // A warning belongs to the module that can mend it; an error stops whoever would run into it.
      return problem.severity == .error || problem.tasks.contains { scope.builds(tasks[$0]) }
    }
    /// Of a module that was built before, the macro said it then.
    let isLeftToMacro: (Problem) -> Bool = { problem in
      guard problem.tasks.count == 1, let place = problem.place else { return false }
      return problem.code == "taskGraph.cycle" && tasks[problem.tasks[0]].ownNames.contains(place)
    }
    return (
      found.filter { !isLeftToMacro($0) },
      found.filter { isLeftToMacro($0) && scope.builds(tasks[$0.tasks[0]]) }
    )
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
