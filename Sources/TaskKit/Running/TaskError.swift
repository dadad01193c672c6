/// Why something that was asked of a center or a context could not be done. Nothing was changed.
public struct TaskError: Error, Sendable, CustomStringConvertible {
  /// The kind of mistake, for code that decides by it.
  public enum Code: String, Sendable, Hashable {
    /// Nobody in the center has that name.
    case unknownTask
    /// Several have it as the end of theirs; the description lists them.
    case ambiguousName
    /// An output is read of a task on which the reader does not depend.
    case undeclaredOutput
    /// There is no output to read: the task did not run, did not end well, or returns something else.
    case missingOutput
    /// A task cannot be destroyed, because others depend on it.
    case hasDependents
    /// An injected task would never run, or miss one of its events, because that happens once, and has.
    case eventHasPassed
    /// A task cannot run by itself, because it takes the payload of an event that was never sent.
    case needsPayload
    /// What is asked for in a body would wait for that body, a task in a lane for what waits for it, or a task for itself by way
    /// of others.
    case waitsForItself
    /// What only schedules have is asked of another task.
    case hasNoSchedule
    /// What only tasks of sequences have is asked of another task.
    case hasNoSequence
    /// A lane is described in another way than before.
    case conflictingLane
    /// What is put into a lane would be timed out before it starts.
    case timeoutIsNotPositive
    /// A task, or what is put into a lane, would not be tried even once.
    case attemptsBelowOne
    /// An event means something else to the tasks that were there before.
    case conflictingEvent
    /// A module is asked for that is not there.
    case missingModule
    /// The center has shut down, and starts nothing more.
    case hasShutDown
  }

  /// Which mistake it is.
  public let code: Code
  /// The task that is meant, where there is one.
  public let task: TaskName?
  /// One sentence: what is wrong, then what to do.
  public let description: String
  /// For a missing output: what the task failed with, by which a dependent may decide.
  public let underlying: (any Error)?

  init(_ code: Code, _ task: TaskName?, _ description: String, underlying: (any Error)? = nil) {
    self.code = code
    self.task = task
    self.description = description
    self.underlying = underlying
  }

  static func unknownTask(_ name: TaskName, suggestion: String?) -> TaskError {
    let hint = suggestion.map { "; did you mean '\($0)'?" } ?? ""
    return TaskError(.unknownTask, name, "there is no task '\(name)' in this center\(hint)")
  }

  static func ambiguousName(_ name: TaskName, candidates: [TaskName]) -> TaskError {
    let list = candidates.map { "'\($0)'" }.joined(separator: ", ")
    return TaskError(.ambiguousName, name, "'\(name)' is the name of several tasks; write one of \(list)")
  }

  static func undeclaredOutput(of dependency: TaskName, readBy reader: TaskName) -> TaskError {
    TaskError(
      .undeclaredOutput, dependency,
      "'\(reader)' reads the output of '\(dependency)' without depending on it; add it to 'dependencies:' of '\(reader)'"
    )
  }

  static func missingOutput(
    of name: TaskName, because reason: String, underlying error: (any Error)? = nil
  ) -> TaskError {
    TaskError(.missingOutput, name, "'\(name)' has no output: \(reason)", underlying: error)
  }

  static func hasDependents(_ name: TaskName, _ dependents: [TaskName]) -> TaskError {
    let list = dependents.map { "'\($0)'" }.joined(separator: ", ")
    return TaskError(
      .hasDependents, name,
      "'\(name)' cannot be destroyed, because \(list) \(dependents.count == 1 ? "depends" : "depend") on it; destroy "
        + "them too (dependents: .include), or let them go on without it (dependents: .detach)")
  }

  /// - Parameter hasOthers: whether the task has events at which it would run.
  static func eventHasPassed(_ event: String, task: TaskName, hasOthers: Bool = false) -> TaskError {
    let (lot, remedy) =
      hasOthers
      ? ("would miss '\(event)', which happens once, and has", "without that event")
      : ("would never run: '\(event)' happens once, and has", "into another event")
    return TaskError(
      .eventHasPassed, task, "'\(task)' \(lot); inject it with ifPassed: .runNow, or \(remedy)")
  }

  /// - Parameters:
  ///   - what: what was asked for, as in `running 'Sync'`.
  ///   - rest: how the last of the chain comes to wait, and what to do.
  static func waitsForItself(_ name: TaskName, _ what: String, chain: String, _ rest: String) -> TaskError {
    TaskError(.waitsForItself, name, "\(what) here would wait for itself: \(chain), \(rest)")
  }

  static func waitsForItself(_ circle: GateCircle) -> TaskError {
    TaskError(.waitsForItself, circle.task.name, circle.message)
  }

  static func waitsForItself(_ name: TaskName, circle: String) -> TaskError { TaskError(.waitsForItself, name, circle) }

  static func conflictingLane(_ name: TaskName, _ known: Lane, _ other: Lane) -> TaskError {
    TaskError(.conflictingLane, name, LaneConflict.message(known, other))
  }

  static func timeoutIsNotPositive(_ name: TaskName, _ message: String) -> TaskError {
    TaskError(.timeoutIsNotPositive, name, message)
  }

  static func attemptsBelowOne(_ name: TaskName, _ message: String) -> TaskError {
    TaskError(.attemptsBelowOne, name, message)
  }

  static func conflictingEvent(
    _ name: TaskName, _ known: EventDescription, _ other: EventDescription
  ) -> TaskError {
    TaskError(.conflictingEvent, name, EventConflict.message(known, other))
  }

  static func notInLane(_ key: String, _ lane: Lane, suggestion: String?) -> TaskError {
    let hint = suggestion.map { "; did you mean '\($0)'?" } ?? ""
    return TaskError(.unknownTask, TaskName(key), "nothing with key '\(key)' waits or runs in lane '\(lane)'\(hint)")
  }

  static func hasShutDown(_ name: TaskName) -> TaskError {
    TaskError(.hasShutDown, name, "'\(name)' cannot run: its center has shut down; make another center")
  }

  static func needsPayload(_ name: TaskName, event: String) -> TaskError {
    TaskError(
      .needsPayload, name, "'\(name)' needs the payload of '\(event)', which was never sent; send the event instead")
  }

  static func hasNoSequence(_ name: TaskName) -> TaskError {
    TaskError(.hasNoSequence, name, "'\(name)' runs at no sequence's elements; ask for its statistics instead")
  }

  static func hasNoSchedule(_ name: TaskName) -> TaskError {
    TaskError(.hasNoSchedule, name, "'\(name)' has no schedule: it runs at events; ask for its statistics instead")
  }
}
