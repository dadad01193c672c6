import Synchronization

extension TaskCenter {
  /// The instance of a module, made if there is none: once at a time, by the first that needs it, where the initialiser's
  /// isolation says. The others wait for that attempt and share its end; a body lends its slot meanwhile.
  ///
  /// - Throws: ``TaskError`` where the attempt that is going waits, through whatever others, for whoever asks.
  @concurrent
  @discardableResult
  func createdModule(_ type: ObjectIdentifier) async throws -> ModuleInstance {
    let asker = WorkerBox.caller(in: self)
    while true {
      switch claim(type, by: asker) {
      case .found(let instance): return instance
      // Nobody has registered one, or the module has gone: its methods count as disabled.
      case .missing: throw TaskDisabled()
      case .circle(let chain): throw TaskError.createsItself(moduleName(type), chain: chain)
      // There it happens in one step, so that nobody on the main actor ever meets it half done.
      case .makeOnMain:
        do {
          return try await MainActorWork.run { try self.makeOnMain(type) }
        } catch let late as HasToBeAwaited {
          // Then it has a second try; or the other one has left, and it has to do without.
          do { try await createdModule(late.type) } catch is TaskDisabled {}
        }
      case .make(let registration, let attempt):
        defer {
          if let asker { receive { $0.endAwaiting(registration.waited(for: attempt), by: asker.frame) } }
        }
        // It has gone, and another one may have been registered in its place.
        do { return try await make(registration, attempt) } catch is ModuleHasLeft { continue }
      case .wait(let registration, let attempt):
        let failure = await waiting(for: registration.waited(for: attempt), by: asker) {
          await withCheckedContinuation { waiter in
            let isOver = modules.withLock { !$0.await(type, attempt, waiter) }
            if isOver { waiter.resume(returning: nil) }
          }
        }
        // That the one who made it was cancelled, or could not wait, says nothing about those who waited.
        if let failure, !(failure is CancellationError), !(failure is HasToBeAwaited) { throw failure }
        try _Concurrency.Task.checkCancellation()
      }
    }
  }

  /// Asks the table, and notes who waits from now on: in one step, so that of two who ask for each other at the same time
  /// one is told.
  private func claim(_ type: ObjectIdentifier, by asker: Caller?) -> ModuleTable.Claim {
    if let instance = modules.withLock({ $0.instance(of: type) }) { return .found(instance) }
    guard let asker else { return modules.withLock { $0.claim(type) } }
    let now = self.now
    return receive(at: now) { machine, now in
      let claim = modules.withLock { $0.claim(type) }
      switch claim {
      case .make(let registration, let attempt):
        // It goes on working, in the initialiser.
        machine.note(registration.waited(for: attempt), awaitedBy: asker.frame)
      case .wait(let registration, let attempt):
        let chain = machine.beginWait(for: registration.waited(for: attempt), by: asker, now: now)
        if let chain { return .circle(chain) }
      default: break
      }
      return claim
    }
  }

  /// The same for a body on the main actor, which cannot wait: for modules that are made there, with all that they depend on.
  @MainActor
  @discardableResult
  func moduleOnMain(_ type: ObjectIdentifier) throws -> ModuleInstance {
    do { return try makeOnMain(type) } catch let late as HasToBeAwaited {
      // No circle: whatever is begun in that initialiser can wait, and is told of one where it does.
      throw late.isFurtherUp ? TaskError.beingMade(moduleName(late.type)) : TaskError.joinedLate(moduleName(type))
    }
  }

  /// - Parameter dependents: the modules that are made for it now, in the same step.
  /// - Throws: ``HasToBeAwaited`` where that turns out for the module, or for one that it depends on.
  @MainActor
  private func makeOnMain(_ type: ObjectIdentifier, for dependents: [ObjectIdentifier] = []) throws -> ModuleInstance {
    let asker = WorkerBox.blockingCaller(in: self)
    switch claimInOneStep(type, by: asker?.frame) {
    case .found(let instance): return instance
    case .missing: throw TaskDisabled()
    case .make(let registration, let attempt):
      defer {
        if let asker { receive { $0.endAwaiting(registration.waited(for: attempt), by: asker.frame) } }
      }
      return try endInOneStep(registration, attempt, for: dependents) {
        guard case .main(let make) = registration.maker else { throw HasToBeAwaited(type: type) }
        let box = WorkerBox(makingInOneStep: attempt, in: self)
        return try box.onThread { () throws -> ModuleInstance in
          var instances: [ObjectIdentifier: ModuleInstance] = [:]
          for dependency in registration.dependencies where isRegistered(dependency.type) {
            instances[dependency.type] = try optional { try makeOnMain(dependency.type, for: dependents + [type]) }
          }
          try check(registration, attempt)
          // What the initialiser begins can wait for it.
          useBodies()
          let dependencies = ModuleDependencies(module: registration.name, instances: instances)
          return try WorkerBox.apart(from: WorkerBox.current) { try make(dependencies) }
        }
      }
    case .circle where dependents.contains(type): throw TaskError.createsItself(moduleName(type))
    case .circle: throw HasToBeAwaited(type: type, isFurtherUp: true)
    case .wait, .makeOnMain: throw HasToBeAwaited(type: type)
    }
  }

  /// Asks the table, and notes who blocks from now on.
  private func claimInOneStep(_ type: ObjectIdentifier, by asker: FrameIdentity?) -> ModuleTable.Claim {
    if let instance = modules.withLock({ $0.instance(of: type) }) { return .found(instance) }
    guard let asker else { return modules.withLock { $0.claimInOneStep(type) } }
    return receive { machine in
      let claim = modules.withLock { $0.claimInOneStep(type) }
      if case .make(let registration, let attempt) = claim {
        machine.note(registration.waited(for: attempt), awaitedBy: asker)
      }
      return claim
    }
  }

  private func make(_ registration: ModuleRegistration, _ attempt: UInt64) async throws -> ModuleInstance {
    let result: Result<ModuleInstance, any Error>
    do {
      result = .success(
        try await WorkerBox.$current.withValue(WorkerBox(making: attempt, in: self)) {
          var instances: [ObjectIdentifier: ModuleInstance] = [:]
          for dependency in registration.dependencies where isRegistered(dependency.type) {
            do { instances[dependency.type] = try await createdModule(dependency.type) } catch is TaskDisabled {}
          }
          try check(registration, attempt)
          let dependencies = ModuleDependencies(module: registration.name, instances: instances)
          switch registration.maker {
          case .main(let make):
            return try await MainActorWork.run {
              // It may have gone before its turn came.
              try self.check(registration, attempt)
              return try make(dependencies)
            }
          case .elsewhere(let make): return try await make(dependencies)
          case nil: throw TaskDisabled()
          }
        })
    } catch {
      result = .failure(error)
    }
    return try end(registration, attempt) { try result.get() }
  }

  /// Nothing of a module that has gone begins any more, nor of any when the center has shut down: nobody would end it.
  private func check(_ registration: ModuleRegistration, _ attempt: UInt64) throws {
    guard modules.withLock({ $0.isGoing(registration.type, attempt) }) else { throw ModuleHasLeft() }
    if inspect({ $0.isClosed }) { throw TaskError.hasShutDown(module: registration.name) }
  }

  /// The same as ``end(_:_:_:)``. Where the module has gone, another one may have been registered in its place.
  @MainActor
  private func endInOneStep(
    _ registration: ModuleRegistration, _ attempt: UInt64, for dependents: [ObjectIdentifier],
    _ make: () throws -> ModuleInstance
  ) throws -> ModuleInstance {
    do { return try end(registration, attempt, make) } catch is ModuleHasLeft {
      return try makeOnMain(registration.type, for: dependents)
    }
  }

  /// Writes down what an attempt came to, and tells those who waited for it.
  ///
  /// - Throws: ``ModuleHasLeft`` where that has come to nothing; else what it came to.
  private func end(
    _ registration: ModuleRegistration, _ attempt: UInt64, _ make: () throws -> ModuleInstance
  ) throws -> ModuleInstance {
    let result = Result { try make() }
    let (instance, failure): (ModuleInstance?, (any Error)?) =
      switch result {
      case .success(let instance): (instance, nil)
      case .failure(let error): (nil, error)
      }
    let waiters = modules.withLock { $0.end(registration.type, attempt: attempt, instance) }
    // Also without one: what depends on it waits for nobody any more.
    useBodies()
    guard let waiters else { throw ModuleHasLeft() }
    for waiter in waiters { waiter.resume(returning: failure) }
    return try result.get()
  }

  /// Nil for a module that somebody has yet to register.
  private func optional(_ make: () throws -> ModuleInstance) throws -> ModuleInstance? {
    do { return try make() } catch is TaskDisabled { return nil }
  }

  /// Gives tasks other bodies after an attempt to make an instance has begun or ended.
  func useBodies() {
    receive { machine in
      modules.withLock { modules in
        machine.useBodies(of: modules.takeChanged(), in: modules)
      }
    }
  }

  private func isRegistered(_ type: ObjectIdentifier) -> Bool { modules.withLock { $0.registration(of: type) } != nil }

  private func moduleName(_ type: ObjectIdentifier) -> String {
    modules.withLock { $0.registration(of: type)?.name } ?? ""
  }
}

extension TaskContext {
  /// For the macros' output only: the instance whose method the task is.
  public func __module<Module: LifecycleModule>(_ type: Module.Type) throws -> Module {
    let center = frame.center
    let key = ObjectIdentifier(type)
    if let found = center.modules.withLock({ $0.instance(of: key) }) as? Module { return found }
    // A body of the main actor that sees to the instance itself.
    if MainThread.isCurrent {
      let made = try MainActor.assumeIsolated { try center.moduleOnMain(key) }
      if let made = made as? Module { return made }
    }
    throw TaskError.noInstance("\(type)")
  }
}

extension ModuleRegistration {
  /// What somebody waits for who needs the instance that an attempt makes.
  fileprivate func waited(for attempt: UInt64) -> Waited { .module(attempt: attempt, name: name) }
}

/// A module was unregistered while its instance was made.
private struct ModuleHasLeft: Error {}

/// What turns out on the main actor, where an instance was to be made in one step: somebody is at it, or at one that it
/// needs, or that one has joined meanwhile and is made elsewhere.
private struct HasToBeAwaited: Error {
  let type: ObjectIdentifier
  /// Its initialiser is at work further up on this thread.
  var isFurtherUp = false
}
