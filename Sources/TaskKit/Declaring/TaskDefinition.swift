/// A task made at run time, for ``TaskCenter/inject(_:replacing:ifPassed:)-(TaskDefinition,_,_)``.
///
/// ```swift
/// try center.inject(.event(.didBecomeActive, name: "badge", priority: .high, dependencies: ["OpenDatabase"]) { context in
///   …
/// })
/// ```
public struct TaskDefinition: Sendable {
  let registration: TaskRegistration

  /// A synchronous task that runs at every occurrence of an event.
  ///
  /// The options are those of the annotation; dependencies may be given by name as well as by type. When the event is sent,
  /// the body runs off the main actor, on the sender's thread where that is allowed. Where the main thread begins the event
  /// (``TaskCenter/begin(_:_:deadline:)``), the body runs there, unless the task has a time limit.
  public static func event<Payload: Sendable, Reply: Sendable>(
    _ event: LifecycleEvent<Payload, Reply>,
    name: TaskName,
    priority: Priority = .default,
    dependencies: [TaskDependency] = [],
    after: [TaskReference] = [],
    timeout: Duration? = nil,
    retry: RetryPolicy = .never,
    onFailure: FailurePolicy = .skipDependents,
    runs: RunLimit = .always,
    lane: Lane? = nil,
    fileID: StaticString = #fileID,
    line: Int = #line,
    column: Int = #column,
    _ body: @escaping @Sendable (TaskContext<Payload>) throws -> Void
  ) -> TaskDefinition {
    TaskDefinition(
      name: name, occasion: TaskOccasion(event, __runWithContext: body),
      location: TaskLocation("\(fileID)", line, column),
      priority: priority, dependencies: dependencies, after: after, timeout: timeout, retry: retry,
      onFailure: onFailure, runs: runs, lane: lane)
  }

  /// A synchronous task of the main actor that runs at every occurrence of an event.
  public static func event<Payload: Sendable, Reply: Sendable>(
    _ event: LifecycleEvent<Payload, Reply>,
    name: TaskName,
    priority: Priority = .default,
    dependencies: [TaskDependency] = [],
    after: [TaskReference] = [],
    timeout: Duration? = nil,
    retry: RetryPolicy = .never,
    onFailure: FailurePolicy = .skipDependents,
    runs: RunLimit = .always,
    lane: Lane? = nil,
    fileID: StaticString = #fileID,
    line: Int = #line,
    column: Int = #column,
    _ body: @escaping @MainActor @Sendable (TaskContext<Payload>) throws -> Void,
    _: TaskOccasion.__MainActor = .isolated
  ) -> TaskDefinition {
    TaskDefinition(
      name: name, occasion: TaskOccasion(event, __runWithContext: body),
      location: TaskLocation("\(fileID)", line, column),
      priority: priority, dependencies: dependencies, after: after, timeout: timeout, retry: retry,
      onFailure: onFailure, runs: runs, lane: lane)
  }

  /// An asynchronous task that runs at every occurrence of an event, on the actor that its closure names, or on none.
  public static func event<Payload: Sendable, Reply: Sendable>(
    _ event: LifecycleEvent<Payload, Reply>,
    name: TaskName,
    priority: Priority = .default,
    dependencies: [TaskDependency] = [],
    after: [TaskReference] = [],
    timeout: Duration? = nil,
    retry: RetryPolicy = .never,
    onFailure: FailurePolicy = .skipDependents,
    runs: RunLimit = .always,
    lane: Lane? = nil,
    fileID: StaticString = #fileID,
    line: Int = #line,
    column: Int = #column,
    _ body: @escaping @Sendable (TaskContext<Payload>) async throws -> Void
  ) -> TaskDefinition {
    TaskDefinition(
      name: name, occasion: TaskOccasion(event, in: lane, body),
      location: TaskLocation("\(fileID)", line, column),
      priority: priority, dependencies: dependencies, after: after, timeout: timeout, retry: retry,
      onFailure: onFailure, runs: runs, lane: lane)
  }

  /// A synchronous task that answers an event with a reply.
  @_disfavoredOverload
  public static func event<Payload: Sendable, Reply: Sendable>(
    _ event: LifecycleEvent<Payload, Reply>,
    name: TaskName,
    priority: Priority = .default,
    dependencies: [TaskDependency] = [],
    after: [TaskReference] = [],
    timeout: Duration? = nil,
    retry: RetryPolicy = .never,
    onFailure: FailurePolicy = .skipDependents,
    runs: RunLimit = .always,
    lane: Lane? = nil,
    fileID: StaticString = #fileID,
    line: Int = #line,
    column: Int = #column,
    replying body: @escaping @Sendable (TaskContext<Payload>) throws -> Reply
  ) -> TaskDefinition {
    TaskDefinition(
      name: name, occasion: TaskOccasion(event, __outputWithContext: body),
      location: TaskLocation("\(fileID)", line, column),
      priority: priority, dependencies: dependencies, after: after, timeout: timeout, retry: retry,
      onFailure: onFailure, runs: runs, lane: lane)
  }

  /// A synchronous task of the main actor that answers an event with a reply.
  @_disfavoredOverload
  public static func event<Payload: Sendable, Reply: Sendable>(
    _ event: LifecycleEvent<Payload, Reply>,
    name: TaskName,
    priority: Priority = .default,
    dependencies: [TaskDependency] = [],
    after: [TaskReference] = [],
    timeout: Duration? = nil,
    retry: RetryPolicy = .never,
    onFailure: FailurePolicy = .skipDependents,
    runs: RunLimit = .always,
    lane: Lane? = nil,
    fileID: StaticString = #fileID,
    line: Int = #line,
    column: Int = #column,
    replying body: @escaping @MainActor @Sendable (TaskContext<Payload>) throws -> Reply,
    _: TaskOccasion.__MainActor = .isolated
  ) -> TaskDefinition {
    TaskDefinition(
      name: name, occasion: TaskOccasion(event, __outputWithContext: body),
      location: TaskLocation("\(fileID)", line, column),
      priority: priority, dependencies: dependencies, after: after, timeout: timeout, retry: retry,
      onFailure: onFailure, runs: runs, lane: lane)
  }

  /// An asynchronous task that answers an event with a reply.
  @_disfavoredOverload
  public static func event<Payload: Sendable, Reply: Sendable>(
    _ event: LifecycleEvent<Payload, Reply>,
    name: TaskName,
    priority: Priority = .default,
    dependencies: [TaskDependency] = [],
    after: [TaskReference] = [],
    timeout: Duration? = nil,
    retry: RetryPolicy = .never,
    onFailure: FailurePolicy = .skipDependents,
    runs: RunLimit = .always,
    lane: Lane? = nil,
    fileID: StaticString = #fileID,
    line: Int = #line,
    column: Int = #column,
    replying body: @escaping @Sendable (TaskContext<Payload>) async throws -> Reply
  ) -> TaskDefinition {
    TaskDefinition(
      name: name, occasion: TaskOccasion(event, in: lane, body),
      location: TaskLocation("\(fileID)", line, column),
      priority: priority, dependencies: dependencies, after: after, timeout: timeout, retry: retry,
      onFailure: onFailure, runs: runs, lane: lane)
  }

  /// A synchronous task with an output that its dependents read with ``TaskContext/output(named:as:)``.
  @_disfavoredOverload
  public static func event<Payload: Sendable, Output: Sendable>(
    _ event: LifecycleEvent<Payload, Void>,
    name: TaskName,
    priority: Priority = .default,
    dependencies: [TaskDependency] = [],
    after: [TaskReference] = [],
    timeout: Duration? = nil,
    retry: RetryPolicy = .never,
    onFailure: FailurePolicy = .skipDependents,
    runs: RunLimit = .always,
    lane: Lane? = nil,
    fileID: StaticString = #fileID,
    line: Int = #line,
    column: Int = #column,
    returning body: @escaping @Sendable (TaskContext<Payload>) throws -> Output
  ) -> TaskDefinition {
    TaskDefinition(
      name: name, occasion: TaskOccasion(event, __outputWithContext: body),
      location: TaskLocation("\(fileID)", line, column),
      priority: priority, dependencies: dependencies, after: after, timeout: timeout, retry: retry,
      onFailure: onFailure, runs: runs, lane: lane)
  }

  /// A synchronous task of the main actor with an output that its dependents read with ``TaskContext/output(named:as:)``.
  @_disfavoredOverload
  public static func event<Payload: Sendable, Output: Sendable>(
    _ event: LifecycleEvent<Payload, Void>,
    name: TaskName,
    priority: Priority = .default,
    dependencies: [TaskDependency] = [],
    after: [TaskReference] = [],
    timeout: Duration? = nil,
    retry: RetryPolicy = .never,
    onFailure: FailurePolicy = .skipDependents,
    runs: RunLimit = .always,
    lane: Lane? = nil,
    fileID: StaticString = #fileID,
    line: Int = #line,
    column: Int = #column,
    returning body: @escaping @MainActor @Sendable (TaskContext<Payload>) throws -> Output,
    _: TaskOccasion.__MainActor = .isolated
  ) -> TaskDefinition {
    TaskDefinition(
      name: name, occasion: TaskOccasion(event, __outputWithContext: body),
      location: TaskLocation("\(fileID)", line, column),
      priority: priority, dependencies: dependencies, after: after, timeout: timeout, retry: retry,
      onFailure: onFailure, runs: runs, lane: lane)
  }

  /// An asynchronous task with an output that its dependents read with ``TaskContext/output(named:as:)``.
  @_disfavoredOverload
  public static func event<Payload: Sendable, Output: Sendable>(
    _ event: LifecycleEvent<Payload, Void>,
    name: TaskName,
    priority: Priority = .default,
    dependencies: [TaskDependency] = [],
    after: [TaskReference] = [],
    timeout: Duration? = nil,
    retry: RetryPolicy = .never,
    onFailure: FailurePolicy = .skipDependents,
    runs: RunLimit = .always,
    lane: Lane? = nil,
    fileID: StaticString = #fileID,
    line: Int = #line,
    column: Int = #column,
    returning body: @escaping @Sendable (TaskContext<Payload>) async throws -> Output
  ) -> TaskDefinition {
    TaskDefinition(
      name: name, occasion: TaskOccasion(event, in: lane, body),
      location: TaskLocation("\(fileID)", line, column),
      priority: priority, dependencies: dependencies, after: after, timeout: timeout, retry: retry,
      onFailure: onFailure, runs: runs, lane: lane)
  }

  /// The task that a type declares, without having been collected: for tests and for plug-ins.
  public static func task<Declared: LifecycleTask>(_ type: Declared.Type) -> TaskDefinition {
    TaskDefinition(registration: Declared.registration)
  }

  /// The same task, switched off at the occasions at which a closure returns false: what `isEnabled` is to a type.
  ///
  /// ```swift
  /// try center.inject(
  ///   .event(.didBecomeActive, name: "greeting") { _ in … }.enabled { Calendar.current.isDateInWeekend(Date()) })
  /// ```
  ///
  /// It is asked right before each attempt: on the main actor where the body is synchronous and runs there, and else on any
  /// thread. Where it returns false the task is skipped as ``SkipReason/disabled``. Of several, `isEnabled` of a type among
  /// them, each has to return true.
  public func enabled(if isEnabled: @escaping @Sendable () -> Bool) -> TaskDefinition {
    TaskDefinition(
      registration: registration.running(
        registration.occasions.map { TaskOccasion(event: $0.event, body: $0.body.enabled(if: isEnabled)) }))
  }

  /// The same task, undone when the center shuts down: what `stop` is to a type.
  ///
  /// ```swift
  /// try center.inject(
  ///   .event(.didFinishLaunching, name: "metrics") { _ in metrics.open() }.stopping { await metrics.close() })
  /// ```
  ///
  /// It is called as ``ShutdownReport/stops`` says: once, if the task has succeeded, in the reverse of the order of starts. It
  /// takes the place of one that was there before.
  public func stopping(_ stop: @escaping @Sendable () throws -> Void) -> TaskDefinition {
    stopped(by: TaskStop({ try stop() }))
  }

  /// The same for a closure of the main actor, as in `.stopping { @MainActor in window.close() }`.
  ///
  /// It is called there also while that actor waits for the shutdown, as in the last callback of an app.
  public func stopping(
    _ stop: @escaping @MainActor @Sendable () throws -> Void, _: TaskOccasion.__MainActor = .isolated
  ) -> TaskDefinition {
    stopped(by: TaskStop(onMain: stop))
  }

  /// The same for a closure that may suspend, on the actor that it names, or on none.
  public func stopping(_ stop: @escaping @Sendable () async throws -> Void) -> TaskDefinition {
    stopped(by: TaskStop(stop))
  }

  /// The same task, undone when the center shuts down, with what it has returned: `{ (server: Server) in … }`.
  ///
  /// Where it has returned something else, its ``StopReport`` says so: `failed`, with a ``TaskError``.
  public func stopping<Output: Sendable>(_ stop: @escaping @Sendable (Output) throws -> Void) -> TaskDefinition {
    stopped(by: TaskStop(of: registration.name, { (output: Output) in try stop(output) }))
  }

  /// The same for a closure of the main actor, with what the task has returned.
  public func stopping<Output: Sendable>(
    _ stop: @escaping @MainActor @Sendable (Output) throws -> Void, _: TaskOccasion.__MainActor = .isolated
  ) -> TaskDefinition {
    stopped(by: TaskStop(of: registration.name, onMain: stop))
  }

  /// The same for a closure that may suspend, with what the task has returned.
  public func stopping<Output: Sendable>(
    _ stop: @escaping @Sendable (Output) async throws -> Void
  ) -> TaskDefinition {
    stopped(by: TaskStop(of: registration.name, stop))
  }

  private func stopped(by stop: TaskStop) -> TaskDefinition {
    TaskDefinition(registration: registration.stopping(stop))
  }

  init(
    name: TaskName, occasion: TaskOccasion, location: TaskLocation, priority: Priority,
    dependencies: [TaskDependency], after: [TaskReference], timeout: Duration?, retry: RetryPolicy,
    onFailure: FailurePolicy, runs: RunLimit, lane: Lane?
  ) {
    self.init(
      name: name, occasions: [occasion], location: location, priority: priority, dependencies: dependencies,
      after: after, timeout: timeout, retry: retry, onFailure: onFailure, runs: runs, lane: lane)
  }

  init(
    name: TaskName, occasions: [TaskOccasion], location: TaskLocation, priority: Priority,
    dependencies: [TaskDependency], after: [TaskReference], timeout: Duration?, retry: RetryPolicy,
    onFailure: FailurePolicy, runs: RunLimit, lane: Lane?
  ) {
    registration = TaskRegistration(
      name: name, location: location, occasions: occasions, priority: priority, dependencies: dependencies,
      after: after, timeout: timeout, retry: retry, onFailure: onFailure, runs: runs, lane: lane)
  }

  init(registration: TaskRegistration) {
    self.registration = registration
  }
}
