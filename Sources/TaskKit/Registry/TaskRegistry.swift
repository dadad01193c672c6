/// The tasks of a module and of everything it depends on, as the build plugin collected and proved them.
///
/// ```swift
/// let center = TaskCenter(registry: .generated)
/// print(TaskRegistry.generated)
/// ```
///
/// `.generated` is internal to each module that applies the plugin. A registry is a value: leaving parts out or
/// putting others in their place gives another one, checked as the build checks.
public struct TaskRegistry: Sendable {
  /// Modules after those that they depend on.
  private(set) var modules: [ModuleTasks]

  /// For generated code only: modules whose graph the build has proved. A module listed twice counts once.
  public init(__proved modules: [ModuleTasks]) {
    var seen: Set<String> = []
    self.modules = modules.filter { seen.insert($0.module).inserted }
  }

  /// No tasks: for a center that gets all of them by injection.
  public init() {
    modules = []
  }

  /// The tasks of modules, from their generated functions, dependencies first: for targets of an Xcode project, whose
  /// `.generated` has their own tasks alone, and for test targets that see the registries of several modules and would find
  /// `.generated` ambiguous. See <doc:DeclaringTasks>.
  ///
  /// - Throws: ``TaskGraphError`` with every problem of the whole graph.
  /// - Complexity: linear in tasks and dependencies, and a dictionary of all names.
  public init(modules: [ModuleTasks]) throws {
    self.init(__proved: modules)
    try prove()
  }

  /// The tasks that some types declare, in that order: for tests and small tools without a plugin.
  ///
  /// - Throws: ``TaskGraphError`` with every problem of the whole graph.
  public init(tasks: [TaskRegistration]) throws {
    var module = ModuleTasks(module: "", count: tasks.count)
    for (slot, task) in tasks.enumerated() { module.add(task, at: slot) }
    modules = [module]
    try prove()
  }

  /// How many tasks there are.
  public var count: Int {
    modules.reduce(0) { $0 + $1.count }
  }

  /// What the declarations say, in the order of declaration: modules after those that they depend on, then the path
  /// inside the target, then the place in the file.
  public var registrations: [TaskRegistration] {
    modules.flatMap(\.present)
  }

  /// The registry with other entries in some slots.
  func changing(_ change: (inout [ModuleTasks]) -> Void) -> TaskRegistry {
    var copy = self
    change(&copy.modules)
    return copy
  }
}

extension TaskRegistry: CustomStringConvertible {
  /// One line for each task: its events, priority, name, what it waits for and where it was declared.
  public var description: String {
    registrations.map { task in
      var line = "\(task.name) at \(task.events.joined(separator: ", ")), priority \(task.priority)"
      if !task.dependencies.isEmpty { line += ", needs \(task.dependencies.map(\.text).joined(separator: ", "))" }
      if !task.after.isEmpty { line += ", after \(task.after.map(\.name.rawValue).joined(separator: ", "))" }
      return line + " (\(task.location))"
    }.joined(separator: "\n")
  }
}
