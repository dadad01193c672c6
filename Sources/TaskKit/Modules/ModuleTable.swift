/// The modules of a center, and how far each instance is.
///
/// A pure state machine, like the center's own: no user code, no await, no lock.
struct ModuleTable: Sendable {
  /// Who waits for an instance that is being made.
  typealias Waiter = CheckedContinuation<(any Error)?, Never>

  enum State: Sendable {
    case absent
    /// Being made, by the attempt of that number: in one step on the main actor, or by somebody who may be waited for.
    case creating(attempt: UInt64, inOneStep: Bool, waiters: [Waiter])
    case created(ModuleInstance)
  }

  /// Which bodies the tasks of a module have.
  enum Bodies: Sendable {
    /// All of them see to the instance first, and may wait for it.
    case creating
    /// Those of the main actor find or make it themselves: everything that is missing is made there, synchronously.
    case creatingOnMain
    /// There is an instance.
    case direct
  }

  private struct Entry: Sendable {
    let registration: ModuleRegistration
    var state = State.absent
    /// What the tasks were given last.
    var bodies = Bodies.creating
  }

  /// In the order of declaration, registered ones behind.
  private var entries: [Entry] = []
  private var places: [ObjectIdentifier: Int] = [:]
  /// Those that have a name: several, where two modules that were declared have the same.
  private var typesOfName: [String: [ObjectIdentifier]] = [:]
  /// By type, which may not be there: the modules that depend on it.
  private var dependentsOfType: [ObjectIdentifier: Set<ObjectIdentifier>] = [:]
  /// What has come, gone or changed since somebody asked last what bodies the tasks need.
  private var touched: Set<ObjectIdentifier> = []
  private var lastAttempt: UInt64 = 0

  var types: Set<ObjectIdentifier> { Set(places.keys) }

  private func index(of type: ObjectIdentifier) -> Int? { places[type] }

  // MARK: - Looking

  var registrations: [ModuleRegistration] { entries.map(\.registration) }

  func registration(of type: ObjectIdentifier) -> ModuleRegistration? {
    index(of: type).map { entries[$0].registration }
  }

  /// The instances that there are, with the types of their annotations.
  var instances: [(type: ObjectIdentifier, instance: ModuleInstance)] {
    entries.compactMap { entry in
      if case .created(let instance) = entry.state { (entry.registration.type, instance) } else { nil }
    }
  }

  func instance(of type: ObjectIdentifier) -> ModuleInstance? {
    guard let index = index(of: type), case .created(let instance) = entries[index].state else { return nil }
    return instance
  }

  /// The modules that depend on one of some.
  func dependents(of types: Set<ObjectIdentifier>) -> [ModuleRegistration] {
    registrations.filter { module in
      !types.contains(module.type) && module.dependencies.contains { types.contains($0.type) }
    }
  }

  /// What the last modules have to be looked at with, so that everything is found that is wrong because of them: the others of
  /// their names, and, where somebody depends on them and they may close a circle, all that they depend on.
  ///
  /// - Returns: in the order of declaration, and where the last ones begin.
  func surroundings(ofLast count: Int) -> (modules: [ModuleRegistration], first: Int) {
    let last = entries.indices.suffix(count)
    var found = Set(last)
    var open: [Int] = []
    for index in last {
      let module = entries[index].registration
      found.formUnion(typesOfName[module.name, default: []].compactMap { places[$0] })
      if dependentsOfType[module.type] != nil { open.append(index) }
    }
    var seen: Set<Int> = []
    while let next = open.popLast() {
      guard seen.insert(next).inserted else { continue }
      open += entries[next].registration.dependencies.compactMap { places[$0.type] }
    }
    found.formUnion(seen)
    return (found.sorted().map { entries[$0].registration }, found.count - count)
  }

  // MARK: - Changing

  /// - Returns: false if it is there.
  mutating func add(_ module: ModuleRegistration) -> Bool {
    guard index(of: module.type) == nil else { return false }
    places[module.type] = entries.count
    entries.append(Entry(registration: module))
    typesOfName[module.name, default: []].append(module.type)
    for dependency in module.dependencies { dependentsOfType[dependency.type, default: []].insert(module.type) }
    touched.insert(module.type)
    return true
  }

  /// Whether there is no instance, and none is being made.
  func lacksInstance(_ type: ObjectIdentifier) -> Bool {
    guard let index = index(of: type) else { return true }
    if case .absent = entries[index].state { return true }
    return false
  }

  /// Takes an instance that somebody made.
  ///
  /// - Returns: false if there is one, or one is being made.
  mutating func adopt(_ instance: ModuleInstance, as module: ModuleRegistration) -> Bool {
    _ = add(module)
    guard lacksInstance(module.type), let index = index(of: module.type) else { return false }
    entries[index].state = .created(instance)
    touched.insert(module.type)
    return true
  }

  /// - Returns: what was there, to be let go of outside the lock, and who waits for it, to be told.
  mutating func remove(_ type: ObjectIdentifier) -> Removed {
    guard let index = index(of: type) else { return Removed() }
    let removed = entries.remove(at: index)
    places[type] = nil
    touched.insert(type)
    forgetReferences(of: removed.registration)
    for later in index..<entries.count { places[entries[later].registration.type] = later }
    switch removed.state {
    case .absent: return Removed()
    case .creating(_, _, let waiters): return Removed(waiters: waiters)
    case .created(let instance): return Removed(instance: instance)
    }
  }

  private mutating func forgetReferences(of module: ModuleRegistration) {
    typesOfName[module.name]?.removeAll { $0 == module.type }
    if typesOfName[module.name]?.isEmpty == true { typesOfName[module.name] = nil }
    for dependency in module.dependencies {
      dependentsOfType[dependency.type]?.remove(module.type)
      if dependentsOfType[dependency.type]?.isEmpty == true { dependentsOfType[dependency.type] = nil }
    }
  }

  struct Removed: Sendable {
    var instance: ModuleInstance?
    var waiters: [Waiter] = []
  }

  // MARK: - Creating

  enum Claim: Sendable {
    case found(ModuleInstance)
    /// It is for the caller to make it.
    case make(ModuleRegistration, attempt: UInt64)
    /// It is made on the main actor, in one step.
    case makeOnMain
    case wait(ModuleRegistration, attempt: UInt64)
    /// It would wait for its own initialiser, on that way where it is known.
    case circle(String?)
    /// Not registered, or made by nobody.
    case missing
  }

  /// Asks for an instance, to be waited for if need be.
  mutating func claim(_ type: ObjectIdentifier) -> Claim {
    guard let index = index(of: type) else { return .missing }
    if case .creating(let attempt, _, _) = entries[index].state {
      return .wait(entries[index].registration, attempt: attempt)
    }
    if case .absent = entries[index].state, isMadeOnMain(type) { return .makeOnMain }
    return claim(index, inOneStep: false)
  }

  /// The same on the main actor, for a module that is made there in one step.
  mutating func claimInOneStep(_ type: ObjectIdentifier) -> Claim {
    guard let index = index(of: type) else { return .missing }
    guard case .creating(let attempt, let isInOneStep, _) = entries[index].state else {
      return claim(index, inOneStep: true)
    }
    // The only one who can be at it is this thread itself, further up.
    return isInOneStep ? .circle(nil) : .wait(entries[index].registration, attempt: attempt)
  }

  private mutating func claim(_ index: Int, inOneStep: Bool) -> Claim {
    let registration = entries[index].registration
    if case .created(let instance) = entries[index].state { return .found(instance) }
    guard registration.maker != nil else { return .missing }
    lastAttempt += 1
    entries[index].state = .creating(attempt: lastAttempt, inOneStep: inOneStep, waiters: [])
    touched.insert(registration.type)
    return .make(registration, attempt: lastAttempt)
  }

  /// Waits for an attempt.
  ///
  /// - Returns: false if it is over.
  mutating func await(_ type: ObjectIdentifier, _ attempt: UInt64, _ waiter: Waiter) -> Bool {
    guard let index = index(of: type), case .creating(attempt, let isInOneStep, var waiters) = entries[index].state
    else { return false }
    // Out of its place first: in there it would be copied for each who comes.
    entries[index].state = .absent
    waiters.append(waiter)
    entries[index].state = .creating(attempt: attempt, inOneStep: isInOneStep, waiters: waiters)
    return true
  }

  /// Whether an attempt is not over, and its module has not gone.
  func isGoing(_ type: ObjectIdentifier, _ attempt: UInt64) -> Bool {
    guard let index = index(of: type), case .creating(attempt, _, _) = entries[index].state else { return false }
    return true
  }

  /// The attempt is over, with an instance or without.
  ///
  /// - Returns: who waited for it; nil if the module has gone meanwhile, with which the instance goes.
  mutating func end(_ type: ObjectIdentifier, attempt: UInt64, _ instance: ModuleInstance?) -> [Waiter]? {
    guard let index = index(of: type), case .creating(attempt, _, let waiters) = entries[index].state
    else { return nil }
    entries[index].state = instance.map { .created($0) } ?? .absent
    touched.insert(type)
    return waiters
  }

  // MARK: - Bodies

  /// A module all of whose missing instances are made synchronously on the main actor, or are just being made so: nobody ever
  /// waits there.
  private func isMadeOnMain(_ type: ObjectIdentifier) -> Bool {
    var seen: Set<ObjectIdentifier> = []
    var open = [type]
    while let next = open.popLast() {
      guard seen.insert(next).inserted, let index = index(of: next) else { continue }
      if case .created = entries[index].state { continue }
      // Somebody is at it who may be waited for.
      if case .creating(attempt: _, inOneStep: false, waiters: _) = entries[index].state { return false }
      // An instance that somebody will register is not made: the body finds out.
      if let maker = entries[index].registration.maker, !maker.isMain { return false }
      open += entries[index].registration.dependencies.map(\.type)
    }
    return true
  }

  /// Whether the methods of a module have to be able to wait because of itself: somebody is at its instance, or that is made
  /// elsewhere than on the main actor. An initialiser that is at work there is waited for as well: what it begins may need its
  /// instance.
  private func isAwaited(_ entry: Entry) -> Bool {
    switch entry.state {
    case .created: false
    case .creating: true
    case .absent: entry.registration.maker?.isMain == false
    }
  }

  /// What was touched, and whatever has no instance and depends on that, directly or through others: of no other module have
  /// the methods to be able to wait where they had not, or the other way round.
  private mutating func takeConcerned() -> Set<ObjectIdentifier> {
    var concerned = touched
    var open = Array(touched)
    touched = []
    while let next = open.popLast() {
      for dependent in dependentsOfType[next, default: []] where instance(of: dependent) == nil {
        if concerned.insert(dependent).inserted { open.append(dependent) }
      }
    }
    return concerned
  }

  /// Those whose methods have to be able to wait, among all that may be concerned by a change: because of themselves, or of what
  /// is missing for them.
  private func awaited(among concerned: Set<ObjectIdentifier>) -> Set<ObjectIdentifier> {
    var awaited = concerned.filter { type in
      guard let index = index(of: type), instance(of: type) == nil else { return false }
      return isAwaited(entries[index])
        || entries[index].registration.dependencies.contains { dependency in
          guard !concerned.contains(dependency.type), let other = self.index(of: dependency.type) else { return false }
          return entries[other].bodies == .creating
        }
    }
    var open = Array(awaited)
    while let next = open.popLast() {
      for dependent in dependentsOfType[next, default: []] where instance(of: dependent) == nil {
        if awaited.insert(dependent).inserted { open.append(dependent) }
      }
    }
    return awaited
  }

  /// The modules whose tasks need other bodies than they were given last.
  ///
  /// - Complexity: linear in what has changed since the last call, what depends on that, and what all of these depend on.
  mutating func takeChanged() -> Set<ObjectIdentifier> {
    let concerned = takeConcerned()
    let awaited = awaited(among: concerned)
    var changed: Set<ObjectIdentifier> = []
    for type in concerned {
      guard let index = index(of: type) else { continue }
      let bodies: Bodies =
        if case .created = entries[index].state { .direct } else {
          awaited.contains(type) ? .creating : .creatingOnMain
        }
      guard bodies != entries[index].bodies else { continue }
      entries[index].bodies = bodies
      changed.insert(type)
    }
    return changed
  }

  /// A task with the bodies that it needs as things were when somebody asked last what has changed; tasks of no module stay
  /// as they are.
  func usable(_ task: TaskRegistration) -> TaskRegistration {
    guard let owner = task.owner, !task.isRefused, let index = index(of: owner.type) else { return task }
    // Its own name is that of its method's declaration; the bodies that stand there are the method itself.
    guard let declared = entries[index].registration.tasks.first(where: { $0.name == task.name }) else { return task }
    switch entries[index].bodies {
    case .direct: return task.running(declared.occasions)
    case .creatingOnMain: return task.running(declared.occasions.map { $0.creating(owner.type, onMain: true) })
    case .creating: return task.running(declared.occasions.map { $0.creating(owner.type, onMain: false) })
    }
  }
}

extension TaskOccasion {
  /// The same with a body that sees to the instance first.
  fileprivate func creating(_ type: ObjectIdentifier, onMain: Bool) -> TaskOccasion {
    TaskOccasion(event: event, body: body.creating(type, onMain: onMain))
  }
}

extension TaskBody {
  /// A body that sees to the instance of its module first.
  ///
  /// - Parameter onMain: whether the bodies of the main actor do so themselves.
  fileprivate func creating(_ type: ObjectIdentifier, onMain: Bool) -> TaskBody {
    switch self {
    // A method needs its instance, and so has a frame.
    case .plain, .plainAsync: self
    case .main where onMain: self
    case .main(let run):
      .framedAsync { frame in
        try await frame.createdModule(type)
        return try await MainActorWork.run {
          // By its thread, like any other synchronous body: the task there is another one than that which waits for it.
          guard let box = WorkerBox.current else { return try run(frame) }
          return try WorkerBox.apart(from: box) { try box.onThread { () throws -> any Sendable in try run(frame) } }
        }
      }
    case .framed(let run):
      .framedAsync { frame in
        try await frame.createdModule(type)
        // Its initialiser may take its time. What has been cancelled meanwhile never begins, as behind a hop to an actor.
        try _Concurrency.Task.checkCancellation()
        return try run(frame)
      }
    case .framedAsync(let run):
      .framedAsync { frame in
        try await frame.createdModule(type)
        return try await run(frame)
      }
    }
  }
}
