extension RegistryFile {
  /// The module's own tasks: a function that makes them, and a mark on each type.
  func ownTasks() -> String {
    let name = "_taskKit_\(target.name)"
    let imports = importedModules()
    let added = own.filter { tasks[$0].owner == nil && !tasks[$0].availability.isUnavailable }
    let direct = added.filter { !tasks[$0].availability.isDeprecated }
    let deprecated = added.filter { tasks[$0].availability.isDeprecated }
    let chunks = chunked(direct)
    let kinds = target.kinds.map(\.type).filter { !$0.availability.isUnavailable }
    let kindChunks = chunked(kinds.filter { !$0.availability.isDeprecated })
    let deprecatedKinds = kinds.filter { $0.availability.isDeprecated }
    let modules = target.taskModules.filter { !$0.availability.isUnavailable }
    let directModules = modules.filter { !$0.availability.isDeprecated }
    let deprecatedModules = modules.filter { $0.availability.isDeprecated }
    var calls = chunks.indices.map { "  \(name)_\($0)(&_tasks)\n" }.joined()
    if !directModules.isEmpty { calls += "  \(name)_Modules(&_tasks)\n" }
    calls += kindChunks.indices.map { "  \(name)_Kinds\($0)(&_tasks)\n" }.joined()
    if !deprecated.isEmpty || !deprecatedModules.isEmpty || !deprecatedKinds.isEmpty {
      calls += "  (\(name)_Deprecated.self as any \(name)_Adding.Type).add(to: &_tasks)\n"
    }
    let list = imports.map { "\"\($0)\"" }.joined(separator: ", ")
    let parts =
      [
        """
        /// The tasks of module \(target.name), in the order of declaration.
        public nonisolated func \(name)() -> \(Self.kit)ModuleTasks {
          var _tasks = \(Self.kit)ModuleTasks(module: "\(target.name)", imports: [\(list)], count: \(own.count))
        \(calls)  return _tasks
        }
        """
      ]
      + chunks.enumerated().map { index, chunk in
        """
        private nonisolated func \(name)_\(index)(_ _tasks: inout \(Self.kit)ModuleTasks) {
        \(additions(chunk, imports, indentation: "  "))
        }
        """
      }
      + (directModules.isEmpty
        ? []
        : [
          """
          private nonisolated func \(name)_Modules(_ _tasks: inout \(Self.kit)ModuleTasks) {
          \(moduleAdditions(directModules, imports, indentation: "  "))
          }
          """
        ])
      + kindChunks.enumerated().map { index, chunk in
        """
        private nonisolated func \(name)_Kinds\(index)(_ _tasks: inout \(Self.kit)ModuleTasks) {
        \(kindAdditions(chunk, indentation: "  "))
        }
        """
      }
      + (deprecated.isEmpty && deprecatedModules.isEmpty && deprecatedKinds.isEmpty
        ? []
        : [
          deprecatedTasks(
            name,
            [
              additions(deprecated, imports, indentation: "    "),
              moduleAdditions(deprecatedModules, imports, indentation: "    "),
              kindAdditions(deprecatedKinds, indentation: "    "),
            ].filter { !$0.isEmpty }.joined(separator: "\n"))
        ])
      + [collectedMarks()]
    return parts.joined(separator: "\n\n")
  }

  private func chunked<Element>(_ elements: [Element]) -> [[Element]] {
    stride(from: 0, to: elements.count, by: Self.chunk).map {
      Array(elements[$0..<min($0 + Self.chunk, elements.count)])
    }
  }

  /// Behind a protocol, because to name a deprecated type is a warning wherever else it is done.
  private func deprecatedTasks(_ name: String, _ additions: String) -> String {
    """
    private nonisolated protocol \(name)_Adding {
      static func add(to _tasks: inout \(Self.kit)ModuleTasks)
    }

    private nonisolated enum \(name)_Deprecated: \(name)_Adding {
      @available(*, deprecated)
      static func add(to _tasks: inout \(Self.kit)ModuleTasks) {
    \(additions)
      }
    }
    """
  }

  /// The modules that the target's tasks refer to by number.
  private func importedModules() -> [String] {
    var names: Set<String> = []
    for task in own {
      for other in (proof.dependencies[task] ?? []) + (proof.after[task] ?? []) { names.insert(tasks[other].module) }
    }
    names.remove(target.name)
    return names.sorted()
  }

  private func additions(_ numbers: [Int], _ imports: [String], indentation: String) -> String {
    Self.conditioned(
      numbers.map { Self.guarded(addition($0, imports), for: tasks[$0], indentation: indentation) })
  }

  /// A line that adds something, with what keeps it to the builds and systems in which that is there.
  static func guarded(
    _ addition: String, for task: ScannedTask, indentation: String
  ) -> (conditions: [String], text: String) {
    let availability = task.availability
    return (
      task.conditions.map(\.text) + (availability.condition.map { [$0] } ?? []),
      indentation + (availability.check.map { "if \($0) { \(addition) }" } ?? addition)
    )
  }

  private func addition(_ task: Int, _ imports: [String]) -> String {
    var line = "_tasks.add(\(tasks[task].typeName).registration, at: \(slots[task])"
    func slot(_ other: Int) -> String { self.slot(other, imports) }
    if !tasks[task].dependencies.isEmpty, let dependencies = proof.dependencies[task] {
      line += ", dependencies: [\(dependencies.map(slot).joined(separator: ", "))]"
    }
    if !tasks[task].after.isEmpty, let after = proof.after[task] {
      line += ", after: [\(after.map(slot).joined(separator: ", "))]"
    }
    return line + ")"
  }

  func slot(_ other: Int, _ imports: [String]) -> String {
    guard let module = imports.firstIndex(of: tasks[other].module) else { return "\(slots[other])" }
    return ".init(\(slots[other]), module: \(module))"
  }

  /// What tells the macro's output that the type was collected. See `LifecycleTask._isCollected`.
  private func collectedMarks() -> String {
    Self.conditioned(
      (own.map { tasks[$0] }.filter { $0.owner == nil } + target.taskModules + target.kinds.map(\.type)).map { task in
        let attributes = task.availability.attributes.map { "@available(\($0))\n" }.joined()
        return (
          task.conditions.map(\.text),
          "\(attributes)extension \(task.typeName) { nonisolated static var _isCollected: () { () } }"
        )
      })
  }
}
