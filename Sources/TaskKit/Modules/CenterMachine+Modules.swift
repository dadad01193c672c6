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
