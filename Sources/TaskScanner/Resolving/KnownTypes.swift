import TaskGraph

/// All types and aliases of the scanned modules.
///
/// A module is read at the first question about it. Only a mistake, an alias or an extension around a task asks one, so
/// most builds read no more files than have an annotation.
final class KnownTypes {
  private struct Contents {
    var types: [[String]: [KnownType]] = [:]
    var aliases: [[String]: [KnownAlias]] = [:]
  }

  private let modules: [ScannedModule]
  private var contents: [String: Contents] = [:]
  /// By module: those that it imports for all who import it.
  private lazy var exports: [String: [String]] = readExports()

  init(_ modules: [ScannedModule]) {
    self.modules = modules
  }

  /// The aliases that a path can mean, in the nearest scope that has one.
  func aliases(_ path: TypePath, in scope: NameScope) -> [KnownAlias] {
    first(path, in: scope) { $0.aliases[$1] }
  }

  /// The types that a path can mean, in the nearest scope that has one.
  func types(_ path: TypePath, in scope: NameScope) -> [KnownType] {
    first(path, in: scope) { $0.types[$1] }
  }

  /// Whether the scope's own module declares the type.
  func isInModule(_ path: TypePath, of scope: NameScope) -> Bool {
    let contents = read(scope.module)
    return scope.candidates(path).contains { $0.module == scope.module && contents.types[$0.path] != nil }
  }

  /// The modules whose declarations a file that imports some modules can see.
  func visible(importing modules: [String]) -> [String] {
    var visible = modules
    // Those that are found are looked at as well.
    var index = 0
    while index < visible.count {
      for exported in exports[visible[index]] ?? [] where !visible.contains(exported) { visible.append(exported) }
      index += 1
    }
    return visible
  }

  private func first<Found>(
    _ path: TypePath, in scope: NameScope, _ find: (Contents, [String]) -> [Found]?
  ) -> [Found] {
    for candidate in scope.candidates(path, visible: visible(importing: scope.imports)) {
      if let found = find(read(candidate.module), candidate.path) { return found }
    }
    return []
  }

  private func read(_ name: String) -> Contents {
    if let known = contents[name] { return known }
    var made = Contents()
    if let module = modules.first(where: { $0.name == name }) {
      for (index, source) in module.files.enumerated() {
        let file = FileReader(source, module: name, index: index)
        for type in file.types() { made.types[type.path, default: []].append(type) }
        for alias in file.aliases() { made.aliases[alias.path, default: []].append(alias) }
      }
    }
    contents[name] = made
    return made
  }

  /// Only a file with the attribute can re-export; most programs have none, and no file is read for it.
  private func readExports() -> [String: [String]] {
    var exports: [String: [String]] = [:]
    for module in modules {
      for (index, source) in module.files.enumerated() where ByteSearch.mayReexport(source) {
        let imports = FileReader(source, module: module.name, index: index).imports()
        exports[module.name, default: []] += imports.filter { $0.attributes.contains("@_exported") }.map(\.name)
      }
    }
    return exports
  }
}

/// A type that a module declares.
struct KnownType {
  let path: [String]
  let place: SourcePlace
  let file: Int
  let isGeneric: Bool
  /// Whether other files cannot see it.
  let isHidden: Bool
}

/// A `typealias` that a module declares.
struct KnownAlias {
  let path: [String]
  let place: SourcePlace
  var target: TypePath
  /// In which the target's names are looked up.
  let scope: NameScope
}

extension FileReader {
  /// The types outside of functions.
  fileprivate func types() -> [KnownType] {
    declarations.types.indices.compactMap { index in
      let type = declarations.types[index]
      guard type.kind != .extension, !type.isLocal else { return nil }
      return KnownType(
        path: path(of: index).plainNames, place: place(type.name.start), file: self.index, isGeneric: type.isGeneric,
        isHidden: type.isHidden)
    }
  }

  /// The aliases outside of functions.
  fileprivate func aliases() -> [KnownAlias] {
    let imports = imports().map(\.name)
    return declarations.aliases.compactMap { alias in
      let target = TypePath.read(alias.target, of: source)
      guard !target.names.isEmpty else { return nil }
      let parent = alias.parent.map { path(of: $0).plainNames } ?? []
      return KnownAlias(
        path: parent + [TypePath.plain(source.text(alias.name))], place: place(alias.name.start), target: target,
        scope: NameScope(module: module, path: parent, imports: imports))
    }
  }
}
