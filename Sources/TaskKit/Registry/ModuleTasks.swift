/// The tasks of one module, in the order of declaration, as the build plugin collected them.
///
/// Generated code makes it. Slots are numbered over all branches of `#if`; the slot of a branch that is not compiled
/// stays empty, so that the numbers that other modules know stay right whatever flags a module is built with.
public struct ModuleTasks: Sendable {
  /// What the build found out about the references of a task: where their slots are.
  struct SlotLinks: Sendable {
    fileprivate(set) var start: Int32 = 0
    /// In the order of the annotation; negative when nobody resolved them, and the types have to be looked up.
    fileprivate(set) var dependencyCount: Int32 = 0
    /// In the order of the annotation; negative when a name is not declared in the scanned modules.
    fileprivate(set) var afterCount: Int32 = 0
  }

  /// What a launch wants to know of a task, beside its registration, which it need not read then.
  struct Facts: Sendable {
    /// Held by the module.
    let registration: TaskRegistration.Lent
    let priority: Int
    /// The one event at which it runs, by its place among the module's; -1 unless the program sends it, it means the same to
    /// the tasks before, and this one is in no lane.
    let event: Int32
    let demands: TaskDemands
    /// That of the first occasion.
    let form: TaskBody.Form
  }

  struct Slot: Sendable {
    /// Nil for an empty one.
    fileprivate(set) var facts: Facts?
    fileprivate(set) var links = SlotLinks()
  }

  /// The name of the module whose tasks these are.
  public let module: String
  let imports: [String]
  /// By slot.
  private(set) var registrations: ContiguousArray<TaskRegistration?>
  /// The same again, for a launch.
  private(set) var slots: ContiguousArray<Slot>
  /// Those that tasks refer to, in one piece: a launch reads them in one go.
  private(set) var targets: ContiguousArray<TaskSlot> = []
  /// How many slots hold a task.
  private(set) var count = 0
  /// At which tasks run that are entered simply.
  private(set) var events: [EventDescription] = []
  /// What was there, and is not to be missed.
  private var leftOut: [TaskRegistration] = []
  private var eventPlaces: [String: Int32] = [:]
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
    slots = ContiguousArray(repeating: Slot(), count: count)
  }

  /// Puts a task into its slot.
  public mutating func add(
    _ registration: TaskRegistration, at slot: Int, dependencies: [TaskSlot]? = nil, after: [TaskSlot]? = nil
  ) {
    if registrations[slot] == nil { count += 1 }
    registrations[slot] = registration
    var links = SlotLinks(start: Int32(targets.count))
    links.dependencyCount = take(dependencies, isEmpty: registration.dependencies.isEmpty)
    links.afterCount = take(after, isEmpty: registration.after.isEmpty)
    slots[slot] = Slot(facts: registration.facts(event: place(ofEventOf: registration)), links: links)
  }

  private mutating func take(_ slots: [TaskSlot]?, isEmpty: Bool) -> Int32 {
    guard let slots else { return isEmpty ? 0 : -1 }
    targets += slots
    return Int32(slots.count)
  }

  private mutating func place(ofEventOf registration: TaskRegistration) -> Int32 {
    guard registration.isSimple, let event = registration.firstEvent else { return -1 }
    // Mostly that of the task before.
    if let last = events.last, last.identity == event { return Int32(events.count - 1) }
    if let place = eventPlaces[event.name] { return events[Int(place)].identity == event ? place : -1 }
    let place = Int32(events.count)
    events.append(registration.occasions[0].event)
    eventPlaces[event.name] = place
    return place
  }
}

extension ModuleTasks {
  /// The module of a task: this one, or, of tasks that were put together by hand, that which declares it.
  func module(of registration: TaskRegistration) -> String {
    module.isEmpty ? registration.module : module
  }

  /// Whether nothing is in it, or left.
  var isEmpty: Bool { count == 0 && taskModules.isEmpty && items.isEmpty }

  /// The tasks, in the order of declaration.
  var present: [TaskRegistration] { registrations.compactMap { $0 } }

  /// Empties the slots of some tasks.
  mutating func remove(where isRemoved: (TaskRegistration) -> Bool) {
    for slot in registrations.indices {
      guard let registration = registrations[slot], isRemoved(registration) else { continue }
      registrations[slot] = nil
      slots[slot] = Slot()
      count -= 1
      leftOut.append(registration)
    }
  }

  /// Whether somebody has left out the task that a dependency is on.
  func hasLeftOut(_ dependency: TaskDependency) -> Bool {
    leftOut.contains { task in
      dependency.type.map { $0 == task.type }
        ?? task.name.isCalled(TaskName(dependency.text), module: module(of: task))
    }
  }

  /// Lets the task of a slot fail wherever it runs.
  mutating func refuse(_ slot: Int, with error: TaskError) {
    guard let registration = registrations[slot] else { return }
    let refused = registration.failing(with: error, lane: registration.lane)
    registrations[slot] = refused
    slots[slot].facts = refused.facts(event: place(ofEventOf: refused))
  }
}
