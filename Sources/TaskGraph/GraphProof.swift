/// Proves that a set of tasks is sound: every reference finds its task, may wait for it, and nothing waits for itself.
///
/// The same proof is made when a package is built and when tasks are injected, so both say the same.
///
/// Cost: O(n + e) for n tasks with e references while nothing is wrong; each unknown name adds O(n), each cycle O(n + e). A
/// task of k events counts k times, a reference between tasks of k and l events at most k × l times.
public struct GraphProof: Sendable {
  /// What the references of a task stand for, in the order in which they are written.
  ///
  /// An empty entry: no such task. Several: tasks in different branches of one `#if`, of which a build has one.
  public struct Resolution: Sendable, Hashable {
    /// For each entry of the task's `dependencies`, the numbers of the tasks that it may mean.
    public var dependencies: [[Int]]
    /// The same for each entry of its `after`, where an empty one is no mistake.
    public var after: [[Int]]
  }

  /// Everything that is wrong, sorted by place; what has no place comes last.
  public let problems: [Problem]
  /// For each task what it refers to.
  public let resolutions: [Resolution]

  /// Proves everything at once.
  public init(_ tasks: [DeclaredTask]) {
    var resolver = ReferenceResolver(tasks)
    let resolutions = tasks.indices.map { resolver.resolve($0) }
    self.resolutions = resolutions
    let cycles = CycleFinder(tasks, resolutions).cycles()
    let found =
      Self.duplicates(in: tasks) + resolver.problems + OccasionRules.problems(in: tasks, resolutions)
      + cycles.map { Problem.cycle($0, in: tasks) }
    problems = found.sortedByPlace
  }

  /// Everything that is wrong with these tasks, sorted by place; the same as `GraphProof(tasks).problems`.
  public static func problems(in tasks: [DeclaredTask]) -> [Problem] { GraphProof(tasks).problems }

  private static func duplicates(in tasks: [DeclaredTask]) -> [Problem] {
    var seen: [String: [Int]] = [:]
    var result: [Problem] = []
    for (number, task) in tasks.enumerated() {
      if let first = seen[task.name]?.first(where: { !tasks[$0].excludes(task) }) {
        result.append(.duplicateName(number, first: first, in: tasks))
      }
      seen[task.name, default: []].append(number)
    }
    return result
  }
}
