extension DependencyGraph {
  /// Works out the law of order for these priorities, one a node; nil if the graph has a cycle.
  ///
  /// Cost: O(n + e) for the effective priorities, O(n + p log p) for the ranks with p different priorities, and
  /// O(e + n log₆₄ n) for the start order.
  public func schedule(priorities: [Int]) -> Schedule? {
    precondition(priorities.count == nodeCount, "\(priorities.count) priorities for \(nodeCount) nodes")
    guard let effective = effectivePriorities(priorities) else { return nil }
    let ranks = Self.ranks(of: ContiguousArray(effective))
    let (rank, byRank) = (Array(ranks.rank), Array(ranks.byRank))
    return Schedule(
      priorities: priorities, effectivePriorities: effective, rank: rank, byRank: byRank,
      startOrder: startOrder(rank: rank, byRank: byRank))
  }

  /// True if nothing waits for itself, directly or through others. Cost: O(n + e).
  public var isAcyclic: Bool { effectivePriorities([Int](repeating: 0, count: nodeCount)) != nil }

  /// Walks from the nodes nobody waits for to their prerequisites; a cycle is what is never reached.
  private func effectivePriorities(_ priorities: [Int]) -> [Int]? {
    var effective = priorities
    var open = ContiguousArray<Int32>(repeating: 0, count: nodeCount)
    var settled = ContiguousArray<Int32>()
    settled.reserveCapacity(nodeCount)
    for node in 0..<nodeCount {
      open[node] = dependentOffsets[node + 1] - dependentOffsets[node]
      if open[node] == 0 { settled.append(Int32(truncatingIfNeeded: node)) }
    }
    var next = 0
    while next < settled.count {
      let node = Int(settled[next])
      next += 1
      let priority = effective[node]
      for position in prerequisitePositions(of: node) {
        let prerequisite = Int(prerequisiteTargets[position])
        if effective[prerequisite] < priority { effective[prerequisite] = priority }
        open[prerequisite] -= 1
        if open[prerequisite] == 0 { settled.append(prerequisiteTargets[position]) }
      }
    }
    return next == nodeCount ? effective : nil
  }

  /// A counting sort over the different priorities, of which there are few: four by name.
  ///
  /// Not generic: another module would call it unspecialised.
  package static func ranks(
    of effective: ContiguousArray<Int>
  ) -> (rank: ContiguousArray<Int32>, byRank: ContiguousArray<Int32>) {
    var groups = PriorityGroups(effective)
    var rank = ContiguousArray<Int32>(repeating: 0, count: effective.count)
    var byRank = rank
    for node in effective.indices {
      let place = groups.nextPlace(of: effective[node])
      rank[node] = place
      byRank[Int(place)] = Int32(truncatingIfNeeded: node)
    }
    return (rank, byRank)
  }

  private func startOrder(rank: [Int32], byRank: [Int32]) -> [Int32] {
    var open = ContiguousArray<Int32>(repeating: 0, count: nodeCount)
    var ready = RankSet(capacity: nodeCount)
    for node in 0..<nodeCount {
      open[node] = prerequisiteOffsets[node + 1] - prerequisiteOffsets[node]
      if open[node] == 0 { ready.insert(Int(rank[node])) }
    }
    var order: [Int32] = []
    order.reserveCapacity(nodeCount)
    while let first = ready.popFirst() {
      let node = byRank[first]
      order.append(node)
      for position in dependentPositions(of: Int(node)) {
        let dependent = Int(dependentTargets[position])
        open[dependent] -= 1
        if open[dependent] == 0 { ready.insert(Int(rank[dependent])) }
      }
    }
    return order
  }
}
