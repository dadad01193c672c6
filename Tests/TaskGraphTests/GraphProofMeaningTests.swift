import TaskGraph
import Testing

/// What the proof promises, tried out on many random sets of tasks.
@Suite struct GraphProofMeaningTests {
  private static let events = ["active", "background", "memory"]

  /// Tasks of random events that refer to each other at random.
  private func tasks(_ random: inout SeededGenerator) -> [DeclaredTask] {
    let count = Int.random(in: 1...5, using: &random)
    return (0..<count).map { number in
      let events = Self.events.filter { _ in Bool.random(using: &random) }
      func some(_ share: Int) -> [Reference] {
        (0..<count).filter { _ in Int.random(in: 0..<share, using: &random) == 0 }.map { Reference(.task($0)) }
      }
      return DeclaredTask(
        name: "T\(number)", module: "M", occasions: (events.isEmpty ? ["active"] : events).map { .event($0) },
        dependencies: some(6), after: some(6))
    }
  }

  @Test func `what is proved can be ordered at every event and every task gets to run`() {
    var random = SeededGenerator(seed: 5)
    var proved = 0
    for _ in 0..<6_000 {
      let tasks = tasks(&random)
      let problems = GraphProof.problems(in: tasks).filter { $0.severity == .error }
      if problems.isEmpty {
        proved += 1
        if let mistake = deadlock(in: tasks) { Issue.record("\(mistake) in \(tasks)") }
      } else if tasks.allSatisfy({ $0.occasions == tasks[0].occasions }) {
        // At the same events throughout nothing is refused that could be ordered.
        if deadlock(in: tasks) == nil { Issue.record("\(problems) in \(tasks)") }
      }
    }
    #expect(proved > 1_000 && proved < 5_000)
  }

  @Test func `reported cycles share no step and without their steps there is no cycle`() {
    var random = SeededGenerator(seed: 6)
    for _ in 0..<3_000 {
      var tasks = tasks(&random)
      var seen: Set<[Int]> = []
      for problem in GraphProof.problems(in: tasks) where problem.code == "taskGraph.cycle" {
        for (place, task) in problem.tasks.enumerated() {
          let next = problem.tasks[(place + 1) % problem.tasks.count]
          if !seen.insert([task, next]).inserted { Issue.record("step \(task) → \(next) twice in \(tasks)") }
          let count = tasks[task].dependencies.count + tasks[task].after.count
          tasks[task].dependencies.removeAll { $0.target == .task(next) }
          tasks[task].after.removeAll { $0.target == .task(next) }
          if tasks[task].dependencies.count + tasks[task].after.count == count {
            Issue.record("there is no step \(task) → \(next)")
          }
        }
      }
      let left = GraphProof.problems(in: tasks).filter { $0.code == "taskGraph.cycle" }
      if !left.isEmpty { Issue.record("\(left) in \(tasks)") }
    }
  }

  /// Sends all events several times, one task at a time, by the rules of the law. Nil if every occurrence could be ordered
  /// and every task ended well at least once.
  private func deadlock(in tasks: [DeclaredTask]) -> String? {
    func targets(_ references: [Reference]) -> [Int] {
      references.compactMap { if case .task(let number) = $0.target { number } else { nil } }
    }
    var hasEndedWell = [Bool](repeating: false, count: tasks.count)
    for event in (0...tasks.count).flatMap({ _ in Self.events }) {
      let present = tasks.indices.filter { tasks[$0].occasions.contains(.event(event)) }
      var waiting = Set(present)
      while !waiting.isEmpty {
        let next = waiting.min { first, second in
          let isFree = [first, second].map { node in
            (targets(tasks[node].dependencies) + targets(tasks[node].after)).allSatisfy { !waiting.contains($0) }
          }
          return isFree[0] != isFree[1] ? isFree[0] : first < second
        }
        guard let next else { break }
        let needs = targets(tasks[next].dependencies)
        if (needs + targets(tasks[next].after)).contains(where: waiting.contains) {
          return "nothing can start at \(event)"
        }
        waiting.remove(next)
        if needs.allSatisfy({ hasEndedWell[$0] }) { hasEndedWell[next] = true }
      }
    }
    return hasEndedWell.firstIndex(of: false).map { "\(tasks[$0].name) never runs" }
  }
}
