import TaskKit

/// The tasks of all events of a program in one of the orders that their dependencies allow.
struct ProgramOrder {
  let plans: [OpenOrder]
  /// The number of each plan's first task: those of all plans are counted through, each plan's in the order of declaration.
  private let offsets: [Int]
  /// By place: the number of the task.
  private(set) var tasks: [Int]
  /// Whether a place counts among the tasks of other events as well, where several are going at the same time. If not, the law
  /// decides among events.
  private(set) var isAcrossEvents = false

  /// The order of the law, one event after the other.
  init(_ plans: [OpenOrder]) {
    self.plans = plans
    var offsets: [Int] = []
    var tasks: [Int] = []
    for plan in plans {
      offsets.append(tasks.count)
      tasks += plan.startOrder.map { $0 + offsets.last! }
    }
    self.offsets = offsets
    self.tasks = tasks
  }

  /// Where the task of a place comes from.
  func origin(_ place: Int) -> (plan: Int, task: Int) {
    let plan = offsets.lastIndex { $0 <= tasks[place] }!
    return (plan, tasks[place] - offsets[plan])
  }

  func participant(at place: Int) -> OrderDependence.Participant {
    let (plan, task) = origin(place)
    return OrderDependence.Participant(
      name: plans[plan].names[task], location: plans[plan].locations[task], event: plans[plan].event)
  }

  /// The names of the tasks of some plans.
  func names(of some: Set<Int>) -> [TaskName] {
    tasks.indices.map(origin).filter { some.contains($0.plan) }.map { plans[$0.plan].names[$0.task] }
  }

  /// For each plan what its tasks' places are.
  var places: [OpenOrder: StartOrder.Places] {
    var places = Array(repeating: 0, count: tasks.count)
    for (place, task) in tasks.enumerated() { places[task] = place }
    return Dictionary(
      uniqueKeysWithValues: zip(plans, offsets).map { plan, offset in
        let own = Array(places[offset..<(offset + plan.names.count)])
        return (plan, StartOrder.Places(own, areAcrossEvents: isAcrossEvents))
      })
  }

  // MARK: - Other orders

  /// Draws for each event one of the tasks that could come next, until all have come.
  ///
  /// The chance is each plan's own: which other plans there are, and when they are made, changes nothing.
  func shuffled(seed: UInt64) -> ProgramOrder {
    var order = self
    order.tasks = zip(plans, offsets).flatMap { plan, offset in
      var chance = ProgramOrder.chance(of: plan, seed: seed)
      return plan.shuffled(&chance).map { $0 + offset }
    }
    return order
  }

  /// Puts the tasks of all events into one order at random; each event's stay as they are.
  func interleaved(seed: UInt64) -> ProgramOrder {
    interleaved { plan in
      // Another chance than that of the event's own order.
      var chance = ProgramOrder.chance(of: plan, seed: ~seed)
      return plan.names.map { _ in chance.next() }.sorted()
    }
  }

  /// Puts the tasks of all events into the order in which the law chooses among them where all are going: the most urgent first, and
  /// that of the event that began first among equals.
  ///
  /// - Parameter began: by plan, in which order they began.
  func interleaved(asBegun began: [Int]) -> ProgramOrder {
    let turns = Dictionary(uniqueKeysWithValues: zip(plans, began))
    return interleaved { plan in
      plan.startOrder.map { Urgency(priority: plan.effectivePriorities[$0], turn: turns[plan] ?? .max) }
    }
  }

  private struct Urgency: Comparable {
    let priority: Int
    let turn: Int

    static func < (one: Urgency, other: Urgency) -> Bool {
      one.priority != other.priority ? one.priority > other.priority : one.turn < other.turn
    }
  }

  /// - Parameter keys: for each plan ascending ones, by place.
  private func interleaved<Key: Comparable>(by keys: (OpenOrder) -> [Key]) -> ProgramOrder {
    var all: [(key: Key, task: Int)] = []
    for (plan, offset) in zip(plans, offsets) {
      all += zip(keys(plan), tasks[offset..<(offset + plan.names.count)]).map { ($0, $1) }
    }
    var order = self
    order.tasks = all.enumerated().sorted { one, other in
      one.element.key != other.element.key ? one.element.key < other.element.key : one.offset < other.offset
    }.map(\.element.task)
    order.isAcrossEvents = true
    return order
  }

  private static func chance(of plan: OpenOrder, seed: UInt64) -> SeededGenerator {
    SeededGenerator(seed: SeededGenerator.mix(seed) ^ plan.fingerprint)
  }

  // MARK: - From one to another

  /// How many exchanges of neighbours lead to another order.
  func distance(to other: ProgramOrder) -> Int {
    var order = self
    return order.move(towards: other, by: .max)
  }

  func moved(towards other: ProgramOrder, by steps: Int) -> ProgramOrder {
    var order = self
    _ = order.move(towards: other, by: steps)
    return order
  }

  /// Exchanges neighbours that the other order has the other way round (an insertion sort).
  ///
  /// - Returns: how often.
  private mutating func move(towards other: ProgramOrder, by steps: Int) -> Int {
    var place = Array(repeating: 0, count: tasks.count)
    for (position, task) in other.tasks.enumerated() { place[task] = position }
    var taken = 0
    for end in tasks.indices {
      var position = end
      while position > 0, place[tasks[position - 1]] > place[tasks[position]] {
        if taken == steps { return taken }
        tasks.swapAt(position - 1, position)
        taken += 1
        position -= 1
      }
    }
    return taken
  }
}

extension OpenOrder {
  /// The tasks by place in the declaration order, in an order that their dependencies allow.
  fileprivate func shuffled(_ chance: inout SeededGenerator) -> [Int] {
    var dependents = Array(repeating: [Int](), count: names.count)
    for (task, waits) in waits.enumerated() {
      for other in waits { dependents[other].append(task) }
    }
    var left = waits.map(\.count)
    var ready = left.indices.filter { left[$0] == 0 }
    var order: [Int] = []
    while !ready.isEmpty {
      let next = ready.remove(at: Int.random(in: ready.indices, using: &chance))
      order.append(next)
      for dependent in dependents[next] {
        left[dependent] -= 1
        if left[dependent] == 0 { ready.append(dependent) }
      }
    }
    return order
  }
}
