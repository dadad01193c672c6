/// The law of order, worked out for one graph: how urgent each node is, and who starts first among those that could start.
///
/// All arrays are indexed by node or hold nodes; a node's number is its place in the order of declaration.
public struct Schedule: Sendable, Hashable {
  /// What each node was declared with.
  public let priorities: [Int]
  /// The highest priority among the node and everything that waits for it, directly or through others, by either kind of edge.
  public let effectivePriorities: [Int]
  /// Node → its place when all nodes are sorted by effective priority (highest first), then by declaration.
  public let rank: [Int32]
  /// The inverse of `rank`: place → node.
  public let byRank: [Int32]
  /// The order in which the nodes start when one runs at a time: of those that could start, always the one of lowest rank.
  public let startOrder: [Int32]

  /// All of it is known already.
  package init(
    priorities: [Int], effectivePriorities: [Int], rank: [Int32], byRank: [Int32], startOrder: [Int32]
  ) {
    self.priorities = priorities
    self.effectivePriorities = effectivePriorities
    self.rank = rank
    self.byRank = byRank
    self.startOrder = startOrder
  }

  /// The same urgency with the ranks and the start order of another schedule of the same graph.
  package func starting(like other: Schedule) -> Schedule {
    Schedule(
      priorities: priorities, effectivePriorities: effectivePriorities, rank: other.rank, byRank: other.byRank,
      startOrder: other.startOrder)
  }
}
