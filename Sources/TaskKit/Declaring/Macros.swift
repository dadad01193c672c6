public import Foundation

/// Declares a task that runs at every occurrence of an event.
///
/// ```swift
/// @EventTask(event: .didFinishLaunching, dependencies: [LoadConfiguration.self], timeout: .seconds(5))
/// enum OpenDatabase {
///   static func run(_ context: TaskContext<LaunchOptions>) async throws -> Database { … }
/// }
/// ```
///
/// The type has one `run`: without a parameter, with the event's payload, or with a `TaskContext` of it; static, or an
/// instance method of a type with `init()`; synchronous or `async`, throwing or not. A `static var isEnabled: Bool`
/// switches the task off at the occurrences at which it is false. A `static func stop()`, or `stop(_ output)`, undoes it when
/// the center shuts down (``TaskCenter/terminate(deadline:)``).
///
/// - Parameters:
///   - name: the task's name, exactly; the module and the type's path when omitted. A literal.
///   - priority: how early it starts among those that could.
///   - event: the event at whose occurrences it runs.
///   - dependencies: tasks that must have ended well before: an array literal of `Type.self`.
///   - after: names of tasks that come first if they are there: an array literal of string literals and, for those that may
///     be absent without a warning, `.optional("Name")`.
///   - timeout: the longest that one attempt may take.
///   - retry: how often it is tried.
///   - onFailure: what its failure means for the others.
///   - runs: how often it runs in the life of a center.
///   - lane: the lane in which it runs one at a time.
@attached(member, names: named(registration), named(_taskBody), named(Output), named(run))
@attached(extension, conformances: LifecycleTask)
public macro EventTask<Payload: Sendable, Reply: Sendable>(
  name: String? = nil,
  priority: Priority = .default,
  event: LifecycleEvent<Payload, Reply>,
  dependencies: [any LifecycleTask.Type] = [],
  after: [TaskReference] = [],
  timeout: Duration? = nil,
  retry: RetryPolicy = .never,
  onFailure: FailurePolicy = .skipDependents,
  runs: RunLimit = .always,
  lane: Lane? = nil
) = #externalMacro(module: "TaskKitMacros", type: "EventTaskMacro")

/// Declares a task that runs at every occurrence of several events.
///
/// ```swift
/// @EventTask(events: .didBecomeActive, .significantTimeChange)
/// enum RefreshClock { static func run() { … } }
/// ```
///
/// Where the payloads of the events differ, `run` takes no payload.
@attached(member, names: named(registration), named(_taskBody), named(Output), named(run))
@attached(extension, conformances: LifecycleTask)
public macro EventTask<each Payload: Sendable, each Reply: Sendable>(
  name: String? = nil,
  priority: Priority = .default,
  events: repeat LifecycleEvent<each Payload, each Reply>,
  dependencies: [any LifecycleTask.Type] = [],
  after: [TaskReference] = [],
  timeout: Duration? = nil,
  retry: RetryPolicy = .never,
  onFailure: FailurePolicy = .skipDependents,
  runs: RunLimit = .always,
  lane: Lane? = nil
) = #externalMacro(module: "TaskKitMacros", type: "EventTaskMacro")

/// Declares a task that runs at an interval, from the moment at which its center is started.
///
/// ```swift
/// @ScheduleTask(every: .seconds(30))
/// enum RefreshFeed { static func run() async throws { … } }
/// ```
///
/// `run` takes nothing, a ``ScheduledRun``, or a `TaskContext` of it. The arguments up to `tolerance` are those of
/// ``TaskSchedule``, the others those of ``EventTask(name:priority:event:dependencies:after:timeout:retry:onFailure:runs:lane:)``.
/// A scheduled task may depend on event tasks, and on scheduled ones: those hold where both are due together, and count
/// by their latest run otherwise.
@attached(member, names: named(registration), named(_taskBody), named(Output), named(run))
@attached(extension, conformances: LifecycleTask)
public macro ScheduleTask(
  name: String? = nil,
  priority: Priority = .default,
  every: Duration,
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
  dependencies: [any LifecycleTask.Type] = [],
  after: [TaskReference] = [],
  timeout: Duration? = nil,
  retry: RetryPolicy = .never,
  onFailure: FailurePolicy = .skipDependents,
  runs: RunLimit = .always,
  lane: Lane? = nil
) = #externalMacro(module: "TaskKitMacros", type: "ScheduleTaskMacro")

/// Declares a task that runs at a date, and then at an interval if there is one.
///
/// ```swift
/// @ScheduleTask(at: Campaign.start, every: .seconds(86_400), count: 7)
/// enum ShowOffer { static func run() { … } }
/// ```
///
/// A date that was past when the center started is recorded as missed and not run, unless `missed:` asks for it. For the
/// rest see ``ScheduleTask(name:priority:every:count:counting:first:pace:clock:missed:grace:overlap:jitter:tolerance:dependencies:after:timeout:retry:onFailure:runs:lane:)``.
@attached(member, names: named(registration), named(_taskBody), named(Output), named(run))
@attached(extension, conformances: LifecycleTask)
public macro ScheduleTask(
  name: String? = nil,
  priority: Priority = .default,
  at: Date,
  every: Duration? = nil,
  count: Int? = nil,
  counting: CountRule = .runs,
  missed: MissedRuns? = nil,
  grace: Duration? = nil,
  overlap: OverlapPolicy = .skip,
  jitter: Jitter = .none,
  tolerance: Duration = .zero,
  dependencies: [any LifecycleTask.Type] = [],
  after: [TaskReference] = [],
  timeout: Duration? = nil,
  retry: RetryPolicy = .never,
  onFailure: FailurePolicy = .skipDependents,
  runs: RunLimit = .always,
  lane: Lane? = nil
) = #externalMacro(module: "TaskKitMacros", type: "ScheduleTaskMacro")

/// Declares a task that runs at a time in seconds since 1970, and then at an interval if there is one (R35).
@attached(member, names: named(registration), named(_taskBody), named(Output), named(run))
@attached(extension, conformances: LifecycleTask)
public macro ScheduleTask(
  name: String? = nil,
  priority: Priority = .default,
  at: Double,
  every: Duration? = nil,
  count: Int? = nil,
  counting: CountRule = .runs,
  missed: MissedRuns? = nil,
  grace: Duration? = nil,
  overlap: OverlapPolicy = .skip,
  jitter: Jitter = .none,
  tolerance: Duration = .zero,
  dependencies: [any LifecycleTask.Type] = [],
  after: [TaskReference] = [],
  timeout: Duration? = nil,
  retry: RetryPolicy = .never,
  onFailure: FailurePolicy = .skipDependents,
  runs: RunLimit = .always,
  lane: Lane? = nil
) = #externalMacro(module: "TaskKitMacros", type: "ScheduleTaskMacro")

/// Declares a task that runs at the times that a cron expression names.
///
/// ```swift
/// @ScheduleTask(cron: "30 2 * * MON-FRI", timeZone: "Europe/Berlin")
/// enum SendInvoices { static func run(_ run: ScheduledRun) async throws { … } }
/// ```
///
/// The expression is checked while compiling: a string literal as ``CronExpression`` reads it.
@attached(member, names: named(registration), named(_taskBody), named(Output), named(run))
@attached(extension, conformances: LifecycleTask)
public macro ScheduleTask(
  name: String? = nil,
  priority: Priority = .default,
  cron: String,
  timeZone: ScheduleTimeZone = .current,
  count: Int? = nil,
  counting: CountRule = .runs,
  clockChanges: ClockChangePolicy = .once,
  missed: MissedRuns? = nil,
  grace: Duration? = nil,
  overlap: OverlapPolicy = .skip,
  jitter: Jitter = .none,
  tolerance: Duration = .zero,
  dependencies: [any LifecycleTask.Type] = [],
  after: [TaskReference] = [],
  timeout: Duration? = nil,
  retry: RetryPolicy = .never,
  onFailure: FailurePolicy = .skipDependents,
  runs: RunLimit = .always,
  lane: Lane? = nil
) = #externalMacro(module: "TaskKitMacros", type: "ScheduleTaskMacro")

/// Declares a task that runs once a day at a local time.
///
/// ```swift
/// @ScheduleTask(daily: "02:30", timeZone: .utc)
/// enum CleanUp { static func run() { … } }
/// ```
///
/// The time is checked while compiling: a string literal as ``DailyTime`` reads it.
@attached(member, names: named(registration), named(_taskBody), named(Output), named(run))
@attached(extension, conformances: LifecycleTask)
public macro ScheduleTask(
  name: String? = nil,
  priority: Priority = .default,
  daily: String,
  timeZone: ScheduleTimeZone = .current,
  count: Int? = nil,
  counting: CountRule = .runs,
  clockChanges: ClockChangePolicy = .once,
  missed: MissedRuns? = nil,
  grace: Duration? = nil,
  overlap: OverlapPolicy = .skip,
  jitter: Jitter = .none,
  tolerance: Duration = .zero,
  dependencies: [any LifecycleTask.Type] = [],
  after: [TaskReference] = [],
  timeout: Duration? = nil,
  retry: RetryPolicy = .never,
  onFailure: FailurePolicy = .skipDependents,
  runs: RunLimit = .always,
  lane: Lane? = nil
) = #externalMacro(module: "TaskKitMacros", type: "ScheduleTaskMacro")

/// Declares a task that runs at each notification of a name.
///
/// ```swift
/// @NotificationTask("PricesChanged")
/// enum RecalculateTotals { @MainActor static func run(_ notification: PostedNotification) { … } }
/// ```
///
/// `run` takes nothing, a ``PostedNotification``, or a `TaskContext` of it. A notification that is posted on the main actor
/// is begun there as by ``TaskCenter/begin(_:_:deadline:)``: tasks that are synchronous and have to wait for nothing, not
/// even for their lane or a slot, have run when the poster goes on. Everything else follows; posted elsewhere, all follow.
/// Notifications are heard from ``TaskCenter/start()`` on, in the center of the configuration.
///
/// - Parameters:
///   - notification: the name, first and without a label.
///   - sender: whose notifications are meant; everybody's when omitted. Those of others begin nothing of the task, and are in
///     none of its reports.
///   - burst: what a notification does while the tasks of an earlier one are running. Tasks of one name agree in it.
@attached(member, names: named(registration), named(_taskBody), named(Output), named(run))
@attached(extension, conformances: LifecycleTask)
public macro NotificationTask(
  _ notification: String,
  name: String? = nil,
  priority: Priority = .default,
  sender: (any AnyObject & Sendable)? = nil,
  burst: BurstPolicy = .queue,
  dependencies: [any LifecycleTask.Type] = [],
  after: [TaskReference] = [],
  timeout: Duration? = nil,
  retry: RetryPolicy = .never,
  onFailure: FailurePolicy = .skipDependents,
  runs: RunLimit = .always,
  lane: Lane? = nil
) = #externalMacro(module: "TaskKitMacros", type: "NotificationTaskMacro")

/// Declares a task that runs at each notification of a name that is declared elsewhere.
///
/// See ``NotificationTask(_:name:priority:sender:burst:dependencies:after:timeout:retry:onFailure:runs:lane:)-5qpo7``.
@attached(member, names: named(registration), named(_taskBody), named(Output), named(run))
@attached(extension, conformances: LifecycleTask)
public macro NotificationTask(
  _ notification: Notification.Name,
  name: String? = nil,
  priority: Priority = .default,
  sender: (any AnyObject & Sendable)? = nil,
  burst: BurstPolicy = .queue,
  dependencies: [any LifecycleTask.Type] = [],
  after: [TaskReference] = [],
  timeout: Duration? = nil,
  retry: RetryPolicy = .never,
  onFailure: FailurePolicy = .skipDependents,
  runs: RunLimit = .always,
  lane: Lane? = nil
) = #externalMacro(module: "TaskKitMacros", type: "NotificationTaskMacro")

/// Declares a task that runs at each element of an asynchronous sequence.
///
/// ```swift
/// @SequenceTask(Prices.updates)
/// enum ShowPrice { @MainActor static func run(_ price: Price) { … } }
/// ```
///
/// `run` takes nothing, an element, or a `TaskContext` of it. The sequence is made and iterated from
/// ``TaskCenter/start()`` on. Its end and its failure are told by ``TaskCenter/sequence(of:)-(TaskName)`` and the center's events;
/// it is cancelled when the task is destroyed and when the center goes.
///
/// - Parameters:
///   - sequence: the sequence, first and without a label; evaluated each time a center starts it.
///   - burst: with `.queue`, the default, the next element is asked for when the tasks of this one have ended; with the
///     others the sequence is read as fast as it comes.
@attached(member, names: named(registration), named(_taskBody), named(Output), named(run))
@attached(extension, conformances: LifecycleTask)
public macro SequenceTask(
  _ sequence: @autoclosure () -> any AsyncSequence,
  name: String? = nil,
  priority: Priority = .default,
  burst: BurstPolicy = .queue,
  dependencies: [any LifecycleTask.Type] = [],
  after: [TaskReference] = [],
  timeout: Duration? = nil,
  retry: RetryPolicy = .never,
  onFailure: FailurePolicy = .skipDependents,
  runs: RunLimit = .always,
  lane: Lane? = nil
) = #externalMacro(module: "TaskKitMacros", type: "SequenceTaskMacro")
