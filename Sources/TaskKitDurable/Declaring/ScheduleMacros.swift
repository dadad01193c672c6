public import Foundation
public import TaskKit

/// Declares work that runs at an interval and survives: each occurrence is a job, written down once, whichever processes
/// share the store.
///
/// ```swift
/// @ScheduleTask(name: "digest", every: .seconds(3600), durable: true)
/// struct SendDigest: Codable, Sendable {
///   func run(_ context: DurableContext) async throws { … }
/// }
/// ```
///
/// The type is like that of a ``DurableTask(kind:queue:priority:requires:requiresFor:cancelsWhenLost:attempts:backoff:deadline:unique:limit:keyLimit:crashes:exhaustion:parentFailure:durability:retention:store:)``,
/// and has an `init()` that makes the job of an occurrence; the job reads which one it is from its context. `name` is the
/// job's kind: write it down where the type may be renamed or moved. `durable` is `true`; without it, the schedule is an
/// ordinary one of TaskKit. Intervals count by the calendar, from when the store first heard of the schedule. An occurrence
/// that comes while the job of an earlier one has not ended is a job of its own: `unique: .one()` makes do with the earlier
/// one, `limit: 1` lets the later one wait. The arguments before it are those of `TaskSchedule`, those behind it of `@DurableTask`.
@attached(member, names: named(registration), named(_jobBody))
@attached(extension, conformances: DurableTask)
public macro ScheduleTask(
  name: String? = nil,
  every: Duration,
  count: Int? = nil,
  missed: MissedRuns? = nil,
  jitter: Jitter = .none,
  durable: Bool,
  queue: String = "default",
  priority: JobPriority = .default,
  requires: [Constraint] = [],
  requiresFor: Duration? = nil,
  cancelsWhenLost: Bool = false,
  attempts: JobAttempts = 3,
  backoff: JobBackoff = .default,
  deadline: Duration? = nil,
  unique: __AnyUniqueRule? = nil,
  limit: Int? = nil,
  crashes: Int = 3,
  exhaustion: Exhaustion = .keep,
  durability: JobDurability = .full,
  retention: JobRetention = .default,
  store: String? = nil
) = #externalMacro(module: "TaskKitMacros", type: "DurableScheduleMacro")

/// Declares durable work that runs at a date, and then at an interval if there is one.
@attached(member, names: named(registration), named(_jobBody))
@attached(extension, conformances: DurableTask)
public macro ScheduleTask(
  name: String? = nil,
  at: Date,
  every: Duration? = nil,
  count: Int? = nil,
  missed: MissedRuns? = nil,
  jitter: Jitter = .none,
  durable: Bool,
  queue: String = "default",
  priority: JobPriority = .default,
  requires: [Constraint] = [],
  requiresFor: Duration? = nil,
  cancelsWhenLost: Bool = false,
  attempts: JobAttempts = 3,
  backoff: JobBackoff = .default,
  deadline: Duration? = nil,
  unique: __AnyUniqueRule? = nil,
  limit: Int? = nil,
  crashes: Int = 3,
  exhaustion: Exhaustion = .keep,
  durability: JobDurability = .full,
  retention: JobRetention = .default,
  store: String? = nil
) = #externalMacro(module: "TaskKitMacros", type: "DurableScheduleMacro")

/// Declares durable work that runs at a time in seconds since 1970, and then at an interval if there is one.
@attached(member, names: named(registration), named(_jobBody))
@attached(extension, conformances: DurableTask)
public macro ScheduleTask(
  name: String? = nil,
  at: Double,
  every: Duration? = nil,
  count: Int? = nil,
  missed: MissedRuns? = nil,
  jitter: Jitter = .none,
  durable: Bool,
  queue: String = "default",
  priority: JobPriority = .default,
  requires: [Constraint] = [],
  requiresFor: Duration? = nil,
  cancelsWhenLost: Bool = false,
  attempts: JobAttempts = 3,
  backoff: JobBackoff = .default,
  deadline: Duration? = nil,
  unique: __AnyUniqueRule? = nil,
  limit: Int? = nil,
  crashes: Int = 3,
  exhaustion: Exhaustion = .keep,
  durability: JobDurability = .full,
  retention: JobRetention = .default,
  store: String? = nil
) = #externalMacro(module: "TaskKitMacros", type: "DurableScheduleMacro")

/// Declares durable work that runs at the times that a cron expression names.
@attached(member, names: named(registration), named(_jobBody))
@attached(extension, conformances: DurableTask)
public macro ScheduleTask(
  name: String? = nil,
  cron: String,
  timeZone: ScheduleTimeZone = .current,
  count: Int? = nil,
  clockChanges: ClockChangePolicy = .once,
  missed: MissedRuns? = nil,
  jitter: Jitter = .none,
  durable: Bool,
  queue: String = "default",
  priority: JobPriority = .default,
  requires: [Constraint] = [],
  requiresFor: Duration? = nil,
  cancelsWhenLost: Bool = false,
  attempts: JobAttempts = 3,
  backoff: JobBackoff = .default,
  deadline: Duration? = nil,
  unique: __AnyUniqueRule? = nil,
  limit: Int? = nil,
  crashes: Int = 3,
  exhaustion: Exhaustion = .keep,
  durability: JobDurability = .full,
  retention: JobRetention = .default,
  store: String? = nil
) = #externalMacro(module: "TaskKitMacros", type: "DurableScheduleMacro")

/// Declares durable work that runs once a day at a local time.
@attached(member, names: named(registration), named(_jobBody))
@attached(extension, conformances: DurableTask)
public macro ScheduleTask(
  name: String? = nil,
  daily: String,
  timeZone: ScheduleTimeZone = .current,
  count: Int? = nil,
  clockChanges: ClockChangePolicy = .once,
  missed: MissedRuns? = nil,
  jitter: Jitter = .none,
  durable: Bool,
  queue: String = "default",
  priority: JobPriority = .default,
  requires: [Constraint] = [],
  requiresFor: Duration? = nil,
  cancelsWhenLost: Bool = false,
  attempts: JobAttempts = 3,
  backoff: JobBackoff = .default,
  deadline: Duration? = nil,
  unique: __AnyUniqueRule? = nil,
  limit: Int? = nil,
  crashes: Int = 3,
  exhaustion: Exhaustion = .keep,
  durability: JobDurability = .full,
  retention: JobRetention = .default,
  store: String? = nil
) = #externalMacro(module: "TaskKitMacros", type: "DurableScheduleMacro")
