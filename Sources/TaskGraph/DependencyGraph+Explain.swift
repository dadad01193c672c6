extension DependencyGraph {
  /// Why `first` starts before `second` in this schedule, or why it does not.
  ///
  /// The strongest reason wins: a dependency, then priority, then declaration. Paths are shortest ones.
  ///
  /// Cost: O(n + e).
  public func explain(_ first: Int, before second: Int, in schedule: Schedule) -> OrderReason {
    precondition(schedule.rank.count == nodeCount, "the schedule is that of another graph")
    func reason(_ cause: OrderReason.Cause) -> OrderReason {
      OrderReason(
        first: first, second: second, cause: cause, firstPriority: schedule.effectivePriorities[first],
        secondPriority: schedule.effectivePriorities[second])
    }
    if first == second { return reason(.same) }
    if let cause = causeOfStart(first, before: second, in: schedule) { return reason(cause) }
    guard let cause = causeOfStart(second, before: first, in: schedule) else { return reason(.declarationOrder) }
    let other = OrderReason(
      first: second, second: first, cause: cause, firstPriority: schedule.effectivePriorities[second],
      secondPriority: schedule.effectivePriorities[first])
    return reason(.notBefore(other))
  }

  /// Nil if `first` does not start before `second`.
  private func causeOfStart(_ first: Int, before second: Int, in schedule: Schedule) -> OrderReason.Cause? {
    let chain = path(from: first) { $0 == second }
    if let edge = chain.first { return chain.count == 1 ? .dependency(edge) : .chain(chain) }
    let urgency = schedule.effectivePriorities[first]
    let other = schedule.effectivePriorities[second]
    if urgency > other {
      if schedule.priorities[first] > other { return .ownPriority(schedule.priorities[first]) }
      let inheritance = path(from: first) { schedule.priorities[$0] == urgency }
      // The path exists: whatever the node did not bring itself, it got from a dependent.
      guard let source = inheritance.last else { return .ownPriority(urgency) }
      return .inheritedPriority(from: Int(source.dependent), through: inheritance)
    }

    var position = ContiguousArray<Int32>(repeating: 0, count: nodeCount)
    for (place, node) in schedule.startOrder.enumerated() { position[Int(node)] = Int32(truncatingIfNeeded: place) }
    let start = position[first]
    if start > position[second] { return nil }
    if first < second { return .declarationOrder }
    // The second is declared first, so it had to wait when the first started: for something that could start then, but
    // comes later in the order of declaration.
    let wait = path(from: second, upstream: true, through: { position[$0] > start }) { node in
      prerequisitePositions(of: node).allSatisfy { position[Int(prerequisiteTargets[$0])] < start }
    }
    return .waiting(wait.reversed())
  }

  /// A shortest path to the nearest other node that `isEnd` accepts, breadth first; empty if there is none.
  private func path(
    from start: Int, upstream: Bool = false, through isOpen: (Int) -> Bool = { _ in true }, to isEnd: (Int) -> Bool
  ) -> [Edge] {
    var incoming = ContiguousArray<Edge?>(repeating: nil, count: nodeCount)
    var queue: ContiguousArray<Int32> = [Int32(truncatingIfNeeded: start)]
    var next = 0
    while next < queue.count {
      let here = queue[next]
      next += 1
      for position in upstream ? prerequisitePositions(of: Int(here)) : dependentPositions(of: Int(here)) {
        let there = upstream ? prerequisiteTargets[position] : dependentTargets[position]
        guard Int(there) != start, incoming[Int(there)] == nil, isOpen(Int(there)) else { continue }
        incoming[Int(there)] =
          upstream
          ? Edge(prerequisite: there, dependent: here, kind: prerequisiteKinds[position])
          : Edge(prerequisite: here, dependent: there, kind: dependentKinds[position])
        if isEnd(Int(there)) { return walkBack(from: Int(there), incoming, upstream: upstream) }
        queue.append(there)
      }
    }
    return []
  }

  private func walkBack(from end: Int, _ incoming: ContiguousArray<Edge?>, upstream: Bool) -> [Edge] {
    var result: [Edge] = []
    var node = end
    while let edge = incoming[node] {
      result.append(edge)
      node = Int(upstream ? edge.dependent : edge.prerequisite)
    }
    return result.reversed()
  }
}
