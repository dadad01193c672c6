// What modules need of the center's state.

extension CenterMachine {
  /// Gives the tasks of some modules the bodies that they need as things are.
  mutating func useBodies(of types: [ObjectIdentifier], in modules: ModuleTable) {
    guard !types.isEmpty else { return }
    for task in tasks.indices where !isGone(Int32(task)) {
      guard let owner = tasks[task].registration.owner, types.contains(owner.type) else { continue }
      discard(tasks[task].registration)
      tasks[task].registration = modules.usable(tasks[task].registration)
      forgetModulePlans(of: task)
    }
  }

  private mutating func forgetModulePlans(of task: Int) {
    for occasion in tasks[task].registration.occasions {
      if let event = eventNumbers[occasion.event.name] { forgetPlan(ofEvent: event) }
    }
  }

  /// The methods of a module that are there, in the order of declaration.
  func methods(of type: ObjectIdentifier) -> [Int32] {
    tasks.indices.filter { tasks[$0].registration.owner?.type == type && !isGone(Int32($0)) }.map(Int32.init)
  }

  /// Puts those that name new tasks in `after:` behind them, where the build knew that the tasks were left out.
  mutating func followNewTasks(_ new: Range<Int32>) {
    for task in tasks.indices where tasks[task].registration.owner != nil && !isGone(Int32(task)) {
      let named = Set(tasks[task].registration.after.map(\.name))
      let more = new.filter { number in
        named.contains(tasks[Int(number)].registration.name) && !tasks[task].after.contains(number)
      }
      guard !more.isEmpty else { continue }
      tasks[task].after += more
      forgetModulePlans(of: task)
    }
  }

  /// Takes all methods of some modules out of the center.
  ///
  /// - Throws: ``TaskError`` listing what depends on them, unless the policy says what becomes of it.
  mutating func destroyMethods(of types: [ObjectIdentifier], dependents: DependentsPolicy, now: Int64) throws {
    let methods = types.flatMap { self.methods(of: $0) }
    for method in methods where dependents == .refuse {
      let outside = tasks.indices.filter { task in
        !isGone(Int32(task)) && !methods.contains(Int32(task)) && tasks[task].dependencies.contains(method)
      }
      guard outside.isEmpty else {
        throw TaskError.hasDependents(
          tasks[Int(method)].registration.name, outside.map { tasks[$0].registration.name })
      }
    }
    for method in methods where !isGone(method) {
      try destroy(method, dependents: dependents == .include ? .include : .detach, now: now)
    }
  }
}
