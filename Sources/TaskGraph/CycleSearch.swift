/// Breadth first search for a shortest cycle, with a budget for the whole graph so that its cost stays linear.
struct CycleSearch {
  private let graph: DependencyGraph
  private let component: ContiguousArray<Int32>
  private var budget: Int
  private var round: Int32 = 0
  /// The round in which a node was last reached, so that nothing has to be cleared between rounds.
  private var reached: ContiguousArray<Int32>
  private var parent: ContiguousArray<Int32>
  private var queue = ContiguousArray<Int32>()

  init(graph: DependencyGraph, component: ContiguousArray<Int32>) {
    self.graph = graph
    self.component = component
    budget = 1 << 23 + 16 * (graph.nodeCount + graph.edgeCount)
    reached = ContiguousArray(repeating: 0, count: graph.nodeCount)
    parent = reached
  }

  /// `nodes` is one component, ascending. Because only a shorter cycle replaces the one found before, the start of the result
  /// is its smallest node: from a smaller one the search would have found the same cycle earlier.
  mutating func shortestCycle(in nodes: [Int]) -> [Int] {
    var best: [Int] = []
    for start in nodes {
      if let found = cycle(through: start, shorterThan: best.isEmpty ? .max : best.count) { best = found }
      if best.count == 1 || (budget <= 0 && !best.isEmpty) { break }
    }
    return best
  }

  private mutating func cycle(through start: Int, shorterThan limit: Int) -> [Int]? {
    round += 1
    queue.removeAll(keepingCapacity: true)
    queue.append(Int32(truncatingIfNeeded: start))
    reached[start] = round
    var next = 0
    var length = 1
    var endOfLevel = 1
    while next < queue.count {
      if next == endOfLevel {
        length += 1
        endOfLevel = queue.count
      }
      if length >= limit { return nil }
      let node = Int(queue[next])
      next += 1
      let positions = graph.prerequisitePositions(of: node)
      budget -= 1 + positions.count
      for position in positions {
        let target = Int(graph.prerequisiteTargets[position])
        if target == start { return path(from: start, to: node) }
        guard reached[target] != round, component[target] == component[start] else { continue }
        reached[target] = round
        parent[target] = Int32(truncatingIfNeeded: node)
        queue.append(Int32(truncatingIfNeeded: target))
      }
    }
    return nil
  }

  private func path(from start: Int, to end: Int) -> [Int] {
    var result = [end]
    var node = end
    while node != start {
      node = Int(parent[node])
      result.append(node)
    }
    return result.reversed()
  }
}
