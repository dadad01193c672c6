import TaskGraph

/// Finds `isEnabled` and `stop` in extensions of tasks: the macro sees the type's own body only, so nobody would ask the
/// one or call the other.
enum MembersInExtensions {
  /// What is wrong in the files of a module, whose tasks have been read.
  static func problems(in module: ScannedModule, _ known: KnownTypes) -> [Problem] {
    let tasks = Dictionary(
      module.tasks.filter { $0.owner == nil }.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    guard !tasks.isEmpty else { return [] }
    return module.files.indices.filter { ByteSearch.maySwitchOrStop(module.files[$0]) }.flatMap { index in
      problems(in: FileReader(module.files[index], module: module.name, index: index), tasks, known)
    }
  }

  private static func problems(
    in file: FileReader, _ tasks: [[String]: ScannedTask], _ known: KnownTypes
  ) -> [Problem] {
    file.declarations.types.indices.flatMap { index -> [Problem] in
      let type = file.declarations.types[index]
      guard type.kind == .extension, !type.isLocal else { return [] }
      let members = file.staticMembers(of: type).filter { isSwitch($0, in: file) || isStop($0, in: file) }
      guard !members.isEmpty, let task = task(at: file.path(of: index), in: file, tasks, known) else { return [] }
      return members.map { member in
        let place = file.place(member.name.start)
        return isSwitch(member, in: file)
          ? .isEnabledInExtension(of: task, at: place) : .stopInExtension(of: task, at: place)
      }
    }
  }

  private static func task(
    at path: TypePath, in file: FileReader, _ tasks: [[String]: ScannedTask], _ known: KnownTypes
  ) -> ScannedTask? {
    let names = path.plainNames
    if let task = tasks[names] { return task }
    guard let first = names.first else { return nil }
    // `extension App.Feed` in module App.
    if first == file.module, let task = tasks[Array(names.dropFirst())] { return task }
    guard names.contains(where: known.mayBeAlias) else { return nil }
    let scope = NameScope(module: file.module, file: file.index, surroundings: [], imports: file.imports())
    return known.declared(path, in: scope).lazy.compactMap { $0.module == file.module ? tasks[$0.path] : nil }.first
  }

  private static func isSwitch(_ member: StaticMember, in file: FileReader) -> Bool {
    member.keyword != "func" && TypePath.plain(file.source.text(member.name)) == "isEnabled"
  }

  /// Whether it takes nothing, or a parameter without a label, as the macro asks it to.
  private static func isStop(_ member: StaticMember, in file: FileReader) -> Bool {
    guard member.keyword == "func", TypePath.plain(file.source.text(member.name)) == "stop", member.next.count == 2,
      member.next[0].kind == .leftParen
    else { return false }
    return member.next[1].kind == .rightParen || file.source.text(member.next[1].span) == "_"
  }
}
