/// Declares a kind of durable work: the values of the type are jobs, which are written down before they are promised, and
/// run, also after a crash, until they have succeeded or given up: by default after three attempts.
///
/// ```swift
/// @DurableTask(kind: "download", requires: [.network], attempts: 5, unique: .by(\.url))
/// struct Download: Codable, Sendable {
///   var url: URL
///
///   func run(_ context: DurableContext) async throws { … }
/// }
/// ```
///
/// The type has one `run`: an instance method that takes a ``DurableContext``, or nothing; synchronous or `async`, throwing
/// or not, on any actor. What it returns is `Codable & Sendable`, and given to the children of the job.
///
/// The registry that the build plugin makes has all kinds of a module and of those that it depends on. Two types of one
/// kind do not build.
///
/// - Parameters:
///   - kind: what jobs of this type are called in the store, for as long as one of them is there: it stays when the type
///     is renamed or moved. A literal; it cannot be left out.
///   - queue: the queue of jobs that are enqueued without another one.
///   - priority: how early they run among those of their queue.
///   - requires: what has to hold outside of the program.
///   - requiresFor: after how long of waiting that no longer holds a job up; nil: it always does.
///   - cancelsWhenLost: whether a running attempt is cancelled when something required is lost.
///   - attempts: how often a job is tried in all.
///   - backoff: how long it waits after an attempt that failed.
///   - deadline: how long one attempt may take; see ``JobOptions/deadline``.
///   - unique: which jobs are the same, so that one of them is enough: `.by(\.file)`, `.by { "\($0.accountNumber)/\($0.file)" }`,
///     `.one()`; see ``JobKey`` for keys of several parts.
///   - limit: how many of the kind run at a time in this process, of each store; see ``JobOptions/limit``.
///   - keyLimit: how many of one key run at a time, in all processes: `.by(\.account)`.
///   - crashes: how often the process may die in a job, one time after the other, before it is held.
///   - exhaustion: what becomes of a job whose attempts are used up.
///   - parentFailure: what becomes of a job whose parent died.
///   - durability: what an acknowledged job survives.
///   - retention: how long ended jobs stay visible.
///   - store: the name of the store that keeps them; nil for the center's first.
@attached(member, names: named(registration), named(_jobBody))
@attached(extension, conformances: DurableTask)
public macro DurableTask(
  kind: String = "",
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
  keyLimit: __AnyKeyLimitRule? = nil,
  crashes: Int = 3,
  exhaustion: Exhaustion = .keep,
  parentFailure: ParentFailure = .cancel,
  durability: JobDurability = .full,
  retention: JobRetention = .default,
  store: String? = nil
) = #externalMacro(module: "TaskKitMacros", type: "DurableTaskMacro")

/// For the macros' output only: the protocol by a name that no program gives to a protocol of its own.
public typealias __DurableTask = DurableTask
