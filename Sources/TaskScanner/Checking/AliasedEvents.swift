/// Finds the events in extensions of an alias of their type: which type that is, such an extension does not show.
///
/// Files are read for it only where a scanned one declares such an alias, and of these only those that may extend one.
enum AliasedEvents {
  static func events(in module: ScannedModule, _ known: KnownTypes) -> [ScannedEvent] {
    module.files.indices.filter { known.mayExtendAlias(module.files[$0]) }.flatMap { index in
      known.file(index, of: module.name).map { events(in: $0, known) } ?? []
    }
  }

  private static func events(in file: FileReader, _ known: KnownTypes) -> [ScannedEvent] {
    let imports = file.imports()
    let scope = NameScope(module: file.module, file: file.index, surroundings: [], imports: imports)
    return file.declarations.types.indices.flatMap { index -> [ScannedEvent] in
      let type = file.declarations.types[index]
      guard type.kind == .extension, !type.isLocal, file.isInSomeBuild(type.branch) else { return [] }
      let path = TypePath.read(type.name, of: file.source)
      // What is called like the type itself has been read.
      guard path.plainNames.last != EventTable.type, path.plainNames.contains(where: known.mayBeAlias) else {
        return []
      }
      let steps = Array(known.behindAliases(path, in: scope))
      guard meansEventType(steps, known) else { return [] }
      return file.events(
        in: index, of: types(behind: steps, known) ?? file.eventTypes(of: type, in: scope), imports: imports)
    }
  }

  /// Whether the last of some steps from alias to alias is certain to be TaskKit's type.
  private static func meansEventType(_ steps: [(path: TypePath, scope: NameScope)], _ known: KnownTypes) -> Bool {
    guard steps.count > 1, let end = steps.last?.path, EventTable.types.contains(end.plainNames),
      [nil, "TaskKit"].contains(end.module)
    else { return false }
    // Which of an alias and a type is nearer, only the compiler follows.
    return steps.allSatisfy { known.types($0.path, in: $0.scope).allSatisfy { $0.module == "TaskKit" } }
  }

  /// What the aliases say of the payload and the reply; nil where they leave that to the extension.
  private static func types(
    behind steps: [(path: TypePath, scope: NameScope)], _ known: KnownTypes
  ) -> EventTypes? {
    let aliases = steps.dropLast().map { known.aliases($0.path, in: $0.scope) }
    // What parameters of an alias stand for, and which of its declarations is meant, only the compiler follows.
    guard aliases.allSatisfy({ $0.count == 1 && !$0[0].isGeneric }) else {
      return steps.last.map { EventTypes(payload: "", reply: "", scope: $0.scope) }
    }
    return aliases.joined().first { !$0.typeArguments.isEmpty }.map { alias in
      let types = alias.typeArguments
      return EventTypes(payload: types[0], reply: types.count > 1 ? types[1] : "", scope: alias.scope)
    }
  }
}
