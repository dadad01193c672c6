/// A place from which names are looked up, by the language's rules: the types around it from the inside out, then the
/// module, then what the file imports.
struct NameScope {
  let module: String
  /// Its file, by index.
  let file: Int
  /// The types and extensions around it, innermost first.
  let surroundings: [Surrounding]
  /// What its file imports.
  let imports: [ScannedModule.ImportedModule]

  /// A pair of braces around a place. The compiler looks into the type that they belong to, and not into the types around
  /// that one unless there are braces of theirs as well: inside `extension A.B` nothing of `A` is visible.
  struct Surrounding {
    /// Of the type, outermost first.
    let path: [String]
    let isExtension: Bool
    /// What stands behind the colon.
    let supertypes: [TypePath]
  }

  struct Candidate: Hashable {
    let module: String
    let path: [String]
  }

  /// How many aliases are followed from one to the next. Those in a circle do not compile, but the tool runs before the
  /// compiler.
  static let longestAlias = 16

  /// Candidates that are equally near.
  struct Level {
    let candidates: [Candidate]
    /// Whether other modules than the place's own have a say, whose internal declarations it does not see.
    var isForeign = false
  }

  /// What a path can mean in the module itself, nearest first; none where the path begins with a module selector.
  func own(_ path: TypePath) -> [Level] {
    guard path.module == nil else { return [] }
    let names = path.plainNames
    return (surroundings.map(\.path) + [[]]).map { Level(candidates: [Candidate(module: module, path: $0 + names)]) }
  }

  /// What a path can mean in what the file sees of other modules, and behind the name of a module, nearest first.
  ///
  /// - Parameter visible: the other modules whose declarations a place sees.
  func imported(_ path: TypePath, visible: (NameScope) -> [String]) -> [Level] {
    let names = path.plainNames
    if let module = path.module { return [Level(candidates: [Candidate(module: module, path: names)])] }
    // `import enum Core.Load` goes before what comes with a whole module.
    let single = imports.filter { $0.member == names.first }.map(\.name)
    let modules = visible(self)
    var levels = [single, modules].filter { !$0.isEmpty }.map { modules in
      Level(candidates: modules.map { Candidate(module: $0, path: names) }, isForeign: true)
    }
    // `Core.Load`, unless a type is called `Core`.
    if names.count > 1, names[0] == module || modules.contains(names[0]) {
      levels.append(Level(candidates: [Candidate(module: names[0], path: Array(names.dropFirst()))]))
    }
    return levels
  }

  /// Whether the place sees a declaration, as far as access levels tell.
  ///
  /// - Parameter isForeign: whether internal declarations of other modules are not seen.
  func sees(_ level: AccessLevel, file: Int, of other: String, isForeign: Bool) -> Bool {
    switch level {
    case .hidden: module == other && self.file == file
    case .internal: !isForeign || module == other || imports.contains { $0.name == other && $0.isTestable }
    case .public: true
    }
  }
}

/// Who sees a declaration.
enum AccessLevel {
  /// Its own file.
  case hidden
  /// Its own module.
  case `internal`
  /// Also those who import the module.
  case `public`
}
