import TaskGraph

/// Looks at the type around a task that is declared in an extension of it: what the extension does not show may keep
/// the task from being collected.
enum ExtendedTypes {
  static func problem(of task: ScannedTask, _ known: KnownTypes) -> Problem? {
    guard let extended = task.extended else { return nil }
    let scope = NameScope(module: task.module, path: [], imports: task.imports)
    let name = task.path.last ?? task.name
    for length in 1...max(1, extended.names.count) {
      var around = extended
      around.names = Array(extended.names.prefix(length))
      let types = known.types(around, in: scope)
      // A type of the same name that is hidden in another file is another type.
      guard let type = types.first(where: { $0.file == task.file }) ?? types.first(where: { !$0.isHidden }) else {
        continue
      }
      let note = Problem.Note("'\(around.text)' is declared here", place: type.place)
      if type.isGeneric { return .typeInGenericType(name, scope: around.text, at: task.namePlace, notes: [note]) }
      if type.isHidden { return .typeInPrivateScope(name, scope: around.text, at: task.namePlace, notes: [note]) }
    }
    return nil
  }

  /// The imports that generated code needs to see what is extended; none where the module declares it itself.
  static func imports(for task: ScannedTask, in module: ScannedModule, _ known: KnownTypes)
    -> [ScannedModule.ImportedModule]
  {
    guard let extended = task.extended else { return [] }
    let scope = NameScope(module: task.module, path: [], imports: task.imports)
    return known.isInModule(extended, of: scope) ? [] : module.imports[task.file] ?? []
  }
}
