import TaskGraph

/// What happens to a task that a running event is not done with.
///
/// Injecting, pausing, resuming, destroying: each is decided and done in one step under the lock, so it is effective
/// when the call returns.
extension CenterMachine {
  // MARK: - Names

  /// Finds a task by its whole name, or by the part behind the module while only one has it.
  mutating func find(_ name: TaskName) throws -> Int32 {
    let (index, numbers) = nameTable()
    switch index.find(name.rawValue) {
    case .one(let position): return numbers[position]
    case .several(let positions):
      throw TaskError.ambiguousName(name, candidates: positions.map { tasks[Int(numbers[$0])].registration.name })
    case .none(let suggestion): throw TaskError.unknownTask(name, suggestion: suggestion)
    }
  }

  /// The task that an `after` names, if there is one. That a name means several tasks has been refused before.
  private mutating func number(named name: TaskName) -> Int32? {
    let (index, numbers) = nameTable()
    guard case .one(let position) = index.find(name.rawValue) else { return nil }
    return numbers[position]
  }

  private mutating func nameTable() -> (index: TaskNames, numbers: [Int32]) {
    if let names { return names }
    let numbers = tasks.indices.map(Int32.init).filter { !isGone($0) }
    let table = (
      index: TaskNames(numbers.map { (tasks[Int($0)].registration.name.rawValue, tasks[Int($0)].module) }),
      numbers: numbers
    )
    names = table
    return table
  }

  /// Whether a task has left the center: destroyed, or run once with nothing that depends on it.
  func isGone(_ task: Int32) -> Bool { !marks[Int(task)].isDisjoint(with: [.destroyed, .notATask]) }

  private mutating func forgetPlans(of task: Int32) {
    for occasion in tasks[Int(task)].registration.occasions {
      if let event = eventNumbers[occasion.event.name] { forgetPlan(ofEvent: event) }
    }
    names = nil
  }

  // MARK: - Injecting

  /// Adds tasks, all or none.
  ///
  /// - Parameter modules: the module of each.
  mutating func inject(
    _ definitions: [TaskRegistration], modules: [String], replacing: Bool, ifPassed: PassedEventPolicy, now: Int64
  ) throws -> [InjectionReceipt] {
    var kept: [Int32] = []
    var (definitions, modules) = (definitions, modules)
    var replaced: [(old: Int32, definition: Int)] = []
    for task in tasks.indices where !isGone(Int32(task)) {
      if replacing, let number = definitions.firstIndex(where: { $0.name == tasks[task].registration.name }) {
        replaced.append((Int32(task), number))
        // Who names the old one by its type or its short name means the new one from now on.
        modules[number] = tasks[task].module
        if let type = tasks[task].registration.type {
          definitions[number] = definitions[number].taking(name: definitions[number].name, type: type)
        }
      } else {
        kept.append(Int32(task))
      }
    }
    let together =
      kept.map { (attached($0), tasks[Int($0)].module) } + zip(definitions, modules).map { ($0, $1) }
    var problems =
      TaskProof.problems(in: together) + TaskProof.scheduleProblems(in: zip(definitions, modules).map { ($0, $1) })
    problems += laneConflicts(of: definitions).filter { !problems.contains($0) }
    for definition in definitions {
      for occasion in definition.occasions {
        guard let event = eventNumbers[occasion.event.name],
          events[event].description.identity != occasion.event.identity
        else { continue }
        problems.append(
          Problem(
            code: "taskKit.eventConflict", message: EventConflict.message(events[event].description, occasion.event),
            place: SourcePlace(definition.location)))
      }
    }
    guard problems.isEmpty else { throw TaskGraphError(problems) }
    for definition in definitions where ifPassed == .fail {
      for occasion in definition.occasions where hasPassed(occasion.event) {
        throw TaskError.eventHasPassed(occasion.event.name, task: definition.name)
      }
    }

    let first = Int32(tasks.count)
    for (definition, module) in zip(definitions, modules) {
      tasks.append(TaskRecord(registration: definition, module: module, dependencies: [], after: [], isInjected: true))
      marks.append([])
    }
    names = nil
    types = nil
    for (old, definition) in replaced { replace(old, with: first + Int32(definition), now: now) }
    for task in first..<Int32(tasks.count) {
      try link(task)
      enter(task)
      predecessors[task] = runningPredecessor(of: task)
    }
    resolveWaitingNames()
    if !observers.isEmpty {
      for definition in definitions { observe(.taskInjected(definition.name), now: now) }
    }
    if isLimited, !replaced.isEmpty { fillSlots(now: now) }
    return definitions.enumerated().map { offset, definition in receipt(for: first + Int32(offset), definition) }
  }

  /// What the registration of a task says, without what has been detached from it.
  private func attached(_ task: Int32) -> TaskRegistration {
    let registration = tasks[Int(task)].registration
    guard registration.dependencies.count != tasks[Int(task)].dependencies.count else { return registration }
    return registration.depending(on: registration.dependencies.filter { number(of: $0, for: task) != nil })
  }

  /// The task that a declared dependency stands for; nil if it was destroyed or left out, and this task goes on without.
  func number(of dependency: TaskDependency, for task: Int32) -> Int32? {
    tasks[Int(task)].dependencies.first { number in
      let other = tasks[Int(number)]
      return (dependency.type != nil && dependency.type == other.registration.type)
        || other.registration.name.isCalled(TaskName(dependency.text), module: other.module)
    }
  }

  /// A destroyed task of the same name whose body has not returned.
  private func runningPredecessor(of task: Int32) -> Int32? {
    let name = tasks[Int(task)].registration.name
    return tasks.indices.first { other in
      isGone(Int32(other)) && tasks[other].registration.name == name && isBodyRunning(Int32(other))
    }.map(Int32.init)
  }

  private func hasPassed(_ event: EventDescription) -> Bool {
    guard event.isOnce, let number = eventNumbers[event.name] else { return false }
    return events[number].hasHappened
  }

  private func receipt(for task: Int32, _ definition: TaskRegistration) -> InjectionReceipt {
    let running = definition.occasions.contains { occasion in
      eventNumbers[occasion.event.name].map { events[$0].active != nil } ?? false
    }
    return InjectionReceipt(
      name: definition.name, startsWithNextOccurrence: running,
      eventHasPassed: definition.occasions.contains { hasPassed($0.event) })
  }

  /// Turns what a task refers to into numbers.
  private mutating func link(_ task: Int32) throws {
    let registration = tasks[Int(task)].registration
    tasks[Int(task)].dependencies = try registration.dependencies.map { dependency in
      if let type = dependency.type, let number = number(ofType: type) { return number }
      return try find(TaskName(dependency.text))
    }
    for reference in registration.after {
      if let number = number(named: reference.name) {
        tasks[Int(task)].after.append(number)
      } else {
        tasks[Int(task)].unresolvedAfter.append(reference)
      }
    }
  }

  /// Names in `after:` that had nobody may have somebody now.
  private mutating func resolveWaitingNames() {
    for task in tasks.indices where !tasks[task].unresolvedAfter.isEmpty && !isGone(Int32(task)) {
      var unresolved: [TaskReference] = []
      for reference in tasks[task].unresolvedAfter {
        if let number = number(named: reference.name), number != Int32(task) {
          tasks[task].after.append(number)
          forgetPlans(of: Int32(task))
        } else {
          unresolved.append(reference)
        }
      }
      tasks[task].unresolvedAfter = unresolved
    }
  }

  mutating func number(ofType type: ObjectIdentifier) -> Int32? {
    if types == nil {
      var index: [ObjectIdentifier: Int32] = [:]
      for task in tasks.indices where !isGone(Int32(task)) {
        if let type = tasks[task].registration.type { index[type] = Int32(task) }
      }
      types = index
    }
    return types?[type]
  }

  /// Puts a task in the place of another: what depends on the old one depends on the new one.
  private mutating func replace(_ old: Int32, with new: Int32, now: Int64) {
    for task in tasks.indices {
      var isChanged = false
      for index in tasks[task].dependencies.indices where tasks[task].dependencies[index] == old {
        tasks[task].dependencies[index] = new
        isChanged = true
      }
      for index in tasks[task].after.indices where tasks[task].after[index] == old {
        tasks[task].after[index] = new
        isChanged = true
      }
      if isChanged { forgetPlans(of: Int32(task)) }
    }
    remove(old, now: now, endsWell: true)
  }

  // MARK: - Destroying

  /// Takes a task out of the center.
  mutating func destroy(_ task: Int32, dependents policy: DependentsPolicy, now: Int64) throws {
    let direct = dependents(of: [task])
    switch policy {
    case .refuse:
      guard direct.isEmpty else {
        throw TaskError.hasDependents(
          tasks[Int(task)].registration.name, direct.map { tasks[Int($0)].registration.name })
      }
      remove(task, now: now, endsWell: false)
    case .include:
      var all = [task]
      var more = direct
      while !more.isEmpty {
        all += more
        more = dependents(of: all).filter { !all.contains($0) }
      }
      for task in all { remove(task, now: now, endsWell: false) }
    case .detach:
      for dependent in direct {
        tasks[Int(dependent)].dependencies.removeAll { $0 == task }
        forgetPlans(of: dependent)
      }
      remove(task, now: now, endsWell: true)
    }
    // What ran once and stayed only for the sake of these has nothing left to stay for.
    for task in tasks.indices where marks[task].contains(.ranOnce) && !isGone(Int32(task)) {
      if dependents(of: [Int32(task)]).isEmpty { remove(Int32(task), now: now, endsWell: true) }
    }
    if isLimited { fillSlots(now: now) }
  }

  /// The tasks that require one of some.
  private func dependents(of required: [Int32]) -> [Int32] {
    tasks.indices.filter { task in
      !isGone(Int32(task)) && !required.contains(Int32(task))
        && tasks[task].dependencies.contains { required.contains($0) }
    }.map(Int32.init)
  }

  /// - Parameter endsWell: whether tasks that wait for it in an occurrence that is going may go on without it.
  private mutating func remove(_ task: Int32, now: Int64, endsWell: Bool) {
    if !observers.isEmpty { observe(.taskDestroyed(tasks[Int(task)].registration.name), now: now) }
    stopListening(task)
    marks[Int(task)].insert(.destroyed)
    hasMarks = true
    discard(tasks[Int(task)].keep(missed: nil))
    for other in tasks.indices {
      if tasks[other].after.contains(task) {
        tasks[other].after.removeAll { $0 == task }
        // The name may come back, and then the order holds again.
        let (name, module) = (tasks[Int(task)].registration.name, tasks[Int(task)].module)
        tasks[other].unresolvedAfter += tasks[other].registration.after.filter {
          name.isCalled($0.name, module: module)
        }
        forgetPlans(of: Int32(other))
      }
    }
    forgetPlans(of: task)
    for event in events.indices { events[event].members.removeAll { $0.task == task } }
    types = nil
    for slot in runs.indices {
      guard let run = runs[slot], let node = run.state.plan.node(ofTask: task) else { continue }
      let handle = RunHandle(slot: slot, id: run.state.id)
      cancelTask(node, in: handle, endsWell: endsWell, now: now)
    }
    forgetSchedule(of: task)
    // Nobody can ask for it any more, and what its body holds on to must not live as long as the center. Occurrences
    // that are going have it in their plans.
    discard(tasks[Int(task)].registration)
    tasks[Int(task)].registration = tasks[Int(task)].registration.withoutBodies
    discard(tasks[Int(task)].keep(output: nil, error: nil))
  }

  /// Cancels one task of an occurrence that is going.
  ///
  /// - Parameter endsWell: whether tasks that wait for it may go on without it.
  mutating func cancelTask(_ node: Int32, in handle: RunHandle, endsWell: Bool, now: Int64) {
    switch runs[handle.slot]!.state.status[Int(node)] {
    case .running: cancelBody(of: node, in: handle)
    case .waiting, .ready, .waitingForLane, .waitingToRetry:
      runs[handle.slot]!.state.end(node, .cancelled, now: now, well: endsWell)
      afterEnds(handle, now: now)
      openLane(of: node, in: handle, now: now)
      if !isLimited { wakeWorkers(handle) }
      concludeIfDone(handle, now: now)
    default: break
    }
  }

  /// Whether a body of the task has not returned.
  func isBodyRunning(_ task: Int32) -> Bool {
    runs.contains { run in
      guard let run, let node = run.state.plan.node(ofTask: task) else { return false }
      return run.state.status[Int(node)] == .running || run.state.overdue.contains(node)
    }
  }

  /// The body of a destroyed task has returned: its successor and those who waited for its end go on.
  mutating func destroyedBodyReturned(_ task: Int32) {
    guard !isBodyRunning(task) else { return }
    for waiter in destructionWaiters.removeValue(forKey: task) ?? [] { effects.append(.resume(waiter)) }
    for successor in predecessors.keys.sorted() where predecessors[successor] == task {
      predecessors[successor] = runningPredecessor(of: successor)
      guard predecessors[successor] == nil else { continue }
      for (run, node) in heldBack.removeValue(forKey: successor) ?? [] where isActive(run) {
        guard runs[run.slot]!.state.status[Int(node)] == .waitingForLane else { continue }
        runs[run.slot]!.state.unpark(node)
        if !isLimited { wakeWorkers(run) }
      }
    }
  }

  /// The one run of a task that runs once is over: its name is free, unless others depend on it.
  mutating func ranOnce(_ task: Int32, now: Int64) {
    marks[Int(task)].insert(.ranOnce)
    hasMarks = true
    guard dependents(of: [task]).isEmpty else { return }
    remove(task, now: now, endsWell: true)
  }

  // MARK: - Pausing

  mutating func pause(_ task: Int32, missed: MissedOccasions, now: Int64) {
    marks[Int(task)].insert(.paused)
    hasMarks = true
    if missed == .deliver { marks[Int(task)].insert(.pausedAndKept) } else { marks[Int(task)].remove(.pausedAndKept) }
    if !observers.isEmpty { observe(.taskPaused(tasks[Int(task)].registration.name), now: now) }
  }

  /// - Returns: a run that delivers the occasion that was missed, if there was one to keep.
  mutating func resume(_ task: Int32, now: Int64) {
    marks[Int(task)].subtract([.paused, .pausedAndKept])
    if !observers.isEmpty { observe(.taskResumed(tasks[Int(task)].registration.name), now: now) }
    resumeSchedule(of: task, now: now)
    guard !isClosed, let (event, payload) = tasks[Int(task)].missedPayload else { return }
    discard(tasks[Int(task)].keep(missed: nil))
    guard let plan = plan(of: [task], at: event) else { return }
    let handle = startRun(nextID(), plan: plan, event: nil, payload: payload, deadline: nil, now: now)
    serve(handle, now: now)
  }

  // MARK: - Single tasks

  /// A plan of a few tasks of one event.
  mutating func plan(of chosen: [Int32], at event: Int) -> EventPlan? {
    let members: [EventPlan.Member] = chosen.sorted().compactMap { task in
      let occasions = tasks[Int(task)].registration.occasions
      guard let occasion = occasions.first(where: { $0.event.name == events[event].description.name }) else {
        return nil
      }
      return EventPlan.Member(task: task, body: occasion.body)
    }
    return EventPlan(event: events[event].description, members: members, tasks: tasks)
  }
}

/// What an injection came to.
public struct InjectionReceipt: Sendable, Hashable {
  public let name: TaskName
  /// Its event is running: the task takes part from the next occurrence on.
  public let startsWithNextOccurrence: Bool
  /// Its event happens once, and has: the task was run now, as asked, or never will be.
  public let eventHasPassed: Bool
}

/// What an injection into an event that happens once, and has, comes to.
public enum PassedEventPolicy: Sendable, Hashable {
  /// It throws: the task would never run.
  case fail
  /// The task runs now, with the payload of the event.
  case runNow
}

/// What becomes of the occasions that a paused task misses.
public enum MissedOccasions: Sendable, Hashable {
  /// They are skipped.
  case skip
  /// The latest of them is delivered once when the task is resumed.
  case deliver
}
