public import Foundation

extension TaskDefinition {
  /// A synchronous task that runs at each notification of a name, R52.
  public static func notification(
    _ notification: String,
    name: TaskName,
    priority: Priority = .default,
    sender: (any AnyObject & Sendable)? = nil,
    burst: BurstPolicy = .queue,
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
    _ body: @escaping @isolated(any) @Sendable (TaskContext<PostedNotification>) throws -> Void
  ) -> TaskDefinition {
    TaskDefinition(
      name: name,
      occasion: TaskOccasion(.__notification(notification, sender: sender, burst: burst), __runWithContext: body),
      location: TaskLocation("\(fileID)", line, column), priority: priority, dependencies: dependencies, after: after,
      timeout: timeout, retry: retry, onFailure: onFailure, runs: runs, lane: lane)
  }

  /// An asynchronous task that runs at each notification of a name, R52.
  public static func notification(
    _ notification: String,
    name: TaskName,
    priority: Priority = .default,
    sender: (any AnyObject & Sendable)? = nil,
    burst: BurstPolicy = .queue,
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
    _ body: @escaping @Sendable (TaskContext<PostedNotification>) async throws -> Void
  ) -> TaskDefinition {
    TaskDefinition(
      name: name,
      occasion: TaskOccasion(.__notification(notification, sender: sender, burst: burst), in: lane, body),
      location: TaskLocation("\(fileID)", line, column), priority: priority, dependencies: dependencies, after: after,
      timeout: timeout, retry: retry, onFailure: onFailure, runs: runs, lane: lane)
  }

  /// A synchronous task that runs at each notification of a name, R52.
  public static func notification(
    _ notification: Notification.Name,
    name: TaskName,
    priority: Priority = .default,
    sender: (any AnyObject & Sendable)? = nil,
    burst: BurstPolicy = .queue,
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
    _ body: @escaping @isolated(any) @Sendable (TaskContext<PostedNotification>) throws -> Void
  ) -> TaskDefinition {
    TaskDefinition(
      name: name,
      occasion: TaskOccasion(.__notification(notification, sender: sender, burst: burst), __runWithContext: body),
      location: TaskLocation("\(fileID)", line, column), priority: priority, dependencies: dependencies, after: after,
      timeout: timeout, retry: retry, onFailure: onFailure, runs: runs, lane: lane)
  }

  /// An asynchronous task that runs at each notification of a name, R52.
  public static func notification(
    _ notification: Notification.Name,
    name: TaskName,
    priority: Priority = .default,
    sender: (any AnyObject & Sendable)? = nil,
    burst: BurstPolicy = .queue,
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
    _ body: @escaping @Sendable (TaskContext<PostedNotification>) async throws -> Void
  ) -> TaskDefinition {
    TaskDefinition(
      name: name,
      occasion: TaskOccasion(.__notification(notification, sender: sender, burst: burst), in: lane, body),
      location: TaskLocation("\(fileID)", line, column), priority: priority, dependencies: dependencies, after: after,
      timeout: timeout, retry: retry, onFailure: onFailure, runs: runs, lane: lane)
  }

  /// A synchronous task that runs at each element of an asynchronous sequence.
  public static func elements<Element: Sendable, Failure: Error>(
    of sequence: @autoclosure @escaping @Sendable () -> any AsyncSequence<Element, Failure>,
    name: TaskName,
    priority: Priority = .default,
    burst: BurstPolicy = .queue,
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
    _ body: @escaping @isolated(any) @Sendable (TaskContext<Element>) throws -> Void
  ) -> TaskDefinition {
    TaskDefinition(
      name: name,
      occasion: TaskOccasion(.__elements(of: sequence(), task: name.rawValue, burst: burst), __runWithContext: body),
      location: TaskLocation("\(fileID)", line, column), priority: priority, dependencies: dependencies, after: after,
      timeout: timeout, retry: retry, onFailure: onFailure, runs: runs, lane: lane)
  }

  /// An asynchronous task that runs at each element of an asynchronous sequence.
  public static func elements<Element: Sendable, Failure: Error>(
    of sequence: @autoclosure @escaping @Sendable () -> any AsyncSequence<Element, Failure>,
    name: TaskName,
    priority: Priority = .default,
    burst: BurstPolicy = .queue,
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
    _ body: @escaping @Sendable (TaskContext<Element>) async throws -> Void
  ) -> TaskDefinition {
    TaskDefinition(
      name: name,
      occasion: TaskOccasion(.__elements(of: sequence(), task: name.rawValue, burst: burst), in: lane, body),
      location: TaskLocation("\(fileID)", line, column), priority: priority, dependencies: dependencies, after: after,
      timeout: timeout, retry: retry, onFailure: onFailure, runs: runs, lane: lane)
  }

  // MARK: - With an output

  /// A synchronous task at notifications, with an output that its dependents read with ``TaskContext/output(named:as:)``.
  @_disfavoredOverload
  public static func notification<Output: Sendable>(
    _ notification: String,
    name: TaskName,
    priority: Priority = .default,
    sender: (any AnyObject & Sendable)? = nil,
    burst: BurstPolicy = .queue,
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
    returning body: @escaping @isolated(any) @Sendable (TaskContext<PostedNotification>) throws -> Output
  ) -> TaskDefinition {
    TaskDefinition(
      name: name,
      occasion: TaskOccasion(.__notification(notification, sender: sender, burst: burst), __outputWithContext: body),
      location: TaskLocation("\(fileID)", line, column), priority: priority, dependencies: dependencies, after: after,
      timeout: timeout, retry: retry, onFailure: onFailure, runs: runs, lane: lane)
  }

  /// An asynchronous task at notifications, with an output that its dependents read with ``TaskContext/output(named:as:)``.
  @_disfavoredOverload
  public static func notification<Output: Sendable>(
    _ notification: String,
    name: TaskName,
    priority: Priority = .default,
    sender: (any AnyObject & Sendable)? = nil,
    burst: BurstPolicy = .queue,
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
    returning body: @escaping @Sendable (TaskContext<PostedNotification>) async throws -> Output
  ) -> TaskDefinition {
    TaskDefinition(
      name: name,
      occasion: TaskOccasion(.__notification(notification, sender: sender, burst: burst), in: lane, body),
      location: TaskLocation("\(fileID)", line, column), priority: priority, dependencies: dependencies, after: after,
      timeout: timeout, retry: retry, onFailure: onFailure, runs: runs, lane: lane)
  }

  /// A synchronous task at notifications, with an output that its dependents read with ``TaskContext/output(named:as:)``.
  @_disfavoredOverload
  public static func notification<Output: Sendable>(
    _ notification: Notification.Name,
    name: TaskName,
    priority: Priority = .default,
    sender: (any AnyObject & Sendable)? = nil,
    burst: BurstPolicy = .queue,
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
    returning body: @escaping @isolated(any) @Sendable (TaskContext<PostedNotification>) throws -> Output
  ) -> TaskDefinition {
    TaskDefinition(
      name: name,
      occasion: TaskOccasion(.__notification(notification, sender: sender, burst: burst), __outputWithContext: body),
      location: TaskLocation("\(fileID)", line, column), priority: priority, dependencies: dependencies, after: after,
      timeout: timeout, retry: retry, onFailure: onFailure, runs: runs, lane: lane)
  }

  /// An asynchronous task at notifications, with an output that its dependents read with ``TaskContext/output(named:as:)``.
  @_disfavoredOverload
  public static func notification<Output: Sendable>(
    _ notification: Notification.Name,
    name: TaskName,
    priority: Priority = .default,
    sender: (any AnyObject & Sendable)? = nil,
    burst: BurstPolicy = .queue,
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
    returning body: @escaping @Sendable (TaskContext<PostedNotification>) async throws -> Output
  ) -> TaskDefinition {
    TaskDefinition(
      name: name,
      occasion: TaskOccasion(.__notification(notification, sender: sender, burst: burst), in: lane, body),
      location: TaskLocation("\(fileID)", line, column), priority: priority, dependencies: dependencies, after: after,
      timeout: timeout, retry: retry, onFailure: onFailure, runs: runs, lane: lane)
  }

  /// A synchronous task at the elements of a sequence, with an output that its dependents read with
  /// ``TaskContext/output(named:as:)``.
  @_disfavoredOverload
  public static func elements<Element: Sendable, Failure: Error, Output: Sendable>(
    of sequence: @autoclosure @escaping @Sendable () -> any AsyncSequence<Element, Failure>,
    name: TaskName,
    priority: Priority = .default,
    burst: BurstPolicy = .queue,
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
    returning body: @escaping @isolated(any) @Sendable (TaskContext<Element>) throws -> Output
  ) -> TaskDefinition {
    TaskDefinition(
      name: name,
      occasion: TaskOccasion(.__elements(of: sequence(), task: name.rawValue, burst: burst), __outputWithContext: body),
      location: TaskLocation("\(fileID)", line, column), priority: priority, dependencies: dependencies, after: after,
      timeout: timeout, retry: retry, onFailure: onFailure, runs: runs, lane: lane)
  }

  /// An asynchronous task at the elements of a sequence, with an output that its dependents read with
  /// ``TaskContext/output(named:as:)``.
  @_disfavoredOverload
  public static func elements<Element: Sendable, Failure: Error, Output: Sendable>(
    of sequence: @autoclosure @escaping @Sendable () -> any AsyncSequence<Element, Failure>,
    name: TaskName,
    priority: Priority = .default,
    burst: BurstPolicy = .queue,
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
    returning body: @escaping @Sendable (TaskContext<Element>) async throws -> Output
  ) -> TaskDefinition {
    TaskDefinition(
      name: name,
      occasion: TaskOccasion(.__elements(of: sequence(), task: name.rawValue, burst: burst), in: lane, body),
      location: TaskLocation("\(fileID)", line, column), priority: priority, dependencies: dependencies, after: after,
      timeout: timeout, retry: retry, onFailure: onFailure, runs: runs, lane: lane)
  }
}
