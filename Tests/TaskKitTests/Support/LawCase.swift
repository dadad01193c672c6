import TaskKit

/// Tasks with dependencies, drawn at random or counted through, and what the law says will become of them.
///
/// Shares nothing with the scheduler: rows of numbers and plain loops.
struct LawCase {
  struct Node {
    var priority: Int
    var requires: Set<Int> = []
    var follows: Set<Int> = []
    var fails = false
    var failureIsIgnored = false

    var prerequisites: Set<Int> { requires.union(follows) }
  }

  var nodes: [Node]

  static func name(_ node: Int) -> String { "t\(node)" }

  // MARK: - What the law says

  /// The declared priority, or that of the most urgent node that comes behind it.
  var effectivePriorities: [Int] {
    var effective = nodes.map(\.priority)
    // As often as a chain can be long.
    for _ in nodes {
      for (dependent, node) in nodes.enumerated() {
        for prerequisite in node.prerequisites {
          effective[prerequisite] = max(effective[prerequisite], effective[dependent])
        }
      }
    }
    return effective
  }

  /// What happens when one task runs at a time: the order of the starts, and each task's outcome in words.
  func verdict() -> (order: [String], outcomes: [String: String]) {
    let effective = effectivePriorities
    var order: [Int] = []
    var outcomes: [Int: String] = [:]
    var isGood: Set<Int> = []
    while true {
      let ready = nodes.indices.filter { node in
        outcomes[node] == nil && nodes[node].prerequisites.allSatisfy { outcomes[$0] != nil }
          && nodes[node].requires.isSubset(of: isGood)
      }
      guard let next = ready.max(by: { (effective[$0], -$0) < (effective[$1], -$1) }) else { break }
      order.append(next)
      outcomes[next] = nodes[next].fails ? "failed: broken" : "succeeded"
      if !nodes[next].fails || nodes[next].failureIsIgnored {
        isGood.insert(next)
      } else {
        skipWhatRequires(next, outcomes: &outcomes)
      }
    }
    return (
      order.map(LawCase.name),
      Dictionary(uniqueKeysWithValues: outcomes.map { (LawCase.name($0.key), $0.value) })
    )
  }

  private func skipWhatRequires(_ culprit: Int, outcomes: inout [Int: String]) {
    var blocked: Set = [culprit]
    var isChanged = true
    while isChanged {
      isChanged = false
      for (node, value) in nodes.enumerated()
      where outcomes[node] == nil && !value.requires.isDisjoint(with: blocked) {
        outcomes[node] = "skipped: '\(LawCase.name(culprit))' did not end well"
        blocked.insert(node)
        isChanged = true
      }
    }
  }

  // MARK: - As tasks

  /// The same as tasks of an event; `body` says what each does beyond failing where it has to.
  ///
  /// - Parameter first: the number of the first, where there are tasks of other cases.
  func definitions(
    of event: LifecycleEvent<Void, Void> = .alpha, from first: Int = 0, _ body: @escaping @Sendable (Int) -> Void
  ) -> [TaskDefinition] {
    nodes.enumerated().map { index, node in
      .event(
        event, name: TaskName(LawCase.name(first + index)), priority: Priority(node.priority),
        dependencies: node.requires.sorted().map { TaskDependency(TaskName(LawCase.name(first + $0))) },
        after: node.follows.sorted().map { TaskReference(TaskName(LawCase.name(first + $0))) },
        onFailure: node.failureIsIgnored ? .ignore : .skipDependents
      ) { _ in
        body(first + index)
        if node.fails { throw Broken() }
      }
    }
  }

  // MARK: - Cases

  /// All that are going at once, the oldest first.
  init(joining cases: [LawCase]) {
    nodes = []
    for law in cases {
      let first = nodes.count
      nodes += law.nodes.map { node in
        var node = node
        node.requires = Set(node.requires.map { first + $0 })
        node.follows = Set(node.follows.map { first + $0 })
        return node
      }
    }
  }

  /// Every acyclic graph of four nodes, as rows of bits: bit p of row d says that d waits for p.
  static let acyclicGraphsOfFour: [[UInt8]] = (0..<4096).compactMap { code in
    let rows = (0..<4).map { node -> UInt8 in
      let row = UInt8(code >> (3 * node) & 7)
      let low = row & (1 << node - 1)
      return (row - low) << 1 | low
    }
    return isAcyclic(rows) ? rows : nil
  }

  private static func isAcyclic(_ rows: [UInt8]) -> Bool {
    var left: UInt8 = 15
    while left != 0 {
      let free = (0..<4).filter { left & 1 << $0 != 0 && rows[$0] & left == 0 }
      if free.isEmpty { return false }
      for node in free { left &= ~(1 << node) }
    }
    return true
  }

  /// A graph of four nodes with priorities from the bits of a number, and the rest left to chance.
  init(rows: [UInt8], priorities: Int, random: inout SeededGenerator, failures: Bool) {
    nodes = rows.enumerated().map { index, row in
      var node = Node(priority: priorities >> index & 1 == 0 ? 250 : 1000)
      for prerequisite in 0..<4 where row & 1 << prerequisite != 0 {
        if Bool.random(using: &random) { node.requires.insert(prerequisite) } else { node.follows.insert(prerequisite) }
      }
      node.fails = failures && Int.random(in: 0..<3, using: &random) == 0
      node.failureIsIgnored = Int.random(in: 0..<4, using: &random) == 0
      return node
    }
  }

  /// A random graph whose edges point forward in an order that is not that of declaration.
  init(count: Int, random: inout SeededGenerator, failures: Bool) {
    let hidden = Array(0..<count).shuffled(using: &random)
    nodes = (0..<count).map { _ in
      var node = Node(priority: [250, 500, 500, 750, 1000].randomElement(using: &random) ?? 500)
      node.fails = failures && Int.random(in: 0..<6, using: &random) == 0
      node.failureIsIgnored = Int.random(in: 0..<3, using: &random) == 0
      return node
    }
    for _ in 0..<count * Int.random(in: 0...3, using: &random) {
      let pair = [Int.random(in: 0..<count, using: &random), Int.random(in: 0..<count, using: &random)].sorted()
      guard pair[0] != pair[1] else { continue }
      let (prerequisite, dependent) = (hidden[pair[0]], hidden[pair[1]])
      guard !nodes[dependent].prerequisites.contains(prerequisite) else { continue }
      if Bool.random(using: &random) {
        nodes[dependent].requires.insert(prerequisite)
      } else {
        nodes[dependent].follows.insert(prerequisite)
      }
    }
  }
}

extension LawCase: CustomStringConvertible {
  var description: String {
    nodes.enumerated().map { index, node in
      "\(index)@\(node.priority) requires \(node.requires.sorted()) follows \(node.follows.sorted())"
        + (node.fails ? " fails" : "") + (node.failureIsIgnored ? " ignored" : "")
    }.joined(separator: "; ")
  }
}
