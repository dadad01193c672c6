/// Nodes that could start but for their lane, by the runs that they are of: of a run only the first matters.
///
/// Each costs O(log n), in whatever order they come and however many runs they are of.
struct ParkedNodes {
  /// Where the first node of a run stands in the line of the lane.
  struct First: HeapElement {
    let rank: LaneRank
    let run: RunHandle
    var node: Int32 { rank.node }

    static func < (one: First, other: First) -> Bool { one.rank < other.rank }
  }

  /// A node with its rank, in the order of the law: another one may have been asked for.
  private struct Parked: HeapElement {
    let rank: LaneRank

    static func < (one: Parked, other: Parked) -> Bool { one.rank.node < other.rank.node }
  }

  /// In the order of the law. Those that have ended meanwhile are among them until they come first.
  private var nodes: [RunHandle: LeastFirst<Parked>] = [:]
  /// Those that are not the first of a run any more are among them until they come up, or are as many as the others.
  private var firsts = LeastFirst<First>()

  mutating func insert(_ rank: LaneRank, of run: RunHandle) {
    nodes[run, default: LeastFirst()].insert(Parked(rank: rank))
    if nodes[run]!.first!.rank == rank { add(First(rank: rank, run: run)) }
  }

  /// The one that comes first in the line of all that wait.
  ///
  /// - Parameter isParked: whether a node still waits; those that do not are forgotten.
  mutating func first(where isParked: (RunHandle, Int32) -> Bool) -> First? {
    while let first = firsts.first {
      if nodes[first.run]?.first?.rank != first.rank {
        firsts.popFirst()
      } else if isParked(first.run, first.node) {
        return first
      } else {
        removeFirst(of: first.run)
      }
    }
    return nil
  }

  /// Takes out the first of a run.
  mutating func removeFirst(of run: RunHandle) {
    nodes[run]?.popFirst()
    if let next = nodes[run]?.first { add(First(rank: next.rank, run: run)) } else { nodes[run] = nil }
  }

  /// A run has ended.
  mutating func forget(_ run: RunHandle) {
    nodes[run] = nil
    tidyUp()
  }

  private mutating func add(_ first: First) {
    firsts.insert(first)
    tidyUp()
  }

  /// Gives back what those took that are not the first of a run any more.
  private mutating func tidyUp() {
    guard firsts.count > 2 * nodes.count + 16 else { return }
    firsts = LeastFirst()
    for (run, parked) in nodes { if let first = parked.first { firsts.insert(First(rank: first.rank, run: run)) } }
  }

  /// How many are kept.
  var storedCount: Int { nodes.values.reduce(0) { $0 + $1.count } }
}
