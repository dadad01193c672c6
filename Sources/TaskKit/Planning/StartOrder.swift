import TaskGraph

/// Another order than the law's among those that could start: for tests that look for what relies on it without saying so.
///
/// Dependencies hold as ever. Reports and gates go by the declared priorities, and so does the choice among events that are
/// going at the same time under a limit: it is among the tasks that are next in the order of each.
package struct StartOrder: Sendable {
  private let orders: [OpenOrder.Tasks: [TaskName: Int]]
  private let seen: @Sendable (OpenOrder) -> Void

  /// - Parameters:
  ///   - orders: by the tasks of a plan, in which order they start where they could. All others keep the law's.
  ///   - seen: is told of every plan that is made, under the lock of the center: it must not call that.
  package init(
    _ orders: [OpenOrder.Tasks: [TaskName]] = [:], seen: @escaping @Sendable (OpenOrder) -> Void = { _ in }
  ) {
    self.orders = orders.mapValues { order in
      Dictionary(order.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }
    self.seen = seen
  }

  func reorder(
    _ schedule: Schedule, of graph: DependencyGraph, event: String, registrations: [TaskRegistration]
  ) -> Schedule {
    let open = OpenOrder(schedule, of: graph, event: event, registrations: registrations)
    seen(open)
    guard let places = orders[open.tasks],
      let other = graph.schedule(priorities: open.tasks.names.map { -(places[$0] ?? .max) })
    else { return schedule }
    return schedule.starting(like: other)
  }
}

/// The tasks of one plan, with what the law leaves open about their order.
package struct OpenOrder: Sendable {
  /// Which tasks of which event: an event has other ones when some have been injected or destroyed.
  package struct Tasks: Sendable, Hashable {
    package let event: String
    /// In the order of declaration.
    package let names: [TaskName]
  }

  package let tasks: Tasks
  /// By place in the declaration order.
  package let locations: [TaskLocation]
  /// Whom each waits for, by place in the declaration order.
  package let waits: [[Int]]
  /// How the law starts them one at a time, by place in the declaration order.
  package let startOrder: [Int]

  fileprivate init(
    _ schedule: Schedule, of graph: DependencyGraph, event: String, registrations: [TaskRegistration]
  ) {
    tasks = Tasks(event: event, names: registrations.map(\.name))
    locations = registrations.map(\.location)
    waits = registrations.indices.map { place in
      graph.prerequisitePositions(of: place).map { Int(graph.prerequisiteTargets[$0]) }
    }
    startOrder = schedule.startOrder.map { Int($0) }
  }
}
