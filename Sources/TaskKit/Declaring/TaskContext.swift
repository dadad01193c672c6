/// What a task gets to see while it runs: the payload of this occurrence, the outputs of what it depends on, the values
/// that tasks share, and the center.
///
/// A value that belongs to one run of one body. Passing it on is harmless; an output that is read through it after the
/// occurrence has ended is the latest one.
public struct TaskContext<Payload: Sendable>: Sendable {
  /// What came with the event. It belongs to this occurrence and never leaks into the next.
  public let payload: Payload

  let frame: TaskFrame

  /// The task's name.
  public var name: TaskName { frame.plan.name(frame.node) }

  /// The event's name.
  public var event: String { frame.plan.event.name }

  /// Which attempt this is, counted from 1.
  public var attempt: Int { frame.attempt }

  /// Whether no attempt follows if this one fails.
  public var isFinalAttempt: Bool {
    frame.attempt >= frame.plan.registrations[Int(frame.node)].retry.attempts
  }

  /// The center that runs the task.
  public var center: TaskCenter { frame.center }

  /// What a task that this one declares in `dependencies:` returned.
  ///
  /// If that is a task of another event, its output is what it had returned when this one could go on with it, also where it
  /// has run again since.
  ///
  /// - Throws: ``TaskError`` when the dependency is not declared, naming the declaration that is missing, or when it
  ///   ended without an output and this task runs all the same.
  public func output<Dependency: LifecycleTask>(of dependency: Dependency.Type) throws -> Dependency.Output {
    let declared = frame.plan.registrations[Int(frame.node)].dependencies
    guard let position = declared.firstIndex(where: { $0.type == ObjectIdentifier(dependency) }) else {
      if declared.contains(where: { $0.text == Dependency.registration.name.rawValue }) {
        return try output(named: Dependency.registration.name)
      }
      throw TaskError.undeclaredOutput(of: Dependency.registration.name, readBy: name)
    }
    return try frame.center.output(ofDependency: position, of: frame)
  }

  /// What a task that this one declares by name returned.
  ///
  /// - Throws: ``TaskError`` when the dependency is not declared, ended without an output, or returned another type.
  public func output<Output: Sendable>(named dependency: TaskName, as type: Output.Type = Output.self) throws -> Output
  {
    let declared = frame.plan.registrations[Int(frame.node)].dependencies
    guard let position = declared.firstIndex(where: { $0.text == dependency.rawValue }) else {
      throw TaskError.undeclaredOutput(of: dependency, readBy: name)
    }
    return try frame.center.output(ofDependency: position, of: frame)
  }

  /// A value that tasks of this center share (R33). It lives as long as the center; `nil` removes it.
  ///
  /// Each access is atomic, a read followed by a write is not: for that, share an actor or a lock.
  public subscript<Key: SharedKey>(_ key: Key.Type) -> Key.Value? {
    get { frame.center[key] }
    nonmutating set { frame.center[key] = newValue }
  }
}

/// Thrown by generated code in the place of a body whose `isEnabled` is false. For the macros' output only.
public struct TaskDisabled: Error {
  /// For generated code only.
  public init() {}
}
