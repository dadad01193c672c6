/// Nodes that could start but for their lane, by the runs that they are of: of a run only the first matters.
struct ParkedNodes {
  /// In the order of the law. Those that have ended meanwhile are among them until they come first.
  private var nodes: [RunHandle: Line<Int32>] = [:]

  mutating func insert(_ node: Int32, of run: RunHandle) { nodes[run, default: Line()].insert(node) }

  /// The first of each run, in no order.
  ///
  /// - Parameter isParked: whether a node still waits; those that do not are forgotten.
  mutating func firsts(_ isParked: (RunHandle, Int32) -> Bool) -> [(run: RunHandle, node: Int32)] {
    var firsts: [(run: RunHandle, node: Int32)] = []
    for run in Array(nodes.keys) {
      while let node = nodes[run]!.first, !isParked(run, node) { _ = nodes[run]!.popFirst() }
      if let node = nodes[run]!.first { firsts.append((run, node)) } else { nodes[run] = nil }
    }
    return firsts
  }

  /// Takes out the first of a run.
  mutating func removeFirst(of run: RunHandle) {
    _ = nodes[run]?.popFirst()
    if nodes[run]?.isEmpty == true { nodes[run] = nil }
  }

  /// A run has ended.
  mutating func forget(_ run: RunHandle) { nodes[run] = nil }

  /// How many are kept.
  var storedCount: Int { nodes.values.reduce(0) { $0 + $1.count } }
}
