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
  ///   - scanned: the names of all scanned modules.
  ///   - target: the module that is being built.
  ///   - isComplete: whether all modules that the target depends on are scanned.
  init(
    _ modules: [ScannedTask], refused: [ScannedTask], tasks: [ScannedTask], events: EventTable, known: KnownTypes,
    scanned: Set<String>, target: String, isComplete: Bool
  ) {
    after = [[Reference]](repeating: [], count: tasks.count)
    guard !modules.isEmpty else { return }
    let resolver = TypeResolver(tasks: modules, known: known)
    let refusedModules = TypeResolver(tasks: refused, known: known)
    var links = [[(module: Int, reference: Reference)]](repeating: [], count: modules.count)
    var isOpen = [Bool](repeating: false, count: modules.count)
    for (number, module) in modules.enumerated() {
      let seesEverything = isComplete && !module.mayImport(besides: scanned)
      for reference in module.dependencies {
        switch resolver.resolve(reference, from: module) {
        case .undecided(let found):
          isOpen[number] = true
          links[number] += found.map { ($0, Reference(.task($0), text: reference.text, place: reference.place)) }
        case .tasks(let found):
          links[number] += found.map { ($0, Reference(.task($0), text: reference.text, place: reference.place)) }
        case .none where refusedModules.finds(reference, from: module): break
        case .none(let reason) where !seesEverything && reason.mayBeElsewhere: isOpen[number] = true
        case .none(let reason): problems.append(.unresolvedModule(reference, of: module, reason, in: modules))
        }
      }
      if module.module == target, let problem = ExtendedTypes.problem(of: module, known) { problems.append(problem) }
    }
    // The rules among tasks of one occasion are those among modules.
    let found = GraphProof.problems(
      in: modules.enumerated().map { number, module in
        DeclaredTask(
          name: module.name, module: module.module, occasions: [.event("module")],
          dependencies: links[number].map(\.reference), place: module.place
        ).under(module.conditions.facts)
      })
    problems += found.map { Problem.ofModules($0) }
    guard !found.contains(where: { $0.severity == .error }) else { return }
    follow(links, isOpen, modules, tasks, events)
  }

  private mutating func follow(
    _ links: [[(module: Int, reference: Reference)]], _ isOpen: [Bool], _ modules: [ScannedTask],
    _ tasks: [ScannedTask], _ events: EventTable
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
      var open = links[module]
      if isOpen[module] { undecided.formUnion(methods[module]) }
      while let (other, reference) = open.popLast() {
        guard seen.insert(other).inserted else { continue }
        // What it depends on through others is to be blamed on its own annotation, too.
        open += links[other].map { ($0.module, reference) }
        if isOpen[other] { undecided.formUnion(methods[module]) }
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
