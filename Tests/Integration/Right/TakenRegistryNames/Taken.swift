import TaskKit

// As TakenNames, but what the registry itself is written with.
struct ModuleTasks {}
struct TaskSlot {}
struct TaskRegistration {}

@EventTask(event: .didFinishLaunching)
enum Prepare {
  static func run() { print("prepare") }
}

@EventTask(event: .didFinishLaunching, dependencies: [Prepare.self])
enum Show {
  static func run() { print("show") }
}
