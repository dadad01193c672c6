import TaskGraph

/// Finds the task that a type in `dependencies:` stands for.
struct TypeResolver {
  enum Match {
    /// Several where branches of `#if` declare the type: a build has one of them.
    case tasks([Int])
    case none(Reason)
  }

  /// Why a type stands for no task.
  enum Reason {
    /// The task of this name is in a module that the file does not import.
    case notImported(task: Int)
    /// There is such a type, and it is no task.
    case notATask(KnownType)
    /// An alias of something that is not found.
    case brokenAlias(KnownAlias)
    /// No such type; a task with a name that is near.
    case unknown(near: Int?)

    /// Whether a module that is not scanned may have the task.
    var mayBeElsewhere: Bool {
      switch self {
      case .brokenAlias, .unknown: true
      case .notImported, .notATask: false
      }
    }
  }

  private let tasks: [ScannedTask]
  private let numbers: [NameScope.Candidate: [Int]]
  private let known: KnownTypes

  init(tasks: [ScannedTask], known: KnownTypes) {
    self.tasks = tasks
    self.known = known
    var numbers: [NameScope.Candidate: [Int]] = [:]
    for (number, task) in tasks.enumerated() {
      numbers[.init(module: task.module, path: task.path), default: []].append(number)
      if let path = TypeResolver.unaliasedPath(of: task, known), path != task.path {
        numbers[.init(module: task.module, path: path), default: []].append(number)
      }
    }
    self.numbers = numbers
  }

  /// The path of a task whose extension says `Core.Feed` or an alias instead of `Feed`.
  private static func unaliasedPath(of task: ScannedTask, _ known: KnownTypes) -> [String]? {
    guard let extended = task.extended, extended.module == nil else { return nil }
    let scope = NameScope(module: task.module, path: [], imports: task.imports)
    let behind = task.path.dropFirst(extended.names.count)
    guard known.types(extended, in: scope).isEmpty else {
      guard extended.names.count > 1, task.imports.contains(extended.plainNames[0]) else { return nil }
      return known.isInModule(extended, of: scope) ? nil : Array(task.path.dropFirst())
    }
    return known.aliases(extended, in: scope).first.map { $0.target.plainNames + behind }
  }

  func resolve(_ reference: ScannedTask.TypeReference, from task: ScannedTask) -> Match {
    // Aliases and types that are no tasks are looked for only when something is not found: it takes reading every file.
    let scope = NameScope(module: task.module, path: task.path, imports: task.imports)
    var aliases: [KnownAlias] = []
    let found = find(reference.path, in: scope, beside: task, through: &aliases)
    if !found.isEmpty { return .tasks(found) }
    if let alias = aliases.last {
      return .none(known.types(alias.target, in: alias.scope).first.map(Reason.notATask) ?? .brokenAlias(alias))
    }
    // A type of the module itself hides one of another module.
    let names = reference.path.plainNames
    if !known.isInModule(reference.path, of: scope),
      let elsewhere = tasks.indices.first(where: { tasks[$0].path == names && tasks[$0].module != task.module })
    {
      return .none(.notImported(task: elsewhere))
    }
    if let type = known.types(reference.path, in: scope).first { return .none(.notATask(type)) }
    return .none(.unknown(near: suggestion(for: names.joined(separator: "."))))
  }

  /// Whether one of the tasks is meant, aliases aside.
  func finds(_ reference: ScannedTask.TypeReference, from task: ScannedTask) -> Bool {
    let scope = NameScope(module: task.module, path: task.path, imports: task.imports)
    return !directly(reference.path, in: scope, beside: task).isEmpty
  }

  /// - Parameter aliases: those that were followed, with what is behind them in the path.
  private func find(
    _ path: TypePath, in scope: NameScope, beside task: ScannedTask, through aliases: inout [KnownAlias]
  ) -> [Int] {
    let found = directly(path, in: scope, beside: task)
    if !found.isEmpty { return found }
    // `Alias`, or `Alias.Inner`.
    for length in stride(from: path.names.count, to: 0, by: -1) {
      var front = path
      front.names.removeLast(path.names.count - length)
      var result: [Int] = []
      // Aliases in a circle do not compile, but the tool runs before the compiler.
      for var alias in known.aliases(front, in: scope) where aliases.count < 32 {
        alias.target.names += path.names[length...]
        aliases.append(alias)
        let found = find(alias.target, in: alias.scope, beside: task, through: &aliases)
        result += found.filter { !result.contains($0) }
      }
      if !result.isEmpty { return result }
    }
    return []
  }

  private func directly(_ path: TypePath, in scope: NameScope, beside task: ScannedTask) -> [Int] {
    for candidate in scope.candidates(path, visible: known.visible(importing: scope.imports)) {
      guard let found = numbers[candidate] else { continue }
      let present = found.filter { !tasks[$0].excludes(task) }
      // Where no build has both, the proof says so.
      return present.isEmpty ? Array(found.prefix(1)) : present
    }
    return []
  }

  private func suggestion(for name: String) -> Int? {
    let paths = tasks.map { $0.path.joined(separator: ".") }
    let names = TaskNames(zip(paths, tasks).map { ($0, $1.module) })
    return names.suggestion(for: name).flatMap(paths.firstIndex)
  }
}
