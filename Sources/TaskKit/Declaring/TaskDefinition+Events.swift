extension TaskDefinition {
  // MARK: - Events of one payload

  /// A synchronous task that runs at every occurrence of several events, on the actor that its closure names, or on none
  /// (R53).
  ///
  /// ```swift
  /// try center.inject(
  ///   .events([.didBecomeActive, .significantTimeChange], name: "clock") { context in print(context.event) })
  /// ```
  ///
  /// At each event it is the same task, with one name and one output. The context is that of the event that happened. An
  /// event that is listed twice, or a list of none, is refused.
  public static func events<Payload: Sendable, Reply: Sendable>(
    _ events: [LifecycleEvent<Payload, Reply>],
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
    _ body: @escaping @isolated(any) @Sendable (TaskContext<Payload>) throws -> Void
  ) -> TaskDefinition {
    TaskDefinition(
      name: name, occasions: events.map { TaskOccasion($0, __runWithContext: body) },
      location: TaskLocation("\(fileID)", line, column), priority: priority, dependencies: dependencies, after: after,
      timeout: timeout, retry: retry, onFailure: onFailure, runs: runs, lane: lane)
  }

  /// An asynchronous task that runs at every occurrence of several events, on the actor that its closure names, or on none.
  public static func events<Payload: Sendable, Reply: Sendable>(
    _ events: [LifecycleEvent<Payload, Reply>],
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
      name: name, occasions: events.map { TaskOccasion($0, in: lane, body) },
      location: TaskLocation("\(fileID)", line, column), priority: priority, dependencies: dependencies, after: after,
      timeout: timeout, retry: retry, onFailure: onFailure, runs: runs, lane: lane)
  }

  /// A synchronous task that answers several events with a reply.
  @_disfavoredOverload
  public static func events<Payload: Sendable, Reply: Sendable>(
    _ events: [LifecycleEvent<Payload, Reply>],
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
    replying body: @escaping @isolated(any) @Sendable (TaskContext<Payload>) throws -> Reply
  ) -> TaskDefinition {
    TaskDefinition(
      name: name, occasions: events.map { TaskOccasion($0, __outputWithContext: body) },
      location: TaskLocation("\(fileID)", line, column), priority: priority, dependencies: dependencies, after: after,
      timeout: timeout, retry: retry, onFailure: onFailure, runs: runs, lane: lane)
  }

  /// An asynchronous task that answers several events with a reply.
  @_disfavoredOverload
  public static func events<Payload: Sendable, Reply: Sendable>(
    _ events: [LifecycleEvent<Payload, Reply>],
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
      name: name, occasions: events.map { TaskOccasion($0, in: lane, body) },
      location: TaskLocation("\(fileID)", line, column), priority: priority, dependencies: dependencies, after: after,
      timeout: timeout, retry: retry, onFailure: onFailure, runs: runs, lane: lane)
  }

  /// A synchronous task of several events with an output that its dependents read with ``TaskContext/output(named:as:)``.
  @_disfavoredOverload
  public static func events<Payload: Sendable, Output: Sendable>(
    _ events: [LifecycleEvent<Payload, Void>],
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
    returning body: @escaping @isolated(any) @Sendable (TaskContext<Payload>) throws -> Output
  ) -> TaskDefinition {
    TaskDefinition(
      name: name, occasions: events.map { TaskOccasion($0, __outputWithContext: body) },
      location: TaskLocation("\(fileID)", line, column), priority: priority, dependencies: dependencies, after: after,
      timeout: timeout, retry: retry, onFailure: onFailure, runs: runs, lane: lane)
  }

  /// An asynchronous task of several events with an output that its dependents read with ``TaskContext/output(named:as:)``.
  @_disfavoredOverload
  public static func events<Payload: Sendable, Output: Sendable>(
    _ events: [LifecycleEvent<Payload, Void>],
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
      name: name, occasions: events.map { TaskOccasion($0, in: lane, body) },
      location: TaskLocation("\(fileID)", line, column), priority: priority, dependencies: dependencies, after: after,
      timeout: timeout, retry: retry, onFailure: onFailure, runs: runs, lane: lane)
  }

  // MARK: - Events of different payloads

  /// A synchronous task that runs at every occurrence of several events, whose payloads may differ: its closure takes none.
  ///
  /// ```swift
  /// try center.inject(.events(.didBecomeActive, .openURL, name: "frame") { drawFrame() })
  /// ```
  public static func events<each Payload: Sendable, each Reply: Sendable>(
    _ events: repeat LifecycleEvent<each Payload, each Reply>,
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
    _ body: @escaping @isolated(any) @Sendable () throws -> Void
  ) -> TaskDefinition {
    var occasions: [TaskOccasion] = []
    repeat occasions.append(TaskOccasion(each events, __run: body))
    return TaskDefinition(
      name: name, occasions: occasions,
      location: TaskLocation("\(fileID)", line, column), priority: priority, dependencies: dependencies, after: after,
      timeout: timeout, retry: retry, onFailure: onFailure, runs: runs, lane: lane)
  }

  /// An asynchronous task that runs at every occurrence of several events, whose payloads may differ: its closure takes none.
  public static func events<each Payload: Sendable, each Reply: Sendable>(
    _ events: repeat LifecycleEvent<each Payload, each Reply>,
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
    _ body: @escaping @Sendable () async throws -> Void
  ) -> TaskDefinition {
    var occasions: [TaskOccasion] = []
    repeat occasions.append(TaskOccasion(each events, in: lane) { _ in try await body() })
    return TaskDefinition(
      name: name, occasions: occasions,
      location: TaskLocation("\(fileID)", line, column), priority: priority, dependencies: dependencies, after: after,
      timeout: timeout, retry: retry, onFailure: onFailure, runs: runs, lane: lane)
  }
}
