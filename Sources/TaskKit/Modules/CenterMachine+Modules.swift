// What modules need of the center's state.

extension CenterMachine {
  /// Gives the tasks of some modules the bodies that they need as things are.
  mutating func useBodies(of types: [ObjectIdentifier], in modules: ModuleTable) {
    guard !types.isEmpty else { return }
    for task in tasks.indices where !isGone(Int32(task)) {
      guard let owner = tasks[task].registration.owner, types.contains(owner.type) else { continue }
      discard(tasks[task].registration)
      tasks[task].registration = modules.usable(tasks[task].registration)
      forgetPlans(of: Int32(task))
    }
  }

  /// The methods of a module that are there, in the order of declaration.
  func methods(of type: ObjectIdentifier) -> [Int32] {
    declared(
      tasks.indices.filter { tasks[$0].registration.owner?.type == type && !isGone(Int32($0)) }.map { Int32($0) })
  }

  /// Puts those that name new tasks in `after:` behind them, where the build knew that the tasks were left out.
  mutating func followNewTasks(_ new: [Int32]) {
    for task in tasks.indices where tasks[task].registration.owner != nil && !isGone(Int32(task)) {
      let named = Set(tasks[task].registration.after.map(\.name))
      let more = new.filter { number in
        named.contains(tasks[Int(number)].registration.name) && !tasks[task].after.contains(number)
      }
      guard !more.isEmpty else { continue }
      add(Int32(task), after: more)
    }
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
  }
}
