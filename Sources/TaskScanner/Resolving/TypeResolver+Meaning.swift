extension TypeResolver {
  /// What a path means at one place.
  struct Meaning {
    var tasks: [Int] = []
    /// False where builds differ in it in a way that slots cannot tell, or where the sources do not tell.
    var isCertain = true
    /// False where some builds do not have it, and look further.
    var isEverywhere = false
    /// True where no build has both it and the task that asks.
    var isExcluded = false
    /// The aliases that were followed.
    var aliases: [KnownAlias] = []
  }

  /// What a path means in the nearest place that has it, as the compiler looks for it.
  ///
  /// - Parameter trail: the aliases that led here.
  func lookUp(
    _ path: TypePath, in scope: NameScope, beside task: ScannedTask, trail: [KnownAlias] = []
  ) -> Meaning? {
    var nearest: Meaning?
    var excluded: Meaning?
    for level in levels(path, in: scope) {
      guard let meaning = meaning(of: path, at: level(), in: scope, beside: task, trail: trail) else { continue }
      if meaning.isExcluded {
        // Where no build has both, the proof says so.
        excluded = excluded ?? meaning
      } else if var nearest {
        // Some builds have the nearer one, some look further.
        nearest.isCertain = false
        return nearest
      } else if meaning.isEverywhere {
        return meaning
      } else {
        nearest = meaning
      }
    }
    return nearest ?? excluded
  }

  /// Each is made when it is looked at: what is inherited takes reading whole modules.
  private func levels(_ path: TypePath, in scope: NameScope) -> [() -> NameScope.Level] {
    let own =
      path.module == nil
      ? scope.surroundings.flatMap { levels(path, in: $0, of: scope) }
        + [{ .init(candidates: [.init(module: scope.module, path: path.plainNames)]) }] : []
    return own + scope.imported(path, visible: known.visible(from:)).map { level in { level } }
  }

  /// What a type shows between its braces: its members, and then those that it inherits.
  func levels(
    _ path: TypePath, in type: NameScope.Surrounding, of scope: NameScope
  ) -> [() -> NameScope.Level] {
    let names = path.plainNames
    // Most names that a type could have are declared in none: then no file is read for its supertypes.
    guard let first = names.first else { return [] }
    let mayBeAlias = known.mayBeAlias(first)
    guard mayBeAlias || innerNames.contains(first) else { return [] }
    func level(_ types: [NameScope.Candidate]) -> NameScope.Level {
      .init(candidates: types.map { .init(module: $0.module, path: $0.path + names) }, isForeign: true)
    }
    let members = { level(declarations(of: type, in: scope)) }
    // What an extension elsewhere makes it conform to has no types but aliases.
    guard type.isExtension || !type.supertypes.isEmpty || mayBeAlias else { return [members] }
    return [
      members,
      {
        let declared = declarations(of: type, in: scope)
        var inherited: [NameScope.Candidate] = []
        for type in declared {
          inherited += known.inherited(by: type).filter { !inherited.contains($0) && !declared.contains($0) }
        }
        return level(inherited)
      },
    ]
  }

  /// Under which paths, and in which modules, a type has members.
  private func declarations(of type: NameScope.Surrounding, in scope: NameScope) -> [NameScope.Candidate] {
    var declared = [NameScope.Candidate(module: scope.module, path: type.path)]
    guard type.isExtension else { return declared }
    let outside = NameScope(module: scope.module, file: scope.file, surroundings: [], imports: scope.imports)
    let found = known.declared(TypePath(names: type.path), in: outside)
    declared += found.filter { !declared.contains($0) }
    if found.contains(where: { $0.module == scope.module }) { return declared }
    // A type of another module has members in all modules that extend it.
    let paths = found.isEmpty ? [type.path] : found.map(\.path)
    for module in known.visible(from: scope) + [scope.module] {
      declared += paths.map { .init(module: module, path: $0) }.filter { !declared.contains($0) }
    }
    return declared
  }

  /// What a path means among candidates that are equally near; nil where it means nothing.
  func meaning(
    of path: TypePath, at level: NameScope.Level, in scope: NameScope, beside task: ScannedTask, trail: [KnownAlias]
  ) -> Meaning? {
    var found = level.candidates.flatMap { candidate in (numbers[candidate] ?? []).map { (candidate.module, $0) } }
    var aliases = level.candidates.flatMap { candidate in
      self.aliases(in: candidate, of: path).map { (candidate.module, $0) }
    }
    aliases.removeAll { !scope.sees($0.1.access, file: $0.1.scope.file, of: $0.0, isForeign: false) }
    if level.isForeign {
      let visible = found.filter {
        scope.sees(tasks[$0.1].access, file: tasks[$0.1].file, of: $0.0, isForeign: true)
      }
      let visibleAliases = aliases.filter {
        scope.sees($0.1.access, file: $0.1.scope.file, of: $0.0, isForeign: true)
      }
      // If the compiler sees none of them, it says so.
      if !visible.isEmpty || !visibleAliases.isEmpty { (found, aliases) = (visible, visibleAliases) }
    }
    if found.isEmpty && aliases.isEmpty { return nil }
    let present = found.filter { !tasks[$0.1].excludes(task) }
    let presentAliases = aliases.filter { !$0.1.conditions.exclude(task.conditions) }
    if present.isEmpty && presentAliases.isEmpty {
      return Meaning(tasks: found.prefix(1).map(\.1), isExcluded: true, aliases: aliases.map(\.1))
    }
    let isEverywhere = { (conditions: [ScannedTask.Condition]) in conditions.allSatisfy(task.conditions.contains) }
    var meaning = Meaning()
    meaning.isEverywhere =
      present.contains { isEverywhere(tasks[$0.1].conditions) }
      || presentAliases.contains { isEverywhere($0.1.conditions) }
    // Which of several modules is meant, imports tell in ways that only the compiler follows.
    guard Set((present.map(\.0)) + presentAliases.map(\.0)).count == 1 else {
      meaning.isCertain = false
      return meaning
    }
    var meanings: [[Int]] = present.isEmpty ? [] : [present.map(\.1)]
    for (_, alias) in presentAliases {
      meaning.aliases.append(alias)
      guard !alias.target.names.isEmpty else {
        meaning.isCertain = false
        continue
      }
      // Aliases in a circle do not compile, but the tool runs before the compiler.
      let isCircle = trail.contains { $0.place == alias.place } || trail.count == 32
      let target =
        isCircle ? nil : lookUp(alias.target, in: alias.scope, beside: task, trail: trail + [alias])
      meaning.aliases += target?.aliases ?? []
      if target?.isCertain == false { meaning.isCertain = false }
      let tasks = target?.tasks ?? []
      if !meanings.contains(tasks) { meanings.append(tasks) }
    }
    if meanings.count > 1 { meaning.isCertain = false }
    for number in meanings.joined() where !meaning.tasks.contains(number) { meaning.tasks.append(number) }
    return meaning
  }

  /// The aliases in a candidate: `Alias`, or else in `Alias.Inner` the first part, with what is behind it in its target.
  private func aliases(in candidate: NameScope.Candidate, of path: TypePath) -> [KnownAlias] {
    for length in stride(from: path.names.count, to: 0, by: -1) {
      let behind = path.names.count - length
      let front = NameScope.Candidate(module: candidate.module, path: candidate.path.dropLast(behind))
      let found = front.path.isEmpty ? [] : known.aliases(front)
      guard found.isEmpty else {
        return found.map { alias in
          var alias = alias
          if !alias.target.names.isEmpty { alias.target.names += path.names[length...] }
          return alias
        }
      }
    }
    return []
  }
}
