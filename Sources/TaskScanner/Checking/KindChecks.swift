import TaskGraph

/// Finds kinds of durable work that two types declare: jobs are stored by their kind, and one of the types would get those
/// of the other.
enum KindChecks {
  static func problems(in modules: [ScannedModule], known: KnownTypes, _ scope: ScanScope) -> [Problem] {
    var byName: [String: [ScannedKind]] = [:]
    var problems: [Problem] = []
    for kind in modules.flatMap(\.kinds) {
      if scope.builds(kind.type), let problem = ExtendedTypes.problem(of: kind.type, known) {
        problems.append(problem)
      }
      if scope.builds(kind.type), scope.isComplete, let place = kind.durable,
        !known.visible(from: kind.type.fileScope).contains("TaskKitDurable")
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
