import TaskGraph
import Testing

@Suite struct DependencyGraphTests {
  private typealias Edge = DependencyGraph.Edge

  @Test func `edges come back sorted by prerequisite and dependent`() {
    let edges = [
      Edge(prerequisite: 2, dependent: 0, kind: .follows), Edge(prerequisite: 0, dependent: 3, kind: .requires),
      Edge(prerequisite: 0, dependent: 1, kind: .follows),
    ]
    let graph = DependencyGraph(nodeCount: 4, edges: edges)
    #expect(graph.edges == edges.reversed())
    #expect(graph.edgeCount == 3)
    #expect(graph.nodeCount == 4)
  }

  @Test(arguments: [[0, 1], [1, 0], [1, 0, 1], [0, 0]])
  func `an edge given more than once is one edge and requires wins`(kinds: [UInt8]) {
    let edges = kinds.map {
      Edge(prerequisite: 1, dependent: 0, kind: DependencyGraph.EdgeKind(rawValue: $0) ?? .follows)
    }
    #expect(
      DependencyGraph(nodeCount: 2, edges: edges).edges == [Edge(prerequisite: 1, dependent: 0, kind: .requires)])
  }

  @Test func `an edge that only follows stays so`() {
    let edge = Edge(prerequisite: 0, dependent: 1, kind: .follows)
    #expect(DependencyGraph(nodeCount: 2, edges: [edge, edge]).edges == [edge])
  }

  @Test func `the rows in both directions hold the same edges`() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<500 {
      let count = Int32.random(in: 1...12, using: &random)
      let edges = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        Edge(
          prerequisite: .random(in: 0..<count, using: &random), dependent: .random(in: 0..<count, using: &random),
          kind: Bool.random(using: &random) ? .requires : .follows)
      }
      // The slow way: the stricter kind of each pair.
      var expected: [[Int32]: DependencyGraph.EdgeKind] = [:]
      for edge in edges where expected[[edge.prerequisite, edge.dependent]] != .requires {
        expected[[edge.prerequisite, edge.dependent]] = edge.kind
      }
      let graph = DependencyGraph(nodeCount: Int(count), edges: edges)
      var forward: [[Int32]: DependencyGraph.EdgeKind] = [:]
      var backward = forward
      for node in 0..<Int(count) {
        for position in graph.dependentPositions(of: node) {
          forward[[Int32(node), graph.dependentTargets[position]]] = graph.dependentKinds[position]
        }
        for position in graph.prerequisitePositions(of: node) {
          backward[[graph.prerequisiteTargets[position], Int32(node)]] = graph.prerequisiteKinds[position]
        }
      }
      #expect(forward == expected)
      #expect(backward == expected)
      #expect(graph.edgeCount == expected.count)
    }
  }
}
