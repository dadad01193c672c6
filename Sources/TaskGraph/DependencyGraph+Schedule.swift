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
  package var isAcyclic: Bool { effectivePriorities([Int](repeating: 0, count: nodeCount)) != nil }

  private func effectivePriorities(_ priorities: [Int]) -> [Int]? {
    let counts = ContiguousArray((0..<nodeCount).lazy.map { self.dependentOffsets[$0 + 1] - self.dependentOffsets[$0] })
    let isForward = (0..<nodeCount).allSatisfy { node in
      prerequisitePositions(of: node).allSatisfy { prerequisiteTargets[$0] < node }
    }
    return Self.effectivePriorities(
      ContiguousArray(priorities), starts: prerequisiteOffsets, prerequisites: prerequisiteTargets,
      dependentCounts: counts, isForward: isForward
    ).map(Array.init)
  }

  /// The highest priority among each node and everything that waits for it; nil if nodes wait in a circle.
  ///
  /// Not generic: another module would call it unspecialised. Cost: O(n + e).
  ///
  /// - Parameters:
  ///   - starts: where the row of each node begins; one more than there are nodes.
  ///   - prerequisites: what each waits for, row by row; nothing twice in one.
  ///   - dependentCounts: how many wait for each.
  ///   - isForward: whether every node waits only for smaller ones.
  package static func effectivePriorities(
    _ priorities: ContiguousArray<Int>, starts: ContiguousArray<Int32>, prerequisites: ContiguousArray<Int32>,
    dependentCounts: ContiguousArray<Int32>, isForward: Bool
  ) -> ContiguousArray<Int>? {
    if isForward, let first = priorities.first, priorities.allSatisfy({ $0 == first }) { return priorities }
    var effective = priorities
    func inherit(from node: Int) {
      let priority = effective[node]
      for position in Int(starts[node])..<Int(starts[node + 1]) {
        let prerequisite = Int(prerequisites[position])
        if effective[prerequisite] < priority { effective[prerequisite] = priority }
      }
    }
    if isForward {
      for node in priorities.indices.reversed() { inherit(from: node) }
      return effective
    }
    // From those that nobody waits for to what they wait for; a circle is what is never reached.
    var open = dependentCounts
    var settled = ContiguousArray<Int32>()
    settled.reserveCapacity(priorities.count)
    for node in priorities.indices where open[node] == 0 { settled.append(Int32(truncatingIfNeeded: node)) }
    var next = 0
    while next < settled.count {
      let node = Int(settled[next])
      next += 1
      inherit(from: node)
      for position in Int(starts[node])..<Int(starts[node + 1]) {
        let prerequisite = prerequisites[position]
        open[Int(prerequisite)] -= 1
        if open[Int(prerequisite)] == 0 { settled.append(prerequisite) }
      }
    }
    return next == priorities.count ? effective : nil
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
