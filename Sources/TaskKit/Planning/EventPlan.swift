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
  let registrations: ContiguousArray<TaskRegistration>
  let bodies: ConstantTable<TaskBody>
  let forms: ContiguousArray<TaskBody.Form>
  let demands: ContiguousArray<TaskDemands>
  let effectivePriorities: ContiguousArray<Int>

  /// By node: how many prerequisites of the same event it has.
  let prerequisiteCounts: ConstantTable<Int32>
  /// Where the dependents of each node start in `dependents`; one more than there are nodes.
  let dependentOffsets: ConstantTable<Int32>
  let dependents: ConstantTable<Int32>
  let dependentKinds: ContiguousArray<DependencyGraph.EdgeKind>

  let externals: [External]
  /// The nodes of each lane in the order of the law.
  let lanes: [Lane: [Int32]]
  /// Whether a timeout or a retry may set a timer.
  let hasTimers: Bool
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

  /// One task of a plan, before it has a rank.
  struct Member {
    let task: Int32
    let body: TaskBody
  }

  /// Orders some tasks.
  ///
  /// - Parameters:
  ///   - members: in the order of declaration.
  ///   - tasks: all tasks of the center.
  ///   - order: another start order than the law's, for tests.
  /// - Returns: nil if the tasks depend on each other in a cycle, which validation has excluded.
  convenience init?(
    event: EventDescription, members: [Member], tasks records: ContiguousArray<TaskRecord>, order: StartOrder? = nil
  ) {
    self.init(event: event, tasks: ContiguousArray(members.lazy.map { $0.task }), in: records, order: order) {
      members[$0].body
    }
  }

  /// Orders the tasks of an event.
  ///
  /// Costs O(n + e) for n tasks with e references. Nothing is hashed but priorities, where there are many, and nothing is
  /// asked of a single task but what it was registered with.
  ///
  /// - Parameters:
  ///   - members: in the order of declaration.
  ///   - records: all tasks of the center.
  ///   - order: another start order than the law's, for tests.
  ///   - body: what a member runs, by its place.
  /// - Returns: nil if the tasks depend on each other in a cycle, which validation has excluded.
  init?(
    event: EventDescription, tasks members: ContiguousArray<Int32>, in records: ContiguousArray<TaskRecord>,
    order: StartOrder? = nil, body: (Int) -> TaskBody
  ) {
    let count = members.count
    let rows = PlanRows(members, in: records)
    let priorities = ContiguousArray(members.lazy.map { records[Int($0)].registration.priority.rawValue })
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
    if let order {
      let graph = DependencyGraph(nodeCount: count, edges: rows.edges)
      guard let schedule = graph.schedule(priorities: Array(priorities)) else { return nil }
      let names = members.map { records[Int($0)].registration.name }
      let other = order.reorder(schedule, of: graph, event: event.name, names: names)
      (rank, byRank) = (ContiguousArray(other.rank), ContiguousArray(other.byRank))
      reordered = other
    }
    self.reordered = reordered
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
    registrations = ContiguousArray(tasks.lazy.map { records[Int($0)].registration })
    bodies = ConstantTable(count: count) { body(Int(byRank[$0])) }
    effectivePriorities =
      isSorted && order == nil ? effective : ContiguousArray(byRank.lazy.map { effective[Int($0)] })

    var demands = ContiguousArray<TaskDemands>()
    demands.reserveCapacity(count)
    var forms = ContiguousArray<TaskBody.Form>()
    forms.reserveCapacity(count)
    var anyDemand: TaskDemands = []
    var hasForm = (synchronous: false, main: false, asynchronous: false)
    var lanes: [Lane: [Int32]] = [:]
    for node in 0..<count {
      let demand = registrations[node].demands
      let form = EventPlan.form(of: bodies.elements[node], demand)
      demands.append(demand)
      forms.append(form)
      anyDemand.formUnion(demand)
      switch form {
      case .synchronous: hasForm.synchronous = true
      case .main: hasForm.main = true
      case .asynchronous: hasForm.asynchronous = true
      }
      if demand.contains(.lane), let lane = registrations[node].lane { lanes[lane, default: []].append(Int32(node)) }
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
    hasTimers = !anyDemand.isDisjoint(with: [.timeout, .retry])
    isWalkable = count > 0 && anyDemand.isEmpty && rows.externals.isEmpty
  }

  /// A synchronous body with a timeout is given to a worker of its own, like an asynchronous one: on the thread of
  /// the sender it would hold the event up however long it takes.
  @inline(__always)
  private static func form(of body: TaskBody, _ demands: TaskDemands) -> TaskBody.Form {
    body.form == .synchronous && demands.contains(.timeout) ? .asynchronous : body.form
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
