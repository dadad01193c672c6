/// Finds the tasks that references stand for, and collects what cannot be found.
struct ReferenceResolver {
  private let tasks: [DeclaredTask]
  private let names: TaskNames
  private(set) var problems: [Problem] = []

  init(_ tasks: [DeclaredTask]) {
    self.tasks = tasks
    names = TaskNames(tasks.lazy.map { (name: $0.name, module: $0.module) })
  }

  mutating func resolve(_ task: Int) -> GraphProof.Resolution {
    GraphProof.Resolution(
      dependencies: tasks[task].dependencies.map { resolve($0, of: task, kind: .requires) },
      after: tasks[task].after.map { resolve($0, of: task, kind: .follows) })
  }

  private mutating func resolve(_ reference: Reference, of task: Int, kind: DependencyGraph.EdgeKind) -> [Int] {
    var candidates: [Int] = []
    var isFullName = true
    switch reference.target {
    case .task(let number):
      if tasks.indices.contains(number) { candidates = [number] }
    case .name(let name):
      candidates = present(names.named(name), with: task)
      if candidates.isEmpty {
        candidates = present(names.namedBehindModule(name), with: task)
        isFullName = false
      }
      if candidates.isEmpty { candidates = names.named(name) + names.namedBehindModule(name) }
    }
    guard let first = candidates.first else {
      reportUnknown(reference, of: task, kind: kind)
      return []
    }
    if tasks[first].excludes(tasks[task]) {
      if !reference.mayBeAbsent {
        problems.append(.dependencyInOtherBranch(reference, of: task, on: first, kind: kind, in: tasks))
      }
      return []
    }

    var alternatives: [Int] = []
    for candidate in candidates where alternatives.allSatisfy({ tasks[$0].excludes(tasks[candidate]) }) {
      alternatives.append(candidate)
    }
    // Two tasks with one full name are a mistake of their own, and already reported.
    let different = candidates.filter { tasks[$0].name != tasks[first].name && !alternatives.contains($0) }
    if !isFullName && !different.isEmpty {
      problems.append(.ambiguousName(reference, of: task, candidates: candidates, kind: kind, in: tasks))
      return []
    }
    return alternatives
  }

  /// Those that can be in the same build as `task`.
  private func present(_ candidates: [Int], with task: Int) -> [Int] {
    tasks[task].branch.isEmpty ? candidates : candidates.filter { !tasks[$0].excludes(tasks[task]) }
  }

  private mutating func reportUnknown(_ reference: Reference, of task: Int, kind: DependencyGraph.EdgeKind) {
    if reference.mayBeAbsent { return }
    let nearest = names.nearest(to: reference.text, except: task)
    switch kind {
    case .requires: problems.append(.unknownDependency(reference, of: task, nearest: nearest, in: tasks))
    case .follows: problems.append(.unmatchedAfter(reference, of: task, nearest: nearest, in: tasks))
    }
  }
}
