/// Who waits for whom: nodes by number, edges of two kinds.
///
/// A node's number is its place in the order of declaration. The graph is a value that never changes after `init`; it may
/// contain cycles, and an edge from a node to itself is a cycle of one. No algorithm here recurses, so depth is no limit.
///
/// Cost: `init` is O(n + e) for n nodes and e edges, and so is the memory that it keeps.
public struct DependencyGraph: Sendable {
  /// How strict an edge is.
  public enum EdgeKind: UInt8, Sendable {
    /// The dependent starts only when the prerequisite has ended well (`dependencies:`).
    case requires
    /// The dependent starts after the prerequisite has ended, however it ended (`after:`).
    case follows
  }

  /// One node waits for another.
  public struct Edge: Sendable, Hashable {
    /// The node that is waited for.
    public var prerequisite: Int32
    /// The node that waits.
    public var dependent: Int32
    /// How strictly it waits.
    public var kind: EdgeKind

    /// An edge between two nodes, by number.
    public init(prerequisite: Int32, dependent: Int32, kind: EdgeKind) {
      self.prerequisite = prerequisite
      self.dependent = dependent
      self.kind = kind
    }
  }

  /// The number of nodes, which are called `0..<nodeCount`.
  public let nodeCount: Int

  // Compressed rows: the edges of node n are at the positions offsets[n] ..< offsets[n + 1], ascending by target.
  package let dependentOffsets: ContiguousArray<Int32>
  package let dependentTargets: ContiguousArray<Int32>
  package let dependentKinds: ContiguousArray<EdgeKind>
  package let prerequisiteOffsets: ContiguousArray<Int32>
  package let prerequisiteTargets: ContiguousArray<Int32>
  package let prerequisiteKinds: ContiguousArray<EdgeKind>

  /// Builds the graph; edges given more than once are merged, and then `requires` wins.
  ///
  /// Every edge must name nodes in `0..<nodeCount`. The order in which edges are given makes no difference.
  ///
  /// Cost: O(n + e).
  public init(nodeCount: Int, edges: some Sequence<Edge>) {
    precondition(nodeCount >= 0 && nodeCount < Int(Int32.max), "a graph has 0 to \(Int32.max - 1) nodes")
    let given = ContiguousArray(edges)
    precondition(given.count < Int(Int32.max), "a graph has at most \(Int32.max - 1) edges")
    // Two stable counting sorts, the less significant key first, bring equal edges side by side in linear time.
    let byDependent = Self.sorted(given, nodeCount: nodeCount, by: \.dependent).edges
    let merged = Self.merged(Self.sorted(byDependent, nodeCount: nodeCount, by: \.prerequisite).edges)
    let forward = Self.sorted(merged, nodeCount: nodeCount, by: \.prerequisite)
    let backward = Self.sorted(merged, nodeCount: nodeCount, by: \.dependent)

    self.nodeCount = nodeCount
    dependentOffsets = forward.offsets
    dependentTargets = ContiguousArray(forward.edges.lazy.map(\.dependent))
    dependentKinds = ContiguousArray(forward.edges.lazy.map(\.kind))
    prerequisiteOffsets = backward.offsets
    prerequisiteTargets = ContiguousArray(backward.edges.lazy.map(\.prerequisite))
    prerequisiteKinds = ContiguousArray(backward.edges.lazy.map(\.kind))
  }

  /// The number of edges, merged ones counted once.
  ///
  /// Cost: O(1).
  public var edgeCount: Int { dependentTargets.count }

  /// Every edge once, sorted by prerequisite, then by dependent. Cost: O(n + e).
  public var edges: [Edge] {
    var result: [Edge] = []
    result.reserveCapacity(edgeCount)
    for node in 0..<nodeCount {
      for position in dependentPositions(of: node) {
        result.append(
          Edge(
            prerequisite: Int32(truncatingIfNeeded: node), dependent: dependentTargets[position],
            kind: dependentKinds[position]))
      }
    }
    return result
  }

  /// Where the dependents of a node stand in `dependentTargets` and `dependentKinds`.
  package func dependentPositions(of node: Int) -> Range<Int> {
    Int(dependentOffsets[node])..<Int(dependentOffsets[node + 1])
  }

  /// Where the prerequisites of a node stand in `prerequisiteTargets` and `prerequisiteKinds`.
  package func prerequisitePositions(of node: Int) -> Range<Int> {
    Int(prerequisiteOffsets[node])..<Int(prerequisiteOffsets[node + 1])
  }

  /// A stable counting sort, with the offset of each node's row.
  private static func sorted(
    _ edges: ContiguousArray<Edge>, nodeCount: Int, by key: (Edge) -> Int32
  ) -> (offsets: ContiguousArray<Int32>, edges: ContiguousArray<Edge>) {
    var offsets = ContiguousArray<Int32>(repeating: 0, count: nodeCount + 1)
    for edge in edges {
      let node = Int(key(edge))
      precondition(node >= 0 && node < nodeCount, "an edge names node \(node), and the graph has \(nodeCount) nodes")
      offsets[node + 1] += 1
    }
    for node in 0..<nodeCount { offsets[node + 1] += offsets[node] }
    guard let filler = edges.first else { return (offsets, []) }
    var next = offsets
    var result = ContiguousArray(repeating: filler, count: edges.count)
    for edge in edges {
      let node = Int(key(edge))
      result[Int(next[node])] = edge
      next[node] += 1
    }
    return (offsets, result)
  }

  /// Equal neighbours become one edge, the stricter of them.
  private static func merged(_ sorted: ContiguousArray<Edge>) -> ContiguousArray<Edge> {
    var result = ContiguousArray<Edge>()
    result.reserveCapacity(sorted.count)
    for edge in sorted {
      if let last = result.last, last.prerequisite == edge.prerequisite, last.dependent == edge.dependent {
        if edge.kind == .requires { result[result.count - 1].kind = .requires }
      } else {
        result.append(edge)
      }
    }
    return result
  }
}
