import TaskKit

@EventTask(event: .didFinishLaunching)
enum NoRun {}  // error: 'NoRun' has no 'run' for its task

@EventTask(event: .didFinishLaunching)
struct Hidden {
  var isEnabled: Bool { true }  // error: 'isEnabled' is not static
  func run() {}
}

@EventTask(event: .didFinishLaunching, retry: .attempts(0))  // error: a task is tried at least once
class Open {  // error: class 'Open' is not final
  func run(options: LaunchOptions) {}  // error: the parameter of 'run' has the label 'options'
}
