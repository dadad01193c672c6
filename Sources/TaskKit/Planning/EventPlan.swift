import Synchronization
import TaskGraph

/// The tasks of one event in the order of the law, as numbers: what a run walks over without hashing or comparing names.
///
/// A node is a rank: nodes are numbered by effective priority, then by declaration, so that the smallest number among
/// those that could start is the one that starts next (law of order, rules 2 and 3).
final class EventPlan: Sendable {
  /// A prerequisite that belongs to another event.
  struct External: Sendable {
    let node: Int32
    let task: Int32
    let kind: DependencyGraph.EdgeKind
  }

  let event: EventDescription
  let count: Int

  /// By node: the task's number in the center.
  let tasks: ContiguousArray<Int32>
  let registrations: PlanRegistrations
  let bodies: PlanBodies
  let forms: ContiguousArray<TaskBody.Form>
  let demands: ContiguousArray<TaskDemands>
  let effectivePriorities: ContiguousArray<Int>
  /// What decides among the tasks of several events under a limit: the same, but for a test's own order.
  let urgencies: ContiguousArray<Int>

  /// By node: how many prerequisites of the same event it has.
  let prerequisiteCounts: ConstantTable<Int32>
  /// Where the dependents of each node start in `dependents`; one more than there are nodes.
  let dependentOffsets: ConstantTable<Int32>
  let dependents: ConstantTable<Int32>
  let dependentKinds: ContiguousArray<DependencyGraph.EdgeKind>

  let externals: [External]
  /// The nodes of each lane in the order of the law.
  let lanes: [Lane: [Int32]]
  /// Whether no task asks for more than to be run, and none waits for another event: then nothing is to be decided
  /// while one worker runs them.
  let isWalkable: Bool
  /// How any task runs.
  let allForms: TaskBody.Forms

  private let index: NodeIndex

  /// By place in the order of declaration: the node.
  private let ranks: ContiguousArray<Int32>
  /// What is only there for explanations, made when somebody asks.
  private let explanations = Mutex<(schedule: Schedule?, graph: DependencyGraph?)>((nil, nil))
  /// Another start order than the law's, for tests.
  private let reordered: Schedule?
  /// Whether there is one: then a task may be more urgent than the one before it.
  let isReordered: Bool
  /// Whether not all tasks run at the event: then bodies hold what the events of others were sent.
  let isMixed: Bool

  /// One task of a plan, before it has a rank.
  struct Member {
    let task: Int32
    let body: TaskBody
  }

  /// What the members run.
  enum Bodies {
    /// By member, the occasion of its registration; empty where it is the first of each.
    case registered(occasions: ContiguousArray<Int32>)
    case given([Member])

    /// The same by node.
    fileprivate func source(
      _ registrations: PlanRegistrations, byRank: ContiguousArray<Int32>
    ) -> PlanBodies.Source {
      switch self {
      case .registered(let occasions):
        .registered(
          registrations,
          occasions: occasions.isEmpty ? [] : ContiguousArray(byRank.lazy.map { occasions[Int($0)] }))
      case .given(let members): .given(ContiguousArray(byRank.lazy.map { members[Int($0)].body }))
      }
    }
  }

  /// Orders some tasks.
  ///
  /// - Parameters:
  ///   - members: in the order of declaration.
  ///   - tasks: all tasks of the center.
  ///   - order: another start order than the law's, for tests.
  ///   - isMixed: whether not all of them run at the event.
  /// - Returns: nil if the tasks wait for each other in a circle.
  convenience init?(
    event: EventDescription, members: [Member], tasks records: ContiguousArray<TaskRecord>, order: StartOrder? = nil,
    isMixed: Bool = false
  ) {
    self.init(
      event: event, tasks: ContiguousArray(members.lazy.map { $0.task }), in: records, table: nil, order: order,
      .given(members), isMixed: isMixed)
  }

  /// Orders the tasks of an event.
  ///
  /// - Parameters:
  ///   - members: in the order of declaration.
  ///   - records: all tasks of the center.
  ///   - table: that of the center's registry.
  ///   - order: another start order than the law's, for tests.
  /// - Returns: nil if the tasks wait for each other in a circle.
  convenience init?(
    event: EventDescription, members: ContiguousArray<TaskList.Entry>, in records: ContiguousArray<TaskRecord>,
    table: RegistryTable?, order: StartOrder?
  ) {
    let hasOneOccasion = members.allSatisfy { $0.occasion == 0 }
    self.init(
      event: event, tasks: ContiguousArray(members.lazy.map { $0.task }), in: records, table: table, order: order,
      .registered(occasions: hasOneOccasion ? [] : ContiguousArray(members.lazy.map { $0.occasion })))
  }

  /// Costs O(n + e) for n tasks with e references. Nothing is hashed but priorities, where there are many, and nothing is
  /// asked of a single task but what the table of its registry says.
  private init?(
    event: EventDescription, tasks members: ContiguousArray<Int32>, in records: ContiguousArray<TaskRecord>,
    table: RegistryTable?, order: StartOrder?, _ given: Bodies, isMixed: Bool = false
  ) {
    let rows = PlanRows(members, in: records, table: table, at: event.occasion, isMixed: isMixed)
    guard let ranks = PlanRanks(rows, of: members, in: records, order: order, event: event.name) else { return nil }
    let traits = PlanTraits(of: members, given, in: records, table: table, ranks)
    let dependents = DependentRows(rows, ranks)
    let tasks =
      ranks.isDeclarationOrder ? members : ContiguousArray(ranks.byRank.lazy.map { members[Int($0)] })
    let registrations = PlanRegistrations(tasks, in: records, table: traits.areDeclared ? table : nil)

    self.event = event
    count = members.count
    self.tasks = tasks
    self.registrations = registrations
    bodies = PlanBodies(count: members.count, given.source(registrations, byRank: ranks.byRank))
    forms = traits.forms
    demands = traits.demands
    effectivePriorities = ranks.effectivePriorities
    urgencies = ranks.urgencies
    prerequisiteCounts = dependents.prerequisiteCounts
    dependentOffsets = dependents.offsets
    self.dependents = dependents.targets
    dependentKinds = dependents.kinds
    externals = rows.externals.map { External(node: ranks.rank[$0.member], task: $0.task, kind: $0.kind) }
    lanes = traits.lanes(registrations)
    isWalkable = !members.isEmpty && traits.allDemands.isEmpty && rows.externals.isEmpty
    allForms = traits.allForms
    index = NodeIndex(members, rank: ranks.rank)
    self.ranks = ranks.rank
    reordered = ranks.reordered
    isReordered = ranks.reordered != nil
    self.isMixed = isMixed
  }

  /// Whether one of its tasks may wait for what is outside of an occurrence, beside the body of one whose place it took.
  var mayWaitForOthers: Bool {
    !externals.isEmpty || demands.contains { !$0.isDisjoint(with: [.lane, .once]) }
  }

  /// The node of a task, if the task takes part. Logarithmic in the number of nodes.
  func node(ofTask task: Int32) -> Int32? { index.node(ofTask: task) }

  /// What a node waits for inside the event.
  func prerequisites(of node: Int32) -> [Int32] {
    let (graph, schedule) = (graph, schedule)
    return graph.prerequisitePositions(of: Int(schedule.byRank[Int(node)])).map {
      schedule.rank[Int(graph.prerequisiteTargets[$0])]
    }
  }

  func name(_ node: Int32) -> TaskName { registrations[Int(node)].name }
}

// MARK: - Explanations

extension EventPlan {
  /// The law of order in the order of declaration.
  var schedule: Schedule {
    if let reordered { return reordered }
    return explanations.withLock { known in
      if let schedule = known.schedule { return schedule }
      let schedule = makeSchedule()
      known.schedule = schedule
      return schedule
    }
  }

  /// The graph in the order of declaration.
  var graph: DependencyGraph {
    explanations.withLock { known in
      if let graph = known.graph { return graph }
      let byRank = byRank
      let edges = (0..<count).lazy.flatMap { node in
        (self.dependentOffsets[node]..<self.dependentOffsets[node + 1]).lazy.map { position in
          DependencyGraph.Edge(
            prerequisite: byRank[node], dependent: byRank[Int(self.dependents[Int(position)])],
            kind: self.dependentKinds[Int(position)])
        }
      }
      let graph = DependencyGraph(nodeCount: count, edges: edges)
      known.graph = graph
      return graph
    }
  }

  /// By node: its place in the order of declaration.
  private var byRank: [Int32] {
    var byRank = [Int32](repeating: 0, count: count)
    for (place, node) in ranks.enumerated() { byRank[Int(node)] = Int32(place) }
    return byRank
  }

  private func makeSchedule() -> Schedule {
    let byRank = byRank
    let rank = [Int32](ranks)
    return Schedule(
      priorities: rank.map { registrations[Int($0)].priority.rawValue },
      effectivePriorities: rank.map { effectivePriorities[Int($0)] }, rank: rank, byRank: byRank,
      startOrder: startOrder.map { byRank[Int($0)] })
  }

  /// The nodes in the order in which they start one at a time. Those of a test's own order are known beforehand.
  var startOrder: [Int32] {
    if let reordered { return reordered.startOrder.map { reordered.rank[Int($0)] } }
    // Where nobody waits for somebody who comes later, that is the order of the nodes.
    let isForward = (0..<count).allSatisfy { node in
      (dependentOffsets[node]..<dependentOffsets[node + 1]).allSatisfy { dependents[Int($0)] > node }
    }
    if isForward { return Array(0..<Int32(count)) }
    var open = ContiguousArray((0..<count).lazy.map { self.prerequisiteCounts[$0] })
    var ready = RankSet(capacity: count)
    for node in 0..<count where open[node] == 0 { ready.insert(node) }
    var order: [Int32] = []
    order.reserveCapacity(count)
    while let node = ready.popFirst() {
      order.append(Int32(node))
      for position in dependentOffsets[node]..<dependentOffsets[node + 1] {
        let dependent = Int(dependents[Int(position)])
        open[dependent] -= 1
        if open[dependent] == 0 { ready.insert(dependent) }
      }
    }
    return order
  }
}
