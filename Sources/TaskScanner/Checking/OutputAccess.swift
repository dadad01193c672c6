import TaskGraph

/// Finds public tasks whose `run` returns a type of their module that others do not see: the compiler would speak of an alias
/// that the macro adds, one line above the annotation. What is not certain is left to it.
enum OutputAccess {
  static func problems(_ tasks: [ScannedTask], known: KnownTypes, in scope: ScanScope) -> [Problem] {
    guard scope.isComplete else { return [] }
    return tasks.compactMap { task in
      // What is in an extension is as public as the type that it extends, which may stand elsewhere.
      guard scope.builds(task), task.conditions.isEmpty, !task.surroundings.contains(where: \.isExtension),
        let output = task.runOutput, let name = output.path.plainNames.last, known.mayHide(name, in: task.module),
        !output.path.plainNames.contains(where: known.mayBeAlias), let inside = CertainScope.inside(task, known)
      else { return nil }
      let found = known.types(output.path, in: inside)
      guard found.count == 1, let type = found.first, type.module == task.module, type.access != .public,
        type.kind.isNominal, !type.isGeneric, !type.isConditional
      else { return nil }
      return .internalOutput(output, of: task, type)
    }
  }
}
