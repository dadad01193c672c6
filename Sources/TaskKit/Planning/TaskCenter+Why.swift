import TaskGraph

extension TaskCenter {
  /// Why one task of an event starts before another: an edge, a chain, an inherited priority, the order of declaration.
  ///
  /// ```swift
  /// print(try center.why("OpenDatabase", before: "Feed.Refresh", at: .didFinishLaunching))
  /// // 'App.OpenDatabase' starts before 'App.Feed.Refresh', because 'App.Feed.Refresh' needs 'App.OpenDatabase'
  /// ```
  ///
  /// The answer is about the next occurrence: what was injected or destroyed since the last one counts.
  ///
  /// - Throws: ``TaskError`` if one of them is no task of the event.
  /// - Complexity: linear in the tasks and dependencies of the event.
  public func why<Payload, Reply>(
    _ first: TaskName, before second: TaskName, at event: LifecycleEvent<Payload, Reply>
  ) throws -> String {
    try receive { machine in
      let plan = machine.plan(ofEvent: machine.number(of: event.description))
      let one = try machine.member(first, of: plan)
      let other = try machine.member(second, of: plan)
      let schedule = plan.schedule
      let reason = plan.graph.explain(one, before: other, in: schedule)
      return reason.description { plan.name(schedule.rank[$0]).rawValue }
    }
  }

  /// Why the task of one type starts before that of another. See ``why(_:before:at:)-(TaskName,_,_)``.
  public func why<First: LifecycleTask, Second: LifecycleTask, Payload, Reply>(
    _ first: First.Type, before second: Second.Type, at event: LifecycleEvent<Payload, Reply>
  ) throws -> String {
    try why(First.registration.name, before: Second.registration.name, at: event)
  }

  /// The names of an event's tasks in the order in which they start with `maximumConcurrency: 1`, when every body ends
  /// at once. Where a test shuffles what the law leaves open, this is the shuffled order.
  public func order<Payload, Reply>(of event: LifecycleEvent<Payload, Reply>) -> [TaskName] {
    receive { machine in
      let plan = machine.plan(ofEvent: machine.number(of: event.description))
      return plan.startOrder.map { plan.name($0) }
    }
  }
}

extension CenterMachine {
  /// The place of a task in the declaration order of a plan.
  fileprivate mutating func member(_ name: TaskName, of plan: EventPlan) throws -> Int {
    let task = try find(name)
    guard let node = plan.node(ofTask: task) else {
      throw TaskError(.unknownTask, name, "'\(name)' is not a task of '\(plan.event.name)'")
    }
    return Int(plan.schedule.byRank[Int(node)])
  }
}
