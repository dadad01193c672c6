import TaskKit

// A stranger's own types may have the names that generated code uses.
enum TaskKit {}
struct Task {}
struct TaskPriority {}
struct TaskLocation {}
struct TaskOccasion {}
struct TaskName {}
struct TaskDependency {}
struct TaskReference {}
struct LifecycleTask {}

@EventTask(event: .didFinishLaunching, after: [.optional("Nobody")])
enum Prepare {
  static func run() { print("prepare") }
}

@EventTask(event: .didFinishLaunching, dependencies: [Prepare.self])
struct Show {
  static var isEnabled: Bool { true }
  func run() async throws { print("show") }
}
