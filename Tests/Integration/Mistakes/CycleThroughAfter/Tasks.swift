import TaskKit

// error: 'App.First' runs after 'App.Second', 'App.Second' needs 'App.First'
@EventTask(event: .didFinishLaunching, after: ["Second"])
enum First {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [First.self])  // note: 'App.Second' needs 'App.First' here
enum Second {
  static func run() {}
}
