import TaskKit

@EventTask(event: .didFinishLaunching)
struct Load<Value> {  // error: 'Load' is generic, and a task is one type; remove the generic parameters
  func run() {}
}

struct Store<Value> {
  @EventTask(event: .didFinishLaunching)
  enum Open {  // error: 'Open' is declared in 'Store', which is generic
    static func run() {}
  }
}

extension Array where Element == Int {
  @EventTask(event: .didFinishLaunching)
  enum Sort {  // error: 'Sort' is declared in 'Array', which is generic
    static func run() {}
  }
}
