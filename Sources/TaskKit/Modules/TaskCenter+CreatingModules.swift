import Synchronization

extension TaskCenter {
  /// The instance of a module, made if there is none: once at a time, by the first that needs it, where the initialiser's
  /// isolation says. The others wait for that attempt and share its end; a body lends its slot meanwhile.
  ///
  /// - Returns: nil where nobody has registered one that could be made, and where the module has gone.
  /// - Throws: what the initialiser throws; ``TaskError`` where the attempt that is going waits, through whatever others, for
  ///   whoever asks.
  @concurrent
  func createdModule(_ type: ObjectIdentifier) async throws -> ModuleInstance? {
    let asker = WorkerBox.caller(in: self)
    while true {
      let made: Made
      switch claim(type, by: asker) {
      case .found(let instance): return instance
      case .missing: return nil
      case .circle(let chain): throw TaskError.createsItself(moduleName(type), chain: chain)
      // There it happens in one step, so that nobody on the main actor ever meets it half done.
      case .makeOnMain: made = try await MainActorWork.run { try self.makeOnMain(type) }
      case .make(let registration, let attempt):
        defer {
          if let asker { receive { $0.endAwaiting(registration.waited(for: attempt), by: asker.frame) } }
        }
        made = try await make(registration, attempt)
      case .wait(let registration, let attempt):
        let failure = await waiting(for: registration.waited(for: attempt), by: asker) {
          await withCheckedContinuation { waiter in
            let isOver = modules.withLock { !$0.await(type, attempt, waiter) }
            if isOver { waiter.resume(returning: nil) }
          }
        }
        // That the one who made it was cancelled says nothing about those who waited.
        if let failure, !(failure is CancellationError) { throw failure }
        try _Concurrency.Task.checkCancellation()
        continue
      }
      switch made {
      case .made(let instance): return instance
      case .missing: return nil
      case .left: continue
      // Then it has a second try; or the other one has left, and it has to do without.
      case .hasToBeAwaited(let other, _): _ = try await createdModule(other)
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
  func moduleOnMain(_ type: ObjectIdentifier) throws -> ModuleInstance? {
    switch try makeOnMain(type) {
    case .made(let instance): return instance
    case .missing, .left: return nil
    case .hasToBeAwaited(let other, let isFurtherUp):
      // No circle: whatever is begun in that initialiser can wait, and is told of one where it does.
      throw isFurtherUp ? TaskError.beingMade(moduleName(other)) : TaskError.joinedLate(moduleName(type))
    }
  }

  /// - Parameter dependents: the modules that are made for it now, in the same step.
  @MainActor
  private func makeOnMain(_ type: ObjectIdentifier, for dependents: [ObjectIdentifier] = []) throws -> Made {
    let asker = WorkerBox.blockingCaller(in: self)
    switch claimInOneStep(type, by: asker?.frame) {
    case .found(let instance): return .made(instance)
    case .missing: return .missing
    case .make(let registration, let attempt):
      defer {
        if let asker { receive { $0.endAwaiting(registration.waited(for: attempt), by: asker.frame) } }
      }
      let made = try end(
        registration, attempt, Result { try makeInOneStep(registration, attempt, for: dependents + [type]) })
      if case .left = made { return try makeOnMain(type, for: dependents) }
      return made
    case .circle where dependents.contains(type): throw TaskError.createsItself(moduleName(type))
    case .circle: return .hasToBeAwaited(type, isFurtherUp: true)
    case .wait, .makeOnMain: return .hasToBeAwaited(type)
    }
  }

  /// Calls the initialiser, and those of what is missing for it before.
  @MainActor
  private func makeInOneStep(
    _ registration: ModuleRegistration, _ attempt: UInt64, for dependents: [ObjectIdentifier]
  ) throws -> Made {
    guard case .main(let make) = registration.maker else { return .hasToBeAwaited(registration.type) }
    return try WorkerBox(makingInOneStep: attempt, in: self).onThread { () throws -> Made in
      var instances: [ObjectIdentifier: ModuleInstance] = [:]
      for dependency in registration.dependencies {
        let made = try makeOnMain(dependency.type, for: dependents)
        switch made {
        case .made(let instance): instances[dependency.type] = instance
        case .missing, .left: break
        case .hasToBeAwaited: return made
        }
      }
      guard try mayBegin(registration, attempt) else { return .left }
      // What the initialiser begins can wait for it.
      useBodies()
      let dependencies = ModuleDependencies(module: registration.name, instances: instances)
      return .made(try WorkerBox.apart(from: WorkerBox.current) { try make(dependencies) })
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

  private func make(_ registration: ModuleRegistration, _ attempt: UInt64) async throws -> Made {
    let result: Result<Made, any Error>
    let box = WorkerBox(making: attempt, in: self)
    do {
      result = .success(
        try await WorkerBox.$current.withValue(box) {
          var instances: [ObjectIdentifier: ModuleInstance] = [:]
          for dependency in registration.dependencies {
            instances[dependency.type] = try await createdModule(dependency.type)
          }
          guard try mayBegin(registration, attempt) else { return .left }
          let dependencies = ModuleDependencies(module: registration.name, instances: instances)
          switch registration.maker {
          case .main(let make):
            return try await MainActorWork.run {
              // It may have gone before its turn came.
              guard try self.mayBegin(registration, attempt) else { return .left }
              // By its thread: the task there is another one than that which waits for it.
              return .made(try box.onThread { () throws -> ModuleInstance in try make(dependencies) })
            }
          case .elsewhere(let make): return .made(try await make(dependencies))
          case nil: return .missing
          }
        })
    } catch {
      result = .failure(error)
    }
    return try end(registration, attempt, result)
  }

  /// Nothing of a module that has gone begins any more, nor of any when the center has shut down: nobody would end it.
  ///
  /// - Returns: whether the module is there.
  private func mayBegin(_ registration: ModuleRegistration, _ attempt: UInt64) throws -> Bool {
    guard modules.withLock({ $0.isGoing(registration.type, attempt) }) else { return false }
    if inspect({ $0.isClosed }) { throw TaskError.hasShutDown(module: registration.name) }
    return true
  }

  /// Writes down what an attempt came to, and tells those who waited for it.
  private func end(
    _ registration: ModuleRegistration, _ attempt: UInt64, _ result: Result<Made, any Error>
  ) throws -> Made {
    var instance: ModuleInstance?
    var failure: (any Error)?
    switch result {
    case .success(.made(let made)): instance = made
    // Those who waited look again.
    case .success: break
    // That stands for a body that is not to run, and nowhere else.
    case .failure(is TaskDisabled): failure = TaskError.disabledItself(module: registration.name)
    case .failure(let error): failure = error
    }
    let waiters = modules.withLock { $0.end(registration.type, attempt: attempt, instance) }
    // Also without one: what depends on it waits for nobody any more.
    useBodies()
    guard let waiters else { return .left }
    for waiter in waiters { waiter.resume(returning: failure) }
    if let failure { throw failure }
    return try result.get()
  }

  /// Gives tasks other bodies after an attempt to make an instance has begun or ended.
  private func useBodies() { receive { useBodies(in: &$0) } }

  /// The same after any change of the modules.
  func useBodies(in machine: inout CenterMachine) {
    modules.withLock { modules in machine.useBodies(of: modules.takeChanged(), in: modules) }
  }

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
      if let made = try MainActor.assumeIsolated({ try frame.moduleOnMain(key) }) as? Module { return made }
    }
    throw TaskError.noInstance("\(type)")
  }
}

extension TaskFrame {
  /// Sees to the instance of the module whose task the body is, which counts as disabled where there is none.
  @discardableResult
  func createdModule(_ type: ObjectIdentifier) async throws -> ModuleInstance {
    guard let instance = try await center.createdModule(type) else { throw TaskDisabled() }
    return instance
  }

  /// The same in a body on the main actor.
  @MainActor
  func moduleOnMain(_ type: ObjectIdentifier) throws -> ModuleInstance {
    guard let instance = try center.moduleOnMain(type) else { throw TaskDisabled() }
    return instance
  }
}

extension ModuleRegistration {
  /// What somebody waits for who needs the instance that an attempt makes.
  fileprivate func waited(for attempt: UInt64) -> Waited { .module(attempt: attempt, name: name) }
}

/// What an attempt to make the instance of a module came to where its initialiser has not thrown.
private enum Made: Sendable {
  case made(ModuleInstance)
  /// Nobody has registered one that could be made.
  case missing
  /// The module was unregistered meanwhile. Another one may have been registered in its place.
  case left
  /// What turns out on the main actor, where it was to be made in one step: somebody is at that one, which it needs or is
  /// itself; or that one has joined meanwhile and is made elsewhere.
  ///
  /// - Parameter isFurtherUp: whether its initialiser is at work further up on this thread.
  case hasToBeAwaited(ObjectIdentifier, isFurtherUp: Bool = false)
}
