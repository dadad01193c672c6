import TaskKit

/// The tasks of an event in one of the orders that their dependencies allow.
struct EventOrder {
  /// What they are tasks of.
  let plan: OpenOrder
  /// By place in the declaration order.
  private(set) var tasks: [Int]

  /// The order of the law.
  init(_ plan: OpenOrder) {
    self.plan = plan
    tasks = plan.startOrder
  }

  var names: [TaskName] { tasks.map { plan.names[$0] } }

  func participant(at place: Int) -> OrderDependence.Participant {
    OrderDependence.Participant(name: plan.names[tasks[place]], location: plan.locations[tasks[place]])
  }

  /// Draws one of those that could come next, until all have come.
  ///
  /// The chance is this plan's own: which other plans there are, and when they are made, changes nothing.
  func shuffled(seed: UInt64) -> EventOrder {
    var chance = SeededGenerator(seed: SeededGenerator.mix(seed) ^ plan.fingerprint)
    var dependents = Array(repeating: [Int](), count: tasks.count)
    for (task, waits) in plan.waits.enumerated() {
      for other in waits { dependents[other].append(task) }
    }
    var left = plan.waits.map(\.count)
    var ready = left.indices.filter { left[$0] == 0 }
    var order = self
    order.tasks = []
    while !ready.isEmpty {
      let next = ready.remove(at: Int.random(in: ready.indices, using: &chance))
      order.tasks.append(next)
      for dependent in dependents[next] {
        left[dependent] -= 1
        if left[dependent] == 0 { ready.append(dependent) }
      }
    }
    return order
  }

  /// How many exchanges of neighbours lead to another order.
  func distance(to other: EventOrder) -> Int {
    var order = self
    return order.move(towards: other, by: .max)
  }

  func moved(towards other: EventOrder, by steps: Int) -> EventOrder {
    var order = self
    _ = order.move(towards: other, by: steps)
    return order
  }

  /// Exchanges neighbours that the other order has the other way round (an insertion sort).
  ///
  /// - Returns: how often.
  private mutating func move(towards other: EventOrder, by steps: Int) -> Int {
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
