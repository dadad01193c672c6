import TaskGraph

/// Who starts first among the tasks of a plan, as numbers: the law of order, or what a test has put in its place.
struct PlanRanks {
  /// By place in the order of declaration: the node.
  let rank: ContiguousArray<Int32>
  /// By node: its place in the order of declaration.
  let byRank: ContiguousArray<Int32>
  /// By node: the highest priority among it and everything that waits for it.
  let effectivePriorities: ContiguousArray<Int>
  /// By node: what decides among the tasks of several events under a limit.
  let urgencies: ContiguousArray<Int>
  /// Another start order than the law's, for tests.
  let reordered: Schedule?
  /// Whether the nodes are in the order of declaration.
  let isDeclarationOrder: Bool

  /// - Parameters:
  ///   - members: in the order of declaration.
  ///   - order: another start order than the law's, for tests.
  ///   - event: its name.
  /// - Returns: nil if they wait for each other in a circle.
  init?(
    _ rows: PlanRows, of members: ContiguousArray<Int32>, in records: ContiguousArray<TaskRecord>, order: StartOrder?,
    event: String
  ) {
    let count = members.count
    var priorities = ContiguousArray<Int>()
    priorities.reserveCapacity(count)
    for task in members { priorities.append(records[Int(task)].facts().priority) }
    guard let effective = rows.effectivePriorities(priorities) else { return nil }
    let (rank, byRank): (ContiguousArray<Int32>, ContiguousArray<Int32>)
    var ownUrgencies: [Int]?
    if let order {
      let graph = DependencyGraph(nodeCount: count, edges: rows.edges)
      guard let schedule = graph.schedule(priorities: Array(priorities)) else { return nil }
      let other = order.reorder(
        schedule, of: graph, event: event, registrations: members.map { records[Int($0)].registration })
      (rank, byRank) = (ContiguousArray(other.schedule.rank), ContiguousArray(other.schedule.byRank))
      ownUrgencies = other.urgencies
      reordered = other.schedule
      isDeclarationOrder = false
    } else {
      // Mostly nobody is more urgent than who is declared before.
      isDeclarationOrder = (1..<max(1, count)).allSatisfy { effective[$0 - 1] >= effective[$0] }
      if isDeclarationOrder {
        rank = ContiguousArray(0..<Int32(count))
        byRank = rank
      } else {
        (rank, byRank) = DependencyGraph.ranks(of: effective)
      }
      reordered = nil
    }
    self.rank = rank
    self.byRank = byRank
    effectivePriorities = isDeclarationOrder ? effective : ContiguousArray(byRank.lazy.map { effective[Int($0)] })
    if let ownUrgencies {
      urgencies = ContiguousArray(byRank.lazy.map { ownUrgencies[Int($0)] })
    } else {
      urgencies = effectivePriorities
    }
  }
}
