import TaskGraph
import Testing

/// Law 1–3 of the order (Rt1, Rt2, Rt3, Rw1), against a second implementation.
@Suite struct ScheduleTests {
  @Test func `there are 543 acyclic graphs of four tasks and 29281 of five`() {
    #expect(SmallGraph.acyclicOfFour.count == 543)
    #expect(SmallGraph.acyclicOfFive.count == 29_281)
  }

  @Test func `every graph of four tasks has a schedule exactly if it is acyclic`() {
    for graph in SmallGraph.all(of: 4, selfLoops: true) {
      let schedule = DependencyGraph(nodeCount: 4, edges: graph.edges()).schedule(priorities: [500, 500, 500, 500])
      if (schedule != nil) != graph.isAcyclic {
        Issue.record("graph \(graph.waits): schedule \(String(describing: schedule))")
      }
    }
  }

  @Test func `no priorities give a graph of four tasks with a cycle a schedule`() {
    var random = SeededGenerator(seed: 16)
    for small in SmallGraph.all(of: 4, selfLoops: true) where !small.isAcyclic {
      let graph = DependencyGraph(nodeCount: 4, edges: small.edges(kinds: random.next()))
      // Of those with a task that waits for itself, which are fifteen in sixteen, one assignment each.
      let hasLoop = small.waits.enumerated().contains { $1 & 1 << UInt8($0) != 0 }
      let assignments = hasLoop ? [Int.random(in: 0..<16, using: &random)] : Array(0..<16)
      for assignment in assignments {
        let priorities = (0..<4).map { assignment >> $0 & 1 == 0 ? 500 : 750 }
        if let schedule = graph.schedule(priorities: priorities) {
          Issue.record("graph \(small.waits), priorities \(priorities): schedule \(schedule)")
          return
        }
      }
    }
  }

  @Test func `every acyclic graph of four tasks follows the law with every assignment of two priorities`() {
    expectLaw(SmallGraph.acyclicOfFour[...], seed: 4)
  }

  @Test(arguments: 0..<4)
  func `every acyclic graph of five tasks follows the law with every assignment of two priorities`(quarter: Int) {
    let all = SmallGraph.acyclicOfFive
    expectLaw(all[all.count * quarter / 4..<all.count * (quarter + 1) / 4], seed: 5)
  }

  @Test func `random graphs of eight tasks with five priorities and both kinds of edge follow the law`() {
    var random = SeededGenerator(seed: 8)
    for _ in 0..<2_000 {
      var graph = SmallGraph(waits: [UInt8](repeating: 0, count: 8))
      let names = Array(0..<8).shuffled(using: &random)
      for (place, node) in names.enumerated() {
        for earlier in names[..<place] where Int.random(in: 0..<3, using: &random) == 0 {
          graph.waits[node] |= 1 << UInt8(earlier)
        }
      }
      let priorities = (0..<8).map { _ in [1_000, 750, 500, 250, -3].randomElement(using: &random) ?? 0 }
      expectLaw(of: graph, graph: DependencyGraph(nodeCount: 8, edges: graph.edges(kinds: random.next())), priorities)
    }
  }

  @Test func `the order in which edges are given makes no difference`() throws {
    var random = SeededGenerator(seed: 1)
    let edges = try #require(SmallGraph.acyclicOfFive.last { $0.edges().count == 8 }).edges(kinds: 0b1011_0010)
    let graph = DependencyGraph(nodeCount: 5, edges: edges)
    let schedule = try #require(graph.schedule(priorities: [1, 2, 1, 2, 1]))
    for _ in 0..<1_000 {
      let shuffled = DependencyGraph(nodeCount: 5, edges: (edges + edges).shuffled(using: &random))
      #expect(shuffled.edges == graph.edges)
      #expect(shuffled.schedule(priorities: [1, 2, 1, 2, 1]) == schedule)
    }
  }

  @Test func `a low prerequisite of a critical task runs before a high one`() throws {
    // 0 low ← 1 critical; 2 high.
    let graph = DependencyGraph(
      nodeCount: 3, edges: [DependencyGraph.Edge(prerequisite: 0, dependent: 1, kind: .requires)])
    let schedule = try #require(graph.schedule(priorities: [250, 1_000, 750]))
    #expect(schedule.priorities == [250, 1_000, 750])
    #expect(schedule.effectivePriorities == [1_000, 1_000, 750])
    #expect(schedule.startOrder == [0, 1, 2])
  }

  @Test func `an empty graph has an empty schedule`() throws {
    let schedule = try #require(DependencyGraph(nodeCount: 0, edges: []).schedule(priorities: []))
    #expect(schedule.startOrder.isEmpty && schedule.rank.isEmpty)
  }

  @Test func `priorities may be any integer`() throws {
    let graph = DependencyGraph(nodeCount: 4, edges: [])
    let schedule = try #require(graph.schedule(priorities: [.min, 0, .max, -1]))
    #expect(schedule.startOrder == [2, 1, 3, 0])
  }

  /// All assignments of two priorities; the kinds of the edges are drawn at random.
  private func expectLaw(_ graphs: ArraySlice<SmallGraph>, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for small in graphs {
      let closure = small.closure
      let graph = DependencyGraph(nodeCount: small.count, edges: small.edges(kinds: random.next()))
      var priorities = [Int](repeating: 0, count: small.count)
      var assignment = 0
      while assignment < 1 << small.count {
        var node = 0
        while node < small.count {
          priorities[node] = assignment >> node & 1 == 0 ? 500 : 750
          node += 1
        }
        expectLaw(of: small, closure: closure, graph: graph, priorities)
        assignment += 1
      }
    }
  }

  private func expectLaw(
    of small: SmallGraph, closure: [UInt8]? = nil, graph: DependencyGraph, _ priorities: [Int]
  ) {
    let expected = SlowLaw(waits: small.waits, closure: closure ?? small.closure, priorities: priorities)
    guard let schedule = graph.schedule(priorities: priorities) else {
      Issue.record("no schedule for \(small.waits)")
      return
    }
    var isRight = schedule.effectivePriorities == expected.effective && schedule.startOrder.count == small.count
    // Higher effective priority or, among equals, the earlier declaration has the lower rank, for every pair.
    var node = 0
    while isRight && node < small.count {
      isRight =
        Int(schedule.startOrder[node]) == expected.order[node] && schedule.byRank[Int(schedule.rank[node])] == node
      var other = node + 1
      while isRight && other < small.count {
        let isFirst = expected.effective[node] >= expected.effective[other]
        isRight = (schedule.rank[node] < schedule.rank[other]) == isFirst
        other += 1
      }
      node += 1
    }
    if !isRight {
      Issue.record("graph \(small.waits), priorities \(priorities): expected \(expected), found \(schedule)")
    }
  }
}
