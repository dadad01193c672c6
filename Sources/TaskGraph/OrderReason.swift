/// Why one node starts before another, or why it does not.
///
/// The law behind every answer is that of `Schedule.startOrder`. Only dependencies bind tasks that run side by side: priority
/// and declaration decide between those that could both start.
public struct OrderReason: Sendable, Hashable, CustomStringConvertible {
  /// What decides.
  public indirect enum Cause: Sendable, Hashable {
    /// The second waits for the first.
    case dependency(DependencyGraph.Edge)
    /// The second waits for the first through others; the edges lead from the first to the second.
    case chain([DependencyGraph.Edge])
    /// The first is as urgent as `from`, which waits for it; the edges lead from the first to `from`.
    case inheritedPriority(from: Int, through: [DependencyGraph.Edge])
    /// The first is more urgent already by this priority, with which it was declared.
    case ownPriority(Int)
    /// Both are equally urgent, and the first is declared first.
    case declarationOrder
    /// Both are equally urgent, but the second waits, through these edges, for a node that is declared after the first.
    case waiting([DependencyGraph.Edge])
    /// It is the other way round, for this reason.
    case notBefore(OrderReason)
    /// Both are the same node.
    case same
  }

  /// The node that is asked about.
  public let first: Int
  /// The node with which it is compared.
  public let second: Int
  /// What decides between the two.
  public let cause: Cause
  /// The effective priority of the first.
  public let firstPriority: Int
  /// The effective priority of the second.
  public let secondPriority: Int

  /// True if the first starts before the second.
  package var isBefore: Bool {
    switch cause {
    case .notBefore, .same: false
    default: true
    }
  }

  /// True if this order also holds when both could run side by side.
  package var isBinding: Bool {
    switch cause {
    case .dependency, .chain: true
    case .notBefore(let reason): reason.isBinding
    default: false
    }
  }

  /// One sentence; nodes are called by their numbers.
  public var description: String { description { "#\($0)" } }

  /// One sentence, with the names that `name` gives to the nodes. Cost: O(length of the path).
  public func description(naming name: (Int) -> String) -> String {
    Wording.order(self, name: name)
  }
}
