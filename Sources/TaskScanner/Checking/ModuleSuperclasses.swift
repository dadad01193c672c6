import TaskGraph

/// Finds modules that inherit from a module: the compiler would speak of what the macro and the plugin have written, once
/// for each declaration in it.
enum ModuleSuperclasses {
  /// What is wrong with the annotated classes of a module.
  static func problems(in module: ScannedModule, _ known: KnownTypes) -> [Problem] {
    module.taskModules.compactMap { subclass in
      // Few modules have such types: then no file is read.
      guard subclass.supertypes.contains(where: known.mayBeInheritable) else { return nil }
      let own = NameScope.Candidate(module: subclass.module, path: subclass.path)
      let scope = NameScope(
        module: subclass.module, file: subclass.file, surroundings: subclass.surroundings, imports: subclass.imports)
      // Behind its own colon: in another branch of an `#if`, the class may have another superclass.
      let direct = subclass.supertypes.flatMap { known.supertypes($0, in: scope) }.filter { $0 != own }
      let inherited = direct + direct.flatMap(known.inherited)
      let superclass = known.modules.lazy.flatMap(\.taskModules).first { other in
        let candidate = NameScope.Candidate(module: other.module, path: other.path)
        return candidate != own && inherited.contains(candidate)
          // The compiler means another class by the name of one that it does not see.
          && scope.sees(other.access, file: other.file, of: other.module, isForeign: true)
          // A build in which the superclass is no module has nothing twice.
          && other.conditions.allSatisfy(subclass.conditions.contains)
      }
      return superclass.map { Problem.moduleInheritsFromModule(subclass, $0) }
    }
  }
}
