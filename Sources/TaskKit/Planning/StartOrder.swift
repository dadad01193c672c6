import TaskGraph

/// Another order than the law's among those that could start: for tests that look for what relies on it without saying so.
///
/// Dependencies hold as ever. Reports and gates go by the declared priorities.
package struct StartOrder: Sendable {
  /// Which of the tasks of a plan start first where they could.
  package struct Places: Sendable {
    fileprivate let places: [Int]
    fileprivate let areAcrossEvents: Bool

    /// - Parameters:
    ///   - places: by place in the declaration order, each another one: the smallest starts first.
    ///   - areAcrossEvents: whether they decide among the tasks of several events that are going at the same time, too. If not, the
    ///     law does, among the tasks that are next in the order of each.
    package init(_ places: [Int], areAcrossEvents: Bool) {
      self.places = places
      self.areAcrossEvents = areAcrossEvents
    }
  }

  private let choose: @Sendable (OpenOrder) -> Places?

  /// - Parameter choose: is told of every plan that is made, under the lock of the center: it must not call that. Says in
  ///   which order its tasks start where they could; nil for that of the law.
  package init(_ choose: @escaping @Sendable (OpenOrder) -> Places?) {
    self.choose = choose
  }

  /// - Returns: the schedule in another order, and, by place in the declaration order, what decides among events instead of the
  ///   effective priority; nil where that does.
  func reorder(
    _ schedule: Schedule, of graph: DependencyGraph, event: String, registrations: [TaskRegistration]
  ) -> (schedule: Schedule, urgencies: [Int]?) {
    let open = OpenOrder(schedule, of: graph, event: event, registrations: registrations)
    guard let chosen = choose(open) else { return (schedule, nil) }
    let urgencies = chosen.places.map { -$0 }
    guard urgencies.count == graph.nodeCount, let other = graph.schedule(priorities: urgencies) else {
      return (schedule, nil)
    }
    return (schedule.starting(like: other), chosen.areAcrossEvents ? urgencies : nil)
  }
}

/// The tasks of one plan, with what the law leaves open about their order.
///
/// Plans are made anew after each change, and equal ones are one plan. An event has another one when tasks have been injected or
/// destroyed, and when one has been replaced by one that is more urgent, waits for others or stands elsewhere.
package struct OpenOrder: Sendable, Hashable {
  package let event: String
  /// In the order of declaration.
  package let names: [TaskName]
  /// By place in the declaration order.
  package let locations: [TaskLocation]
  /// Whom each waits for, by place in the declaration order.
  package let waits: [[Int]]
  /// How the law starts them one at a time, by place in the declaration order.
  package let startOrder: [Int]
  /// By place in the declaration order.
  package let effectivePriorities: [Int]

  fileprivate init(
    _ schedule: Schedule, of graph: DependencyGraph, event: String, registrations: [TaskRegistration]
  ) {
    self.event = event
    names = registrations.map(\.name)
    locations = registrations.map(\.location)
    waits = registrations.indices.map { place in
      graph.prerequisitePositions(of: place).map { Int(graph.prerequisiteTargets[$0]) }.sorted()
    }
    startOrder = schedule.startOrder.map { Int($0) }
    effectivePriorities = schedule.effectivePriorities
  }

  /// The same for the same tasks that wait for each other in the same way, on every machine and in every process.
  package var fingerprint: UInt64 { Dice.hash("\(event)\n\(names.map(\.rawValue))\n\(waits)") }
}
