import TaskKit

@EventTask(event: .didFinishLaunching, dependencies: [OpenDatabase.self])  // error: 'Core'
enum Show {
  static func run() {}
}
