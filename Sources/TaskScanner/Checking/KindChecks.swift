import TaskGraph

/// Finds kinds of durable work that two types declare: jobs are stored by their kind, and one of the types would get those
/// of the other.
enum KindChecks {
  /// - Parameters:
  ///   - target: the module that is being built.
  ///   - isComplete: whether all modules that the target depends on are scanned.
  static func problems(
    in modules: [ScannedModule], known: KnownTypes, target: String, isComplete: Bool
  ) -> [Problem] {
    var byName: [String: [ScannedKind]] = [:]
    var problems: [Problem] = []
    for kind in modules.flatMap(\.kinds) {
      if kind.type.module == target, let problem = ExtendedTypes.problem(of: kind.type, known) {
        problems.append(problem)
      }
      if kind.type.module == target, isComplete, let place = kind.durable,
        !known.visible(importing: kind.type.imports.map(\.name)).contains("TaskKitDurable")
      {
        problems.append(.durableWithoutLibrary(at: place))
      }
      guard let name = kind.kind else { continue }
      // Of branches that exclude each other a build has one.
      if let other = byName[name]?.first(where: { !$0.type.excludes(kind.type) }) {
        problems.append(.duplicateKind(name, kind, other))
        problems.append(.duplicateKind(name, other, kind))
      }
      byName[name, default: []].append(kind)
    }
    return problems
  }
}
