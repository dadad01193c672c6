import TaskGraph

/// Finds names in annotations that mean something else inside the annotated type, where the macro copies them: members of
/// its extensions, and what it inherits. The members of its own body the macro sees.
enum NamesInside {
  /// What is wrong with the annotations of a module.
  static func problems(in module: ScannedModule, _ known: KnownTypes) -> [Problem] {
    // The methods of a module are annotated inside of it.
    let types = module.tasks.filter { $0.owner == nil } + module.taskModules + module.kinds.map(\.type)
    return types.flatMap { type in
      type.bareNames.compactMap { name in
        known.memberInside(name.name, of: type).map { .memberOfItself(name.name, at: name.place, of: type, $0) }
      }
    }
  }
}
