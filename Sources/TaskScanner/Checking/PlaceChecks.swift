import TaskGraph

/// Tells which annotations on what is no type are certain to be TaskKit's. All else is left to the compiler.
enum PlaceChecks {
  /// What is wrong in the files of a module.
  static func problems(in module: ScannedModule, _ known: KnownTypes) -> [Problem] {
    guard !module.misplaced.isEmpty else { return [] }
    // Somebody else's macro may have the name.
    let macros = known.modules.filter { !$0.isTaskKits }.flatMap(\.files).reduce(into: Set<String>()) { names, source in
      names.formUnion(ByteSearch.macros(in: source))
    }
    let modules = module.taskModules.map(\.path)
    return module.misplaced.compactMap { misplaced in
      // What one file of a module exports, all of them see.
      let visible = known.visible(importing: misplaced.imports + [module.name])
      guard visible.contains(misplaced.library), !macros.contains(misplaced.annotation) else { return nil }
      if let (type, problem) = misplaced.inExtension, modules.contains(type) { return problem }
      return misplaced.problem
    }
  }
}
