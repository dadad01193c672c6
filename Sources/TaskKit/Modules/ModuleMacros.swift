/// Declares a module: a class or an actor of which a center has one instance, with several tasks.
///
/// ```swift
/// @TaskModule(dependencies: [Settings.self])
/// @MainActor final class Ads {
///   init(settings: Settings) { … }
///
///   @ModuleTask(priority: .high, event: .didFinishLaunching)
///   func load() async throws { … }
///
///   @ModuleTask(event: .didEnterBackground)
///   func pause() { … }
/// }
/// ```
///
/// Each marked method is an ordinary task of the center, named `Module.Ads.load`: in the same order, in the same report, and
/// paused or destroyed by its name. The instance goes with the center.
///
/// The center creates the instance by the type's own `init`: its parameters, if it has any, are modules out of
/// `dependencies:`, an optional one where that module may have been left out. It may be asynchronous, may throw, and runs
/// where its isolation says, once at a time; what it throws is the failure of the method that needed the instance, and the
/// next one that needs it tries again. A module is `Sendable`: an actor, a class of a global actor, or one that is declared
/// so.
///
/// - Parameters:
///   - name: the module's name, exactly; the Swift module and the type's path when omitted. A literal.
///   - creation: when the instance comes to be.
///   - dependencies: modules that are created before this one, and whose methods come first at the events that both
///     handle, as with `after:`: an array literal of `Type.self`.
@attached(member, names: named(registration), named(_makeModule), named(_moduleTask))
@attached(extension, conformances: LifecycleModule)
public macro TaskModule(
  name: String? = nil,
  creation: ModuleCreation = .whenNeeded,
  dependencies: [any LifecycleModule.Type] = []
) = #externalMacro(module: "TaskKitMacros", type: "TaskModuleMacro")

/// Makes a method of a module a task that runs at every occurrence of an event.
///
/// The method takes nothing, the event's payload or a `TaskContext` of it. It is synchronous or `async`, throwing or not,
/// and runs where its isolation says. The options are those of an annotated type.
///
/// - Parameters:
///   - name: the task's name, exactly; the module's name and the method's when omitted. A literal.
///   - priority: how early it starts among those that could.
///   - event: the event at whose occurrences it runs.
///   - dependencies: tasks that must have ended well before: an array literal of `Type.self`.
///   - needs: methods of the same module that must have ended well before: an array literal of their names.
///   - after: names of tasks that come first if they are there: an array literal of string literals and, for those that may
///     be absent without a warning, `.optional("Name")`.
///   - timeout: the longest that one attempt may take.
///   - retry: how often it is tried.
///   - onFailure: what its failure means for the others.
///   - runs: how often it runs in the life of a center.
///   - lane: the lane in which it runs one at a time.
@attached(peer)
public macro ModuleTask<Payload: Sendable, Reply: Sendable>(
  name: String? = nil,
  priority: Priority = .default,
  event: LifecycleEvent<Payload, Reply>,
  dependencies: [any LifecycleTask.Type] = [],
  needs: [String] = [],
  after: [TaskReference] = [],
  timeout: Duration? = nil,
  retry: RetryPolicy = .never,
  onFailure: FailurePolicy = .skipDependents,
  runs: RunLimit = .always,
  lane: Lane? = nil
) = #externalMacro(module: "TaskKitMacros", type: "ModuleTaskMacro")

/// Makes a method of a module a task that runs at every occurrence of several events.
///
/// Where the payloads of the events differ, the method takes no payload.
@attached(peer)
public macro ModuleTask<each Payload: Sendable, each Reply: Sendable>(
  name: String? = nil,
  priority: Priority = .default,
  events: repeat LifecycleEvent<each Payload, each Reply>,
  dependencies: [any LifecycleTask.Type] = [],
  needs: [String] = [],
  after: [TaskReference] = [],
  timeout: Duration? = nil,
  retry: RetryPolicy = .never,
  onFailure: FailurePolicy = .skipDependents,
  runs: RunLimit = .always,
  lane: Lane? = nil
) = #externalMacro(module: "TaskKitMacros", type: "ModuleTaskMacro")
