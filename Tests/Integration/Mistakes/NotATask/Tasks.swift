import TaskKit

enum Helper {  // note: 'Helper' is declared here
  static func run() {}
}

@EventTask(
  event: .didFinishLaunching,
  // error: task 'App.OpenDatabase' needs 'Helper', which is a type but no task; annotate it with '@EventTask', or remove
  dependencies: [Helper.self])
enum OpenDatabase {
  static func run() {}
}
