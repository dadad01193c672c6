import TaskGraph

/// All types, aliases and static members of the scanned modules.
///
/// A module is read at the first question about its types. Only a mistake, an extension around a task, a type that may
/// inherit a name from a scanned one, or an event whose types are written in several ways asks one. Aliases and members are
/// looked for by their names first, and supertypes that no module may declare are not looked for at all, so most builds read
/// no more files than have an annotation. Each answer is kept, since many tasks ask the same.
final class KnownTypes {
  private struct Contents {
    var types: [[String]: [KnownType]] = [:]
    /// What the types and their extensions name behind the colon, and where those names are looked up.
    var supertypes: [[String]: [(path: TypePath, scope: NameScope)]] = [:]
  }

  private struct ExtendedNames {
    /// The names in their paths.
    let names: Set<String>
    /// Whether one of them may be an alias.
    let haveAlias: Bool
  }

  let modules: [ScannedModule]
  private var contents: [String: Contents] = [:]
  private var files: [String: [Int: FileReader]] = [:]
  /// By module and name: the files that may declare an alias of that name.
  private var aliasFiles: [String: [String: [Int]]] = [:]
  /// The names of all aliases.
  private lazy var aliasNames = Set(modules.flatMap { fileIndex(ofAliasesIn: $0.name).keys })
  /// By module: the types that it may extend.
  private var extended: [String: ExtendedNames] = [:]
  /// By module and name: whether it may declare a type of that name which others do not see.
  private var hidden: [String: [String: Bool]] = [:]
  /// The names of all types that others may inherit from.
  private lazy var inheritable = Set(modules.flatMap { $0.files.flatMap(ByteSearch.inheritableTypes) })
  private var inheritedTypes: [NameScope.Candidate: [NameScope.Candidate]] = [:]
  /// By name, those of all files that may have one.
  private var members: [String: KnownMembers] = [:]
  /// By module, file and name.
  private var fileMembers: [String: [Int: [String: [KnownMember]]]] = [:]
  /// By module: those that it imports for all who import it.
  private lazy var exports: [String: [String]] = readExports()

  init(_ modules: [ScannedModule]) {
    self.modules = modules
  }

  /// The aliases that a path can mean, in the nearest scope that has one.
  func aliases(_ path: TypePath, in scope: NameScope) -> [KnownAlias] {
    first(path, in: scope, { ($0.access, $0.scope.file) }, aliases)
  }

  /// The types that a path can mean, in the nearest scope that has one.
  func types(_ path: TypePath, in scope: NameScope) -> [KnownType] {
    first(path, in: scope, { ($0.access, $0.file) }) { read($0.module).types[$0.path] ?? [] }
  }

  /// The aliases that are declared under a path.
  func aliases(_ candidate: NameScope.Candidate) -> [KnownAlias] {
    guard let name = candidate.path.last else { return [] }
    return filesWithAlias(name, in: candidate.module).flatMap { index in
      file(index, of: candidate.module).map { $0.aliases().filter { $0.path == candidate.path } } ?? []
    }
  }

  /// Whether the scope's own module declares the type.
  func isInModule(_ path: TypePath, of scope: NameScope) -> Bool {
    let types = read(scope.module).types
    return (scope.own(path) + scope.imported(path, visible: visible(from:))).contains { level in
      level.candidates.contains { $0.module == scope.module && types[$0.path] != nil }
    }
  }

  /// Whether a module may declare a type of that name which others do not see. Only files that may declare it are read.
  func mayHide(_ name: String, in module: String) -> Bool {
    if let known = hidden[module]?[name] { return known }
    let sources = self.module(module)?.files ?? []
    let made = sources.indices.contains { index in
      ByteSearch.mayDeclare(name, in: sources[index])
        && file(index, of: module)?.types().contains { $0.path.last == name && $0.access != .public } ?? false
    }
    hidden[module, default: [:]][name] = made
    return made
  }

  /// Whether any module may declare an alias of that name, in whatever scope.
  func mayBeAlias(_ name: String) -> Bool { aliasNames.contains(name) }

  /// The other modules whose declarations a place sees: those that its file imports, and what any file of its own module
  /// exports.
  func visible(from scope: NameScope) -> [String] {
    visible(importing: scope.imports.map(\.name) + [scope.module]).filter { $0 != scope.module }
  }

  /// The modules whose declarations a file that imports some modules can see.
  func visible(importing modules: [String]) -> [String] {
    var visible: [String] = []
    for module in modules where !visible.contains(module) { visible.append(module) }
    // Those that are found are looked at as well.
    var index = 0
    while index < visible.count {
      for exported in exports[visible[index]] ?? [] where !visible.contains(exported) { visible.append(exported) }
      index += 1
    }
    return visible
  }

  private func first<Found>(
    _ path: TypePath, in scope: NameScope, _ access: (Found) -> (AccessLevel, file: Int),
    _ find: (NameScope.Candidate) -> [Found]
  ) -> [Found] {
    for level in scope.own(path) + scope.imported(path, visible: visible(from:)) {
      // If the compiler sees nothing but what is internal elsewhere, it says so.
      for isForeign in level.isForeign ? [true, false] : [false] {
        for candidate in level.candidates {
          let found = find(candidate).filter {
            let (access, file) = access($0)
            return scope.sees(access, file: file, of: candidate.module, isForeign: isForeign)
          }
          if !found.isEmpty { return found }
        }
      }
    }
    return []
  }

  // MARK: - Supertypes

  /// The types from which a type inherits members, directly or through others, as far as the scanned modules declare
  /// them: the members of all others are no tasks.
  func inherited(by type: NameScope.Candidate) -> [NameScope.Candidate] {
    if let known = inheritedTypes[type] { return known }
    var found: [NameScope.Candidate] = []
    var open = [type]
    while let next = open.popLast() {
      for (path, scope) in read(next.module).supertypes[next.path] ?? [] where mayBeInheritable(path) {
        for candidate in supertypes(path, in: scope) where candidate != type && !found.contains(candidate) {
          found.append(candidate)
          open.append(candidate)
        }
      }
    }
    inheritedTypes[type] = found
    return found
  }

  /// Where the types are declared that an entry behind a colon means: one, or those of a composition behind an alias.
  func supertypes(_ path: TypePath, in scope: NameScope) -> [NameScope.Candidate] {
    var end = (path: path, scope: scope)
    for step in behindAliases(path, in: scope) { end = step }
    let compositions = aliases(end.path, in: end.scope).filter { !$0.composed.isEmpty }
    guard !compositions.isEmpty else { return declared(path, in: scope) }
    return compositions.flatMap { alias in alias.composed.flatMap { declared($0, in: alias.scope) } }
  }

  /// Whether any module may declare a type from which others can inherit, or an alias, under a name in that path.
  func mayBeInheritable(_ path: TypePath) -> Bool {
    path.plainNames.contains { inheritable.contains($0) || mayBeAlias($0) }
  }

  /// Where the type is declared that a path means, behind its aliases.
  func declared(_ path: TypePath, in scope: NameScope) -> [NameScope.Candidate] {
    for (path, scope) in behindAliases(path, in: scope) {
      let types = types(path, in: scope)
      if !types.isEmpty { return types.map { .init(module: $0.module, path: $0.path) } }
    }
    return []
  }

  /// A path, and what is behind each alias in turn, as far as that is one path in every build.
  func behindAliases(_ path: TypePath, in scope: NameScope) -> some Sequence<(path: TypePath, scope: NameScope)> {
    sequence(first: (path: path, scope: scope)) { current in
      guard case .one(let target, let next) = self.target(of: current.path, in: current.scope) else { return nil }
      return (path: target, scope: next)
    }.prefix(NameScope.longestAlias)
  }

  /// What stands behind the alias in a path.
  enum AliasTarget {
    case none
    case one(TypePath, scope: NameScope)
    /// It differs from build to build, or is not written as a path.
    case unknown
  }

  /// Follows an alias: `Alias`, or else in `Alias.Inner` the first part.
  func target(of path: TypePath, in scope: NameScope) -> AliasTarget {
    let found = targets(of: path, in: scope)
    guard let first = found.first else { return .none }
    guard Set(found.map(\.path)).count == 1, !first.path.names.isEmpty else { return .unknown }
    return .one(first.path, scope: first.scope)
  }

  /// What stands behind the alias in a path, once for each declaration of it; without names where it is not written as a
  /// path.
  private func targets(of path: TypePath, in scope: NameScope) -> [(path: TypePath, scope: NameScope)] {
    for length in stride(from: path.names.count, to: 0, by: -1) {
      var front = path
      front.names.removeLast(path.names.count - length)
      let found = aliases(front, in: scope)
      guard found.isEmpty else {
        return found.map { alias in
          var target = alias.target
          if !target.names.isEmpty { target.names += path.names[length...] }
          return (target, alias.scope)
        }
      }
    }
    return []
  }

  /// The paths of the types that a path can mean, behind its aliases; where no scanned module declares the type, as it
  /// is written behind the last of them.
  func unaliased(_ path: TypePath, in scope: NameScope) -> [[String]] {
    var found: [[String]] = []
    var open = [(path: path, scope: scope)]
    for _ in 0..<NameScope.longestAlias where !open.isEmpty {
      let next = open.removeFirst()
      let declared = types(next.path, in: next.scope).map(\.path)
      let behind =
        declared.isEmpty ? targets(of: next.path, in: next.scope).filter { !$0.path.names.isEmpty } : []
      if behind.isEmpty { found += declared.isEmpty ? [next.path.plainNames] : declared }
      open += behind
    }
    return found
  }

  /// Whether it is a type of the standard library or Foundation that nobody calls an alias or an associated type.
  func isStandard(_ path: TypePath) -> Bool {
    path.module == nil && path.names.count == 1 && Self.standard.contains(path.plainNames[0])
  }

  /// Those of the standard library and Foundation whose values are of no other type.
  static let standardValues: Set<String> = [
    "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double", "Float", "Bool",
    "String", "Substring", "Character", "Date", "Data", "URL", "UUID", "Duration",
  ]

  private static let standard = standardValues.union([
    "Void", "Never", "Error", "Array", "Dictionary", "Set", "Optional", "Result",
  ])

  // MARK: - Reading

  private func module(_ name: String) -> ScannedModule? { modules.first { $0.name == name } }

  func file(_ index: Int, of name: String) -> FileReader? {
    if let known = files[name]?[index] { return known }
    guard let module = module(name) else { return nil }
    let file = FileReader(module.files[index], module: name, index: index)
    files[name, default: [:]][index] = file
    return file
  }

  private func filesWithAlias(_ alias: String, in name: String) -> [Int] {
    fileIndex(ofAliasesIn: name)[alias] ?? []
  }

  private func fileIndex(ofAliasesIn name: String) -> [String: [Int]] {
    if let known = aliasFiles[name] { return known }
    var made: [String: [Int]] = [:]
    for (index, source) in (module(name)?.files ?? []).enumerated() {
      for alias in ByteSearch.aliases(in: source) { made[alias, default: []].append(index) }
    }
    aliasFiles[name] = made
    return made
  }

  /// The static members and types of a name.
  func members(named name: String) -> KnownMembers {
    if let known = members[name] { return known }
    var made = KnownMembers()
    for module in modules {
      for index in module.files.indices where ByteSearch.mayDeclare(name, in: module.files[index]) {
        for member in members(inFile: index, of: module.name)[name] ?? [] {
          made.add(member, isBehindAlias: member.isInExtension && member.type.path.contains(where: mayBeAlias))
        }
      }
    }
    members[name] = made
    return made
  }

  private func members(inFile index: Int, of module: String) -> [String: [KnownMember]] {
    if let known = fileMembers[module]?[index] { return known }
    let made = file(index, of: module)?.members() ?? [:]
    fileMembers[module, default: [:]][index] = made
    return made
  }

  private func read(_ name: String) -> Contents {
    if let known = contents[name] { return known }
    var made = Contents()
    for index in module(name)?.files.indices ?? 0..<0 {
      guard let file = file(index, of: name) else { continue }
      for type in file.types() { made.types[type.path, default: []].append(type) }
      for (path, supertypes) in file.supertypes() { made.supertypes[path, default: []] += supertypes }
    }
    contents[name] = made
    return made
  }

  /// Whether a type may be extended in the file by an alias.
  func mayExtendAlias(_ source: SourceText) -> Bool {
    ByteSearch.extendedTypes(in: source).contains(where: mayBeAlias)
  }

  /// Whether the module may extend a type that is called so, or by an alias.
  func mayExtend(_ name: String, in module: String) -> Bool {
    let known =
      extended[module]
      ?? {
        let names = Set((self.module(module)?.files ?? []).flatMap(ByteSearch.extendedTypes))
        return ExtendedNames(names: names, haveAlias: names.contains(where: mayBeAlias))
      }()
    extended[module] = known
    return known.haveAlias || known.names.contains(name)
  }

  /// Only a file with the attribute can re-export; most programs have none, and no file is read for it.
  private func readExports() -> [String: [String]] {
    var exports: [String: [String]] = [:]
    for module in modules {
      for (index, source) in module.files.enumerated() where ByteSearch.mayReexport(source) {
        let imports = file(index, of: module.name)?.imports() ?? []
        exports[module.name, default: []] += imports.filter { $0.attributes.contains("@_exported") }.map(\.name)
      }
    }
    return exports
  }
}

/// A type that a module declares.
struct KnownType {
  let kind: TypeDeclaration.Kind
  let module: String
  let path: [String]
  let place: SourcePlace
  let file: Int
  let isGeneric: Bool
  let conditions: [ScannedTask.Condition]
  let access: AccessLevel

  /// Whether it stands in a branch of `#if`.
  var isConditional: Bool { !conditions.isEmpty }
}

/// A `typealias` that a module declares.
struct KnownAlias {
  let path: [String]
  let place: SourcePlace
  /// Without names where it is not written as a path.
  var target: TypePath
  /// What stands between the angles of the target.
  let typeArguments: [String]
  /// Whether it has parameters of its own.
  let isGeneric: Bool
  /// Those of a composition.
  let composed: [TypePath]
  /// In which the target's names are looked up.
  let scope: NameScope
  let conditions: [ScannedTask.Condition]
  let access: AccessLevel
}

extension FileReader {
  /// The types outside of functions that some build has.
  fileprivate func types() -> [KnownType] {
    declarations.types.indices.compactMap { index in
      let type = declarations.types[index]
      guard type.kind != .extension, !type.isLocal, isInSomeBuild(type.branch) else { return nil }
      return KnownType(
        kind: type.kind, module: module, path: path(of: index).plainNames, place: place(type.name.start),
        file: self.index,
        isGeneric: type.isGeneric, conditions: conditions(type.branch), access: access(type.modifiers, in: type.parent))
    }
  }

  /// What the types and extensions outside of functions name behind the colon, as far as some build has them.
  fileprivate func supertypes() -> [(path: [String], supertypes: [(path: TypePath, scope: NameScope)])] {
    let imports = imports()
    return declarations.types.indices.compactMap { index in
      let type = declarations.types[index]
      guard !type.isLocal, isInSomeBuild(type.branch) else { return nil }
      let supertypes = supertypes(of: type)
      guard !supertypes.isEmpty else { return nil }
      let scope = NameScope(
        module: module, file: self.index, surroundings: nameSurroundings(type.parent), imports: imports)
      return (path(of: index).plainNames, supertypes.map { ($0, scope) })
    }
  }

  /// The aliases outside of functions.
  fileprivate func aliases() -> [KnownAlias] {
    let imports = imports()
    return declarations.aliases.map { alias in
      let parent = alias.parent.map { path(of: $0).plainNames } ?? []
      let target = TypePath.read(alias.target, of: source)
      return KnownAlias(
        path: parent + [TypePath.plain(source.text(alias.name))], place: place(alias.name.start),
        target: target,
        typeArguments: target.hasGenericArguments ? typeArguments(of: expression(alias.target)) ?? [] : [],
        isGeneric: source.bytes[alias.name.end..<alias.target.start].contains(UInt8(ascii: "<")),
        composed: composition(of: alias),
        scope: NameScope(
          module: module, file: self.index, surroundings: nameSurroundings(alias.parent), imports: imports),
        conditions: conditions(alias.branch), access: access(alias.modifiers, in: alias.parent))
    }
  }

  /// The types of `typealias A = B & C`.
  private func composition(of alias: AliasDeclaration) -> [TypePath] {
    guard alias.target.isEmpty else { return [] }
    let tokens = source.withLexer(from: alias.target.start) { lexer in
      var tokens: [Token] = []
      while true {
        let token = lexer.next()
        let goesOn = composes(token) || tokens.last.map(composes) ?? true
        if token.startsLine, !goesOn { return tokens }
        if [.endOfFile, .semicolon, .leftBrace, .rightBrace].contains(token.kind) { return tokens }
        tokens.append(token)
      }
    }
    guard let first = tokens.first, let last = tokens.last, tokens.contains(where: composes) else { return [] }
    return composedTypes(in: SourceSpan(start: first.start, end: last.end))
  }
}
