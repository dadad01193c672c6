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
  let hasForm: (synchronous: Bool, main: Bool, asynchronous: Bool)

  /// The numbers of the tasks in ascending order, and the node of each: for looking a task up in a plan.
  private let members: ContiguousArray<Int32>
  private let nodeOfMember: ContiguousArray<Int32>

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
  private enum Bodies {
    /// By member, the occasion of its registration; empty where it is the first of each.
    case registered(occasions: ContiguousArray<Int32>)
    case given([Member])
  }

  /// Orders some tasks.
  ///
  /// - Parameters:
  ///   - members: in the order of declaration.
  ///   - tasks: all tasks of the center.
  ///   - order: another start order than the law's, for tests.
  ///   - isMixed: whether not all of them run at the event.
  /// - Returns: nil if the tasks depend on each other in a cycle, which validation has excluded.
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
  /// - Returns: nil if the tasks depend on each other in a cycle, which validation has excluded.
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
    let count = members.count
    let rows = PlanRows(members, in: records, table: table, at: event.occasion, isMixed: isMixed)
    var isDeclared = true
    var priorities = ContiguousArray<Int>()
    priorities.reserveCapacity(count)
    for task in members {
      priorities.append(records[Int(task)].facts().priority)
      if let table, records[Int(task)].isDeclared(in: table) { continue }
      isDeclared = false
    }
    guard let effective = rows.effectivePriorities(priorities) else { return nil }

    // By place in the order of declaration the node, and the other way round. Mostly nobody is more urgent than who is
    // declared before: then they are the same.
    let isSorted = (1..<max(1, count)).allSatisfy { effective[$0 - 1] >= effective[$0] }
    var rank: ContiguousArray<Int32>
    var byRank: ContiguousArray<Int32>
    if isSorted {
      rank = ContiguousArray(0..<Int32(count))
      byRank = rank
    } else {
      (rank, byRank) = DependencyGraph.ranks(of: effective)
    }
    var reordered: Schedule?
    var ownUrgencies: [Int]?
    if let order {
      let graph = DependencyGraph(nodeCount: count, edges: rows.edges)
      guard let schedule = graph.schedule(priorities: Array(priorities)) else { return nil }
      let other = order.reorder(
        schedule, of: graph, event: event.name, registrations: members.map { records[Int($0)].registration })
      (rank, byRank) = (ContiguousArray(other.schedule.rank), ContiguousArray(other.schedule.byRank))
      (reordered, ownUrgencies) = other
    }
    self.reordered = reordered
    isReordered = reordered != nil
    self.isMixed = isMixed
    self.event = event
    self.count = count
    ranks = rank

    let isAscending = (1..<max(1, count)).allSatisfy { members[$0 - 1] < members[$0] }
    if isAscending {
      self.members = members
      nodeOfMember = rank
    } else {
      let places = members.indices.sorted { members[$0] < members[$1] }
      self.members = ContiguousArray(places.lazy.map { members[$0] })
      nodeOfMember = ContiguousArray(places.lazy.map { rank[$0] })
    }

    let tasks = isSorted && order == nil ? members : ContiguousArray(byRank.lazy.map { members[Int($0)] })
    self.tasks = tasks
    let registrations = PlanRegistrations(tasks, in: records, table: isDeclared ? table : nil)
    self.registrations = registrations
    effectivePriorities =
      isSorted && order == nil ? effective : ContiguousArray(byRank.lazy.map { effective[Int($0)] })
    urgencies = ownUrgencies.map { own in ContiguousArray(byRank.lazy.map { own[Int($0)] }) } ?? effectivePriorities

    var demands = ContiguousArray<TaskDemands>(repeating: [], count: count)
    var forms = ContiguousArray<TaskBody.Form>(repeating: .synchronous, count: count)
    var anyDemand: TaskDemands = []
    var hasForm = (synchronous: false, main: false, asynchronous: false)
    for (member, task) in members.enumerated() {
      let facts = records[Int(task)].facts()
      let form =
        switch given {
        case .registered(let occasions) where occasions.isEmpty || occasions[member] == 0: facts.form
        case .registered(let occasions):
          records[Int(task)].registration.body(at: Int(occasions[member])).form
        case .given(let members): members[member].body.form
        }
      let node = Int(rank[member])
      demands[node] = facts.demands
      forms[node] = EventPlan.form(form, facts.demands)
      anyDemand.formUnion(facts.demands)
      switch forms[node] {
      case .synchronous: hasForm.synchronous = true
      case .main: hasForm.main = true
      case .asynchronous: hasForm.asynchronous = true
      }
    }
    bodies =
      switch given {
      case .registered(let occasions):
        PlanBodies(
          count: count,
          .registered(
            registrations,
            occasions: occasions.isEmpty ? [] : ContiguousArray(byRank.lazy.map { occasions[Int($0)] })))
      case .given(let members):
        PlanBodies(count: count, .given(ContiguousArray(byRank.lazy.map { members[Int($0)].body })))
      }
    var lanes: [Lane: [Int32]] = [:]
    for node in 0..<(anyDemand.contains(.lane) ? count : 0) where demands[node].contains(.lane) {
      if let lane = registrations[node].lane { lanes[lane, default: []].append(Int32(node)) }
    }
    self.demands = demands
    self.forms = forms
    self.hasForm = hasForm
    self.lanes = lanes

    // The rows of dependents, filled by those who wait in the order of declaration.
    var next = ContiguousArray<Int32>(repeating: 0, count: count + 1)
    var edgeCount: Int32 = 0
    for node in 0..<count {
      next[node] = edgeCount
      edgeCount += rows.dependentCounts[Int(byRank[node])]
    }
    next[count] = edgeCount
    dependentOffsets = ConstantTable(next)
    var dependents = ContiguousArray<Int32>(repeating: 0, count: Int(edgeCount))
    var kinds = ContiguousArray<DependencyGraph.EdgeKind>(repeating: .requires, count: Int(edgeCount))
    for member in 0..<count {
      let dependent = rank[member]
      for position in Int(rows.starts[member])..<Int(rows.starts[member + 1]) {
        let prerequisite = Int(rank[Int(rows.prerequisites[position])])
        let place = Int(next[prerequisite])
        next[prerequisite] += 1
        dependents[place] = dependent
        kinds[place] = rows.kinds[position]
      }
    }
    self.dependents = ConstantTable(dependents)
    dependentKinds = kinds
    prerequisiteCounts = ConstantTable(count: count) { node in
      let place = Int(byRank[node])
      return rows.starts[place + 1] - rows.starts[place]
    }

    externals = rows.externals.map { External(node: rank[Int($0.member)], task: $0.task, kind: $0.kind) }
    isWalkable = count > 0 && anyDemand.isEmpty && rows.externals.isEmpty
  }

  /// A synchronous body with a timeout is given to a worker of its own, like an asynchronous one: on the thread of
  /// the sender it would hold the event up however long it takes.
  @inline(__always)
  private static func form(_ form: TaskBody.Form, _ demands: TaskDemands) -> TaskBody.Form {
    form == .synchronous && demands.contains(.timeout) ? .asynchronous : form
  }

  /// The node of a task, if the task takes part. Logarithmic in the number of nodes.
  func node(ofTask task: Int32) -> Int32? {
    var low = 0
    var high = members.count
    while low < high {
      let middle = (low + high) >> 1
      if members[middle] < task { low = middle + 1 } else { high = middle }
    }
    return low < members.count && members[low] == task ? nodeOfMember[low] : nil
  }

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

extension PlanRows {
  fileprivate var edges: [DependencyGraph.Edge] {
    (0..<count).flatMap { member in
      (Int(starts[member])..<Int(starts[member + 1])).map { position in
        DependencyGraph.Edge(
          prerequisite: prerequisites[position], dependent: Int32(member), kind: kinds[position])
      }
    }
  }
}
