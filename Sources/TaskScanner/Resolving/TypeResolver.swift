import TaskGraph

/// Finds the task that a type in `dependencies:` stands for, by the language's rules of scope: from the innermost type
/// around the annotation outwards, then the module, then what the file imports.
struct TypeResolver {
  enum Match {
    case task(Int)
    /// The task of this name is in a module that the file does not import.
    case notImported(task: Int)
    /// There is such a type, and it is no task.
    case notATask
    /// An alias of something that is not found.
    case brokenAlias(of: String)
    case unknown
  }

  private let modules: [ScannedModule]
  private let tasks: [ScannedTask]
  /// By module and path.
  private let numbers: [String: [Int]]
  private let known: KnownTypes

  init(modules: [ScannedModule], tasks: [ScannedTask]) {
    self.modules = modules
    self.tasks = tasks
    known = KnownTypes(modules)
    var numbers: [String: [Int]] = [:]
    for (number, task) in tasks.enumerated() {
      numbers[TypeResolver.key(task.module, task.path), default: []].append(number)
    }
    self.numbers = numbers
  }

  private static func key(_ module: String, _ path: [String]) -> String {
    module + ":" + path.joined(separator: ".")
  }

  func resolve(_ reference: ScannedTask.TypeReference, from task: ScannedTask) -> Match {
    // Aliases and types that are no tasks are looked for only when something is not found: it takes reading every file.
    var current = reference
    var seen: Set<[String]> = []
    while seen.insert(current.path).inserted {
      if let found = find(current, from: task) { return found }
      guard let target = known.alias(current, from: task) else { break }
      let components = FileReader.components(target)
      current = ScannedTask.TypeReference(
        path: components.path.map(FileReader.plain), module: components.module, text: target, place: reference.place)
    }
    if current.path != reference.path, !known.hasType(current, from: task) { return .brokenAlias(of: current.text) }
    // A type of the module itself hides one of another module.
    if !known.isInModule(current, of: task), let elsewhere = elsewhere(reference) {
      return .notImported(task: elsewhere)
    }
    return known.hasType(current, from: task) ? .notATask : .unknown
  }

  /// Whether one of the tasks is meant, aliases aside.
  func finds(_ reference: ScannedTask.TypeReference, from task: ScannedTask) -> Bool {
    find(reference, from: task) != nil
  }

  private func find(_ reference: ScannedTask.TypeReference, from task: ScannedTask) -> Match? {
    if let module = reference.module { return number(module, reference.path, beside: task).map(Match.task) }
    // The annotation stands on the type, so lookup begins in the type around it, and inside the type itself.
    for depth in stride(from: task.path.count, through: 0, by: -1) {
      let path = Array(task.path.prefix(depth)) + reference.path
      if let number = number(task.module, path, beside: task) { return .task(number) }
    }
    let imported = visibleModules(from: task)
    for module in imported {
      if let number = number(module, reference.path, beside: task) { return .task(number) }
      if reference.path.count > 1, reference.path[0] == module,
        let number = number(module, Array(reference.path.dropFirst()), beside: task)
      {
        return .task(number)
      }
    }
    if reference.path.count > 1, reference.path[0] == task.module {
      return number(task.module, Array(reference.path.dropFirst()), beside: task).map(Match.task)
    }
    return nil
  }

  /// Of tasks of one name in branches of one `#if`, the first that can be there together with the one that asks.
  private func number(_ module: String, _ path: [String], beside task: ScannedTask) -> Int? {
    guard let candidates = numbers[TypeResolver.key(module, path)] else { return nil }
    return candidates.first { !tasks[$0].excludes(task) } ?? candidates.first
  }

  /// What the file imports, and what those modules may re-export.
  private func visibleModules(from task: ScannedTask) -> [String] {
    guard let module = modules.first(where: { $0.name == task.module }) else { return [] }
    let direct = (module.imports[task.file] ?? []).map(\.name)
    return direct + known.reexported(by: direct).filter { !direct.contains($0) }
  }

  private func elsewhere(_ reference: ScannedTask.TypeReference) -> Int? {
    tasks.indices.first { tasks[$0].path == reference.path }
  }

  /// The name of a task's type that is near to one that does not exist.
  func suggestion(for reference: ScannedTask.TypeReference) -> String? {
    let names = TaskNames(tasks.map { ($0.path.joined(separator: "."), $0.module) })
    return names.suggestion(for: reference.path.joined(separator: "."))
  }
}

extension ScannedTask {
  /// True if no build contains both.
  func excludes(_ other: ScannedTask) -> Bool {
    conditions.contains { condition in
      other.conditions.contains { $0.group == condition.group && $0.branch != condition.branch }
    }
  }
}
