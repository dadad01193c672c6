// What modules need of the center's state.

extension CenterMachine {
  /// Notes the methods among the tasks of a center that has just been filled.
  mutating func noteMethods() {
    for task in tasks.indices { noteMethod(Int32(task)) }
  }

  /// Notes whose method a task is, if it is one.
  mutating func noteMethod(_ task: Int32) {
    guard let owner = tasks[Int(task)].registration.owner else { return }
    moduleMethods[owner.type, default: TaskList()].append(task, in: tasks)
  }

  /// Gives the tasks of some modules the bodies that they need as things are.
  mutating func useBodies(of types: Set<ObjectIdentifier>, in modules: ModuleTable) {
    for type in types {
      for task in methods(of: type) {
        discard(tasks[Int(task)].registration)
        tasks[Int(task)].registration = modules.usable(tasks[Int(task)].registration)
        forgetPlans(of: task)
      }
    }
  }

  /// The methods of a module that are there, in the order of declaration.
  func methods(of type: ObjectIdentifier) -> [Int32] {
    moduleMethods[type]?.present(in: tasks).map(\.task) ?? []
  }

  /// The methods that found no instance when an event came that happens once, each with the name of that event: those that
  /// were skipped for it, and what was skipped because it needs one of them.
  func missed(by type: ObjectIdentifier) -> [(method: Int32, event: String)] {
    let passed = methods(of: type).compactMap { method in
      tasks[Int(method)].registration.occasions.map(\.event).first { hasPassed($0) }.map {
        (method: method, event: $0.name)
      }
    }
    var missed = Set(passed.map(\.method).filter { latestStatus(of: $0) == .skippedDisabled })
    var open = passed.map(\.method).filter { latestStatus(of: $0) == .skippedForDependency }
    while let next = open.firstIndex(where: { method in
      tasks[Int(method)].dependencyRow.contains { missed.contains($0) }
    }) {
      missed.insert(open.remove(at: next))
    }
    return passed.filter { missed.contains($0.method) }
  }

  /// What the latest occurrence of a task came to, or how far it is.
  private func latestStatus(of task: Int32) -> NodeStatus? {
    guard let latest = latestRun(of: task, besides: nil) else { return tasks[Int(task)].latest }
    return runs[latest.run.slot]?.state.status[Int(latest.node)]
  }

  /// Takes all methods of some modules out of the center.
  ///
  /// - Throws: ``TaskError`` listing what depends on them, unless the policy says what becomes of it.
  mutating func destroyMethods(of types: [ObjectIdentifier], dependents: DependentsPolicy, now: Int64) throws {
    let methods = types.flatMap { self.methods(of: $0) }
    makeLinks()
    for method in methods where dependents == .refuse {
      let outside = self.dependents(of: method).filter { !methods.contains($0) }
      guard outside.isEmpty else {
        throw TaskError.hasDependents(
          tasks[Int(method)].registration.name, outside.map { tasks[Int($0)].registration.name })
      }
    }
    for method in methods where !isGone(method) {
      try destroy(method, dependents: dependents == .include ? .include : .detach, now: now)
    }
    for type in types { moduleMethods[type] = nil }
  }
}
