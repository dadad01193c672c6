extension RegistryFile {
  /// The module's own tasks: a function that makes them, and a mark on each type.
  func ownTasks() -> String {
    let name = "_taskKit_\(target.name)"
    let imports = importedModules()
    let added = own.filter { tasks[$0].owner == nil }
    let (direct, deprecated) = additions(of: added.map { (tasks[$0], addition($0, imports)) })
    let (directModules, deprecatedModules) = additions(
      of: target.taskModules.map { ($0, moduleAddition($0, imports)) })
    let (directKinds, deprecatedKinds) = additions(of: target.kinds.map { ($0.type, kindAddition($0.type)) })
    let chunks = chunked(direct)
    let kindChunks = chunked(directKinds)
    let allDeprecated = deprecated + deprecatedModules + deprecatedKinds
    var calls = chunks.indices.map { "  \(name)_\($0)(&_tasks)\n" }.joined()
    if !directModules.isEmpty { calls += "  \(name)_Modules(&_tasks)\n" }
    calls += kindChunks.indices.map { "  \(name)_Kinds\($0)(&_tasks)\n" }.joined()
    if !allDeprecated.isEmpty { calls += "  (\(name)_Deprecated.self as any \(name)_Adding.Type).add(to: &_tasks)\n" }
    let list = imports.map { "\"\($0)\"" }.joined(separator: ", ")
    let parts =
      [
        """
        /// The tasks of module \(target.name), in the order of declaration.
        public nonisolated func \(name)() -> \(Self.kit)ModuleTasks {
          \(calls.isEmpty ? "let" : "var") _tasks = \(Self.kit)ModuleTasks(module: "\(target.name)", imports: [\(list)], count: \(own.count))
        \(calls)  return _tasks
        }
        """
      ]
      + chunks.enumerated().map { index, chunk in
        """
        private nonisolated func \(name)_\(index)(_ _tasks: inout \(Self.kit)ModuleTasks) {
        \(Self.lines(chunk, indentation: "  "))
        }
        """
      }
      + (directModules.isEmpty
        ? []
        : [
          """
          private nonisolated func \(name)_Modules(_ _tasks: inout \(Self.kit)ModuleTasks) {
          \(Self.lines(directModules, indentation: "  "))
          }
          """
        ])
      + kindChunks.enumerated().map { index, chunk in
        """
        private nonisolated func \(name)_Kinds\(index)(_ _tasks: inout \(Self.kit)ModuleTasks) {
        \(Self.lines(chunk, indentation: "  "))
        }
        """
      }
      + (allDeprecated.isEmpty ? [] : [deprecatedTasks(name, Self.lines(allDeprecated, indentation: "    "))])
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

  /// A call that adds something, with what keeps it to the builds and systems in which that is there.
  struct Addition {
    let conditions: [String]
    let text: String
    let check: String?
    /// What the compiler prints with the line where it finds no registration.
    let remark: String
  }

  /// The calls that add some types, in the builds in which these can be referred to; apart those in which that would be a
  /// warning.
  private func additions(of types: [(ScannedTask, call: String)]) -> (direct: [Addition], deprecated: [Addition]) {
    var (direct, deprecated): ([Addition], [Addition]) = ([], [])
    for (type, call) in types {
      for (conditions, availability) in Availability.variants(type.attributes) where !availability.isUnavailable {
        let addition = Addition(
          conditions: type.conditions.map(\.text) + conditions + (availability.condition.map { [$0] } ?? []),
          text: call, check: availability.check, remark: remark(on: type))
        if availability.isDeprecated { deprecated.append(addition) } else { direct.append(addition) }
      }
    }
    return (direct, deprecated)
  }

  private func remark(on type: ScannedTask) -> String {
    OtherLibraries.mayDeclareAnnotations(of: type.file, in: target, known)
      ? "  // Not found? The type's file does not import TaskKit. If its annotation is another library's, write the module of "
        + "that in front, as in @Cron.ScheduleTask"
      : ""
  }

  private static func lines(_ additions: [Addition], indentation: String) -> String {
    conditioned(
      additions.map { addition in
        (
          addition.conditions,
          indentation + (addition.check.map { "if \($0) { \(addition.text) }" } ?? addition.text) + addition.remark
        )
      })
  }

  private func addition(_ task: Int, _ imports: [String]) -> String {
    var line = "_tasks.add(\(reference(to: tasks[task])).registration, at: \(slots[task])"
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
        let attributes = task.attributes.map(\.text).joined()
        return (
          task.conditions.map(\.text),
          "\(attributes)extension \(reference(to: task)) { nonisolated static var _isCollected: () { () } }"
        )
      })
  }
}
