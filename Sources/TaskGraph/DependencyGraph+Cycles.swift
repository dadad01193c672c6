extension DependencyGraph {
  /// One cycle of every strongly connected component that has any; empty if the graph can be ordered.
  ///
  /// A cycle is a path in the direction of dependency: each node waits for the next, the last for the first, and the first
  /// is the smallest. A node that waits for itself is a cycle of one. The list is sorted by first node.
  ///
  /// Each cycle is a shortest one of its component in all graphs up to 2,000 nodes and edges, and in larger ones as long as
  /// searching stays cheap; at the least it is a shortest one through the component's smallest node.
  ///
  /// Cost: O(n + e).
  public func cycles() -> [[Int]] {
    let (count, component) = components()
    var members = [[Int]](repeating: [], count: count)
    for node in 0..<nodeCount { members[Int(component[node])].append(node) }

    var search = CycleSearch(graph: self, component: component)
    var result: [[Int]] = []
    for nodes in members where nodes.count > 1 || isOwnPrerequisite(nodes[0]) {
      result.append(search.shortestCycle(in: nodes))
    }
    return result.sorted { $0[0] < $1[0] }
  }

  /// What is wrong with one of the cycles of a graph of tasks, in the words of the proof.
  ///
  /// - Parameter name: what a node is called.
  package func sentence(ofCycle cycle: [Int], name: (Int) -> String) -> String {
    Wording.cycle(
      cycle.indices.map { step in
        let (node, next) = (cycle[step], cycle[(step + 1) % cycle.count])
        let position = prerequisitePositions(of: node).first { Int(prerequisiteTargets[$0]) == next }
        let kind = position.map { prerequisiteKinds[$0] } ?? .requires
        return Wording.Link(dependent: name(node), kind: kind, prerequisite: name(next))
      })
  }

  private func isOwnPrerequisite(_ node: Int) -> Bool {
    prerequisitePositions(of: node).contains { Int(prerequisiteTargets[$0]) == node }
  }
}
