/// What was there of a center, as far as new tasks have to do with it.
struct InjectionSurroundings {
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
