/// What the annotations of one module say, as a value.
public struct ModuleRegistration: Sendable {
  /// The module's name: the Swift module and the type's path, or exactly what `name:` says.
  public let name: String
  /// Where its type is declared.
  public let location: TaskLocation
  /// When its instance is made.
  public let creation: ModuleCreation
  /// The modules that it needs.
  public let dependencies: [ModuleDependency]

  /// The module's tasks, as the annotations of its methods declare them, in the order of the source; before them the one
  /// that creates the instance at launch, if there is one.
  public let tasks: [TaskRegistration]

  let type: ObjectIdentifier
  let maker: ModuleMaker?

  /// For the macros' output only: a module that is made by a synchronous function.
  ///
  /// - Parameter collected: read so that the compiler warns where the build plugin did not list the type.
  public init<Module: LifecycleModule & Sendable>(
    __name name: String,
    type: Module.Type,
    collected: Void,
    at location: TaskLocation,
    creation: ModuleCreation = .whenNeeded,
    dependencies: [ModuleDependency] = [],
    make: @escaping @isolated(any) (ModuleDependencies) throws -> Module,
    methods: [ModuleMethod]
  ) {
    self.init(
      name, ObjectIdentifier(type), location, creation, dependencies, maker: .synchronous(make), methods: methods)
  }

  /// For the macros' output only: a module that is made by an asynchronous function.
  public init<Module: LifecycleModule & Sendable>(
    __name name: String,
    type: Module.Type,
    collected: Void,
    at location: TaskLocation,
    creation: ModuleCreation = .whenNeeded,
    dependencies: [ModuleDependency] = [],
    make: @escaping @concurrent (ModuleDependencies) async throws -> Module,
    methods: [ModuleMethod]
  ) {
    self.init(
      name, ObjectIdentifier(type), location, creation, dependencies, maker: .asynchronous(make), methods: methods)
  }

  /// For the macros' output only: a module that somebody registers.
  public init<Module: LifecycleModule & Sendable>(
    __name name: String,
    type: Module.Type,
    collected: Void,
    at location: TaskLocation,
    creation: ModuleCreation,
    dependencies: [ModuleDependency] = [],
    methods: [ModuleMethod]
  ) {
    self.init(name, ObjectIdentifier(type), location, creation, dependencies, maker: nil, methods: methods)
  }

  @available(
    *, unavailable,
    message:
      "the tasks of a module run side by side, so it has to be Sendable: an actor, isolated to a global actor, or Sendable"
  )
  @_disfavoredOverload
  public init<Module: LifecycleModule>(
    __name name: String,
    type: Module.Type,
    collected: Void,
    at location: TaskLocation,
    creation: ModuleCreation = .whenNeeded,
    dependencies: [ModuleDependency] = [],
    make: @escaping @concurrent (ModuleDependencies) async throws -> Module,
    methods: [ModuleMethod]
  ) {
    // Unavailable: no program that compiles gets here.
    fatalError()
  }

  private init(
    _ name: String, _ type: ObjectIdentifier, _ location: TaskLocation, _ creation: ModuleCreation,
    _ dependencies: [ModuleDependency], maker: ModuleMaker?, methods: [ModuleMethod]
  ) {
    self.name = name
    self.type = type
    self.location = location
    self.creation = creation
    self.dependencies = dependencies
    self.maker = maker
    let owner = ModuleOwner(type: type, name: name)
    var tasks: [TaskRegistration] = []
    if creation == .atLaunch { tasks.append(.creating(owner, isMain: maker?.isMain ?? false, at: location)) }
    for method in methods {
      let needs = method.needs.map { needed in
        let found = methods.first { $0.method == needed }
        return TaskDependency(found?.fullName(in: name) ?? TaskName("\(name).\(needed)"))
      }
      tasks.append(
        TaskRegistration(
          name: method.fullName(in: name), owner: owner, location: method.location, occasions: method.occasions,
          priority: method.priority, dependencies: method.dependencies + needs, after: method.after,
          timeout: method.timeout, retry: method.retry, onFailure: method.onFailure, runs: method.runs,
          lane: method.lane))
    }
    self.tasks = tasks
  }
}

/// Whose method a task is.
struct ModuleOwner: Sendable, Hashable {
  let type: ObjectIdentifier
  let name: String
}

extension TaskRegistration {
  /// The task that creates a module at launch.
  fileprivate static func creating(_ owner: ModuleOwner, isMain: Bool, at location: TaskLocation) -> TaskRegistration {
    let type = owner.type
    let body: TaskBody =
      isMain
      ? .main { try $0.moduleOnMain(type) }
      : .framedAsync { try await $0.createdModule(type) }
    return TaskRegistration(
      name: TaskName("\(owner.name).init"), owner: owner, location: location,
      occasions: [
        TaskOccasion(event: LifecycleEvent<LaunchOptions, Void>.didFinishLaunching.description, body: body)
      ],
      priority: .critical, dependencies: [], after: [], timeout: nil, retry: .never, onFailure: .skipDependents,
      runs: .always, lane: nil)
  }
}

// MARK: - The order among modules

extension ModuleRegistration {
  /// The module's tasks, each behind the methods of the modules that this one depends on, directly or through others, at the
  /// events that both handle.
  ///
  /// By name, because a module that is left out now may be registered later.
  var orderedTasks: [TaskRegistration] { ordered(tasks) }

  /// The same without the one that creates the instance at launch: for somebody who brings it.
  var methods: [TaskRegistration] { ordered(Array(tasks.dropFirst(creation == .atLaunch ? 1 : 0))) }

  private func ordered(_ tasks: [TaskRegistration]) -> [TaskRegistration] {
    guard !dependencies.isEmpty else { return tasks }
    var seen: Set<ObjectIdentifier> = [type]
    var open = dependencies
    var earlier: [TaskRegistration] = []
    while let next = open.popLast() {
      guard seen.insert(next.type).inserted else { continue }
      let registration = next.registration()
      earlier += registration.tasks
      open += registration.dependencies
    }
    // By name, so that the order in which they were found does not show.
    earlier.sort { $0.name < $1.name }
    return tasks.map { task in
      let events = Set(task.events)
      let named = Set(task.after.map(\.name))
      let more = earlier.filter { !events.isDisjoint(with: $0.events) && !named.contains($0.name) }
      return more.isEmpty ? task : task.following(task.after + more.map { .optional($0.name) })
    }
  }
}
