import TaskGraph
import TaskKitTesting
import Testing

@testable import TaskKit

/// The planner that centers use, against the same second implementation of the law as `TaskGraph`.
@Suite struct EventPlanTests {
  /// By priority, then by node: tasks that wait for nothing yet.
  private static let records = [500, 750].map { priority in
    (0..<5).map { node in
      TaskRecord(
        registration: TaskRegistration(
          name: TaskName("t\(node)"), location: TaskLocation("Tests/Plan.swift", node, 1),
          occasions: [TaskOccasion(.alpha, __run: {})], priority: Priority(priority), dependencies: [], after: [],
          timeout: nil, retry: .never, onFailure: .skipDependents, runs: .always, lane: nil), module: "")
    }
  }

  @Test func `every acyclic graph of four tasks is planned as the law says with every assignment of two priorities`()
    async
  {
    await expectLaw(SmallGraph.acyclicOfFour[...], seed: 4)
  }

  @Test(arguments: 0..<4)
  func `every acyclic graph of five tasks is planned as the law says with every assignment of two priorities`(
    quarter: Int
  ) async {
    let all = SmallGraph.acyclicOfFive
    #expect(all.count == 29_281)
    await expectLaw(all[all.count * quarter / 4..<all.count * (quarter + 1) / 4], seed: UInt64(quarter))
  }

  @Test func `a circle has no plan`() {
    for graph in SmallGraph.all(of: 3, selfLoops: true) where !graph.isAcyclic {
      let records = records(graph, kinds: 0)
      for priorities in 0..<8 where plan(records, priorities: priorities) != nil {
        Issue.record("graph \(graph.waits), priorities \(priorities)")
      }
    }
    var random = SeededGenerator(seed: 3)
    for graph in SmallGraph.all(of: 4, selfLoops: false) where !graph.isAcyclic {
      let priorities = Int.random(in: 0..<16, using: &random)
      if plan(records(graph, kinds: random.next()), priorities: priorities) != nil {
        Issue.record("graph \(graph.waits), priorities \(priorities)")
      }
    }
  }

  /// The kinds of the edges are drawn at random.
  private func expectLaw(_ graphs: ArraySlice<SmallGraph>, seed: UInt64) async {
    var random = SeededGenerator(seed: seed)
    for graph in graphs {
      // Other tests wait for a thread.
      await Task.yield()
      let closure = graph.closure
      let kinds = UInt64.random(in: .min ... .max, using: &random)
      let records = records(graph, kinds: kinds)
      for priorities in 0..<1 << graph.count {
        let expected = SlowLaw(
          waits: graph.waits, closure: closure,
          priorities: (0..<graph.count).map { priorities >> $0 & 1 == 0 ? 500 : 750 })
        guard let plan = plan(records, priorities: priorities), isRight(plan, expected) else {
          Issue.record("graph \(graph.waits), priorities \(priorities), kinds \(kinds): expected \(expected)")
          return
        }
      }
    }
  }

  /// By priority, then by node.
  private func records(_ graph: SmallGraph, kinds: UInt64) -> [[TaskRecord]] {
    var records = Self.records
    var kinds = kinds
    for node in 0..<graph.count {
      var requires: [Int32] = []
      var follows: [Int32] = []
      for other in 0..<graph.count where graph.waits[node] & 1 << UInt8(other) != 0 {
        if kinds & 1 == 0 { requires.append(Int32(other)) } else { follows.append(Int32(other)) }
        kinds >>= 1
      }
      for priority in records.indices {
        if !requires.isEmpty { records[priority][node].dependencies = requires }
        if !follows.isEmpty { records[priority][node].after = follows }
      }
    }
    return records.map { Array($0.prefix(graph.count)) }
  }

  private func plan(_ records: [[TaskRecord]], priorities: Int) -> EventPlan? {
    let count = records[0].count
    return EventPlan(
      event: LifecycleEvent<Void, Void>.alpha.description,
      members: ContiguousArray((0..<count).map { TaskList.Entry(task: Int32($0), occasion: 0, sequence: 0) }),
      in: ContiguousArray((0..<count).map { records[priorities >> $0 & 1][$0] }), table: nil, order: nil)
  }

  private func isRight(_ plan: EventPlan, _ expected: SlowLaw) -> Bool {
    let count = expected.order.count
    // Once: it is made each time that somebody asks.
    let startOrder = plan.startOrder
    guard plan.count == count, startOrder.count == count else { return false }
    for place in 0..<count {
      let task = Int(plan.tasks[place])
      if plan.effectivePriorities[place] != expected.effective[task] || plan.node(ofTask: Int32(task)) != Int32(place) {
        return false
      }
      if Int(plan.tasks[Int(startOrder[place])]) != expected.order[place] { return false }
      // Higher effective priority or, among equals, the earlier declaration comes first.
      guard place > 0 else { continue }
      let before = Int(plan.tasks[place - 1])
      let (higher, lower) = (expected.effective[before], expected.effective[task])
      if higher < lower || higher == lower && before > task { return false }
    }
    return true
  }
}
