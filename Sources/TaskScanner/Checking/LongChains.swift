import TaskGraph

/// Warns of a chain of `dependencies:` that the compiler may not come to the end of: for each type in such a list it reads
/// that type's own annotation, one inside the other, and in a debug build its stack is full after somewhat more than six
/// hundred. What other modules declare is known without that.
enum LongChains {
  /// How many tasks may follow each other in one module.
  static let limit = 500

  /// - Parameters:
  ///   - dependencies: by task: those that it depends on; no task needs itself, directly or through others.
  ///   - references: by task: where it names those.
  static func problems(
    _ tasks: [ScannedTask], dependencies: [[Int]?], references: [[Reference]], in scope: ScanScope
  ) -> [Problem] {
    // The methods of a module name each other by strings.
    let isLink = tasks.map { $0.owner == nil && scope.builds($0) }
    guard isLink.count(where: \.self) > limit else { return [] }
    let links = tasks.indices.map { task in isLink[task] ? (dependencies[task] ?? []).filter { isLink[$0] } : [] }
    guard let chain = longestChain(links), chain.count > limit else { return [] }
    let (middle, previous) = (chain[chain.count / 2], chain[chain.count / 2 - 1])
    let place = references[middle].first { $0.target == .task(previous) }?.place
    return [
      .longChain(
        of: chain.count, at: place ?? tasks[middle].place, middle: tasks[middle], previous: tasks[previous],
        first: tasks[chain[0]])
    ]
  }

  /// The tasks of the longest chain, the one that waits for no other first; the first of several. Nil for a circle.
  private static func longestChain(_ links: [[Int]]) -> [Int]? {
    var dependents = [[Int]](repeating: [], count: links.count)
    var open = links.map(\.count)
    for (task, others) in links.enumerated() {
      for other in others { dependents[other].append(task) }
    }
    var length = [Int](repeating: 1, count: links.count)
    var previous = [Int?](repeating: nil, count: links.count)
    var settled = links.indices.filter { open[$0] == 0 }
    var next = 0
    while next < settled.count {
      let task = settled[next]
      next += 1
      for dependent in dependents[task] {
        if length[dependent] < length[task] + 1 {
          length[dependent] = length[task] + 1
          previous[dependent] = task
        }
        open[dependent] -= 1
        if open[dependent] == 0 { settled.append(dependent) }
      }
    }
    guard settled.count == links.count, let longest = length.max(), let last = length.firstIndex(of: longest) else {
      return nil
    }
    return sequence(first: last) { previous[$0] }.reversed()
  }
}
