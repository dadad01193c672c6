/// A place from which names are looked up, by the language's rules: the types around it from the inside out, then the
/// module, then what the file imports.
struct NameScope {
  let module: String
  /// The types around it, outermost first.
  let path: [String]
  /// The modules that its file imports.
  let imports: [String]

  struct Candidate: Hashable {
    let module: String
    let path: [String]
  }

  /// What a path can mean, in the order in which the compiler looks.
  ///
  /// - Parameter visible: the modules whose declarations the file can see.
  func candidates(_ path: TypePath, visible: [String] = []) -> [Candidate] {
    let names = path.plainNames
    if let module = path.module { return [Candidate(module: module, path: names)] }
    var candidates = stride(from: self.path.count, through: 0, by: -1).map { depth in
      Candidate(module: module, path: self.path.prefix(depth) + names)
    }
    candidates += visible.map { Candidate(module: $0, path: names) }
    // `Core.Load`, unless a type is called `Core`.
    if names.count > 1, names[0] == module || visible.contains(names[0]) {
      candidates.append(Candidate(module: names[0], path: Array(names.dropFirst())))
    }
    return candidates
  }
}
