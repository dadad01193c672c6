extension TaskRegistry {
  /// The registry without the task of a type.
  ///
  /// - Throws: ``TaskGraphError`` listing the tasks that depend on it, unless `dependents` says what becomes of them.
  public func excluding<Excluded: LifecycleTask>(
    _ type: Excluded.Type, dependents: DependentsPolicy = .refuse
  ) throws -> TaskRegistry {
    try excluding(what: "'\(Excluded.registration.name)'", dependents: dependents) {
      $0.type == ObjectIdentifier(type)
    }
  }

  /// The registry without the tasks of a module.
  ///
  /// - Throws: ``TaskGraphError`` if there is no such module, or listing the tasks of other modules that depend on it,
  ///   unless `dependents` says what becomes of them.
  public func excluding(module: String, dependents: DependentsPolicy = .refuse) throws -> TaskRegistry {
    guard let excluded = modules.first(where: { $0.module == module }) else {
      throw TaskGraphError.unknownModule(module, known: modules.map(\.module))
    }
    let what = "module '\(module)'"
    let types = Set(excluded.taskModules.map(\.type))
    let rest = types.isEmpty ? self : try excluding(taskModules: types, what: what, dependents: dependents)
    let names = Set(excluded.present.filter { $0.owner == nil }.map(\.name))
    let others =
      names.isEmpty && !(types.isEmpty && excluded.items.isEmpty)
      ? rest : try rest.excluding(what: what, dependents: dependents) { names.contains($0.name) }
    return others.changing { modules in
      for index in modules.indices where modules[index].module == module { modules[index].items = [] }
    }
  }

  /// The registry with another task in the place of one: same name, same slot, so that what depends on it goes on.
  ///
  /// - Throws: ``TaskGraphError`` with every problem that the replacement brings.
  public func replacing<Replaced: LifecycleTask>(
    _ type: Replaced.Type, with definition: TaskDefinition
  ) throws -> TaskRegistry {
    var isFound = false
    let replaced = changing { modules in
      for module in modules.indices {
        for (slot, registration) in modules[module].registrations.enumerated()
        where registration?.type == ObjectIdentifier(type) {
          isFound = true
          modules[module].add(
            definition.registration.taking(name: Replaced.registration.name, type: ObjectIdentifier(type)), at: slot)
        }
      }
    }
    guard isFound else { throw TaskGraphError.notRegistered(Replaced.registration.name) }
    // In the type's place it would pass for annotated, and what is wrong with it alone.
    try replaced.prove(
      TaskProof.scheduleProblems(in: [
        (definition.registration.taking(name: Replaced.registration.name, type: nil), "")
      ]))
    return replaced
  }

  func excluding(
    what: String, dependents: DependentsPolicy, where isExcluded: (TaskRegistration) -> Bool
  ) throws -> TaskRegistry {
    let table = RegistryTable(modules)
    let tasks = 0..<Int32(table.count)
    var excluded = Set(tasks.filter { isExcluded(table.registration($0)) })
    guard !excluded.isEmpty else { throw TaskGraphError.nothingToExclude(what) }
    let needed = table.dependents(of: excluded)
    switch dependents {
    case .refuse:
      guard needed.isEmpty else {
        throw TaskGraphError.hasDependents(
          what,
          needed.sorted { $0.key < $1.key }.map { task, way in
            // All that is between them has a line of its own.
            let path = way.next == way.last ? [way.last] : [way.next, way.last]
            return (table.registration(task), path.map { table.registration($0) })
          })
      }
    case .include: excluded.formUnion(needed.keys)
    case .detach: break
    }
    let names = Set(excluded.map { table.registration($0).name })
    return changing { modules in
      for module in modules.indices { modules[module].remove { names.contains($0.name) } }
    }
  }
}

extension RegistryTable {
  /// Which dependency leads from a task to others, and to which of them.
  typealias Way = (next: Int32, last: Int32)

  /// The tasks that depend on some, directly or through others, by the shortest way. Linear in tasks and references.
  fileprivate func dependents(of some: Set<Int32>) -> [Int32: Way] {
    var direct = [[Int32]](repeating: [], count: count)
    for task in 0..<Int32(count) {
      for dependency in dependencies(of: task) { direct[Int(dependency)].append(task) }
    }
    var ways: [Int32: Way] = [:]
    var reached = Array(some)
    while !reached.isEmpty {
      // Apart from what was reached before: of several ways the shortest counts, and of these the dependency named first.
      var found: [Int32: Way] = [:]
      for other in reached {
        for task in direct[Int(other)] where !some.contains(task) && ways[task] == nil && found[task] == nil {
          for next in dependencies(of: task) {
            guard let last = some.contains(next) ? next : ways[next]?.last else { continue }
            found[task] = (next, last)
            break
          }
        }
      }
      ways.merge(found) { first, _ in first }
      reached = Array(found.keys)
    }
    return ways
  }
}
