import TaskGraph

/// Finds modules that inherit from a module: the compiler would speak of what the macro and the plugin have written, once
/// for each declaration in it.
enum ModuleSuperclasses {
  /// What is wrong with the annotated classes of a module.
  static func problems(in module: ScannedModule, _ known: KnownTypes) -> [Problem] {
    module.taskModules.compactMap { subclass in
      guard !subclass.supertypes.isEmpty else { return nil }
      let inherited = known.inherited(by: .init(module: subclass.module, path: subclass.path))
      let superclass = known.modules.lazy.flatMap(\.taskModules).first { other in
        inherited.contains(.init(module: other.module, path: other.path))
          // A build in which the superclass is no module has nothing twice.
          && other.conditions.allSatisfy(subclass.conditions.contains)
      }
      return superclass.map { Problem.moduleInheritsFromModule(subclass, $0) }
    }
  }
}
