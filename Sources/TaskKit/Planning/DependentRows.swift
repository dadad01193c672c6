import TaskGraph

/// Who waits for whom among the nodes of a plan, one row of dependents each: whom the end of a node lets go on.
struct DependentRows {
  /// Where the row of each node starts; one more than there are nodes.
  let offsets: ConstantTable<Int32>
  let targets: ConstantTable<Int32>
  let kinds: ContiguousArray<DependencyGraph.EdgeKind>
  /// By node: how many prerequisites of the same event it has.
  let prerequisiteCounts: ConstantTable<Int32>

  /// The rows are filled by those who wait in the order of declaration.
  init(_ rows: PlanRows, _ ranks: PlanRanks) {
    let count = rows.count
    let (rank, byRank) = (ranks.rank, ranks.byRank)
    var next = ContiguousArray<Int32>(repeating: 0, count: count + 1)
    var edgeCount: Int32 = 0
    for node in 0..<count {
      next[node] = edgeCount
      edgeCount += rows.dependentCounts[Int(byRank[node])]
    }
    next[count] = edgeCount
    offsets = ConstantTable(next)
    var targets = ContiguousArray<Int32>(repeating: 0, count: Int(edgeCount))
    var kinds = ContiguousArray<DependencyGraph.EdgeKind>(repeating: .requires, count: Int(edgeCount))
    for member in 0..<count {
      let dependent = rank[member]
      for position in Int(rows.starts[member])..<Int(rows.starts[member + 1]) {
        let prerequisite = Int(rank[Int(rows.prerequisites[position])])
        let place = Int(next[prerequisite])
        next[prerequisite] += 1
        targets[place] = dependent
        kinds[place] = rows.kinds[position]
      }
    }
    self.targets = ConstantTable(targets)
    self.kinds = kinds
    prerequisiteCounts = ConstantTable(count: count) { node in
      let place = Int(byRank[node])
      return rows.starts[place + 1] - rows.starts[place]
    }
  }
}
