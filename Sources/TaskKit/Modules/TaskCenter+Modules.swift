import Synchronization

extension TaskCenter {
  // MARK: - Looking up

  /// The instance of a module: by its type, by a superclass, or by a protocol (`(any Playing).self`).
  ///
  /// Where several match, the one of exactly that type, or else the first in the order of declaration, registered ones
  /// behind. It does not create one: nil while the module has no instance yet, and when it was left out or unregistered. See
  /// ``module(creating:)``.
  ///
  /// - Complexity: linear in the number of modules.
  public func module<Module>(_ type: Module.Type) -> Module? {
    let instances = modules.withLock(\.instances)
    let key = ObjectIdentifier(type)
    if let exact = instances.first(where: { $0.type == key })?.instance as? Module { return exact }
    return instances.lazy.compactMap { $0.instance as? Module }.first
  }

  /// The instances of all modules that are of a type, of a subclass of it, or that conform to a protocol, in the order of
  /// declaration, registered ones behind.
  public func modules<Module>(of type: Module.Type) -> [Module] {
    modules.withLock(\.instances).compactMap { $0.instance as? Module }
  }

  /// The instance of a module, created now if there is none.
  ///
  /// - Returns: nil if the module was left out or unregistered, or if nobody has registered an instance that the center does
  ///   not create.
  /// - Throws: what the initialiser throws; ``TaskError`` if it is asked for in its own initialiser, or by what that awaits, and
  ///   if there is none when the center has shut down, which calls no initialiser any more;
  ///   `CancellationError` if the calling task is cancelled before an initialiser of the main actor has begun, or while it waits
  ///   for the instance that somebody else is making.
  @concurrent
  public func module<Module: LifecycleModule & Sendable>(creating type: Module.Type) async throws -> Module? {
    let key = ObjectIdentifier(type)
    guard modules.withLock({ $0.registration(of: key) }) != nil else { return nil }
    return try await createdModule(key) as? Module
  }

  // MARK: - Registering

  /// Registers an instance that somebody made: its methods are tasks when the call returns (Et3, Et8).
  ///
  /// Where the registry has the module already, but no instance of it yet, the center takes this one and creates none. Of its
  /// methods those count as new that an event found without an instance.
  ///
  /// - Parameters:
  ///   - instance: of an annotated type, or of a subclass of one: a stand-in for tests.
  ///   - ifPassed: what happens if a method's event happens once, and has. One that was skipped for something else, or has
  ///     failed, has had its occasion.
  /// - Returns: whether the instance is the center's now.
  /// - Throws: ``TaskGraphError`` with every problem that its tasks would bring, ``TaskError`` if an event has passed. Then
  ///   nothing has changed.
  /// - Complexity: that of ``inject(_:replacing:ifPassed:)-(TaskDefinition,_,_)`` for its methods, and on average linear in the
  ///   modules that depend on it, directly or through others, and in what these depend on, however many others there are.
  @discardableResult
  public func register<Module: LifecycleModule & Sendable>(
    _ instance: Module, ifPassed: PassedEventPolicy = .fail
  ) throws -> ModuleReceipt {
    let registration = Module.registration
    let tasks = registration.methods
    let now = self.now
    return try receive(at: now) { machine, now in
      let (isKnown, lacksInstance) = modules.withLock {
        ($0.registration(of: registration.type) != nil, $0.lacksInstance(registration.type))
      }
      guard lacksInstance else { return ModuleReceipt(isNew: false, tasks: []) }
      // A module that is new here has no methods yet, and need not be looked for among all tasks.
      let missed = isKnown ? machine.missed(by: registration.type) : []
      let isAdopted = try modules.withLock { modules -> Bool in
        // Somebody may have begun to make one since.
        guard modules.lacksInstance(registration.type) else { return false }
        if ifPassed == .fail, let (method, event) = missed.first {
          throw TaskError.eventHasPassed(event, task: machine.tasks[Int(method)].registration.name)
        }
        return modules.adopt(instance, as: registration)
      }
      guard isAdopted else { return ModuleReceipt(isNew: false, tasks: []) }
      guard !isKnown else {
        useBodies(in: &machine)
        machine.runPassed(missed.map(\.method), now: now)
        let receipts = missed.map { method, _ in
          InjectionReceipt(
            name: machine.tasks[Int(method)].registration.name, startsWithNextOccurrence: false, eventHasPassed: true,
            unmatchedAfter: [])
        }
        return ModuleReceipt(isNew: true, tasks: receipts)
      }
      do {
        let (concerned, first) = modules.withLock { $0.surroundings(ofLast: 1) }
        let found = TaskProof.problems(among: concerned, from: first)
        let receipts = try inject(
          tasks, modules: tasks.map(\.module), replacing: nil, ifPassed: ifPassed, found, into: &machine, now: now)
        // Those who depend on it may need other bodies too.
        useBodies(in: &machine)
        return ModuleReceipt(isNew: true, tasks: receipts)
      } catch {
        discard(modules.withLock { $0.remove(registration.type) }, in: &machine)
        throw error
      }
    }
  }

  /// Lets go of what a module leaves behind, and of those who wait for it, once the lock is released.
  func discard(_ removed: ModuleTable.Removed, in machine: inout CenterMachine) {
    machine.discard(removed.instance)
    for waiter in removed.waiters { machine.effects.append(.giveUp(waiter)) }
  }

  /// Takes a module out of the center, with its instance and all of its tasks.
  ///
  /// Effective when the call returns, also from inside one of its own methods: nothing more of it starts, what runs is
  /// cancelled, and an event that is going goes on with the others (Et4).
  ///
  /// - Parameters:
  ///   - type: the annotated type.
  ///   - dependents: what becomes of modules that depend on it, and of tasks that depend on its methods.
  /// - Returns: whether it was there.
  /// - Throws: ``TaskError`` listing what depends on it, unless `dependents` says what becomes of that.
  @discardableResult
  public func unregister<Module: LifecycleModule>(
    _ type: Module.Type, dependents: DependentsPolicy = .refuse
  ) throws -> Bool {
    let now = self.now
    let key = Module.registration.type
    return try receive(at: now) { machine, now in
      let types = try modules.withLock { modules -> [ObjectIdentifier] in
        guard let registration = modules.registration(of: key) else { return [] }
        var types = [key]
        var more = modules.dependents(of: [key])
        switch dependents {
        case .detach: break
        case .refuse:
          guard more.isEmpty else { throw TaskError.moduleHasDependents(registration.name, more.map(\.name)) }
        case .include:
          while !more.isEmpty {
            types += more.map(\.type)
            more = modules.dependents(of: Set(types))
          }
        }
        return types
      }
      try machine.destroyMethods(of: types, dependents: dependents, now: now)
      for type in types { discard(modules.withLock { $0.remove(type) }, in: &machine) }
      useBodies(in: &machine)
      return !types.isEmpty
    }
  }

  // MARK: - All methods of a module

  /// Keeps the methods of a module from starting. See ``pause(_:missed:)-(TaskName,_)``.
  ///
  /// - Throws: ``TaskError`` if there is no such module.
  public func pause<Module: LifecycleModule>(_ type: Module.Type, missed: MissedOccasions = .skip) throws {
    let now = self.now
    try receive(at: now) { machine, now in
      for method in try methods(of: Module.registration, in: machine) {
        machine.pause(method, missed: missed, now: now)
      }
    }
  }

  /// Lets the methods of a module start again. See ``resume(_:)-(TaskName)``.
  ///
  /// - Throws: ``TaskError`` if there is no such module.
  public func resume<Module: LifecycleModule>(_ type: Module.Type) throws {
    let instants = instants
    try receive { machine in
      for method in try methods(of: Module.registration, in: machine) { machine.resume(method, at: instants) }
    }
  }

  private func methods(of module: ModuleRegistration, in machine: borrowing CenterMachine) throws -> [Int32] {
    guard modules.withLock({ $0.registration(of: module.type) }) != nil else {
      throw TaskError.unknownModule(module.name)
    }
    return machine.methods(of: module.type)
  }

  /// How the methods of a module did over the life of this center (Et10).
  ///
  /// - Throws: ``TaskError`` if there is no such module.
  public func statistics<Module: LifecycleModule>(of type: Module.Type) throws -> ModuleStatistics {
    try receive { machine in
      ModuleStatistics(
        methods: try methods(of: Module.registration, in: machine).map { method in
          let task = Int(method)
          return ModuleStatistics.Method(
            name: machine.tasks[task].registration.name,
            statistics: task < machine.statistics.count ? machine.statistics[task] : TaskStatistics())
        })
    }
  }
}
