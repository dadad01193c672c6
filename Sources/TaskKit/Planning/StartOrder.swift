import TaskGraph

/// Another order than the law's among those that could start: for tests that look for what relies on it without saying so.
///
/// Dependencies hold as ever. Reports and gates go by the declared priorities, and so does the choice among events that are
/// going at the same time under a limit: it is among the tasks that are next in the order of each.
package struct StartOrder: Sendable {
  /// By event: the place of each task, by name. Who has none comes after those who have, as the law says.
  package let places: [String: [TaskName: Int]]

  package init(_ orders: [String: [TaskName]]) {
    places = orders.mapValues { order in
      Dictionary(order.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }
  }

  func reorder(_ schedule: Schedule, of graph: DependencyGraph, event: String, names: [TaskName]) -> Schedule {
    guard let places = places[event], let other = graph.schedule(priorities: names.map { -(places[$0] ?? .max) })
    else { return schedule }
    return schedule.starting(like: other)
  }
}

/// The tasks of one event, with what the law leaves open about their order.
package struct OpenOrder: Sendable {
  package struct Member: Sendable {
    package let name: TaskName
    package let location: TaskLocation
    /// Whom it waits for, by place in the declaration order.
    package let waits: [Int]
  }

  package let event: String
  /// In the order of declaration.
  package let members: [Member]
  /// How the law starts them one at a time, by place in the declaration order.
  package let startOrder: [Int]
}

extension TaskCenter {
  /// Every event that has tasks.
  package var openOrders: [OpenOrder] {
    receive { machine in
      machine.events.indices.compactMap { event in
        guard machine.events[event].members.first(in: machine.tasks) != nil else { return nil }
        let plan = machine.plan(ofEvent: event)
        let (schedule, graph) = (plan.schedule, plan.graph)
        let members = (0..<plan.count).map { place in
          let registration = plan.registrations[Int(schedule.rank[place])]
          return OpenOrder.Member(
            name: registration.name, location: registration.location,
            waits: graph.prerequisitePositions(of: place).map { Int(graph.prerequisiteTargets[$0]) })
        }
        return OpenOrder(
          event: plan.event.name, members: members, startOrder: schedule.startOrder.map { Int($0) })
      }
    }
  }
}
