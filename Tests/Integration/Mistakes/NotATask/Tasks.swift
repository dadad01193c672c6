import TaskKit

enum Helper {
  static func run() {}
}

@EventTask(
  event: .didFinishLaunching,
  dependencies: [Helper.self])  // error: 'Helper'
enum OpenDatabase {
  static func run() {}
}
