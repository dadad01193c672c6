import TaskGraph

/// How tasks leave a center: destroyed, replaced, or run once with nothing that depends on them.
///
/// Costs O(1) for each of the task's references and of those that refer to it, and a look at each occurrence that is going.
/// What is kept of a task goes with it; its number does when the last occurrence has ended that knows it.
extension CenterMachine {
  /// Takes a task out of the center.
  mutating func destroy(_ task: Int32, dependents policy: DependentsPolicy, now: Int64) throws {
    makeLinks()
    let direct = dependents(of: task)
    switch policy {
    case .refuse:
      guard direct.isEmpty else {
        throw TaskError.hasDependents(
          tasks[Int(task)].registration.name, direct.map { tasks[Int($0)].registration.name })
      }
      remove(task, now: now, endsWell: false)
    case .include:
      var all = [task]
      var known: Set<Int32> = [task]
      var more = direct
      while !more.isEmpty {
        known.formUnion(more)
        all += more
        more = declared(more.flatMap { dependents(of: $0) }.filter { !known.contains($0) })
      }
      for task in all where !isGone(task) { remove(task, now: now, endsWell: false) }
    case .detach:
      for dependent in direct {
        tasks[Int(dependent)].dependencies.removeAll { $0 == task }
        forgetPlans(of: dependent)
      }
      remove(task, now: now, endsWell: true)
    }
    if isLimited { fillSlots(now: now) }
  }

  /// The tasks that require another, in the order of declaration. The links have been made.
  func dependents(of task: Int32) -> [Int32] { declared(links!.dependents(of: task, in: tasks)) }

  /// The one run of a task that runs once is over: its name is free, unless others depend on it.
  mutating func ranOnce(_ task: Int32, now: Int64) {
    // Destroyed or replaced while it ran, it has left already.
    guard !isGone(task) else { return }
    marks[Int(task)].insert(.ranOnce)
    hasMarks = true
    makeLinks()
    if !links!.hasDependents(task, in: tasks) { remove(task, now: now, endsWell: true) }
  }

  /// - Parameter endsWell: whether tasks that wait for it in an occurrence that is going may go on without it.
  private mutating func remove(_ task: Int32, now: Int64, endsWell: Bool) {
    missUnbegun(of: task, now: now)
    let released = leave(task, now: now)
    endOccurrences(of: task, endsWell: endsWell, now: now)
    removeReleased(released, now: now)
  }

  /// What ran once and stayed only for the sake of tasks that have left has nothing left to stay for.
  ///
  /// - Parameter released: what those depended on.
  mutating func removeReleased(_ released: [Int32], now: Int64) {
    for other in released where !isGone(other) && marks[Int(other)].contains(.ranOnce) {
      if !links!.hasDependents(other, in: tasks) { remove(other, now: now, endsWell: true) }
    }
  }

  /// Takes a task out of all tables: nobody finds it any more, and no further occurrence has it.
  ///
  /// - Returns: what it depended on.
  mutating func leave(_ task: Int32, now: Int64) -> [Int32] {
    let record = tasks[Int(task)]
    if !observers.isEmpty { observe(.taskDestroyed(record.registration.name), now: now) }
    stopListening(task)
    forgetPlans(of: task)
    forgetSchedule(of: task)
    directory!.remove(task, record)
    for other in links!.followers(of: task, in: tasks) where other != task {
      tasks[Int(other)].after.removeAll { $0 == task }
      // The name may come back, and then the order holds again.
      let names = record.registration.after(of: tasks[Int(other)].registration, module: record.module)
      tasks[Int(other)].unresolvedAfter += names
      // A short one it has mentioned all the time.
      for name in names where name.name == record.registration.name {
        links!.add(other, mentions: name.name.rawValue, in: tasks)
      }
      forgetPlans(of: other)
    }
    marks[Int(task)].insert(.destroyed)
    hasMarks = true
    tasks[Int(task)].sequence = -1
    links!.remove(
      task, dependencies: record.dependencies, after: record.after, mentions: record.mentions, in: tasks)
    discard(tasks[Int(task)].keep(missed: nil))
    predecessors[task] = nil
    heldBack[task] = nil
    for occasion in record.registration.occasions {
      if let event = knownNumber(of: occasion.event.name) { forgetIfUnused(event: event) }
    }
    if let lane = record.registration.lane {
      lanes[lane]?.members -= 1
      forgetIfUnused(lane: lane)
    }
    if isBodyRunning(task) { lingering[record.registration.name, default: []].append(task) }
    return record.dependencies
  }

  /// Ends a task that has left in the occurrences that are going, and gives its number to others when none is.
  ///
  /// - Parameter endsWell: whether tasks that wait for it there may go on without it.
  mutating func endOccurrences(of task: Int32, endsWell: Bool, now: Int64) {
    for slot in runs.indices {
      guard let run = runs[slot], let node = run.state.plan.node(ofTask: task) else { continue }
      cancelTask(node, in: RunHandle(slot: slot, id: run.state.id), endsWell: endsWell, now: now)
    }
    let slots = runs.indices.filter { runs[$0]?.state.plan.node(ofTask: task) != nil }
    guard !numbers.retire(task, in: slots) else { return clear([task]) }
    // They have it in their plans. What its body holds on to must not live as long as they do.
    let registration = tasks[Int(task)].registration
    discard(registration)
    discard(tasks[Int(task)].keep(output: nil, error: nil))
    tasks[Int(task)].registration = registration.withoutBodies
  }

  /// Cancels one task of an occurrence that is going.
  ///
  /// - Parameter endsWell: whether tasks that wait for it may go on without it.
  mutating func cancelTask(_ node: Int32, in handle: RunHandle, endsWell: Bool, now: Int64) {
    let isTakenBack = takeBackUnbegun(node, of: handle, now: now)
    let state = runs[handle.slot]!.state
    let task = state.plan.tasks[Int(node)]
    if endsWell, !state.status[Int(node)].hasEnded { state.dispense(with: node) }
    switch state.status[Int(node)] {
    case .running: cancelBody(of: node, in: handle)
    case .waiting, .ready, .waitingForLane, .waitingToRetry:
      // Its one run may have been at another event, which ends the life of the task.
      state.end(node, marks[Int(task)].contains(.ranOnce) ? .skippedAlreadyRan : .cancelled, now: now)
      // With the failure of an attempt before it.
      stopUnbegun(of: handle, now: now)
      afterEnds(handle, now: now)
      // What ended elsewhere for that reason may have ended this occurrence, too.
      if isActive(handle) {
        openLane(of: node, in: handle, now: now)
        if !isLimited { wakeWorkers(handle) }
        concludeIfDone(handle, now: now)
      }
      // It may have been all that could start.
      wakeSettleWaiters()
      // Until now it was taken for a running one.
      if isTakenBack, marks[Int(task)].contains(.destroyed) { destroyedBodyReturned(task) }
    default: break
    }
  }

  /// Whether a body of the task has not returned.
  func isBodyRunning(_ task: Int32) -> Bool { runningBody(of: task) != nil }

  /// Where a body of a task runs that has not returned.
  func runningBody(of task: Int32) -> (run: RunHandle, node: Int32)? {
    for slot in runs.indices {
      guard let state = runs[slot]?.state, let node = state.plan.node(ofTask: task),
        state.status[Int(node)] == .running || state.overdue.contains(node)
      else { continue }
      return (RunHandle(slot: slot, id: state.id), node)
    }
    return nil
  }

  /// The body of a destroyed task has returned: its successor and those who waited for its end go on.
  mutating func destroyedBodyReturned(_ task: Int32) {
    guard !isBodyRunning(task) else { return }
    let name = tasks[Int(task)].registration.name
    lingering[name]?.removeAll { $0 == task }
    if lingering[name]?.isEmpty == true { lingering[name] = nil }
    resumeAll(destructionWaiters.removeValue(forKey: task) ?? [])
    // They bear its name: of thousands that were replaced while they ran, not all are looked through each time.
    for successor in directory!.candidates(for: name.rawValue) where predecessors[successor] == task {
      predecessors[successor] = runningPredecessor(of: successor)
      guard predecessors[successor] == nil else { continue }
      for (run, node) in heldBack.removeValue(forKey: successor)?.elements ?? [] where isActive(run) {
        guard runs[run.slot]!.state.status[Int(node)] == .waitingForLane else { continue }
        runs[run.slot]!.state.unpark(node)
        if !isLimited { wakeWorkers(run) }
      }
    }
  }

  /// A destroyed task of that name whose body has not returned.
  func runningDestroyed(_ name: TaskName) -> Int32? {
    for (other, tasks) in lingering {
      guard let task = tasks.first, other.isCalled(name, module: self.tasks[Int(task)].module) else { continue }
      return task
    }
    return nil
  }
}

extension TaskRegistration {
  /// What another says in its `after:` of this one.
  fileprivate func after(of other: TaskRegistration, module: String) -> [TaskReference] {
    other.after.filter { name.isCalled($0.name, module: module) }
  }
}

extension TaskName {
  /// Whether that is this name, or the part of it behind the module.
  func isCalled(_ other: TaskName, module: String) -> Bool {
    self == other || rawValue == module + "." + other.rawValue
  }
}
