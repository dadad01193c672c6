public import TaskGraph

/// Everything that is wrong with the graph that a change would have made. The change was not made, in no part.
///
/// The words are those of the build: of the graph it is the same proof, and of an option the program says whose it is and
/// which value it has, where the build quotes it.
public struct TaskGraphError: Error, Sendable, CustomStringConvertible {
  /// Every problem at once, sorted by place; what has none comes last.
  public let problems: [Problem]

  /// - Parameter problems: where two say the same of a place, the first one counts, which may have notes.
  init(_ problems: [Problem]) {
    var seen: Set<Problem> = []
    let different = problems.filter { problem in
      var problem = problem
      (problem.notes, problem.tasks) = ([], [])
      return seen.insert(problem).inserted
    }
    self.problems = different.sortedByPlace
  }

  public var description: String {
    problems.map(\.description).joined(separator: "\n")
  }

  init(code: String, _ message: String) {
    self.init([Problem(code: "taskKit.\(code)", message: message, place: nil)])
  }

  static func unknownModule(_ module: String, known: [String]) -> TaskGraphError {
    let names = known.filter { !$0.isEmpty }
    let list = names.isEmpty ? "none that has a name" : names.map { "'\($0)'" }.joined(separator: ", ")
    let question = module.nearest(among: names).map { "; did you mean '\($0)'?" } ?? ""
    return TaskGraphError(code: "unknownModule", "the registry has no module '\(module)'; it has \(list)\(question)")
  }

  static func notRegistered(_ name: TaskName) -> TaskGraphError {
    TaskGraphError(
      code: "notRegistered",
      "task '\(name)' is not in the registry, so nothing can replace it; remove this call, or add its module")
  }

  static func nothingToExclude(_ what: String) -> TaskGraphError {
    TaskGraphError(
      code: "nothingToExclude",
      "\(what) is not in the registry, so there is nothing to exclude; remove this call, or add its module"
    )
  }

  /// - Parameter dependents: each with what it depends on, and at the end what is left out.
  static func hasDependents(
    _ what: String, _ dependents: [(task: TaskRegistration, path: [TaskRegistration])]
  ) -> TaskGraphError {
    TaskGraphError(
      dependents.map { dependent, path in
        Problem(
          code: "taskKit.hasDependents",
          message: "'\(dependent.name)' depends on \(what); exclude it too (dependents: .include), or let it go on "
            + "without (dependents: .detach)",
          place: SourcePlace(dependent.location),
          notes: path.map { .init("'\($0.name)' is declared here", place: SourcePlace($0.location)) })
      })
  }
}

extension SourcePlace {
  init(_ location: TaskLocation) {
    self.init(path: location.fileID, line: location.line, column: location.column)
  }
}
