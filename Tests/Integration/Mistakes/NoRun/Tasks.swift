import TaskKit

@EventTask(event: .didFinishLaunching)
enum Show {  // error: 'Show' has no 'run' for its task; declare 'static func run()' in the type's own body
  static func start() {}
}

@EventTask(event: .didFinishLaunching)
enum Open {}  // error: 'Open' has no 'run' for its task

extension Open {
  static func run() {}
}

@EventTask(event: .didFinishLaunching)
enum Trace {
  #if DEBUG
  static func run() {}  // error: 'run' inside '#if' cannot be seen
  #endif
}

@EventTask(event: .didFinishLaunching)
enum Twice {
  static func run() {}  // note: the other one is here
  static func run(_ options: LaunchOptions) {}  // error: 'Twice' has two methods 'run' that could be its task
}
