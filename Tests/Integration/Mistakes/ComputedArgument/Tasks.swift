import TaskKit

let prefix = "app"
nonisolated(unsafe) let needed: [any LifecycleTask.Type] = [Prepare.self]
let names: [TaskReference] = ["Prepare"]

@EventTask(event: .willFinishLaunching)
enum Prepare {
  static func run() {}
}

@EventTask(name: prefix + ".show", event: .didFinishLaunching)  // error: 'name:' is not a plain string literal
enum Show {
  static func run() {}
}

@EventTask(name: "show.\(prefix)", event: .didFinishLaunching)  // error: 'name:' is not a plain string literal
enum ShowAgain {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: needed)  // error: 'dependencies:' is not an array literal
enum Open {
  static func run() {}
}

// error: 'dependencies:' is not an array literal
@EventTask(event: .didFinishLaunching, dependencies: [Prepare.self] + needed)
enum Connect {
  static func run() {}
}

@EventTask(
  event: .didFinishLaunching,
  dependencies: [
    needed[0]  // error: 'needed[0]' does not tell the build which task it is; write 'Type.self'
  ])
enum Choose {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, after: names)  // error: 'after:' is not an array literal
enum Decorate {
  static func run() {}
}

// error: does not tell the build which event it is
@EventTask(event: Bool.random() ? .didFinishLaunching : .willFinishLaunching)
enum Guess {
  static func run() {}
}
