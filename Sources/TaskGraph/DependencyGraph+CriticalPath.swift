extension DependencyGraph {
  /// The chain that takes longest, from first to last: shortening anything else cannot make the whole shorter.
  ///
  /// Durations are by node, in any unit; what is negative or not a number counts as 0. Among equals the node declared first
  /// wins. Empty for an empty graph and for one with a cycle.
  ///
  /// Cost: O(n + e).
  public func criticalPath(durations: [Double]) -> [Int] {
    precondition(durations.count == nodeCount, "\(durations.count) durations for \(nodeCount) nodes")
    var open = ContiguousArray<Int32>(repeating: 0, count: nodeCount)
    var settled = ContiguousArray<Int32>()
    settled.reserveCapacity(nodeCount)
    for node in 0..<nodeCount {
      open[node] = prerequisiteOffsets[node + 1] - prerequisiteOffsets[node]
      if open[node] == 0 { settled.append(Int32(truncatingIfNeeded: node)) }
    }

    var ends = ContiguousArray<Double>(repeating: 0, count: nodeCount)
    var previous = ContiguousArray<Int32>(repeating: -1, count: nodeCount)
    var next = 0
    while next < settled.count {
      let node = Int(settled[next])
      next += 1
      // Rows are ascending, so the first of equal prerequisites is the one declared first.
      for position in prerequisitePositions(of: node) {
        let prerequisite = prerequisiteTargets[position]
        if previous[node] < 0 || ends[Int(prerequisite)] > ends[Int(previous[node])] { previous[node] = prerequisite }
      }
      let start = previous[node] < 0 ? 0 : ends[Int(previous[node])]
      ends[node] = start + (durations[node] > 0 ? durations[node] : 0)
      for position in dependentPositions(of: node) {
        let dependent = Int(dependentTargets[position])
        open[dependent] -= 1
        if open[dependent] == 0 { settled.append(dependentTargets[position]) }
      }
    }
    guard next == nodeCount, var last = ends.indices.first else { return [] }
    for node in ends.indices where ends[node] > ends[last] { last = node }

    var path: [Int] = []
    var node = Int32(truncatingIfNeeded: last)
    while node >= 0 {
      path.append(Int(node))
      node = previous[Int(node)]
    }
    return path.reversed()
  }
}
