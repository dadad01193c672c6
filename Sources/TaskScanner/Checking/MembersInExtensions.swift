import TaskGraph

/// Finds `isEnabled` and `stop` in extensions of tasks: the macro sees the type's own body only, so nobody would ask the
/// one or call the other.
enum MembersInExtensions {
  private struct Tasks {
    /// By the path of their type, and by that behind the alias or the module's name in the extension around it: several where
    /// branches of `#if` declare the type.
    var byPath: [NameScope.Candidate: [ScannedTask]] = [:]
    /// The last name in each of the paths.
    var names: Set<String> = []
  }

  /// What is wrong in the files of a module, whose tasks have been read.
  static func problems(in module: ScannedModule, _ known: KnownTypes) -> [Problem] {
    var tasks = Tasks()
    for task in module.tasks where task.owner == nil {
      for path in paths(of: task, known) { tasks.byPath[path, default: []].append(task) }
    }
    guard !tasks.byPath.isEmpty else { return [] }
    tasks.names = Set(tasks.byPath.keys.compactMap(\.path.last))
    return module.files.indices.filter { ByteSearch.maySwitchOrStop(module.files[$0]) }.flatMap { index in
      problems(in: FileReader(module.files[index], module: module.name, index: index), tasks, known)
    }
  }

  private static func paths(of task: ScannedTask, _ known: KnownTypes) -> Set<NameScope.Candidate> {
    let own = NameScope.Candidate(module: task.module, path: task.path)
    guard let extended = task.extended else { return [own] }
    let behind = task.path.dropFirst(extended.names.count)
    let declared = known.declared(extended, in: task.fileScope).map {
      NameScope.Candidate(module: $0.module, path: $0.path + behind)
    }
    return Set(declared + [own])
  }

  private static func problems(in file: FileReader, _ tasks: Tasks, _ known: KnownTypes) -> [Problem] {
    file.declarations.types.indices.flatMap { index -> [Problem] in
      let type = file.declarations.types[index]
      guard type.kind == .extension, !type.isLocal else { return [] }
      let members = file.staticMembers(of: type).filter { isSwitch($0, in: file) || isStop($0, in: file) }
      guard !members.isEmpty else { return [] }
      let extended = self.tasks(at: file.path(of: index), in: file, tasks, known)
      return members.compactMap { member in
        let conditions = file.conditions(member.branch)
        guard let task = extended.first(where: { !$0.conditions.exclude(conditions) }) else { return nil }
        let place = file.place(member.name.start)
        return isSwitch(member, in: file)
          ? Problem.isEnabledInExtension(of: task, at: place) : Problem.stopInExtension(of: task, at: place)
      }
    }
  }

  /// The tasks that an extension extends.
  private static func tasks(
    at path: TypePath, in file: FileReader, _ tasks: Tasks, _ known: KnownTypes
  ) -> [ScannedTask] {
    let names = path.plainNames
    if [nil, file.module].contains(path.module), let found = tasks.byPath[.init(module: file.module, path: names)] {
      return found
    }
    // Most types with a `stop` are no tasks: no module is read for them.
    guard names.last.map(tasks.names.contains) ?? false || names.contains(where: known.mayBeAlias) else { return [] }
    let scope = NameScope(module: file.module, file: file.index, surroundings: [], imports: file.imports())
    for (extended, scope) in known.behindAliases(path, in: scope) {
      // The task itself may be known by another path only, that in an extension.
      for length in stride(from: extended.names.count, to: 0, by: -1) {
        var front = extended
        front.names.removeLast(extended.names.count - length)
        let behind = extended.plainNames[length...]
        for type in known.declared(front, in: scope) {
          if let found = tasks.byPath[.init(module: type.module, path: type.path + behind)] { return found }
        }
      }
    }
    return []
  }

  /// Whether it would switch a task off.
  static func isSwitch(_ member: StaticMember, in file: FileReader) -> Bool {
    member.keyword != "func" && TypePath.plain(file.source.text(member.name)) == "isEnabled"
  }

  /// Whether it would undo a task: it takes nothing, or one parameter without a label, as the macro asks it to.
  static func isStop(_ member: StaticMember, in file: FileReader) -> Bool {
    guard member.keyword == "func", TypePath.plain(file.source.text(member.name)) == "stop",
      let parameters = member.parameters
    else { return false }
    guard let first = file.expression(parameters).tokens.first else { return true }
    return file.source.text(first.span) == "_" && ArgumentReader.arguments(in: parameters, of: file.source).count == 1
  }
}
