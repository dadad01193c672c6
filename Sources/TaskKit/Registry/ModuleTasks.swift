/// The tasks of one module, in the order of declaration, as the build plugin collected them.
///
/// Generated code makes it. Slots are numbered over all branches of `#if`; the slot of a branch that is not compiled
/// stays empty, so that the numbers that other modules know stay right whatever flags a module is built with.
public struct ModuleTasks: Sendable {
  /// A collected task, with what the build found out about its dependencies.
  struct Entry: Sendable {
    let registration: TaskRegistration
    /// In the order of the annotation; nil when nobody resolved them, and the types have to be looked up.
    let dependencies: [TaskSlot]?
    /// In the order of the annotation; nil when a name is not declared in the scanned modules.
    let after: [TaskSlot]?
  }

  public let module: String
  let imports: [String]
  private(set) var entries: [Entry?]
  /// The annotated classes and actors; their tasks are among the entries.
  var taskModules: [ModuleRegistration] = []

  /// - Parameters:
  ///   - module: the module's name.
  ///   - imports: the modules that a ``TaskSlot`` may point into.
  ///   - count: the number of slots.
  public init(module: String, imports: [String] = [], count: Int) {
    self.module = module
    self.imports = imports
    entries = Array(repeating: nil, count: count)
  }

  /// Puts a task into its slot.
  public mutating func add(
    _ registration: TaskRegistration, at slot: Int, dependencies: [TaskSlot]? = nil, after: [TaskSlot]? = nil
  ) {
    entries[slot] = Entry(
      registration: registration,
      dependencies: dependencies ?? (registration.dependencies.isEmpty ? [] : nil),
      after: after ?? (registration.after.isEmpty ? [] : nil))
  }
}

extension ModuleTasks {
  /// The module of a task: this one, or, of tasks that were put together by hand, that which declares it.
  func module(of registration: TaskRegistration) -> String {
    module.isEmpty ? registration.module : module
  }

  /// Empties the slots of some tasks.
  mutating func remove(where isRemoved: (TaskRegistration) -> Bool) {
    for slot in entries.indices {
      if let entry = entries[slot], isRemoved(entry.registration) { entries[slot] = nil }
    }
  }
}
