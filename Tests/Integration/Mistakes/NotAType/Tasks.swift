import TaskKit

enum Feed {}

// error: '@EventTask' declares a task by a type, and this is an extension; move it to an enum, struct, class or actor
@EventTask(event: .didFinishLaunching)
extension Feed {
  static func run() {}
}

@EventTask(event: .didFinishLaunching)  // error: '@EventTask' declares a task by a type, and this is a protocol; move it
protocol Runnable {
  static func run()
}

@TaskModule  // error: '@TaskModule' declares a module by a type with one instance, and this is an extension; move it to a
extension Feed {}
