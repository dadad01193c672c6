import TaskGraph

/// A graph of tasks without bodies: what every engine is given.
struct BenchmarkGraph: Sendable {
  let shape: GraphShape
  let count: Int
  /// By task, in the order of declaration.
  let prerequisites: [[Int32]]
  let dependents: [[Int32]]
  let priorities: [Int]
  /// By task, about 25 bytes, as a module, a type and a nested type make. Made once: in a program they are literals.
  let names: [String]
  /// The law's order at one task at a time, made beforehand: what the plain loop walks over.
  let order: [Int32]

  var edgeCount: Int { prerequisites.reduce(0) { $0 + $1.count } }
  var title: String { "\(shape.rawValue) \(count)" }

  init(_ shape: GraphShape, count: Int, seed: UInt64 = 1) {
    var random = SeededGenerator(seed: seed)
    self.shape = shape
    self.count = count
    var prerequisites = [[Int32]](repeating: [], count: count)
    var priorities = [Int](repeating: 500, count: count)
    switch shape {
    case .wide: break
    case .chain:
      for task in 1..<max(1, count) { prerequisites[task] = [Int32(task - 1)] }
    case .layered, .shuffled:
      let width = max(1, min(100, count / 10))
      var place = Array(0..<Int32(count))
      if shape == .shuffled {
        place.shuffle(using: &random)
        for task in priorities.indices { priorities[task] = [250, 500, 750, 1000].randomElement(using: &random)! }
      }
      for task in width..<max(width, count) {
        let start = (task / width - 1) * width
        var chosen: [Int32] = []
        while chosen.count < min(3, width) {
          let other = place[start + Int.random(in: 0..<width, using: &random)]
          if !chosen.contains(other) { chosen.append(other) }
        }
        prerequisites[Int(place[task])] = chosen
      }
    }
    names = (0..<count).map { "Shop.Feature\($0 % 97).Refresh\($0)" }
    self.prerequisites = prerequisites
    self.priorities = priorities
    var dependents = [[Int32]](repeating: [], count: count)
    for task in prerequisites.indices {
      for other in prerequisites[task] { dependents[Int(other)].append(Int32(task)) }
    }
    self.dependents = dependents
    order = Self.order(prerequisites: prerequisites, priorities: priorities)
  }

  private static func order(prerequisites: [[Int32]], priorities: [Int]) -> [Int32] {
    let edges = prerequisites.indices.lazy.flatMap { task in
      prerequisites[task].lazy.map {
        DependencyGraph.Edge(prerequisite: $0, dependent: Int32(task), kind: .requires)
      }
    }
    let graph = DependencyGraph(nodeCount: prerequisites.count, edges: edges)
    guard let schedule = graph.schedule(priorities: priorities) else {
      preconditionFailure("the generated graph has a cycle")
    }
    return schedule.startOrder
  }
}
