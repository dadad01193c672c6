import TaskGraph

extension ModuleTasks {
  /// What the build found out about one method of a module. For generated code only.
  public struct Links: Sendable {
    let dependencies: [TaskSlot]?
    let after: [TaskSlot]?

    /// For generated code only.
    ///
    /// - Parameters:
    /// - dependencies: the slots of what the method depends on, in the order of its mark; nil to look the names up.
    /// - after: the same for what comes before it.
    public init(dependencies: [TaskSlot]? = nil, after: [TaskSlot]? = nil) {
      self.dependencies = dependencies
      self.after = after
    }
  }

  /// Adds a module, and puts its tasks into the slots from one on. For generated code only.
  public mutating func add(_ module: ModuleRegistration, at slot: Int = 0, _ links: [Links] = []) {
    taskModules.append(module)
    for (offset, (task, link)) in zip(module.orderedTasks, links).enumerated() {
      add(task, at: slot + offset, dependencies: link.dependencies, after: link.after)
    }
  }
}

extension TaskRegistry {
  /// The modules that some types declare, and the tasks of others, in that order: for tests and small tools without a
  /// plugin.
  ///
  /// - Throws: ``TaskGraphError`` with every problem of the whole graph.
  public init(taskModules: [ModuleRegistration], tasks: [TaskRegistration] = []) throws {
    var module = ModuleTasks(module: "", count: taskModules.reduce(tasks.count) { $0 + $1.tasks.count })
    var slot = 0
    for taskModule in taskModules {
      module.add(taskModule, at: slot, taskModule.tasks.map { _ in ModuleTasks.Links() })
      slot += taskModule.tasks.count
    }
    for (offset, task) in tasks.enumerated() { module.add(task, at: slot + offset) }
    try self.init(modules: [module])
  }

  /// What the annotated classes and actors declare, in the order of declaration.
  public var taskModules: [ModuleRegistration] { modules.flatMap(\.taskModules) }

  /// The registry without a module and its tasks (Et6).
  ///
  /// - Throws: ``TaskGraphError`` listing the modules that depend on it and the tasks that depend on its methods, unless
  ///   `dependents` says what becomes of them.
  public func excluding<Excluded: LifecycleModule>(
    _ type: Excluded.Type, dependents: DependentsPolicy = .refuse
  ) throws -> TaskRegistry {
    let registration = Excluded.registration
    guard taskModules.contains(where: { $0.type == registration.type }) else {
      throw TaskGraphError.nothingToExclude("module '\(registration.name)'")
    }
    return try excluding(
      taskModules: [registration.type], what: "module '\(registration.name)'", dependents: dependents)
  }

  /// The registry with another module in the place of one: a stand-in for tests, a variant of a feature.
  ///
  /// What depends on the old one goes on without it; a lookup by what both have in common finds the new one.
  ///
  /// - Throws: ``TaskGraphError`` with every problem that the replacement brings.
  public func replacing<Replaced: LifecycleModule, Replacement: LifecycleModule>(
    _ type: Replaced.Type, with replacement: Replacement.Type
  ) throws -> TaskRegistry {
    let new = Replacement.registration
    var registry = try excluding(type, dependents: .detach)
    var module = ModuleTasks(module: "", count: new.tasks.count)
    module.add(new, at: 0, new.tasks.map { _ in ModuleTasks.Links() })
    registry = registry.changing { $0.append(module) }
    try registry.prove()
    return registry
  }

  /// - Parameter types: modules that are there.
  func excluding(
    taskModules types: Set<ObjectIdentifier>, what: String, dependents: DependentsPolicy
  ) throws -> TaskRegistry {
    var excluded = types
    while true {
      let more = taskModules.filter { module in
        !excluded.contains(module.type) && module.dependencies.contains { excluded.contains($0.type) }
      }
      guard !more.isEmpty, dependents != .detach else { break }
      guard dependents == .include else {
        throw TaskGraphError.modulesDepend(on: what, more, taskModules.filter { excluded.contains($0.type) })
      }
      excluded.formUnion(more.map(\.type))
    }
    let isMethod: (TaskRegistration) -> Bool = { $0.owner.map { excluded.contains($0.type) } ?? false }
    let rest =
      registrations.contains(where: isMethod)
      ? try excluding(what: what, dependents: dependents, where: isMethod) : self
    return rest.changing { modules in
      for module in modules.indices { modules[module].taskModules.removeAll { excluded.contains($0.type) } }
    }
  }
}

extension TaskGraphError {
  /// - Parameter excluded: the modules that are left out.
  fileprivate static func modulesDepend(
    on what: String, _ dependents: [ModuleRegistration], _ excluded: [ModuleRegistration]
  ) -> TaskGraphError {
    TaskGraphError(
      dependents.map { dependent in
        Problem(
          code: "taskKit.hasDependents",
          message:
            "module '\(dependent.name)' depends on \(what); exclude it too (dependents: .include), or let it go on "
            + "without (dependents: .detach)",
          place: SourcePlace(dependent.location),
          notes: excluded.filter { module in dependent.dependencies.contains { $0.type == module.type } }.map {
            .init("'\($0.name)' is declared here", place: SourcePlace($0.location))
          })
      })
  }
}
