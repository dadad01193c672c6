import TaskGraph

/// What the tasks of some modules wait for, on the way from slots, types and names to numbers.
struct LinkResolution {
  private let modules: [ModuleTasks]
  /// The number of the first task of each module.
  private var firsts: ContiguousArray<Int32> = []
  /// Of a module with empty slots: the number of each slot, -1 for an empty one.
  private var numbers: ContiguousArray<ContiguousArray<Int32>> = []
  private(set) var targets: [Int32] = []
  private(set) var starts: ContiguousArray<Int32> = []
  private(set) var unresolvedAfter: [Int32: [TaskReference]] = [:]
  /// Tasks that need one which is in none of the modules, by module and slot.
  private(set) var lacking: [(module: Int, slot: Int, error: TaskError)] = []
  private var lookup: Lookup?
  /// The number of the task of each type; asked by an assertion only.
  private lazy var types = Lookup.types(of: modules)

  init(_ modules: [ModuleTasks], count: Int) {
    self.modules = modules
    var next: Int32 = 0
    for module in modules {
      firsts.append(next)
      numbers.append([])
      defer { next += Int32(module.count) }
      guard module.count != module.registrations.count else { continue }
      var number = next
      numbers[numbers.count - 1].reserveCapacity(module.registrations.count)
      for registration in module.registrations {
        numbers[numbers.count - 1].append(registration == nil ? -1 : number)
        if registration != nil { number += 1 }
      }
    }
    targets.reserveCapacity(modules.reduce(0) { $0 + $1.targets.count })
    starts.reserveCapacity(2 * count + 1)
  }

  /// The last row has been added.
  mutating func end() { starts.append(Int32(targets.count)) }

  mutating func addRows(of position: Int) {
    let module = modules[position]
    let imports = module.imports.map { name in modules.firstIndex { $0.module == name } ?? -1 }
    let hasGaps = module.count != module.registrations.count
    for slot in module.slots.indices where !hasGaps || module.slots[slot].facts != nil {
      let links = module.slots[slot].links
      let task = Int32(starts.count / 2)
      starts.append(Int32(targets.count))
      if links.dependencyCount >= 0 {
        add(module.targets, from: links.start, count: links.dependencyCount, of: position, imports)
        assert(
          areMeant(by: module.registrations[slot]),
          """
          \(module.registrations[slot]?.name.rawValue ?? "a task") would wait for other tasks than its annotation names: \
          the generated file does not fit the sources that were compiled; build anew, and if that is no cure, report it
          """)
      } else {
        addDependencies(of: slot, in: position)
      }
      starts.append(Int32(targets.count))
      if links.afterCount >= 0 {
        add(
          module.targets, from: links.start + max(0, links.dependencyCount), count: links.afterCount, of: position,
          imports)
      } else {
        addAfter(of: module.registrations[slot], task)
      }
    }
  }

  /// Adds those of some slots that are there.
  @inline(__always)
  private mutating func add(
    _ slots: ContiguousArray<TaskSlot>, from start: Int32, count: Int32, of position: Int, _ imports: [Int]
  ) {
    for place in Int(start)..<Int(start + count) {
      let slot = slots[place]
      let source = slot.module < 0 ? position : imports[Int(slot.module)]
      guard source >= 0 else { continue }
      let number =
        numbers[source].isEmpty ? firsts[source] + slot.index : numbers[source][Int(slot.index)]
      if number >= 0 { targets.append(number) }
    }
  }

  /// Whether the dependencies that were just taken over are those that the compiler found behind the same words. A launch
  /// of a release build does not ask.
  private mutating func areMeant(by registration: TaskRegistration?) -> Bool {
    let dependencies = registration?.dependencies ?? []
    guard dependencies.allSatisfy({ $0.type != nil }) else { return true }
    return Set(targets[Int(starts[starts.count - 1])...])
      == Set(dependencies.compactMap { $0.type.flatMap { types[$0] } })
  }

  private mutating func addDependencies(of slot: Int, in position: Int) {
    guard let registration = modules[position].registrations[slot] else { return }
    makeLookup()
    var missing: [TaskDependency] = []
    for dependency in registration.dependencies {
      if let number = lookup?.number(of: dependency) {
        targets.append(number)
      } else if !modules.contains(where: { $0.hasLeftOut(dependency) }) {
        missing.append(dependency)
      }
    }
    guard !missing.isEmpty else { return }
    lacking.append((position, slot, .missingDependencies(missing, of: registration)))
  }

  private mutating func addAfter(of registration: TaskRegistration?, _ task: Int32) {
    makeLookup()
    for reference in registration?.after ?? [] {
      if let number = lookup?.number(named: reference.name.rawValue) {
        targets.append(number)
      } else {
        unresolvedAfter[task, default: []].append(reference)
      }
    }
  }

  private mutating func makeLookup() {
    if lookup == nil { lookup = Lookup(modules) }
  }

  /// Names and types to numbers, made only if the build left something to look up.
  private struct Lookup {
    private let types: [ObjectIdentifier: Int32]
    private let names: TaskNames

    init(_ modules: [ModuleTasks]) {
      types = Self.types(of: modules)
      names = TaskNames(
        modules.flatMap { module in module.present.map { ($0.name.rawValue, module.module(of: $0)) } })
    }

    static func types(of modules: [ModuleTasks]) -> [ObjectIdentifier: Int32] {
      var types: [ObjectIdentifier: Int32] = [:]
      var number: Int32 = 0
      for module in modules {
        for case let registration? in module.registrations {
          if let type = registration.type { types[type] = number }
          number += 1
        }
      }
      return types
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
