import TaskGraph

extension KnownTypes {
  /// Where extensions of an annotated type, or a type from which it inherits, declare a static member or a type of a name that
  /// is seen from the annotation, and means another one there.
  func memberInside(_ name: String, of type: ScannedTask) -> SourcePlace? {
    // Most annotated types have neither: then no file is read.
    guard type.supertypes.contains(where: mayBeInheritable) || mayExtend(type.path.last ?? "", in: type.module) else {
      return nil
    }
    let own = NameScope.Candidate(module: type.module, path: type.path)
    let found = members(named: name, of: [own], seenFrom: type)
    guard !found.isEmpty else { return nil }
    let outside = membersAround(type, named: name)
    return found.first { member in !outside.contains { $0.place == member.place } }?.place
  }

  /// The static properties and methods of a name, of a certain form, that a task's type has from one behind its colon; none
  /// where it declares such a member itself, or an extension of it does.
  ///
  /// - Parameter fits: whether a member, in its file, is of that form.
  func inheritedMembers(
    named name: String, of task: ScannedTask, where fits: (StaticMember, _ file: FileReader) -> Bool
  ) -> [KnownMember] {
    // Few tasks have such types: then no file is read.
    guard task.supertypes.contains(where: mayBeInheritable) else { return [] }
    let known = members(named: name)
    guard !known.isEmpty else { return [] }
    let own = NameScope.Candidate(module: task.module, path: task.path)
    let isOwn = known.mayBe(ofOneOf: [own]).contains { member in
      isMember(member, ofOneOf: [own]) && isOfForm(member, fits)
    }
    guard !isOwn else { return [] }
    return members(named: name, of: inherited(by: own), seenFrom: task).filter { member in
      !member.isPrivate && isOfForm(member, fits) && isGivenToAll(member)
    }
  }

  private func isOfForm(_ member: KnownMember, _ fits: (StaticMember, _ file: FileReader) -> Bool) -> Bool {
    guard let found = member.member, let file = file(member.scope.file, of: member.scope.module) else { return false }
    return fits(found, file)
  }

  /// Whether a member belongs to all that inherit from its type: a protocol's own is what these have to bring.
  private func isGivenToAll(_ member: KnownMember) -> Bool {
    guard let file = file(member.scope.file, of: member.scope.module) else { return false }
    let bearer = file.declarations.types[member.bearer]
    return bearer.kind != .protocol && !file.isConstrained(bearer)
  }

  /// The members that a name means in the nearest type around an annotated one that has it.
  private func membersAround(_ type: ScannedTask, named name: String) -> [KnownMember] {
    let scope = type.fileScope
    for around in type.surroundings {
      var types = [NameScope.Candidate(module: type.module, path: around.path)]
      if around.isExtension { types += declared(TypePath(names: around.path), in: scope) }
      let found = members(named: name, of: types, seenFrom: type)
      if !found.isEmpty { return found }
    }
    return []
  }

  /// The members of a name that one of some types has or inherits, without those in the body of an annotated one, which the
  /// macro sees.
  private func members(
    named name: String, of bearers: [NameScope.Candidate], seenFrom type: ScannedTask
  ) -> [KnownMember] {
    let known = members(named: name)
    guard !known.isEmpty else { return [] }
    let own = NameScope.Candidate(module: type.module, path: type.path)
    let scope = type.fileScope
    let types = bearers + bearers.flatMap(inherited)
    return known.mayBe(ofOneOf: types).filter { member in
      !member.conditions.exclude(type.conditions) && (member.isInExtension || member.type != own)
        && scope.sees(member.access, file: member.scope.file, of: member.type.module, isForeign: true)
        // What is private to another type its heirs do not see, not even in its own file.
        && isMember(member, ofOneOf: member.isPrivate ? bearers : types)
    }
  }

  /// Whether it stands in the declaration or in an extension of one of the types.
  private func isMember(_ member: KnownMember, ofOneOf types: [NameScope.Candidate]) -> Bool {
    if types.contains(member.type) { return true }
    return member.isInExtension && declared(member.extended, in: member.scope).contains(where: types.contains)
  }
}

/// The static members and types of one name.
struct KnownMembers {
  /// By the last name of the type in which they stand.
  private var byType: [String: [KnownMember]] = [:]
  /// Those in extensions that may name their type by an alias.
  private var behindAliases: [KnownMember] = []

  var isEmpty: Bool { byType.isEmpty && behindAliases.isEmpty }

  mutating func add(_ member: KnownMember, isBehindAlias: Bool) {
    if isBehindAlias {
      behindAliases.append(member)
    } else {
      byType[member.type.path.last ?? "", default: []].append(member)
    }
  }

  /// Those that the types can have, by their names.
  func mayBe(ofOneOf types: [NameScope.Candidate]) -> [KnownMember] {
    var seen: Set<String> = []
    let names = types.compactMap(\.path.last).filter { seen.insert($0).inserted }
    return names.flatMap { byType[$0, default: []] } + behindAliases
  }
}

/// A static member, or a type, that a type or an extension declares.
struct KnownMember {
  /// Between whose braces it stands; of an extension, as it is written there.
  let type: NameScope.Candidate
  /// The same with a module selector.
  let extended: TypePath
  let isInExtension: Bool
  /// The type or the extension itself, by index in its file.
  let bearer: Int
  /// Nil where it is a type.
  let member: StaticMember?
  let place: SourcePlace
  let access: AccessLevel
  /// Whether it is `private`, and not `fileprivate`.
  let isPrivate: Bool
  let conditions: [ScannedTask.Condition]
  /// In which the extended type's name is looked up.
  let scope: NameScope

  /// What a message calls the type between whose braces it stands.
  var bearerName: String { type.path.joined(separator: ".") }
}

extension FileReader {
  /// The static members and types between the braces of all types outside of functions, by name.
  func members() -> [String: [KnownMember]] {
    let imports = imports()
    let scope = NameScope(module: module, file: index, surroundings: [], imports: imports)
    var members: [String: [KnownMember]] = [:]
    func add(_ name: SourceSpan, _ access: String?, _ branch: Int?, in type: Int, _ value: StaticMember? = nil) {
      let path = path(of: type)
      let member = KnownMember(
        type: .init(module: module, path: path.plainNames), extended: path,
        isInExtension: declarations.types[type].kind == .extension, bearer: type, member: value,
        place: place(name.start),
        access: self.access(access, in: type), isPrivate: access == "private", conditions: conditions(branch),
        scope: scope)
      members[TypePath.plain(source.text(name)), default: []].append(member)
    }
    for (number, type) in declarations.types.enumerated() where !type.isLocal && isInSomeBuild(type.branch) {
      for value in staticMembers(of: type) { add(value.name, value.access, value.branch, in: number, value) }
      if let parent = type.parent, type.kind != .extension {
        add(type.name, type.modifiers.accessLevel, type.branch, in: parent)
      }
    }
    for alias in declarations.aliases {
      if let parent = alias.parent, !declarations.types[parent].isLocal {
        add(alias.name, alias.modifiers.accessLevel, alias.branch, in: parent)
      }
    }
    return members
  }
}
