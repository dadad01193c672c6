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
/// switches the task off at the occurrences at which it is false.
///
/// - Parameters:
///   - name: the task's name, exactly; the module and the type's path when omitted. A literal.
///   - priority: how early it starts among those that could.
///   - event: the event at whose occurrences it runs.
///   - dependencies: tasks that must have ended well before: an array literal of `Type.self`.
///   - after: names of tasks that come first if they are there: an array literal of string literals.
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
