import TaskGraph

/// Finds `isEnabled` and `stop` in extensions of tasks: the macro sees the type's own body only, so nobody would ask the
/// one or call the other.
enum MembersInExtensions {
  /// What is wrong in the files of a module, whose tasks have been read.
  static func problems(in module: ScannedModule) -> [Problem] {
    let tasks = Dictionary(
      module.tasks.filter { $0.owner == nil }.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    guard !tasks.isEmpty else { return [] }
    return module.files.indices.filter { ByteSearch.maySwitchOrStop(module.files[$0]) }.flatMap { index in
      problems(in: FileReader(module.files[index], module: module.name, index: index), tasks)
    }
  }

  private static func problems(in file: FileReader, _ tasks: [[String]: ScannedTask]) -> [Problem] {
    file.declarations.types.indices.flatMap { index -> [Problem] in
      let type = file.declarations.types[index]
      guard type.kind == .extension, !type.isLocal else { return [] }
      var path = file.path(of: index).plainNames
      // `extension App.Feed` in module App.
      if tasks[path] == nil, path.first == file.module { path.removeFirst() }
      guard let task = tasks[path] else { return [] }
      return file.staticMembers(of: type).compactMap { member in
        let place = file.place(member.name.start)
        switch (member.keyword, file.source.text(member.name)) {
        case ("let", "isEnabled"), ("var", "isEnabled"): return .isEnabledInExtension(of: task, at: place)
        case ("func", "stop") where isStop(member, in: file): return .stopInExtension(of: task, at: place)
        default: return nil
        }
      }
    }
  }

  /// Whether it takes nothing, or a parameter without a label, as the macro asks it to.
  private static func isStop(_ member: StaticMember, in file: FileReader) -> Bool {
    guard member.next.count == 2, member.next[0].kind == .leftParen else { return false }
    return member.next[1].kind == .rightParen || file.source.text(member.next[1].span) == "_"
  }
}
