extension DependencyGraph {
  /// The strongly connected components, numbered so that a component's number is higher than those of all it waits for.
  ///
  /// Tarjan's algorithm with its stack in arrays. Cost: O(n + e).
  package func components() -> (count: Int, ofNode: ContiguousArray<Int32>) {
    var component = ContiguousArray<Int32>(repeating: -1, count: nodeCount)
    var count: Int32 = 0
    var visit = ContiguousArray<Int32>(repeating: -1, count: nodeCount)
    var lowest = visit
    var visited: Int32 = 0
    var next = prerequisiteOffsets
    // Nodes whose component is not known yet, and nodes whose edges are not done yet.
    var pending = ContiguousArray<Int32>()
    var path = ContiguousArray<Int32>()

    for root in 0..<nodeCount where visit[root] < 0 {
      path.append(Int32(truncatingIfNeeded: root))
      while let top = path.last {
        let node = Int(top)
        if visit[node] < 0 {
          visit[node] = visited
          lowest[node] = visited
          visited += 1
          pending.append(top)
        }
        if next[node] < prerequisiteOffsets[node + 1] {
          let target = Int(prerequisiteTargets[Int(next[node])])
          next[node] += 1
          if visit[target] < 0 {
            path.append(Int32(truncatingIfNeeded: target))
          } else if component[target] < 0 {
            lowest[node] = min(lowest[node], visit[target])
          }
          continue
        }
        path.removeLast()
        if let parent = path.last { lowest[Int(parent)] = min(lowest[Int(parent)], lowest[node]) }
        guard lowest[node] == visit[node] else { continue }
        while let member = pending.popLast() {
          component[Int(member)] = count
          if member == top { break }
        }
        count += 1
      }
    }
    return (Int(count), component)
  }
}
