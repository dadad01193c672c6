import TaskKit

@EventTask(
  event: .didFinishLaunching,
  // error: 'App.First' needs 'App.Third', 'App.Third' needs 'App.Second', 'App.Second' needs 'App.First'
  dependencies: [Third.self])
enum First {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [First.self])  // note: 'App.Second' needs 'App.First' here
enum Second {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Second.self])  // note: 'App.Third' needs 'App.Second' here
enum Third {
  static func run() {}
}
