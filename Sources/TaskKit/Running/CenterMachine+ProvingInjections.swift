import TaskGraph

/// What would be wrong if new tasks came into a center.
///
/// What is new can only close a circle through a task that was there and refers to it: whoever had written its name before it
/// came, or depends on the one that it replaces. Only then it is looked for, among what the new task waits for, directly and
/// through others; and where a lane still waits for an event, since a circle may go through its gate.
extension CenterMachine {
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
    let surroundings = InjectionSurroundings(of: injection, in: self)
    return TaskProof.problems(in: surroundings.declarations).isEmpty && !surroundings.mayCloseCircle(in: self)
      && (closedLanes.isEmpty || !surroundings.leadToGate(in: self))
  }

  /// Whether there are events at which a task will not start before its lane opens after another one.
  ///
  /// - Parameter isLeft: whether what is known of the lane goes when it comes.
  func waitsForGate(_ task: TaskRegistration, ifLeft isLeft: Bool = false) -> Bool {
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
}

extension EventDescription {
  /// Whether two mean the same event.
  func agrees(with other: EventDescription) -> Bool { identity == other.identity && burst == other.burst }
}
