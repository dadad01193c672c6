import TaskKit

enum Feed {}

@EventTask(event: .didFinishLaunching)  // error: '@EventTask' declares a task by a type, and this is none
extension Feed {
  static func run() {}
}

@EventTask(event: .didFinishLaunching)  // error: '@EventTask' declares a task by a type, and this is none
protocol Runnable {
  static func run()
}
