public import Foundation

extension TaskDefinition {
  // MARK: - Any schedule

  /// A synchronous task that runs when a schedule says, on the actor that its closure names, or on none.
  ///
  /// It fires once its center was started; of one that was injected into a started center, intervals are counted from the
  /// injection. What is wrong with the schedule is thrown by `inject`.
  public static func schedule(
    _ schedule: TaskSchedule,
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
    _ body: @escaping @isolated(any) @Sendable (TaskContext<ScheduledRun>) throws -> Void
  ) -> TaskDefinition {
    TaskDefinition(
      name: name, occasion: TaskOccasion(.__scheduled(schedule), __runWithContext: body),
      location: TaskLocation("\(fileID)", line, column), priority: priority, dependencies: dependencies, after: after,
      timeout: timeout, retry: retry, onFailure: onFailure, runs: runs, lane: lane)
  }

  /// An asynchronous task that runs when a schedule says.
  public static func schedule(
    _ schedule: TaskSchedule,
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
    _ body: @escaping @Sendable (TaskContext<ScheduledRun>) async throws -> Void
  ) -> TaskDefinition {
    TaskDefinition(
      name: name, occasion: TaskOccasion(.__scheduled(schedule), in: lane, body),
      location: TaskLocation("\(fileID)", line, column), priority: priority, dependencies: dependencies, after: after,
      timeout: timeout, retry: retry, onFailure: onFailure, runs: runs, lane: lane)
  }

  /// A synchronous scheduled task with an output that its dependents read with ``TaskContext/output(named:as:)``.
  @_disfavoredOverload
  public static func schedule<Output: Sendable>(
    _ schedule: TaskSchedule,
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
    returning body: @escaping @isolated(any) @Sendable (TaskContext<ScheduledRun>) throws -> Output
  ) -> TaskDefinition {
    TaskDefinition(
      name: name, occasion: TaskOccasion(.__scheduled(schedule), __outputWithContext: body),
      location: TaskLocation("\(fileID)", line, column), priority: priority, dependencies: dependencies, after: after,
      timeout: timeout, retry: retry, onFailure: onFailure, runs: runs, lane: lane)
  }

  /// An asynchronous scheduled task with an output that its dependents read with ``TaskContext/output(named:as:)``.
  @_disfavoredOverload
  public static func schedule<Output: Sendable>(
    _ schedule: TaskSchedule,
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
    returning body: @escaping @Sendable (TaskContext<ScheduledRun>) async throws -> Output
  ) -> TaskDefinition {
    TaskDefinition(
      name: name, occasion: TaskOccasion(.__scheduled(schedule), in: lane, body),
      location: TaskLocation("\(fileID)", line, column), priority: priority, dependencies: dependencies, after: after,
      timeout: timeout, retry: retry, onFailure: onFailure, runs: runs, lane: lane)
  }

  // MARK: - Intervals

  /// A synchronous task that runs at an interval. The options are those of ``TaskSchedule``.
  public static func schedule(
    name: TaskName,
    priority: Priority = .default,
    every interval: Duration,
    count: Int? = nil,
    counting: CountRule = .runs,
    first: FirstRun = .afterInterval,
    pace: Pace = .fixedRate,
    clock: ScheduleClock = .continuous,
    missed: MissedRuns? = nil,
    grace: Duration? = nil,
    overlap: OverlapPolicy = .skip,
    jitter: Jitter = .none,
    tolerance: Duration = .zero,
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
    _ body: @escaping @isolated(any) @Sendable (TaskContext<ScheduledRun>) throws -> Void
  ) -> TaskDefinition {
    TaskDefinition(
      name: name,
      occasion: TaskOccasion(
        .__scheduled(
          TaskSchedule(
            every: interval, count: count, counting: counting, first: first, pace: pace, clock: clock, missed: missed,
            grace: grace, overlap: overlap,
            jitter: jitter, tolerance: tolerance)), __runWithContext: body),
      location: TaskLocation("\(fileID)", line, column), priority: priority, dependencies: dependencies, after: after,
      timeout: timeout, retry: retry, onFailure: onFailure, runs: runs, lane: lane)
  }

  /// An asynchronous task that runs at an interval. The options are those of ``TaskSchedule``.
  public static func schedule(
    name: TaskName,
    priority: Priority = .default,
    every interval: Duration,
    count: Int? = nil,
    counting: CountRule = .runs,
    first: FirstRun = .afterInterval,
    pace: Pace = .fixedRate,
    clock: ScheduleClock = .continuous,
    missed: MissedRuns? = nil,
    grace: Duration? = nil,
    overlap: OverlapPolicy = .skip,
    jitter: Jitter = .none,
    tolerance: Duration = .zero,
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
    _ body: @escaping @Sendable (TaskContext<ScheduledRun>) async throws -> Void
  ) -> TaskDefinition {
    TaskDefinition(
      name: name,
      occasion: TaskOccasion(
        .__scheduled(
          TaskSchedule(
            every: interval, count: count, counting: counting, first: first, pace: pace, clock: clock, missed: missed,
            grace: grace, overlap: overlap,
            jitter: jitter, tolerance: tolerance)), in: lane, body),
      location: TaskLocation("\(fileID)", line, column), priority: priority, dependencies: dependencies, after: after,
      timeout: timeout, retry: retry, onFailure: onFailure, runs: runs, lane: lane)
  }

  // MARK: - Dates

  /// A synchronous task that runs at a date, and then at an interval if there is one (R55).
  public static func schedule(
    name: TaskName,
    priority: Priority = .default,
    at date: Date,
    every interval: Duration? = nil,
    count: Int? = nil,
    counting: CountRule = .runs,
    missed: MissedRuns? = nil,
    grace: Duration? = nil,
    overlap: OverlapPolicy = .skip,
    jitter: Jitter = .none,
    tolerance: Duration = .zero,
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
    _ body: @escaping @isolated(any) @Sendable (TaskContext<ScheduledRun>) throws -> Void
  ) -> TaskDefinition {
    TaskDefinition(
      name: name,
      occasion: TaskOccasion(
        .__scheduled(
          TaskSchedule(
            at: date, every: interval, count: count, counting: counting, missed: missed, grace: grace, overlap: overlap,
            jitter: jitter,
            tolerance: tolerance)), __runWithContext: body),
      location: TaskLocation("\(fileID)", line, column), priority: priority, dependencies: dependencies, after: after,
      timeout: timeout, retry: retry, onFailure: onFailure, runs: runs, lane: lane)
  }

  /// An asynchronous task that runs at a date, and then at an interval if there is one (R55).
  public static func schedule(
    name: TaskName,
    priority: Priority = .default,
    at date: Date,
    every interval: Duration? = nil,
    count: Int? = nil,
    counting: CountRule = .runs,
    missed: MissedRuns? = nil,
    grace: Duration? = nil,
    overlap: OverlapPolicy = .skip,
    jitter: Jitter = .none,
    tolerance: Duration = .zero,
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
    _ body: @escaping @Sendable (TaskContext<ScheduledRun>) async throws -> Void
  ) -> TaskDefinition {
    TaskDefinition(
      name: name,
      occasion: TaskOccasion(
        .__scheduled(
          TaskSchedule(
            at: date, every: interval, count: count, counting: counting, missed: missed, grace: grace, overlap: overlap,
            jitter: jitter,
            tolerance: tolerance)), in: lane, body),
      location: TaskLocation("\(fileID)", line, column), priority: priority, dependencies: dependencies, after: after,
      timeout: timeout, retry: retry, onFailure: onFailure, runs: runs, lane: lane)
  }

  // MARK: - Cron expressions

  /// A synchronous task that runs at the times that a cron expression names. The options are those of ``TaskSchedule``.
  public static func schedule(
    name: TaskName,
    priority: Priority = .default,
    cron expression: String,
    timeZone: ScheduleTimeZone = .current,
    count: Int? = nil,
    counting: CountRule = .runs,
    clockChanges: ClockChangePolicy = .once,
    missed: MissedRuns? = nil,
    grace: Duration? = nil,
    overlap: OverlapPolicy = .skip,
    jitter: Jitter = .none,
    tolerance: Duration = .zero,
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
    _ body: @escaping @isolated(any) @Sendable (TaskContext<ScheduledRun>) throws -> Void
  ) -> TaskDefinition {
    TaskDefinition(
      name: name,
      occasion: TaskOccasion(
        .__scheduled(
          TaskSchedule(
            cron: expression, timeZone: timeZone, count: count, counting: counting, clockChanges: clockChanges,
            missed: missed, grace: grace,
            overlap: overlap,
            jitter: jitter, tolerance: tolerance)), __runWithContext: body),
      location: TaskLocation("\(fileID)", line, column), priority: priority, dependencies: dependencies, after: after,
      timeout: timeout, retry: retry, onFailure: onFailure, runs: runs, lane: lane)
  }

  /// An asynchronous task that runs at the times that a cron expression names. The options are those of ``TaskSchedule``.
  public static func schedule(
    name: TaskName,
    priority: Priority = .default,
    cron expression: String,
    timeZone: ScheduleTimeZone = .current,
    count: Int? = nil,
    counting: CountRule = .runs,
    clockChanges: ClockChangePolicy = .once,
    missed: MissedRuns? = nil,
    grace: Duration? = nil,
    overlap: OverlapPolicy = .skip,
    jitter: Jitter = .none,
    tolerance: Duration = .zero,
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
    _ body: @escaping @Sendable (TaskContext<ScheduledRun>) async throws -> Void
  ) -> TaskDefinition {
    TaskDefinition(
      name: name,
      occasion: TaskOccasion(
        .__scheduled(
          TaskSchedule(
            cron: expression, timeZone: timeZone, count: count, counting: counting, clockChanges: clockChanges,
            missed: missed, grace: grace,
            overlap: overlap,
            jitter: jitter, tolerance: tolerance)), in: lane, body),
      location: TaskLocation("\(fileID)", line, column), priority: priority, dependencies: dependencies, after: after,
      timeout: timeout, retry: retry, onFailure: onFailure, runs: runs, lane: lane)
  }

  // MARK: - Days

  /// A synchronous task that runs once a day. The options are those of ``TaskSchedule``.
  public static func schedule(
    name: TaskName,
    priority: Priority = .default,
    daily time: String,
    timeZone: ScheduleTimeZone = .current,
    count: Int? = nil,
    counting: CountRule = .runs,
    clockChanges: ClockChangePolicy = .once,
    missed: MissedRuns? = nil,
    grace: Duration? = nil,
    overlap: OverlapPolicy = .skip,
    jitter: Jitter = .none,
    tolerance: Duration = .zero,
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
    _ body: @escaping @isolated(any) @Sendable (TaskContext<ScheduledRun>) throws -> Void
  ) -> TaskDefinition {
    TaskDefinition(
      name: name,
      occasion: TaskOccasion(
        .__scheduled(
          TaskSchedule(
            daily: time, timeZone: timeZone, count: count, counting: counting, clockChanges: clockChanges,
            missed: missed, grace: grace, overlap: overlap,
            jitter: jitter, tolerance: tolerance)), __runWithContext: body),
      location: TaskLocation("\(fileID)", line, column), priority: priority, dependencies: dependencies, after: after,
      timeout: timeout, retry: retry, onFailure: onFailure, runs: runs, lane: lane)
  }

  /// An asynchronous task that runs once a day. The options are those of ``TaskSchedule``.
  public static func schedule(
    name: TaskName,
    priority: Priority = .default,
    daily time: String,
    timeZone: ScheduleTimeZone = .current,
    count: Int? = nil,
    counting: CountRule = .runs,
    clockChanges: ClockChangePolicy = .once,
    missed: MissedRuns? = nil,
    grace: Duration? = nil,
    overlap: OverlapPolicy = .skip,
    jitter: Jitter = .none,
    tolerance: Duration = .zero,
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
    _ body: @escaping @Sendable (TaskContext<ScheduledRun>) async throws -> Void
  ) -> TaskDefinition {
    TaskDefinition(
      name: name,
      occasion: TaskOccasion(
        .__scheduled(
          TaskSchedule(
            daily: time, timeZone: timeZone, count: count, counting: counting, clockChanges: clockChanges,
            missed: missed, grace: grace, overlap: overlap,
            jitter: jitter, tolerance: tolerance)), in: lane, body),
      location: TaskLocation("\(fileID)", line, column), priority: priority, dependencies: dependencies, after: after,
      timeout: timeout, retry: retry, onFailure: onFailure, runs: runs, lane: lane)
  }
}
