public import Foundation
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
      let plan = machine.plan(lookedAt: event.description)
      return try machine.explain(first, before: second, in: plan)
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
    receive { $0.plan(lookedAt: event.description).names }
  }

  // MARK: - Notifications

  /// Why one task of a notification starts before another, of those that take it from any sender. See
  /// ``why(_:before:at:)-(TaskName,_,_)``.
  public func why(
    _ first: TaskName, before second: TaskName, atNotification notification: Notification.Name
  ) throws -> String {
    try why(first, before: second, at: LifecycleEvent.__notification(notification))
  }

  /// The names of the tasks that take a notification from any sender, in the order in which they start. See ``order(of:)``.
  public func order(ofNotification notification: Notification.Name) -> [TaskName] {
    order(of: LifecycleEvent.__notification(notification))
  }

  // MARK: - Schedules

  /// Why one scheduled task starts before another, when both are due at the same instant. See
  /// ``why(_:before:at:)-(TaskName,_,_)``.
  ///
  /// - Parameters:
  ///   - first: the task that starts first.
  ///   - second: the other one.
  ///   - others: what is due at that instant as well: a task is as urgent as what is due and depends on it.
  /// - Throws: ``TaskError`` if one of them is not there, or has no schedule.
  public func why(
    _ first: TaskName, before second: TaskName, dueTogetherWith others: [TaskName] = []
  ) throws -> String {
    try receive { machine in
      let plan = try machine.plan(ofSchedules: [first, second] + others)
      return try machine.explain(first, before: second, in: plan)
    }
  }

  /// The names of some scheduled tasks in the order in which they start when they are due at the same instant. See
  /// ``order(of:)``.
  ///
  /// - Throws: ``TaskError`` if one of them is not there, or has no schedule.
  public func order(ofSchedules names: [TaskName]) throws -> [TaskName] {
    try receive { try $0.plan(ofSchedules: names).names }
  }
}

extension CenterMachine {
  /// The plan of an event for somebody who only looks at it: of one that nobody else has spoken of nothing is kept.
  fileprivate mutating func plan(lookedAt event: EventDescription) -> EventPlan {
    let number = number(of: event)
    defer { forgetIfUnused(event: number) }
    return plan(ofEvent: number)
  }

  fileprivate mutating func explain(_ first: TaskName, before second: TaskName, in plan: EventPlan) throws -> String {
    let one = try member(first, of: plan)
    let other = try member(second, of: plan)
    let schedule = plan.schedule
    let reason = plan.graph.explain(one, before: other, in: schedule)
    return reason.description { plan.name(schedule.rank[$0]).rawValue }
  }

  /// As if some tasks were due now, and no other.
  fileprivate mutating func plan(ofSchedules names: [TaskName]) throws -> EventPlan {
    var due: Set<Int32> = []
    for name in names {
      let task = try find(name)
      guard schedules.states[task] != nil else {
        throw TaskError(
          .hasNoSchedule, name, "'\(name)' has no schedule; ask for its place at its event, or at its notification")
      }
      due.insert(task)
    }
    let event = number(of: EventDescription(.schedule, burst: .queue, reply: nil))
    return plan(of: Array(due), at: event)
  }

  /// The place of a task in the declaration order of a plan.
  fileprivate mutating func member(_ name: TaskName, of plan: EventPlan) throws -> Int {
    let task = try find(name)
    guard let node = plan.node(ofTask: task) else {
      throw TaskError(.unknownTask, name, "'\(name)' is not a task of '\(plan.event.name)'")
    }
    return Int(plan.schedule.byRank[Int(node)])
  }
}

extension EventPlan {
  fileprivate var names: [TaskName] { startOrder.map { name($0) } }
}
