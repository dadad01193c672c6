import TaskGraph

/// The tasks of a registry with their dependencies as numbers.
///
/// What the build numbered is taken over without hashing or comparing a name; what it could not number, and what was
/// put together by hand, is looked up by type or name.
struct ResolvedTasks {
  private(set) var records: ContiguousArray<TaskRecord> = []
}

extension TaskRegistry {
  /// Numbers every task in the order of declaration and resolves what they wait for.
  ///
  /// A dependency that is not there (left out with `.detach`) is dropped.
  func resolved() -> ResolvedTasks {
    var resolved = ResolvedTasks()
    var numbers: [[Int32]] = []
    numbers.reserveCapacity(modules.count)
    var next: Int32 = 0
    for module in modules {
      var slots: [Int32] = []
      slots.reserveCapacity(module.entries.count)
      for entry in module.entries {
        slots.append(entry == nil ? -1 : next)
        if entry != nil { next += 1 }
      }
      numbers.append(slots)
    }

    var lookup: LazyLookup?
    resolved.reserveCapacity(Int(next))
    for (position, module) in modules.enumerated() {
      let imports = module.imports.map { name in modules.firstIndex { $0.module == name } ?? -1 }
      func number(_ slot: TaskSlot) -> Int32 {
        let source = slot.module < 0 ? position : imports[Int(slot.module)]
        return source < 0 ? -1 : numbers[source][Int(slot.index)]
      }
      /// Those that are there.
      func present(_ slots: [TaskSlot]) -> [Int32] {
        guard !slots.isEmpty else { return [] }
        return [Int32](unsafeUninitializedCapacity: slots.count) { buffer, count in
          for slot in slots {
            let number = number(slot)
            guard number >= 0 else { continue }
            buffer[count] = number
            count += 1
          }
        }
      }
      for entry in module.entries {
        guard let entry else { continue }
        var record = TaskRecord(
          registration: entry.registration, module: module.module(of: entry.registration), dependencies: [], after: [])
        if let slots = entry.dependencies {
          record.dependencies = present(slots)
        } else {
          let table = lookup ?? LazyLookup(modules)
          lookup = table
          record.dependencies = entry.registration.dependencies.compactMap { table.number(of: $0) }
        }
        if let slots = entry.after {
          record.after = present(slots)
        } else {
          let table = lookup ?? LazyLookup(modules)
          lookup = table
          for reference in entry.registration.after {
            if let found = table.number(named: reference.name.rawValue) {
              record.after.append(found)
            } else {
              record.unresolvedAfter.append(reference)
            }
          }
        }
        resolved.append(record)
      }
    }
    return resolved
  }

  /// Names and types to numbers, made only if the build left something to look up.
  private struct LazyLookup {
    private var types: [ObjectIdentifier: Int32] = [:]
    private let names: TaskNames

    init(_ modules: [ModuleTasks]) {
      var entries: [(name: String, module: String)] = []
      for module in modules {
        for entry in module.entries {
          guard let registration = entry?.registration else { continue }
          if let type = registration.type { types[type] = Int32(entries.count) }
          entries.append((registration.name.rawValue, module.module(of: registration)))
        }
      }
      names = TaskNames(entries)
    }

    func number(of dependency: TaskDependency) -> Int32? {
      if let type = dependency.type { return types[type] }
      return number(named: dependency.text)
    }

    func number(named name: String) -> Int32? {
      guard case .one(let number) = names.find(name) else { return nil }
      return Int32(number)
    }
  }
}

extension ResolvedTasks {
  mutating func reserveCapacity(_ count: Int) { records.reserveCapacity(count) }
  mutating func append(_ record: TaskRecord) { records.append(record) }
}
