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

  /// What a node asks of the scheduler beyond being run.
  struct Demands: OptionSet, Sendable {
    let rawValue: UInt8
    static let timeout = Demands(rawValue: 1)
    static let retry = Demands(rawValue: 2)
    static let lane = Demands(rawValue: 4)
    static let once = Demands(rawValue: 8)
    static let failureIsIgnored = Demands(rawValue: 16)
    static let failureStopsEvent = Demands(rawValue: 32)
    static let stop = Demands(rawValue: 64)
  }

  let event: EventDescription
  let count: Int

  /// By node: the task's number in the center.
  let tasks: ContiguousArray<Int32>
  let registrations: ContiguousArray<TaskRegistration>
  let bodies: ConstantTable<TaskBody>
  let forms: ContiguousArray<TaskBody.Form>
  let demands: ContiguousArray<Demands>
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

  /// The graph in declaration order, for explanations.
  let graph: DependencyGraph
  let schedule: Schedule

  /// One task of a plan, before it has a rank.
  struct Member {
    let task: Int32
    let body: TaskBody
  }

  /// Orders the tasks of an event.
  ///
  /// - Parameters:
  ///   - members: in the order of declaration, task numbers ascending.
  ///   - tasks: all tasks of the center.
  ///   - order: another start order than the law's, for tests.
  /// - Returns: nil if the tasks depend on each other in a cycle, which validation has excluded.
  init?(
    event: EventDescription, members: [Member], tasks records: ContiguousArray<TaskRecord>, order: StartOrder? = nil
  ) {
    var memberOfTask = ContiguousArray<Int32>(repeating: -1, count: records.count)
    for (index, member) in members.enumerated() { memberOfTask[Int(member.task)] = Int32(index) }

    var edges = ContiguousArray<DependencyGraph.Edge>()
    var externalMembers: [(member: Int32, task: Int32, kind: DependencyGraph.EdgeKind)] = []
    func add(_ prerequisites: [Int32], of index: Int, _ kind: DependencyGraph.EdgeKind) {
      for task in prerequisites {
        let other = memberOfTask[Int(task)]
        if other >= 0 {
          edges.append(.init(prerequisite: other, dependent: Int32(index), kind: kind))
        } else {
          externalMembers.append((Int32(index), task, kind))
        }
      }
    }
    for (index, member) in members.enumerated() {
      add(records[Int(member.task)].dependencies, of: index, .requires)
      add(records[Int(member.task)].after, of: index, .follows)
    }

    let graph = DependencyGraph(nodeCount: members.count, edges: edges)
    let priorities = members.map { records[Int($0.task)].registration.priority.rawValue }
    guard var schedule = graph.schedule(priorities: priorities) else { return nil }
    if let order {
      schedule = order.reorder(
        schedule, of: graph, event: event.name, names: members.map { records[Int($0.task)].registration.name })
    }
    self.event = event
    self.graph = graph
    self.schedule = schedule
    count = members.count
    self.members = ContiguousArray(members.lazy.map { $0.task })
    nodeOfMember = ContiguousArray(schedule.rank)

    let ordered = ContiguousArray(schedule.byRank)
    let tasks = ContiguousArray(ordered.lazy.map { members[Int($0)].task })
    let registrations = ContiguousArray(tasks.lazy.map { records[Int($0)].registration })
    let demands = ContiguousArray(registrations.lazy.map { Demands($0) })
    self.tasks = tasks
    self.registrations = registrations
    self.demands = demands
    bodies = ConstantTable(ordered.lazy.map { members[Int($0)].body })
    forms = ContiguousArray(
      zip(ordered, demands).lazy.map { EventPlan.form(of: members[Int($0)].body, $1) })
    effectivePriorities = ContiguousArray(ordered.lazy.map { schedule.effectivePriorities[Int($0)] })

    var counts = ContiguousArray<Int32>(repeating: 0, count: members.count)
    var offsets = ContiguousArray<Int32>()
    offsets.reserveCapacity(members.count + 1)
    offsets.append(0)
    var dependents = ContiguousArray<Int32>()
    dependents.reserveCapacity(edges.count)
    var kinds = ContiguousArray<DependencyGraph.EdgeKind>()
    kinds.reserveCapacity(edges.count)
    for member in ordered {
      let range = Int(graph.dependentOffsets[Int(member)])..<Int(graph.dependentOffsets[Int(member) + 1])
      for position in range {
        let node = schedule.rank[Int(graph.dependentTargets[position])]
        counts[Int(node)] += 1
        dependents.append(node)
        kinds.append(graph.dependentKinds[position])
      }
      offsets.append(Int32(dependents.count))
    }
    prerequisiteCounts = ConstantTable(counts)
    dependentOffsets = ConstantTable(offsets)
    self.dependents = ConstantTable(dependents)
    dependentKinds = kinds

    externals = externalMembers.map { External(node: schedule.rank[Int($0.member)], task: $0.task, kind: $0.kind) }
    var lanes: [Lane: [Int32]] = [:]
    for node in demands.indices where demands[node].contains(.lane) {
      if let lane = registrations[node].lane { lanes[lane, default: []].append(Int32(node)) }
    }
    self.lanes = lanes
    hasTimers = demands.contains { !$0.isDisjoint(with: [.timeout, .retry]) }
    isWalkable = !ordered.isEmpty && demands.allSatisfy { $0.isEmpty } && externalMembers.isEmpty
    hasForm = (forms.contains(.synchronous), forms.contains(.main), forms.contains(.asynchronous))
  }

  /// A synchronous body with a timeout is given to a worker of its own, like an asynchronous one: on the thread of
  /// the sender it would hold the event up however long it takes.
  private static func form(of body: TaskBody, _ demands: Demands) -> TaskBody.Form {
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
    graph.prerequisitePositions(of: Int(schedule.byRank[Int(node)])).map {
      schedule.rank[Int(graph.prerequisiteTargets[$0])]
    }
  }

  func name(_ node: Int32) -> TaskName { registrations[Int(node)].name }
}

extension EventPlan.Demands {
  init(_ registration: TaskRegistration) {
    self = []
    if registration.timeout != nil { insert(.timeout) }
    if registration.retry.attempts > 1 { insert(.retry) }
    if registration.lane != nil { insert(.lane) }
    if registration.runs == .once { insert(.once) }
    if registration.stop != nil { insert(.stop) }
    switch registration.onFailure {
    case .skipDependents: break
    case .ignore: insert(.failureIsIgnored)
    case .stopEvent: insert(.failureStopsEvent)
    }
  }
}
