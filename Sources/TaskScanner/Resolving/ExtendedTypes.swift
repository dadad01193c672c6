import TaskGraph

/// Looks at the type around a task that is declared in an extension of it: what the extension does not show may keep
/// the task from being collected.
enum ExtendedTypes {
  static func problem(of task: ScannedTask, _ known: KnownTypes) -> Problem? {
    guard let extended = task.extended else { return nil }
    return (1...max(1, extended.names.count)).lazy.compactMap { length in
      var around = extended
      around.names = Array(extended.names.prefix(length))
      return problem(of: task, inside: around, known)
    }.first
  }

  /// - Parameter around: the extended type, or one around that.
  private static func problem(of task: ScannedTask, inside around: TypePath, _ known: KnownTypes) -> Problem? {
    let name = task.path.last ?? task.name
    let scope = task.fileScope
    func note(_ place: SourcePlace) -> Problem.Note { Problem.Note("'\(around.text)' is declared here", place: place) }
    func types(_ path: TypePath, in scope: NameScope) -> [KnownType] {
      known.types(path, in: scope).filter { !$0.conditions.exclude(task.conditions) }
    }
    let found = types(around, in: scope)
    if let type = found.first(where: { $0.file == task.file }) ?? found.first {
      if type.isGeneric {
        return .typeInGenericType(name, scope: around.text, at: task.namePlace, notes: [note(type.place)])
      }
      return type.access == .hidden
        ? .typeInPrivateScope(name, scope: around.text, at: task.namePlace, notes: [note(type.place)]) : nil
    }
    let aliases = known.aliases(around, in: scope).filter { !$0.conditions.exclude(task.conditions) }
    if let alias = aliases.first(where: { $0.access == .hidden }) {
      return .typeInPrivateScope(name, scope: around.text, at: task.namePlace, notes: [note(alias.place)])
    }
    var end = (path: around, scope: scope)
    for step in known.behindAliases(around, in: scope) { end = step }
    // `typealias IntBox = Box<Int>` is one type.
    guard !end.path.hasGenericArguments,
      types(end.path, in: end.scope).first?.isGeneric ?? isGenericOfLibrary(end.path)
    else { return nil }
    let notes = aliases.prefix(1).map { note($0.place) }
    return .typeInGenericType(name, scope: around.text, at: task.namePlace, notes: notes)
  }

  /// Whether a type that is not among the sources is a generic one of Swift's own libraries, which nobody has to import.
  private static func isGenericOfLibrary(_ path: TypePath) -> Bool {
    let names = path.plainNames
    guard [nil, "Swift", "_Concurrency"].contains(path.module), names.count == 1 || names.dropLast() == ["Swift"] else {
      return false
    }
    return genericTypes.contains(names[names.count - 1])
  }

  private static let genericTypes: Set = [
    "Array", "ArraySlice", "AsyncStream", "AsyncThrowingStream", "ClosedRange", "ContiguousArray", "Dictionary",
    "KeyPath", "KeyValuePairs", "Optional", "Range", "Result", "Set", "Slice", "Task", "TaskGroup", "TaskLocal",
    "ThrowingTaskGroup", "UnsafeBufferPointer", "UnsafeMutableBufferPointer", "UnsafeMutablePointer", "UnsafePointer",
  ]

  /// The imports that generated code needs to see what is extended; none where the module declares it itself.
  static func imports(for task: ScannedTask, in module: ScannedModule, _ known: KnownTypes)
    -> [ScannedModule.ImportedModule]
  {
    guard let extended = task.extended else { return [] }
    return known.isInModule(extended, of: task.fileScope) ? [] : module.imports[task.file] ?? []
  }

  /// The type of a task as generated code refers to it.
  ///
  /// Generated code imports every module with tasks, and two of them may have a type of the name that is extended: so it
  /// says whose is meant.
  static func reference(to task: ScannedTask, _ known: KnownTypes) -> String {
    guard let extended = task.extended, extended.module == nil, let outermost = extended.names.first else {
      return task.typeName
    }
    let scope = task.fileScope
    let path = TypePath(names: [outermost])
    let module = known.types(path, in: scope).first?.module ?? known.aliases(path, in: scope).first?.scope.module
    // What the module declares itself hides all others.
    guard let module, module != task.module, ImportLevels.identifier(module) == module else { return task.typeName }
    return "\(module)::\(task.typeName)"
  }
}
