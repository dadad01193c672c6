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
/// job's kind: write it down where the type may be renamed or moved. An occurrence that comes while the job of an earlier one
/// has not ended is a job of its own: `unique: .one()` makes do with the earlier one, `limit: 1` lets the later one wait.
///
/// The options are those of a `TaskSchedule` that also have a meaning while no process runs, and those of a kind except
/// `keyLimit` and `parentFailure`: the jobs of a schedule are all alike, and have no parents.
///
/// - Parameters:
///   - name: the kind of its jobs; the path of the type, behind its module, when omitted.
///   - every: the time between two occurrences, which counts by the calendar from when the store first heard of the schedule.
///   - count: how many jobs it makes in all, whichever processes do; for ever when omitted.
///   - first: whether the first occurrence is one interval after that beginning, or at once.
///   - missed: what happens with occurrences that passed while no process looked; `.latest` when omitted.
///   - grace: how late a job may still be made for an occurrence; a later one is missed. However late when omitted.
///   - jitter: how much later than its occurrence a job may start.
///   - durable: `true`; without it, the schedule is an ordinary one of TaskKit.
///   - queue: this and all that follow are those of ``DurableTask(kind:queue:priority:requires:requiresFor:cancelsWhenLost:attempts:backoff:deadline:unique:limit:keyLimit:crashes:exhaustion:parentFailure:durability:retention:store:)``.
@attached(member, names: named(registration), named(_jobBody))
@attached(extension, conformances: DurableTask)
public macro ScheduleTask(
  name: String? = nil,
  every: Duration,
  count: Int? = nil,
  first: FirstRun = .afterInterval,
  missed: MissedRuns? = nil,
  grace: Duration? = nil,
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
///
/// A date that was past when the store first heard of it is made up for as `missed` says, too: once when omitted. For the rest
/// see ``ScheduleTask(name:every:count:first:missed:grace:jitter:durable:queue:priority:requires:requiresFor:cancelsWhenLost:attempts:backoff:deadline:unique:limit:crashes:exhaustion:durability:retention:store:)``.
@attached(member, names: named(registration), named(_jobBody))
@attached(extension, conformances: DurableTask)
public macro ScheduleTask(
  name: String? = nil,
  at: Date,
  every: Duration? = nil,
  count: Int? = nil,
  missed: MissedRuns? = nil,
  grace: Duration? = nil,
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

/// Declares durable work that runs at a time in seconds since 1970, and then at an interval if there is one. For the rest see
/// ``ScheduleTask(name:every:count:first:missed:grace:jitter:durable:queue:priority:requires:requiresFor:cancelsWhenLost:attempts:backoff:deadline:unique:limit:crashes:exhaustion:durability:retention:store:)``.
@attached(member, names: named(registration), named(_jobBody))
@attached(extension, conformances: DurableTask)
public macro ScheduleTask(
  name: String? = nil,
  at: Double,
  every: Duration? = nil,
  count: Int? = nil,
  missed: MissedRuns? = nil,
  grace: Duration? = nil,
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
///
/// `timeZone` says whose local time it means, `clockChanges` what becomes of times that a change of the clocks skips or
/// repeats. For the rest see
/// ``ScheduleTask(name:every:count:first:missed:grace:jitter:durable:queue:priority:requires:requiresFor:cancelsWhenLost:attempts:backoff:deadline:unique:limit:crashes:exhaustion:durability:retention:store:)``.
@attached(member, names: named(registration), named(_jobBody))
@attached(extension, conformances: DurableTask)
public macro ScheduleTask(
  name: String? = nil,
  cron: String,
  timeZone: ScheduleTimeZone = .current,
  count: Int? = nil,
  clockChanges: ClockChangePolicy = .once,
  missed: MissedRuns? = nil,
  grace: Duration? = nil,
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
///
/// `timeZone` says whose local time it is, `clockChanges` what becomes of a time that a change of the clocks skips or repeats.
/// For the rest see
/// ``ScheduleTask(name:every:count:first:missed:grace:jitter:durable:queue:priority:requires:requiresFor:cancelsWhenLost:attempts:backoff:deadline:unique:limit:crashes:exhaustion:durability:retention:store:)``.
@attached(member, names: named(registration), named(_jobBody))
@attached(extension, conformances: DurableTask)
public macro ScheduleTask(
  name: String? = nil,
  daily: String,
  timeZone: ScheduleTimeZone = .current,
  count: Int? = nil,
  clockChanges: ClockChangePolicy = .once,
  missed: MissedRuns? = nil,
  grace: Duration? = nil,
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
