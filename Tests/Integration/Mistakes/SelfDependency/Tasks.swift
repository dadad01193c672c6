import TaskKit

@EventTask(event: .didFinishLaunching, dependencies: [Alone.self])  // error: task 'App.Alone' needs itself; remove this
enum Alone {
  static func run() {}
}
