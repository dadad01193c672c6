import TaskKit

@EventTask(event: .didFinishLaunching, dependencies: [Alone.self])  // error: itself
enum Alone {
  static func run() {}
}
