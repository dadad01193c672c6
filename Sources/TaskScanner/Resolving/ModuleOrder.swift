import TaskGraph

/// Which annotated classes and actors depend on which, and what follows for the order of their methods.
struct ModuleOrder {
  /// Unknown modules, names that two of them have, modules that wait for each other.
  private(set) var problems: [Problem] = []
  /// By task: the methods that come first because their module does.
  private(set) var after: [[Reference]]
  /// The methods of modules of which it is not known for sure which others come first: the program looks these up.
  private(set) var undecided: Set<Int> = []

  /// - Parameters:
  ///   - modules: of all scanned modules.
  ///   - refused: those that cannot be collected; what needs them is no mistake of its own.
  init(
    _ modules: [ScannedTask], refused: [ScannedTask], tasks: [ScannedTask], events: EventTable, known: KnownTypes,
    in scope: ScanScope
  ) {
    after = [[Reference]](repeating: [], count: tasks.count)
    guard !modules.isEmpty else { return }
    let resolved = ResolvedReferences(
      TypeResolver(tasks: modules, known: known), refused: TypeResolver(tasks: refused, known: known), in: scope
    ) {
      .unresolvedModule($0, of: $1, $2, in: modules)
    }
    problems = resolved.problems
    problems += modules.filter(scope.builds).compactMap { ExtendedTypes.problem(of: $0, known) }
    // The rules among tasks of one occasion are those among modules.
    let found = GraphProof.problems(
      in: modules.enumerated().map { number, module in
        DeclaredTask(
          name: module.name, module: module.module, occasions: [.event("module")],
          dependencies: resolved.references[number], place: module.place
        ).under(module.conditions.facts)
      })
    problems += found.map { Problem.ofModules($0) }
    guard !found.contains(where: { $0.severity == .error }) else { return }
    follow(resolved, modules, tasks, events)
  }

  private mutating func follow(
    _ resolved: ResolvedReferences, _ modules: [ScannedTask], _ tasks: [ScannedTask], _ events: EventTable
  ) {
    var methods = [[Int]](repeating: [], count: modules.count)
    var numbers: [NameScope.Candidate: [Int]] = [:]
    for (number, module) in modules.enumerated() {
      numbers[.init(module: module.module, path: module.path), default: []].append(number)
    }
    for (number, task) in tasks.enumerated() {
      guard let owner = task.owner else { continue }
      for module in numbers[.init(module: task.module, path: owner)] ?? []
      where modules[module].conditions == task.conditions && modules[module].file == task.file {
        methods[module].append(number)
      }
    }
    let occasions = tasks.map { task in
      task.owner == nil ? [] : Set(task.occasions.map { events.resolve($0, in: task) })
    }
    for module in modules.indices where !methods[module].isEmpty {
      var seen: Set<Int> = [module]
      var open = Array(zip(resolved.found[module], resolved.references[module]))
      if resolved.isOpen[module] { undecided.formUnion(methods[module]) }
      while let (other, reference) = open.popLast() {
        guard seen.insert(other).inserted else { continue }
        // What it depends on through others is to be blamed on its own annotation, too.
        open += resolved.found[other].map { ($0, reference) }
        if resolved.isOpen[other] { undecided.formUnion(methods[module]) }
        for method in methods[module] {
          for earlier in methods[other]
          where !occasions[method].isDisjoint(with: occasions[earlier]) && !tasks[method].excludes(tasks[earlier])
            && !tasks[method].after.contains(where: { $0.name == tasks[earlier].name })
          {
            after[method].append(
              Reference(.task(earlier), text: tasks[earlier].name, place: reference.place, mayBeAbsent: true))
          }
        }
      }
    }
  }
}
