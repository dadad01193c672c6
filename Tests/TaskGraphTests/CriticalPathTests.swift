import TaskGraph
import Testing

@Suite struct CriticalPathTests {
  @Test func `in every acyclic graph of four tasks no path takes longer`() {
    var random = SeededGenerator(seed: 9)
    for small in SmallGraph.acyclicOfFour {
      let graph = DependencyGraph(nodeCount: 4, edges: small.edges(kinds: random.next()))
      for _ in 0..<8 {
        let durations = (0..<4).map { _ in Double(Int.random(in: 0...5, using: &random)) }
        let path = graph.criticalPath(durations: durations)
        let length = path.reduce(0) { $0 + durations[$1] }
        let longest = (0..<4).map { longestPath(to: $0, in: small, durations) }.max()
        let isPath = zip(path, path.dropFirst()).allSatisfy { small.waits[$1] & 1 << UInt8($0) != 0 }
        let isWhole = path.first.map { small.waits[$0] == 0 } ?? false
        if length != longest || !isPath || !isWhole {
          Issue.record("graph \(small.waits), durations \(durations): \(path), longest \(String(describing: longest))")
        }
      }
    }
  }

  @Test func `among equals the path declared first is the critical one`() {
    let edges = [(0, 2), (1, 2), (2, 3), (2, 4)].map {
      DependencyGraph.Edge(prerequisite: $0, dependent: $1, kind: .requires)
    }
    #expect(DependencyGraph(nodeCount: 5, edges: edges).criticalPath(durations: [1, 1, 1, 1, 1]) == [0, 2, 3])
  }

  @Test(arguments: [-5, -Double.infinity, Double.nan])
  func `what is no duration counts as nothing`(nothing: Double) {
    // 0 ← 1; 2 stands alone.
    let edge = DependencyGraph.Edge(prerequisite: 0, dependent: 1, kind: .requires)
    let graph = DependencyGraph(nodeCount: 3, edges: [edge])
    #expect(graph.criticalPath(durations: [nothing, 3, 1]) == [0, 1])
    #expect(graph.criticalPath(durations: [nothing, nothing, nothing]) == [0])
  }

  @Test func `there is no critical path through a cycle or through nothing`() {
    let loop = DependencyGraph.Edge(prerequisite: 0, dependent: 0, kind: .follows)
    #expect(DependencyGraph(nodeCount: 2, edges: [loop]).criticalPath(durations: [1, 1]).isEmpty)
    #expect(DependencyGraph(nodeCount: 0, edges: []).criticalPath(durations: []).isEmpty)
  }

  private func longestPath(to node: Int, in small: SmallGraph, _ durations: [Double]) -> Double {
    let before = (0..<small.count).filter { small.waits[node] & 1 << UInt8($0) != 0 }
    return durations[node] + (before.map { longestPath(to: $0, in: small, durations) }.max() ?? 0)
  }
}
