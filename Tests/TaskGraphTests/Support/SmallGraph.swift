import TaskGraph

/// A graph of at most eight nodes as rows of bits: bit p of `waits[d]` says that d waits for p.
///
/// Loops are written with `while`: these tests visit millions of small steps in debug builds.
struct SmallGraph {
  var waits: [UInt8]

  var count: Int { waits.count }

  /// The edges, with kinds drawn from `kinds`, one bit an edge.
  func edges(kinds: UInt64 = 0) -> [DependencyGraph.Edge] {
    var result: [DependencyGraph.Edge] = []
    var kinds = kinds
    var dependent = 0
    while dependent < count {
      var row = waits[dependent]
      while row != 0 {
        result.append(
          DependencyGraph.Edge(
            prerequisite: Int32(row.trailingZeroBitCount), dependent: Int32(dependent),
            kind: kinds & 1 == 0 ? .requires : .follows))
        row &= row - 1
        kinds >>= 1
      }
      dependent += 1
    }
    return result
  }

  /// True if taking away nodes that wait for nothing takes away all. Independent of the code under test.
  var isAcyclic: Bool {
    var left: UInt8 = UInt8(truncatingIfNeeded: (1 << count) - 1)
    while left != 0 {
      var free: UInt8 = 0
      var node = 0
      while node < count {
        if left & 1 << UInt8(node) != 0, waits[node] & left == 0 { free |= 1 << UInt8(node) }
        node += 1
      }
      if free == 0 { return false }
      left &= ~free
    }
    return true
  }

  /// Bit p of row d: p can be reached from d in one step or more. Warshall's closure.
  var closure: [UInt8] {
    var rows = waits
    var middle = 0
    while middle < count {
      var node = 0
      while node < count {
        if rows[node] & 1 << UInt8(middle) != 0 { rows[node] |= rows[middle] }
        node += 1
      }
      middle += 1
    }
    return rows
  }

  /// Every graph of `count` nodes whose edge set is a number below 2^(count²), the self loops only if asked for.
  static func all(of count: Int, selfLoops: Bool, where isWanted: (Self) -> Bool = { _ in true }) -> [Self] {
    let bitsPerRow = selfLoops ? count : count - 1
    var result: [Self] = []
    var code = 0
    var graph = Self(waits: [UInt8](repeating: 0, count: count))
    while code < 1 << (bitsPerRow * count) {
      var node = 0
      var rest = code
      while node < count {
        var row = rest & (1 << bitsPerRow - 1)
        rest >>= bitsPerRow
        if !selfLoops {
          // A gap where the node itself would stand.
          let low = row & (1 << node - 1)
          row = (row - low) << 1 | low
        }
        graph.waits[node] = UInt8(truncatingIfNeeded: row)
        node += 1
      }
      if isWanted(graph) { result.append(graph) }
      code += 1
    }
    return result
  }

  /// Every acyclic graph of 4 and 5 nodes, made once for all tests.
  static let acyclicOfFour = all(of: 4, selfLoops: false) { $0.isAcyclic }
  static let acyclicOfFive = all(of: 5, selfLoops: false) { $0.isAcyclic }
}
