/// The scope of a task's own body, where the sources show all that a name in it may mean.
enum CertainScope {
  /// - Returns: nil where what the type inherits, or has in extensions, may be nearer, or may be another `run`.
  static func inside(_ task: ScannedTask, _ known: KnownTypes) -> NameScope? {
    var own = [NameScope.Surrounding(path: task.path, isExtension: false, supertypes: task.supertypes)]
    own += task.surroundings
    guard own.allSatisfy(\.supertypes.isEmpty), !task.path.contains(where: { known.mayExtend($0, in: task.module) }),
      !mayExtendConformances(known)
    else { return nil }
    return NameScope(module: task.module, file: task.file, surroundings: own, imports: task.imports)
  }

  /// Whether any module extends what every annotated type conforms to, or may do so without saying it.
  private static func mayExtendConformances(_ known: KnownTypes) -> Bool {
    known.modules.contains { module in
      !module.isTaskKits && conformances.contains { known.mayExtend($0, in: module.name) }
    }
  }

  private static let conformances = [
    "LifecycleTask", "__LifecycleTask", "Sendable", "SendableMetatype", "BitwiseCopyable", "Equatable", "Hashable",
    "Actor",
  ]
}
