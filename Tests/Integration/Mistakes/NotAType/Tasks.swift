import TaskKit

enum Feed {}

@EventTask(event: .didFinishLaunching)  // error: cannot be attached to global function
func show() {}

@EventTask(event: .didFinishLaunching)  // error: 'member' macro cannot be attached to let // error: 'extension' macro cannot be attached to let
let value = 1

@EventTask(event: .didFinishLaunching)  // error: cannot be attached to extension
extension Feed {
  static func run() {}
}

@EventTask(event: .didFinishLaunching)  // error: declares a task by a type, and this is none
protocol Runnable {
  static func run()
}
