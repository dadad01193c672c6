// plugin: none
import TaskKit

// What the compiler says by itself, where no generator speaks first: that it does not compile at all.

// error: circular reference resolving attached macro 'EventTask'
@EventTask(
  event: .didFinishLaunching,
  dependencies: [Third.self])  // error: 'Third.Type' to expected element type 'any LifecycleTask.Type'
enum First {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [First.self])  // error: 'First.Type' to expected element type
enum Second {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Second.self])  // error: 'Second.Type' to expected element type
enum Third {
  static func run() {}
}
