import TaskKit

@EventTask(event: .didFinishLaunching)
enum NoRun {}  // error: 'NoRun' has no 'run' for its task

@EventTask(event: .didFinishLaunching)
private enum Hidden {  // error: 'Hidden' is private, so the registry in another file cannot see it
  static func run() {}
}

@EventTask(event: .didFinishLaunching, retry: .attempts(0))  // error: a task is tried at least once
class Open {  // error: class 'Open' is not final
  func run(options: LaunchOptions) {}  // error: the parameter of 'run' has the label 'options'
}
