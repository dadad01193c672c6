import TaskGraph

/// Finds kinds of durable work that two types declare: jobs are stored by their kind, and one of the types would get those
/// of the other.
enum KindChecks {
  /// - Parameter target: the module that is being built.
  static func problems(in modules: [ScannedModule], known: KnownTypes, target: String) -> [Problem] {
    var byName: [String: [ScannedKind]] = [:]
    var problems: [Problem] = []
    for kind in modules.flatMap(\.kinds) {
      if kind.type.module == target, let problem = ExtendedTypes.problem(of: kind.type, known) {
        problems.append(problem)
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
