public import Foundation
import Synchronization

extension TaskCenter {
  /// Lets schedules fire, and listens to notifications and sequences. Before, none of them comes; a second call does
  /// nothing.
  ///
  /// Intervals are counted from here. The center does not live for the sake of what may come: keep it. All of it ends
  /// with the center.
  public func start() {
    usesTimers.store(true, ordering: .relaxed)
    let now = self.now
    receive { $0.start(now: now) }
    for companion in companions.withLock({ $0 }) { companion.centerStarted() }
  }

  /// The calendar's clock or the time zone was set: what follows them is planned anew at once, not at the next look.
  public func clockDidChange() {
    let instants = instants
    receive { $0.lookAtClock(instants) }
    callsFollowClock()
    for companion in companions.withLock({ $0 }) { companion.clockChanged() }
  }

  /// How a scheduled task stands.
  ///
  /// - Throws: ``TaskError`` if there is no such task, or if it has no schedule.
  public func schedule(of name: TaskName) throws -> ScheduleStatus {
    let instants = instants
    return try receive { try $0.scheduleStatus(of: $0.find(name), at: instants) }
  }

  /// How the scheduled task of a type stands. See ``schedule(of:)-(TaskName)``.
  public func schedule<Declared: LifecycleTask>(of type: Declared.Type) throws -> ScheduleStatus {
    try schedule(of: Declared.registration.name)
  }
}

/// How a scheduled task stands.
public struct ScheduleStatus: Sendable, Hashable {
  /// What it is doing.
  public enum Phase: Sendable, Hashable {
    /// Its center was not started.
    case notStarted
    /// It waits for its next slot.
    case waiting
    /// A run of it is going, or begins when the body of the one before has returned.
    case running
    /// A slot came while it was paused, and is used when it is resumed.
    case due
    /// It has no slot left.
    case finished
    /// It can never fire; ``ScheduleStatus/problem`` says why.
    case impossible
  }

  /// What it is doing.
  public let phase: Phase
  /// The next slot.
  public let next: Date?
  /// How many runs of it have begun.
  public let runs: Int
  /// How much of the count is left, runs or slots as ``CountRule`` says; nil for one that runs for ever.
  public let remaining: Int?
  /// How many slots were not used.
  public let missed: Int
  /// Whether the task is paused.
  public let isPaused: Bool
  /// What is wrong with the schedule of a collected task, and how to mend it; an injected one would have been refused.
  public let problem: String?
}

extension CenterMachine {
  mutating func scheduleStatus(of task: Int32, at instants: Instants) throws -> ScheduleStatus {
    guard let state = schedules.states[task] else { throw TaskError.hasNoSchedule(tasks[Int(task)].registration.name) }
    let phase: ScheduleStatus.Phase =
      if state.schedule.problem != nil { .impossible } else if !schedules.isStarted {
        .notStarted
      } else if !state.going.isEmpty || !state.waiting.isEmpty { .running } else if state.kept != nil {
        .due
      } else if state.token != nil || state.hasNext { .waiting } else { .finished }
    return ScheduleStatus(
      phase: phase,
      next: state.token == nil
        ? nil : state.slot.map { Date(nanosecondsSince1970: wall($0, of: state, instants)) },
      runs: state.begun,
      remaining: phase == .finished ? 0 : state.remaining,
      missed: state.missed, isPaused: marks[Int(task)].contains(.paused),
      problem: state.schedule.problem)
  }
}
