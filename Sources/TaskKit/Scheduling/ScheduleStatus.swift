public import Foundation

/// How a scheduled task stands.
public struct ScheduleStatus: Sendable, Hashable, CustomStringConvertible {
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
    /// It has no slot left, or its center has shut down.
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

  /// For people: `waiting for 2026-11-25 07:00:00 UTC, 3 runs, 2 left`. It may be worded better in a later version.
  public var description: String {
    let words =
      switch phase {
      case .notStarted: "its center was not started"
      case .waiting: "waiting" + (next.map { " for \($0.words)" } ?? "")
      case .running: "running" + (next.map { ", next at \($0.words)" } ?? "")
      case .due: "due since it was paused"
      case .finished: "finished"
      case .impossible: "impossible" + (problem.map { ": \($0)" } ?? "")
      }
    let parts = [
      words, isPaused ? "paused" : nil, "\(runs) run\(runs == 1 ? "" : "s")",
      phase == .finished ? nil : remaining.map { "\($0) left" }, missed > 0 ? "\(missed) missed" : nil,
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}

extension CenterMachine {
  mutating func scheduleStatus(of task: Int32, at instants: Instants) throws -> ScheduleStatus {
    guard let state = schedules.states[task] else { throw TaskError.hasNoSchedule(tasks[Int(task)].registration.name) }
    let phase: ScheduleStatus.Phase =
      if state.schedule.problem != nil { .impossible } else if !schedules.isStarted {
        .notStarted
      } else if !state.going.isEmpty || !state.waiting.isEmpty { .running } else if !state.kept.isEmpty {
        .due
      } else if !isClosed, state.armed != nil || state.hasNext { .waiting } else { .finished }
    return ScheduleStatus(
      phase: phase,
      next: state.armed.map { Date(nanosecondsSince1970: wall($0.slot, of: state, instants)) },
      runs: state.begun,
      // One that has taken the place of another may have fewer slots than that has used.
      remaining: phase == .finished ? 0 : state.remaining.map { max(0, $0) },
      missed: state.missed, isPaused: marks[Int(task)].contains(.paused),
      problem: state.schedule.problem)
  }
}
