import TaskGraph
import Testing

/// Cycles and components against a naive closure (Rt4, Rt5).
@Suite struct CycleTests {
  @Test func `of every graph of four tasks each cyclic component is reported once as a shortest cycle`() {
    var random = SeededGenerator(seed: 44)
    // All 65,536: every set of edges, every set of self loops.
    for small in SmallGraph.all(of: 4, selfLoops: true) {
      let graph = DependencyGraph(nodeCount: 4, edges: small.edges(kinds: random.next()))
      if let mistake = mistake(in: graph, small) { Issue.record("graph \(small.waits): \(mistake)") }
    }
  }

  @Test func `of random graphs of eight tasks each cyclic component is reported once as a shortest cycle`() {
    var random = SeededGenerator(seed: 88)
    for _ in 0..<5_000 {
      let density = Int.random(in: 1...4, using: &random)
      let small = SmallGraph(
        waits: (0..<8).map { _ in
          (0..<density).reduce(255) { row, _ in row & UInt8.random(in: 0...255, using: &random) }
        })
      let graph = DependencyGraph(nodeCount: 8, edges: small.edges(kinds: random.next()))
      if let mistake = mistake(in: graph, small) { Issue.record("graph \(small.waits): \(mistake)") }
    }
  }

  @Test func `a cycle is a path in the direction of dependency that begins at its smallest node`() {
    // 3 needs 1, 1 needs 2, 2 needs 3; 0 needs 3; 4 needs itself.
    let edges = [(1, 3), (2, 1), (3, 2), (3, 0), (4, 4)].map { prerequisite, dependent in
      DependencyGraph.Edge(prerequisite: prerequisite, dependent: dependent, kind: .requires)
    }
    #expect(DependencyGraph(nodeCount: 5, edges: edges).cycles() == [[1, 2, 3], [4]])
  }

  @Test func `a graph without nodes has no cycles`() {
    #expect(DependencyGraph(nodeCount: 0, edges: []).cycles().isEmpty)
  }

  @Test func `depth is no limit`() throws {
    let count = 200_000
    var edges = (1..<count).map { node in
      DependencyGraph.Edge(prerequisite: Int32(node - 1), dependent: Int32(node), kind: .requires)
    }
    let chain = DependencyGraph(nodeCount: count, edges: edges)
    #expect(chain.cycles().isEmpty)
    let schedule = try #require(chain.schedule(priorities: [Int](repeating: 0, count: count)))
    #expect(schedule.startOrder.last == Int32(count - 1))
    #expect(chain.criticalPath(durations: [Double](repeating: 1, count: count)).count == count)
    #expect(chain.explain(0, before: count - 1, in: schedule).isBinding)

    edges.append(DependencyGraph.Edge(prerequisite: Int32(count - 1), dependent: 0, kind: .follows))
    let ring = DependencyGraph(nodeCount: count, edges: edges)
    #expect(ring.cycles().map(\.count) == [count])
    #expect(!ring.isAcyclic)
  }

  private func mistake(in graph: DependencyGraph, _ small: SmallGraph) -> String? {
    let closure = small.closure
    let (count, component) = graph.components()
    var cyclic: [UInt8: Int] = [:]
    var distinct = Set<UInt8>()
    for node in 0..<small.count {
      var members: UInt8 = 1 << UInt8(node)
      for other in 0..<small.count
      where closure[node] & 1 << UInt8(other) != 0 && closure[other] & 1 << UInt8(node) != 0 {
        members |= 1 << UInt8(other)
      }
      distinct.insert(members)
      for other in 0..<small.count {
        if (members & 1 << UInt8(other) != 0) != (component[node] == component[other]) {
          return "components \(component)"
        }
        let waits = small.waits[node] & 1 << UInt8(other) != 0
        if waits && component[other] > component[node] { return "component order \(component)" }
      }
      if closure[node] & 1 << UInt8(node) != 0 {
        cyclic[members] = min(cyclic[members] ?? .max, shortestReturn(to: node, in: small))
      }
    }
    if count != distinct.count { return "\(count) components instead of \(distinct.count)" }

    let cycles = graph.cycles()
    if cycles.count != cyclic.count { return "\(cycles.count) cycles instead of \(cyclic.count)" }
    if cycles.map({ $0[0] }) != cycles.map({ $0[0] }).sorted() { return "not sorted: \(cycles)" }
    for cycle in cycles {
      if cycle.min() != cycle[0] || Set(cycle).count != cycle.count {
        return "not a simple cycle from its start: \(cycle)"
      }
      for (place, node) in cycle.enumerated() {
        let next = cycle[(place + 1) % cycle.count]
        if small.waits[node] & 1 << UInt8(next) == 0 { return "\(node) does not wait for \(next)" }
      }
      let owner = cyclic.keys.first { $0 & 1 << UInt8(cycle[0]) != 0 }
      guard let owner, let shortest = cyclic.removeValue(forKey: owner) else {
        return "component reported twice: \(cycles)"
      }
      if cycle.count != shortest { return "\(cycle) is not the shortest, which has \(shortest)" }
    }
    return nil
  }

  /// Steps of a shortest way from a node back to it, by widening the set of what can be reached in k steps.
  private func shortestReturn(to node: Int, in small: SmallGraph) -> Int {
    var reached: UInt8 = 1 << UInt8(node)
    for steps in 1...small.count {
      var next: UInt8 = 0
      for other in 0..<small.count where reached & 1 << UInt8(other) != 0 { next |= small.waits[other] }
      if next & 1 << UInt8(node) != 0 { return steps }
      reached = next
    }
    return .max
  }
}
