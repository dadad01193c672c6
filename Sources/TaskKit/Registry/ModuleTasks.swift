/// The tasks of one module, in the order of declaration, as the build plugin collected them.
///
/// Generated code makes it. Slots are numbered over all branches of `#if`; the slot of a branch that is not compiled
/// stays empty, so that the numbers that other modules know stay right whatever flags a module is built with.
public struct ModuleTasks: Sendable {
  /// What the build found out about the references of a task: where their slots are.
  struct SlotRow: Sendable {
    fileprivate(set) var start: Int32 = 0
    /// In the order of the annotation; negative when nobody resolved them, and the types have to be looked up.
    fileprivate(set) var dependencyCount: Int32 = 0
    /// In the order of the annotation; negative when a name is not declared in the scanned modules.
    fileprivate(set) var afterCount: Int32 = 0
  }

  public let module: String
  let imports: [String]
  /// By slot.
  private(set) var registrations: ContiguousArray<TaskRegistration?>
  private(set) var links: ContiguousArray<SlotRow>
  /// Those that tasks refer to, in one piece: a launch reads them in one go.
  private(set) var targets: ContiguousArray<TaskSlot> = []
  /// How many slots hold a task.
  private(set) var count = 0
  /// The annotated classes and actors; their tasks are among the entries.
  var taskModules: [ModuleRegistration] = []
  /// What belongs to other libraries.
  var items: [any RegistryItem] = []

  /// - Parameters:
  ///   - module: the module's name.
  ///   - imports: the modules that a ``TaskSlot`` may point into.
  ///   - count: the number of slots.
  public init(module: String, imports: [String] = [], count: Int) {
    self.module = module
    self.imports = imports
    registrations = ContiguousArray(repeating: nil, count: count)
    links = ContiguousArray(repeating: SlotRow(), count: count)
  }

  /// Puts a task into its slot.
  public mutating func add(
    _ registration: TaskRegistration, at slot: Int, dependencies: [TaskSlot]? = nil, after: [TaskSlot]? = nil
  ) {
    if registrations[slot] == nil { count += 1 }
    registrations[slot] = registration
    var links = SlotRow(start: Int32(targets.count))
    links.dependencyCount = take(dependencies, isEmpty: registration.dependencies.isEmpty)
    links.afterCount = take(after, isEmpty: registration.after.isEmpty)
    self.links[slot] = links
  }

  private mutating func take(_ slots: [TaskSlot]?, isEmpty: Bool) -> Int32 {
    guard let slots else { return isEmpty ? 0 : -1 }
    targets += slots
    return Int32(slots.count)
  }
}

extension ModuleTasks {
  /// The module of a task: this one, or, of tasks that were put together by hand, that which declares it.
  func module(of registration: TaskRegistration) -> String {
    module.isEmpty ? registration.module : module
  }

  /// The tasks, in the order of declaration.
  var present: [TaskRegistration] { registrations.compactMap { $0 } }

  /// Empties the slots of some tasks.
  mutating func remove(where isRemoved: (TaskRegistration) -> Bool) {
    for slot in registrations.indices {
      guard let registration = registrations[slot], isRemoved(registration) else { continue }
      registrations[slot] = nil
      count -= 1
    }
  }
}
