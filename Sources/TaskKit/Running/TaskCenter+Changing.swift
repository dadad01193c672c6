import Synchronization
import TaskGraph

extension TaskCenter {
  // MARK: - Injecting

  /// Adds a task at run time. It takes part from the next occurrence of its event on.
  ///
  /// Callable from any thread and from inside tasks; effective on return.
  ///
  /// - Parameters:
  ///   - definition: the task.
  ///   - replacing: whether a task of the same name gives way to it. What depends on the old one depends on the new
  ///     one; if the old one is running it is cancelled, and the new one starts only after it.
  ///   - ifPassed: what happens if its event happens once, and has.
  /// - Throws: ``TaskGraphError`` with every problem that the task would bring, ``TaskError`` if its event has passed.
  ///   Then nothing has changed.
  /// - Complexity: O(1) on average for the task and each of its references, however many tasks there are. Where tasks that
  ///   are there refer to it, by a name that was nobody's or because it takes another's place, or where a lane still waits for
  ///   an event, what it waits for is walked through; a refusal is linear in all tasks, and so is a task that refers to others
  ///   and is or waits for one in such a lane. The first change of a center is, too. The next send plans its event anew.
  @discardableResult
  public func inject(
    _ definition: TaskDefinition, replacing: Bool = false, ifPassed: PassedEventPolicy = .fail
  ) throws -> InjectionReceipt {
    try inject([definition], replacing: replacing, ifPassed: ifPassed)[0]
  }

  /// Adds several tasks at run time, which may depend on each other: all of them or none.
  ///
  /// See ``inject(_:replacing:ifPassed:)-(TaskDefinition,_,_)``.
  @discardableResult
  public func inject(
    _ definitions: [TaskDefinition], replacing: Bool = false, ifPassed: PassedEventPolicy = .fail
  ) throws -> [InjectionReceipt] {
    let registrations = definitions.map(\.registration)
    let now = self.now
    return try receive(at: now) { machine, now in
      try inject(
        registrations, modules: registrations.map(\.module), replacing: replacing, ifPassed: ifPassed, into: &machine,
        now: now)
    }
  }

  func inject(
    _ registrations: [TaskRegistration], modules: [String], replacing: Bool?, ifPassed: PassedEventPolicy,
    _ found: [Problem] = [], into machine: inout CenterMachine, now: Int64
  ) throws -> [InjectionReceipt] {
    if registrations.contains(where: \.usesTimers) {
      needsTime.store(true, ordering: .relaxed)
    }
    let (receipts, numbers) = try machine.inject(
      registrations, modules: modules, replacing: replacing, ifPassed: ifPassed, found, now: now)
    machine.endQuietTimes(of: numbers, now: now)
    machine.runPassed(numbers, now: now)
    return receipts
  }

  /// Adds the tasks of further modules: a plug-in that was loaded, a feature that was switched on (R4, Rw8).
  ///
  /// A module that is there already is left as it is. Tasks of an event that happens once, and has, run now. Kinds of durable
  /// work join those of the center's stores. In an event that is going, a method of the main actor that has yet to run, and whose
  /// instance has to be waited for because of a module that joins, fails and says so; at the next occurrence it waits.
  ///
  /// - Throws: ``TaskGraphError`` with every problem of the whole graph, or what is wrong with the kinds of durable work. Then
  ///   nothing has changed.
  public func add(_ registry: TaskRegistry) throws {
    let now = self.now
    let companions = companions.withLock { $0 }
    let known = inspect { $0.modules }
    let joining = registry.modules.filter { $0.joins(known) }.flatMap(\.items)
    for companion in companions { try companion.check(joining) }
    let items = try receive(at: now) { machine, now in
      let new = registry.modules.filter { $0.joins(machine.modules) }
      let entries = new.flatMap { module in
        module.present.map { ($0, module.module(of: $0)) }
      }
      let (taskModules, concerned, usable) = modules.withLock { modules in
        let taskModules = new.flatMap(\.taskModules).filter { modules.add($0) }
        return (taskModules, modules.surroundings(ofLast: taskModules.count), entries.map { modules.usable($0.0) })
      }
      do {
        let found = TaskProof.problems(among: concerned.modules, from: concerned.first)
        _ = try inject(
          usable, modules: entries.map(\.1), replacing: nil, ifPassed: .runNow, found, into: &machine, now: now)
      } catch {
        for module in taskModules { discard(modules.withLock { $0.remove(module.type) }, in: &machine) }
        throw error
      }
      machine.modules.formUnion(new.map(\.module))
      // Those who depend on a new one may need other bodies too.
      modules.withLock { modules in machine.useBodies(of: modules.takeChanged(), in: modules) }
      return new.flatMap(\.items)
    }
    for companion in companions { companion.take(items) }
    report(idle: items)
  }

  // MARK: - Destroying

  /// Takes a task out of the center. Its name is free when the call returns.
  ///
  /// A running body is cancelled; ``destroyed(_:)-(TaskName)`` waits for its end. In an occurrence that is going, a task that has
  /// not started counts as cancelled.
  ///
  /// What the center knows of the task goes with it: its output, its outcome and its statistics.
  ///
  /// - Throws: ``TaskError`` if there is no such task, or listing what depends on it, unless `dependents` says what
  ///   becomes of that.
  /// - Complexity: O(1) on average for the task, its references, those that refer to it and each occurrence that is going.
  public func destroy(_ name: TaskName, dependents: DependentsPolicy = .refuse) throws {
    let now = self.now
    try receive(at: now) { machine, now in
      let task = try machine.find(name)
      try machine.destroy(task, dependents: dependents, now: now)
    }
  }

  /// Takes the task of a type out of the center. See ``destroy(_:dependents:)-(TaskName,_)``.
  public func destroy<Declared: LifecycleTask>(_ type: Declared.Type, dependents: DependentsPolicy = .refuse) throws {
    try destroy(Declared.registration.name, dependents: dependents)
  }

  /// Returns when no body of destroyed tasks of that name is running any more.
  ///
  /// A task that awaits it lends its slot. Inside a task for which such a body waits, and inside such a body itself, it
  /// returns at once: it never would. That the waiting task is cancelled does not end the wait.
  public func destroyed(_ name: TaskName) async {
    let sender = WorkerBox.frame(in: self)
    while true {
      let now = self.now
      let wait = receive(at: now) { machine, now -> (task: Int32, body: Waited)? in
        guard let task = machine.runningDestroyed(name), let (run, node) = machine.runningBody(of: task) else {
          return nil
        }
        let body = Waited.node(run, node)
        if let sender {
          if machine.chainOfWaiting(from: body, to: sender.identity) != nil { return nil }
          machine.await(body, by: sender.identity, worker: sender.worker, now: now)
        }
        return (task, body)
      }
      guard let wait else { return }
      let companionWait = beginCompanionWait(for: wait.body)
      await withCheckedContinuation { continuation in
        let isOver = receive { machine in
          // Its number may belong to another task by now.
          guard machine.marks[Int(wait.task)].contains(.destroyed), machine.isBodyRunning(wait.task) else {
            return true
          }
          machine.destructionWaiters[wait.task, default: []].append(continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
      endCompanionWait(companionWait)
      await endAwaiting(wait.body, sender)
    }
  }

  /// Returns when no body of the destroyed task of a type is running any more. See ``destroyed(_:)-(TaskName)``.
  public func destroyed<Declared: LifecycleTask>(_ type: Declared.Type) async {
    await destroyed(Declared.registration.name)
  }

  // MARK: - Pausing

  /// Keeps a task from starting until it is resumed. What runs goes on.
  ///
  /// Effective when the call returns, also from inside a task. Occasions that come meanwhile are skipped, and what
  /// depends on the task is skipped with that reason. Slots of a schedule pass meanwhile as if it had none: what depends on
  /// it and is due goes by its latest run. One that waits for its next attempt ends with the failure of the last one: it
  /// has missed nothing.
  ///
  /// - Parameters:
  ///   - name: the task's name, or the part behind the module while only one task has it.
  ///   - missed: whether the latest of the occasions is kept for when the task is resumed.
  /// - Throws: ``TaskError`` if there is no such task, or several of that short name.
  public func pause(_ name: TaskName, missed: MissedOccasions = .skip) throws {
    let now = self.now
    try receive(at: now) { machine, now in machine.pause(try machine.find(name), missed: missed, now: now) }
  }

  /// Keeps the task of a type from starting. See ``pause(_:missed:)-(TaskName,_)``.
  public func pause<Declared: LifecycleTask>(_ type: Declared.Type, missed: MissedOccasions = .skip) throws {
    try pause(Declared.registration.name, missed: missed)
  }

  /// Lets a paused task start again, and delivers the occasion that was kept for it.
  ///
  /// - Throws: ``TaskError`` if there is no such task, or several of that short name.
  public func resume(_ name: TaskName) throws {
    let instants = instants
    try receive { machine in machine.resume(try machine.find(name), at: instants) }
  }

  /// Lets the task of a type start again. See ``resume(_:)-(TaskName)``.
  public func resume<Declared: LifecycleTask>(_ type: Declared.Type) throws {
    try resume(Declared.registration.name)
  }
}

extension ModuleTasks {
  /// Whether its tasks join a center that has those of some modules. Tasks that were put together by hand are no module.
  fileprivate func joins(_ known: Set<String>) -> Bool {
    !isEmpty && (module.isEmpty || !known.contains(module))
  }
}

extension CenterMachine {
  /// Runs new tasks whose event happens once, and has: those of one event together, and after those of another event
  /// that they depend on.
  mutating func runPassed(_ new: [Int32], now: Int64) {
    guard !isClosed else { return }
    var passed: [Int: [Int32]] = [:]
    for task in new {
      for occasion in tasks[Int(task)].registration.occasions where occasion.event.isOnce {
        guard let event = knownNumber(of: occasion.event.name), events[event].hasHappened else { continue }
        passed[event, default: []].append(task)
      }
    }
    var open = passed.sorted { $0.key < $1.key }.map { (event: $0.key, tasks: $0.value) }
    while let (index, chosen) = nextPassed(of: open.map(\.tasks)) {
      let event = open[index].event
      let started = Set(chosen)
      open[index].tasks.removeAll { started.contains($0) }
      guard let payload = events[event].latestPayload else { continue }
      let plan = plan(of: chosen, at: event)
      let handle = startRun(nextID(), plan: plan, event: nil, payload: payload, deadline: nil, now: now)
      serve(handle, now: now)
    }
  }

  /// Those of one event that depend on none of another one that has not been started: as a rule all, but two events may
  /// need tasks of each other.
  private func nextPassed(of open: [[Int32]]) -> (index: Int, tasks: [Int32])? {
    for index in open.indices {
      let others = Set(open.indices.filter { $0 != index }.flatMap { open[$0] }).subtracting(open[index])
      var dependents: [Int32: [Int32]] = [:]
      for task in open[index] {
        for dependency in tasks[Int(task)].dependencyRow { dependents[dependency, default: []].append(task) }
      }
      var waiting = others
      var unseen = Array(others)
      while let task = unseen.popLast() {
        for dependent in dependents[task] ?? [] where waiting.insert(dependent).inserted { unseen.append(dependent) }
      }
      let chosen = open[index].filter { !waiting.contains($0) }
      if !chosen.isEmpty { return (index, chosen) }
    }
    return nil
  }
}
