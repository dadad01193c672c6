import TaskGraph

/// Injecting: decided and done in one step under the lock, all of it or nothing.
///
/// Costs O(1) for each new task and each of its references, where nothing of what is new can close a circle; see
/// ``isPlainlySound(_:)``.
extension CenterMachine {
  /// Adds tasks, all or none.
  ///
  /// - Parameters:
  ///   - modules: the module of each.
  ///   - replacing: whether tasks of the same names give way; nil where whoever adds them cannot ask for that.
  ///   - found: what is known to be wrong already.
  /// - Returns: the numbers that they got, too.
  mutating func inject(
    _ definitions: [TaskRegistration], modules: [String], replacing: Bool?, ifPassed: PassedEventPolicy,
    _ found: [Problem] = [], now: Int64
  ) throws -> (receipts: [InjectionReceipt], numbers: [Int32]) {
    let injection = injection(of: definitions, modules: modules, replacing: replacing)
    let definitions = injection.definitions
    if !found.isEmpty || !isPlainlySound(injection) {
      let problems = problems(of: injection) + found
      guard problems.isEmpty else { throw TaskGraphError(problems) }
    }
    for definition in definitions where ifPassed == .fail {
      for occasion in definition.occasions where hasPassed(occasion.event) {
        let hasOthers = definition.occasions.contains { !hasPassed($0.event) }
        throw TaskError.eventHasPassed(occasion.event.name, task: definition.name, hasOthers: hasOthers)
      }
    }

    let new = zip(definitions, injection.modules).map { number(TaskRecord(registration: $0, module: $1)) }
    var released: [Int32] = []
    var progress: [Int32: ScheduleProgress] = [:]
    for (old, definition) in injection.replaced {
      progress[new[definition]] = self.progress(of: old, for: definitions[definition])
      if !sharesSlots(old, with: definitions[definition]) { missUnbegun(of: old, now: now) }
      replace(old, with: new[definition])
      released += leave(old, now: now)
    }
    for task in new { directory!.insert(task, tasks[Int(task)]) }
    for task in new {
      try link(task)
      enter(task)
      noteMethod(task)
      if let progress = progress[task] { schedules.inherited[task] = progress }
      if let predecessor = runningPredecessor(of: task) { predecessors[task] = predecessor }
    }
    for task in new { resolveMentions(of: task) }
    for (old, _) in injection.replaced { endOccurrences(of: old, endsWell: true, now: now) }
    removeReleased(released, now: now)
    if !observers.isEmpty {
      for definition in definitions { observe(.taskInjected(definition.name), now: now) }
    }
    if isLimited, !injection.replaced.isEmpty { fillSlots(now: now) }
    return (zip(new, definitions).map { receipt(for: $0, $1) }, new)
  }

  /// Finds the tasks that give way to new ones of the same name, if they are to.
  mutating func injection(of definitions: [TaskRegistration], modules: [String], replacing: Bool?) -> Injection {
    makeLinks()
    var injection = Injection(definitions: definitions, modules: modules)
    // Before one takes the type of the task that it replaces: an annotated one is forgiven what the machine lacks.
    injection.impossible = TaskProof.scheduleProblems(in: zip(definitions, modules).map { ($0, $1) })
    injection.mayReplace = replacing == false
    guard replacing == true else { return injection }
    var taken: Set<String> = []
    for number in injection.definitions.indices {
      let name = injection.definitions[number].name
      guard taken.insert(name.rawValue).inserted, let old = directory?.number(named: name.rawValue) else { continue }
      injection.replaced.append((old, number))
      // Who names the old one by its type or its short name means the new one from now on.
      injection.modules[number] = tasks[Int(old)].module
      if let type = tasks[Int(old)].registration.type {
        injection.definitions[number] = injection.definitions[number].taking(name: name, type: type)
      }
    }
    injection.old = Set(injection.replaced.map(\.old))
    injection.leftEvents = eventsLeft(by: injection.old)
    injection.leftLanes = lanesLeft(by: injection.old)
    injection.replaced.sort { tasks[Int($0.old)].sequence < tasks[Int($1.old)].sequence }
    return injection
  }

  /// The events that have no task any more when some leave.
  private mutating func eventsLeft(by leaving: Set<Int32>) -> Set<Int> {
    var seen: Set<Int> = []
    for task in leaving {
      for occasion in tasks[Int(task)].registration.occasions {
        if let number = knownNumber(of: occasion.event.name) { seen.insert(number) }
      }
    }
    return seen.filter { number in
      !events[number].members.contains(in: tasks) { !leaving.contains($0.task) }
    }
  }

  /// The lanes that are forgotten when some leave.
  private func lanesLeft(by leaving: Set<Int32>) -> Set<Lane> {
    var members: [Lane: Int] = [:]
    for task in leaving {
      if let lane = tasks[Int(task)].registration.lane { members[lane, default: 0] += 1 }
    }
    return Set(members.filter { lane, count in lanes[lane]?.isForgettable(leftBy: count) == true }.keys)
  }

  // MARK: - Receipts

  /// A destroyed task of the same name whose body has not returned.
  func runningPredecessor(of task: Int32) -> Int32? {
    lingering.isEmpty ? nil : lingering[tasks[Int(task)].registration.name]?.first
  }

  func hasPassed(_ event: EventDescription) -> Bool {
    guard event.isOnce, let number = eventNumbers[event.name] else { return false }
    return events[number].hasHappened
  }

  private mutating func receipt(for task: Int32, _ definition: TaskRegistration) -> InjectionReceipt {
    let running = definition.occasions.contains { occasion in
      !occasion.event.isOnce && knownNumber(of: occasion.event.name).map { events[$0].active != nil } ?? false
    }
    return InjectionReceipt(
      name: definition.name, startsWithNextOccurrence: running,
      eventHasPassed: definition.occasions.contains { hasPassed($0.event) },
      unmatchedAfter: tasks[Int(task)].unresolvedAfter.filter { !$0.mayBeAbsent }.map(\.name))
  }
}
