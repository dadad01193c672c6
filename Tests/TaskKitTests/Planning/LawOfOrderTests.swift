import TaskKit
import Testing

/// The law of order from end to end: what a center starts, and when, against a naive reading of the law.
@Suite struct LawOfOrderTests {
  /// Sends the event of a case with one task at a time, and says where the center strays from the law.
  private func mistake(_ law: LawCase) async throws -> String? {
    let recorder = Recorder()
    let center = try TaskCenter.with(law.definitions { recorder.note(LawCase.name($0)) }, limit: 1)
    let report = await center.send(.alpha)
    let verdict = law.verdict()
    if recorder.notes != verdict.order { return "started \(recorder.notes) instead of \(verdict.order) in \(law)" }
    if report.outcomes != verdict.outcomes { return "\(report.outcomes), not \(verdict.outcomes) in \(law)" }
    let effective = law.effectivePriorities
    for (index, priority) in effective.enumerated()
    where report[TaskName(LawCase.name(index))]?.effectivePriority.rawValue != priority {
      return "\(LawCase.name(index)) should have the effective priority \(priority) in \(law)"
    }
    return Array(report.names.prefix(verdict.order.count)) == verdict.order ? nil : "reported \(report.names) in \(law)"
  }

  @Test(arguments: [false, true])
  func `one at a time, all 543 graphs of four tasks with all priorities start as the law says`(failures: Bool)
    async throws
  {
    var random = SeededGenerator(seed: failures ? 543 : 16)
    #expect(LawCase.acyclicGraphsOfFour.count == 543)
    for rows in LawCase.acyclicGraphsOfFour {
      for priorities in 0..<16 {
        let law = LawCase(rows: rows, priorities: priorities, random: &random, failures: failures)
        if let mistake = try await mistake(law) {
          Issue.record("\(mistake)")
          return
        }
      }
    }
  }

  @Test func `one at a time, random graphs of up to sixty tasks start as the law says`() async throws {
    var random = SeededGenerator(seed: 60)
    for number in 0..<150 {
      let count = Int.random(in: 1...60, using: &random)
      let law = LawCase(count: count, random: &random, failures: number % 2 == 0)
      if let mistake = try await mistake(law) { Issue.record("graph \(number): \(mistake)") }
    }
  }

  /// While the only slot is taken, events begin in another order than that of their declaration, and some are cancelled.
  @Test func `one at a time, the tasks of many events that are going start as the law says for all of them`()
    async throws
  {
    var random = SeededGenerator(seed: 30)
    for number in 0..<60 {
      let cases = (0..<Int.random(in: 2...30, using: &random)).map { _ in
        LawCase(count: Int.random(in: 1...8, using: &random), random: &random, failures: number % 2 == 0)
      }
      let recorder = Recorder()
      let gate = Gate()
      var definitions: [[TaskDefinition]] = []
      var first = 0
      for (index, law) in cases.enumerated() {
        definitions.append(law.definitions(of: .numbered(index), from: first) { recorder.note(LawCase.name($0)) })
        first += law.nodes.count
      }
      let center = try TaskCenter.with(
        definitions.shuffled(using: &random).flatMap(\.self) + [
          .event(.opening, name: "holds the slot") { _ in await gate.pass() }
        ], limit: 1)
      let holding = center.begin(.opening)
      await gate.arrivals()
      let runs = cases.indices.map { center.begin(.numbered($0)) }
      var left = cases
      for index in cases.indices where Int.random(in: 0..<5, using: &random) == 0 {
        runs[index].cancel()
        // As many tasks, none of which the law would start: each waits for itself.
        left[index].nodes = cases[index].nodes.indices.map { LawCase.Node(priority: 0, requires: [$0]) }
      }
      gate.open()
      for run in runs + [holding] { _ = await run.report }
      #expect(recorder.notes == LawCase(joining: left).verdict().order, "\(number)")
      #expect(center.usedSlots == 0)
    }
  }

  /// Bodies of all three forms, so that the sender, workers and the main actor take part.
  @Test(arguments: [Int.max, 1, 2, 5])
  func `in parallel, nothing starts before what it waits for has ended, and everything runs once`(limit: Int)
    async throws
  {
    var random = SeededGenerator(seed: UInt64(bitPattern: Int64(limit)))
    for number in 0..<30 {
      let law = LawCase(count: Int.random(in: 1...60, using: &random), random: &random, failures: false)
      let recorder = Recorder()
      let meter = Meter()
      let definitions = law.nodes.enumerated().map { index, node -> TaskDefinition in
        let name = TaskName(LawCase.name(index))
        let dependencies = node.requires.sorted().map { TaskDependency(TaskName(LawCase.name($0))) }
        let after = node.follows.sorted().map { TaskReference(TaskName(LawCase.name($0))) }
        let priority = Priority(node.priority)
        @Sendable func enter() {
          meter.enter()
          recorder.note("+\(index)")
        }
        @Sendable func leave() {
          recorder.note("-\(index)")
          meter.leave()
        }
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
          return .event(.alpha, name: name, priority: priority, dependencies: dependencies, after: after) { _ in
            enter()
            leave()
          }
        case 1:
          return .event(.alpha, name: name, priority: priority, dependencies: dependencies, after: after) {
            @MainActor _ in
            enter()
            leave()
          }
        default:
          return .event(.alpha, name: name, priority: priority, dependencies: dependencies, after: after) { _ in
            enter()
            await Task.yield()
            leave()
          }
        }
      }
      let center = try TaskCenter.with(definitions, limit: limit)
      let report = await center.send(.alpha)
      #expect(report.isSuccess)
      #expect(meter.maximum <= limit)
      check(recorder.notes, of: law, number)
    }
  }

  private func check(_ notes: [String], of law: LawCase, _ number: Int) {
    let position = Dictionary(notes.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    #expect(notes.count == 2 * law.nodes.count, "graph \(number)")
    #expect(position.count == notes.count, "graph \(number): something ran twice")
    for (dependent, node) in law.nodes.enumerated() {
      for prerequisite in node.prerequisites {
        guard let end = position["-\(prerequisite)"], let start = position["+\(dependent)"] else {
          Issue.record("graph \(number): \(prerequisite) or \(dependent) did not run")
          continue
        }
        #expect(end < start, "graph \(number): \(dependent) started before \(prerequisite) had ended")
      }
    }
  }
}
