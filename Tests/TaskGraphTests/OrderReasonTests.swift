import TaskGraph
import Testing

/// "Why A before B".
@Suite struct OrderReasonTests {
  private typealias Edge = DependencyGraph.Edge

  @Test func `every pair of every acyclic graph of four tasks is explained truly`() {
    var random = SeededGenerator(seed: 16)
    for small in SmallGraph.acyclicOfFour {
      let graph = DependencyGraph(nodeCount: 4, edges: small.edges(kinds: random.next()))
      let closure = small.closure
      for assignment in 0..<16 {
        let priorities = (0..<4).map { assignment >> $0 & 1 == 0 ? 500 : 750 }
        guard let schedule = graph.schedule(priorities: priorities) else { continue }
        for first in 0..<4 {
          for second in 0..<4 {
            let reason = graph.explain(first, before: second, in: schedule)
            if let mistake = mistake(in: reason, first, second, small, closure, graph, schedule) {
              Issue.record("graph \(small.waits), priorities \(priorities): \(reason): \(mistake)")
            }
          }
        }
      }
    }
  }

  @Test(arguments: [
    // 'B' needs 'A', 'C' runs after 'B', 'D' needs 'C' (critical), 'E', 'F' (low), 'G' needs 'H'.
    ("A", "B", "'A' starts before 'B', because 'B' needs 'A'"),
    ("B", "C", "'B' starts before 'C', because 'C' runs after 'B'"),
    ("A", "D", "'A' starts before 'D', because 'D' needs 'C', 'C' runs after 'B' and 'B' needs 'A'"),
    ("D", "A", "'D' does not start before 'A', because 'D' needs 'C', 'C' runs after 'B' and 'B' needs 'A'"),
    (
      "A", "E",
      "'A' starts before 'E', because 'D' needs 'C', 'C' runs after 'B', 'B' needs 'A' and 'D' has priority 1000, "
        + "more than the 500 of 'E'"
    ),
    ("D", "E", "'D' starts before 'E', because 'D' has priority 1000 and 'E' has 500"),
    ("F", "E", "'F' does not start before 'E', because 'E' has priority 500 and 'F' has 250"),
    ("E", "H", "'E' starts before 'H', because both have priority 500 and 'E' is declared first"),
    ("I", "G", "'I' does not start before 'G', because both have priority 500 and 'G' is declared first"),
    ("E", "E", "'E' is one task, and cannot start before itself"),
  ])
  func `an explanation is one readable sentence`(first: String, second: String, sentence: String) throws {
    let names = ["A", "B", "C", "D", "E", "F", "G", "H", "I"]
    let graph = DependencyGraph(
      nodeCount: 9,
      edges: [
        Edge(prerequisite: 0, dependent: 1, kind: .requires), Edge(prerequisite: 1, dependent: 2, kind: .follows),
        Edge(prerequisite: 2, dependent: 3, kind: .requires), Edge(prerequisite: 7, dependent: 6, kind: .requires),
      ])
    let schedule = try #require(graph.schedule(priorities: [250, 250, 250, 1_000, 500, 250, 500, 250, 500]))
    let reason = graph.explain(
      try #require(names.firstIndex(of: first)), before: try #require(names.firstIndex(of: second)), in: schedule)
    #expect(reason.description(naming: { names[$0] }) == sentence)
  }

  @Test func `who is declared first may have to wait for something declared last`() throws {
    // 0 runs after 3, 3 needs 2; 1 stands alone.
    let graph = DependencyGraph(
      nodeCount: 4,
      edges: [
        Edge(prerequisite: 3, dependent: 0, kind: .follows), Edge(prerequisite: 2, dependent: 3, kind: .requires),
      ])
    let schedule = try #require(graph.schedule(priorities: [5, 5, 5, 5]))
    #expect(schedule.startOrder == [1, 2, 3, 0])
    let reason = graph.explain(1, before: 0, in: schedule)
    #expect(
      reason.description
        == "'#1' starts before '#0', because both have priority 5, '#0' runs after '#3', '#3' needs '#2' "
        + "and '#1' is declared before '#2'")
    #expect(reason.isBefore)
    #expect(!reason.isBinding)
    let opposite = graph.explain(0, before: 1, in: schedule)
    #expect(opposite.cause == .notBefore(reason))
    #expect(!opposite.isBefore)
  }

  private func mistake(
    in reason: OrderReason, _ first: Int, _ second: Int, _ small: SmallGraph, _ closure: [UInt8],
    _ graph: DependencyGraph, _ schedule: Schedule
  ) -> String? {
    let place = schedule.startOrder.firstIndex(of: Int32(first)) ?? -1
    let otherPlace = schedule.startOrder.firstIndex(of: Int32(second)) ?? -1
    if reason.first != first || reason.second != second { return "other nodes" }
    if reason.isBefore != (place < otherPlace) { return "the order is \(schedule.startOrder)" }
    let waits = closure[second] & 1 << UInt8(first) != 0
    let isAwaited = closure[first] & 1 << UInt8(second) != 0
    if reason.isBinding != (waits || isAwaited) { return "binding" }
    let priority = schedule.effectivePriorities[first]
    let other = schedule.effectivePriorities[second]
    switch reason.cause {
    case .same:
      return first == second ? nil : "not the same"
    case .dependency(let edge):
      return isPath([edge], from: first, to: second, graph) ? nil : "no edge"
    case .chain(let edges):
      if edges.count < 2 || small.waits[second] & 1 << UInt8(first) != 0 { return "is direct" }
      return isPath(edges, from: first, to: second, graph) ? nil : "no path"
    case .ownPriority(let own):
      return !waits && own > other && own == schedule.priorities[first] ? nil : "not by its own priority"
    case .inheritedPriority(let source, let edges):
      let isTrue =
        isPath(edges, from: first, to: source, graph) && schedule.priorities[source] == priority
        && schedule.priorities[first] <= other && priority > other
      return isTrue && !waits ? nil : "not inherited"
    case .declarationOrder:
      return !waits && priority == other && first < second ? nil : "not by declaration"
    case .waiting(let edges):
      guard let awaited = edges.first.map({ Int($0.prerequisite) }) else { return "waits for nothing" }
      let couldStart = !schedule.startOrder[place...].contains { small.waits[awaited] & 1 << UInt8($0) != 0 }
      let isTrue = priority == other && first > second && first < awaited && couldStart
      return isTrue && !waits && isPath(edges, from: awaited, to: second, graph) ? nil : "not so"
    case .notBefore(let opposite):
      if case .notBefore = opposite.cause { return "twice negated" }
      return mistake(in: opposite, second, first, small, closure, graph, schedule)
    }
  }

  private func isPath(_ edges: [Edge], from start: Int, to end: Int, _ graph: DependencyGraph) -> Bool {
    let known = graph.edges
    return edges.first.map { Int($0.prerequisite) } == start && edges.last.map { Int($0.dependent) } == end
      && edges.allSatisfy(known.contains)
      && zip(edges, edges.dropFirst()).allSatisfy { $0.dependent == $1.prerequisite }
  }
}
