import TaskGraph

/// Tasks that are to come into a center together.
struct Injection {
  var definitions: [TaskRegistration]
  /// The module of each.
  var modules: [String]
  /// Tasks that give way, and which definition takes the place of each.
  var replaced: [(old: Int32, definition: Int)] = []
  /// The tasks that give way.
  var old: Set<Int32> = []
  /// The events of which no other task is there.
  var leftEvents: Set<Int> = []
  /// The lanes of which nothing is kept once those have given way.
  var leftLanes: Set<Lane> = []
  /// Schedules that cannot be kept.
  var impossible: [Problem] = []
  /// Whether a task that is there could have given way, had that been asked.
  var mayReplace = false
}

/// Injecting: decided and done in one step under the lock, all of it or nothing.
///
/// Costs O(1) for each new task and each of its references. What is new can only close a circle through a task that was
/// there and refers to it: whoever had written its name before it came, or depends on the one that it replaces. Only then
/// it is looked for, among what the new task waits for, directly and through others; and where a lane still waits for an
/// event, since a circle may go through its gate.
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

  // MARK: - The whole proof

  /// Everything that would be wrong, in the words of the build. Linear in all tasks of the center.
  mutating func problems(of injection: Injection) -> [Problem] {
    let new = zip(injection.definitions, injection.modules).map { TaskProof.Declaration($0, module: $1) }
    let old = present.filter { !injection.old.contains($0) }.map {
      TaskProof.Declaration(attached($0), module: tasks[Int($0)].module, isPresent: true)
    }
    var problems =
      TaskProof.problems(in: old + new, besides: { isOpen($0, ifLeft: injection.leftLanes.contains($0)) })
      + injection.impossible
    for index in problems.indices where injection.mayReplace && problems[index].code == "taskGraph.duplicateName" {
      // Of two that come together none gives way.
      guard let first = problems[index].tasks.last, first < old.count else { continue }
      problems[index].message += ", or write 'replacing: true', with which the new one takes the place of the other"
    }
    // What a task that is there has said already, the error tells once.
    problems += laneConflicts(of: injection)
    for definition in injection.definitions {
      for occasion in definition.occasions {
        guard let event = eventNumbers[occasion.event.name],
          events[event].description.identity != occasion.event.identity,
          !isFree(event: event, ifLeft: injection.leftEvents.contains(event))
        else { continue }
        problems.append(
          Problem(
            code: "taskKit.eventConflict", message: EventConflict.message(events[event].description, occasion.event),
            place: SourcePlace(definition.location)))
      }
    }
    return problems
  }

  /// What the registration of a task says, without what has been detached from it.
  private func attached(_ task: Int32) -> TaskRegistration {
    let registration = tasks[Int(task)].registration
    guard registration.dependencies.count != tasks[Int(task)].dependencyRow.count else { return registration }
    return registration.depending(on: registration.dependencies.filter { number(of: $0, for: task) != nil })
  }

  /// The task that a declared dependency stands for; nil if it was destroyed or left out, and this task goes on without.
  func number(of dependency: TaskDependency, for task: Int32) -> Int32? {
    tasks[Int(task)].dependencyRow.first { number in
      let other = tasks[Int(number)]
      return (dependency.type != nil && dependency.type == other.registration.type)
        || other.registration.name.isCalled(TaskName(dependency.text), module: other.module)
    }
  }

  // MARK: - The proof of what is new

  /// Whether nothing can be wrong, given that nothing is wrong with what is there. False where it takes the whole proof
  /// to tell.
  mutating func isPlainlySound(_ injection: Injection) -> Bool {
    guard injection.impossible.isEmpty, agreesOnOccasionsAndLanes(injection) else { return false }
    let behindGates = injection.definitions.filter { task in
      waitsForGate(task, ifLeft: task.lane.map(injection.leftLanes.contains) ?? false)
    }
    let gates = behindGates.compactMap { $0.lane?.gateEvent }
    var names: Set<String> = []
    var hasReferences = false
    for (definition, module) in zip(injection.definitions, injection.modules) {
      guard TaskProof.mistakes(in: definition).isEmpty else { return false }
      if injection.definitions.count > 1, !names.insert(definition.name.rawValue).inserted { return false }
      if let other = directory!.number(named: definition.name.rawValue), !injection.old.contains(other) { return false }
      if let type = definition.type, let other = directory!.number(ofType: type), !injection.old.contains(other) {
        return false
      }
      hasReferences = hasReferences || !definition.dependencies.isEmpty || !definition.after.isEmpty
      hasReferences = hasReferences || isMentioned(definition.name, module: module)
    }
    if !gates.isEmpty {
      // Somebody may wait for what waits for a gate: by a reference, or because another gate opens after its event.
      guard !hasReferences, injection.replaced.isEmpty else { return false }
      for event in behindGates.lazy.flatMap(\.occasions).map(\.event.name) {
        guard closedLanes[event] == nil, !gates.contains(event) else { return false }
      }
    }
    guard hasReferences || !injection.replaced.isEmpty else { return true }
    let surroundings = Surroundings(of: injection, in: self)
    return TaskProof.problems(in: surroundings.declarations).isEmpty && !surroundings.mayCloseCircle(in: self)
      && (closedLanes.isEmpty || !surroundings.leadToGate(in: self))
  }

  /// Whether there are events at which a task will not start before its lane opens after another one.
  ///
  /// - Parameter isLeft: whether what is known of the lane goes when it comes.
  fileprivate func waitsForGate(_ task: TaskRegistration, ifLeft isLeft: Bool = false) -> Bool {
    guard let lane = task.lane, let event = lane.gateEvent else { return false }
    return task.waits(forGateOf: event) && !isOpen(lane, ifLeft: isLeft)
  }

  private func isMentioned(_ name: TaskName, module: String) -> Bool {
    links!.isMentioned(name.rawValue) || name.short(inModule: module).map { links!.isMentioned($0) } ?? false
  }

  /// Whether new tasks mean the same by the names of events and lanes as those that are there and each other.
  private mutating func agreesOnOccasionsAndLanes(_ injection: Injection) -> Bool {
    // Of which no task stays.
    var new: [String: EventDescription] = [:]
    var newLanes: [Lane: Lane] = [:]
    for definition in injection.definitions {
      for occasion in definition.occasions {
        let event = occasion.event
        if let number = knownNumber(of: event.name) {
          let known = events[number].description
          let isLeft = injection.leftEvents.contains(number)
          if !isLeft, events[number].members.first(in: tasks) != nil {
            guard known.agrees(with: event) else { return false }
            continue
          }
          guard known.identity == event.identity || isFree(event: number, ifLeft: isLeft) else { return false }
        }
        if let other = new.updateValue(event, forKey: event.name), !other.agrees(with: event) { return false }
      }
      guard let lane = definition.lane else { continue }
      let kept = injection.leftLanes.contains(lane) ? nil : lanes[lane]?.lane
      if let known = kept ?? newLanes[lane], !known.agrees(with: lane) { return false }
      newLanes[lane] = lane
    }
    return true
  }

  // MARK: - Links

  /// Makes what changes look things up in.
  mutating func makeLinks() {
    makeDirectory()
    guard links == nil else { return }
    links = TaskLinks()
    for task in present { addLinks(of: task) }
  }

  /// Notes whom a task waits for and whom it speaks of.
  private mutating func addLinks(of task: Int32) {
    let record = tasks[Int(task)]
    for other in record.dependencyRow { links!.add(task, requires: other, in: tasks) }
    for other in record.afterRow { links!.add(task, follows: other, in: tasks) }
    for name in record.mentions {
      // The build may have meant another one than who bears the name as a whole.
      if let bearer = directory!.number(named: name),
        record.dependencyRow.contains(bearer) || record.afterRow.contains(bearer)
      {
        continue
      }
      links!.add(task, mentions: name, in: tasks)
    }
  }

  /// Turns what a task refers to into numbers.
  private mutating func link(_ task: Int32) throws {
    let registration = tasks[Int(task)].registration
    guard !registration.dependencies.isEmpty || !registration.after.isEmpty else { return }
    tasks[Int(task)].dependencies = try registration.dependencies.map { dependency in
      if let type = dependency.type, let number = directory!.number(ofType: type) { return number }
      return try find(TaskName(dependency.text))
    }
    for reference in registration.after {
      if let number = number(named: reference.name) {
        tasks[Int(task)].after.append(number)
      } else {
        tasks[Int(task)].unresolvedAfter.append(reference)
      }
    }
    addLinks(of: task)
  }

  /// Names in `after:` that had nobody may have somebody now.
  private mutating func resolveMentions(of new: Int32) {
    let record = tasks[Int(new)]
    let whole = record.registration.name.rawValue
    var names = [whole]
    if let short = record.registration.name.short(inModule: record.module) { names.append(short) }
    for name in names {
      var resolved: Set<Int32> = []
      for task in links!.mentioners(of: name, in: tasks) where task != new {
        guard lacksPredecessor(task, called: TaskName(name)) else { continue }
        tasks[Int(task)].unresolvedAfter.removeAll { $0.name.rawValue == name }
        tasks[Int(task)].after.append(new)
        links!.add(task, follows: new, in: tasks)
        forgetPlans(of: task)
        resolved.insert(task)
      }
      // Another task may still come to bear a short name.
      if name == whole { links!.remove(resolved, mentioning: name) }
    }
  }

  /// Whether a task comes after a name that none of those is called after which it does.
  private func lacksPredecessor(_ task: Int32, called name: TaskName) -> Bool {
    let record = tasks[Int(task)]
    if record.unresolvedAfter.contains(where: { $0.name == name }) { return true }
    // Of one that was left out of a registry the build has resolved the name.
    guard record.registration.after.contains(where: { $0.name == name }) else { return false }
    return !record.afterRow.contains { number in
      tasks[Int(number)].registration.name.isCalled(name, module: tasks[Int(number)].module)
    }
  }

  /// Lets what depends on one task depend on another.
  private mutating func replace(_ old: Int32, with new: Int32) {
    let dependents = links!.dependents(of: old, in: tasks)
    let followers = links!.followers(of: old, in: tasks)
    for task in dependents {
      for index in tasks[Int(task)].dependencies.indices where tasks[Int(task)].dependencies[index] == old {
        tasks[Int(task)].dependencies[index] = new
      }
      links!.add(task, requires: new, in: tasks)
      forgetPlans(of: task)
    }
    for task in followers {
      for index in tasks[Int(task)].after.indices where tasks[Int(task)].after[index] == old {
        tasks[Int(task)].after[index] = new
      }
      links!.add(task, follows: new, in: tasks)
      forgetPlans(of: task)
    }
    links!.removeDependents(of: old)
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

extension EventDescription {
  /// Whether two mean the same event.
  func agrees(with other: EventDescription) -> Bool { identity == other.identity && burst == other.burst }
}

extension TaskRecord {
  /// The names that it refers to.
  var mentions: [String] {
    registration.dependencies.map(\.text) + registration.after.map(\.name.rawValue)
  }
}

/// What was there of a center, as far as new tasks have to do with it.
private struct Surroundings {
  /// The new tasks with all their references; those that refer to them, with these references only; and whatever all of
  /// these may stand for, without any.
  private(set) var declarations: [TaskProof.Declaration] = []
  /// Those that were there and refer to what is new.
  private var referrers: Set<Int32> = []
  /// Those that were there and to which references may lead.
  private var targets: Set<Int32> = []

  init(of injection: Injection, in machine: CenterMachine) {
    let old = injection.old
    let (tasks, directory, links) = (machine.tasks, machine.directory!, machine.links!)
    var newNames: Set<String> = []
    var newTypes: Set<ObjectIdentifier> = []
    for (definition, module) in zip(injection.definitions, injection.modules) {
      newNames.insert(definition.name.rawValue)
      if let short = definition.name.short(inModule: module) { newNames.insert(short) }
      if let type = definition.type { newTypes.insert(type) }
      for dependency in definition.dependencies {
        if let type = dependency.type, let number = directory.number(ofType: type) { targets.insert(number) }
        targets.formUnion(directory.candidates(for: dependency.text))
      }
      for reference in definition.after { targets.formUnion(directory.candidates(for: reference.name.rawValue)) }
    }
    for name in newNames { referrers.formUnion(links.mentioners(of: name, in: tasks)) }
    for task in old {
      referrers.formUnion(links.dependents(of: task, in: tasks))
      referrers.formUnion(links.followers(of: task, in: tasks))
    }
    referrers.subtract(old)
    // A name that a new task comes to share may stand for others as well.
    var shared: Set<Int32> = []
    for name in newNames { shared.formUnion(directory.candidates(for: name)) }
    targets.subtract(old)

    for task in machine.declared(Array(targets.union(shared).subtracting(old).subtracting(referrers))) {
      let record = tasks[Int(task)]
      declarations.append(
        TaskProof.Declaration(
          record.registration, module: record.module, dependencies: [], after: [], isPresent: true))
    }
    for task in machine.declared(Array(referrers)) {
      let record = tasks[Int(task)]
      declarations.append(
        TaskProof.Declaration(
          record.registration, module: record.module,
          dependencies: record.registration.dependencies.filter { dependency in
            (newNames.contains(dependency.text) || dependency.type.map(newTypes.contains) ?? false)
              && machine.number(of: dependency, for: task) != nil
          }, after: record.registration.after.filter { newNames.contains($0.name.rawValue) }, isPresent: true))
    }
    for (definition, module) in zip(injection.definitions, injection.modules) {
      declarations.append(TaskProof.Declaration(definition, module: module))
    }
  }

  /// Whether what is new waits, through tasks that were there, for one that refers to it.
  ///
  /// Occasions are left out of account, so that the answer may be yes where there is none.
  func mayCloseCircle(in machine: CenterMachine) -> Bool {
    !referrers.isEmpty && waitsForAny(in: machine) { referrers.contains($0) }
  }

  /// Whether what is new waits, directly or through others, for a task that waits for the gate of a lane.
  func leadToGate(in machine: CenterMachine) -> Bool {
    waitsForAny(in: machine) { machine.waitsForGate(machine.tasks[Int($0)].registration) }
  }

  private func waitsForAny(in machine: CenterMachine, _ isMeant: (Int32) -> Bool) -> Bool {
    var seen = targets
    var open = Array(targets)
    while let task = open.popLast() {
      if isMeant(task) { return true }
      for other in machine.tasks[Int(task)].dependencyRow where seen.insert(other).inserted { open.append(other) }
      for other in machine.tasks[Int(task)].afterRow where seen.insert(other).inserted { open.append(other) }
    }
    return false
  }
}
