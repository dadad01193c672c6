// SwiftPM stops at the first command that fails, and each module has a command of its own.
// reported: one module
import News
import TaskKit

@EventTask(name: "show", event: .didFinishLaunching)
enum Show {
  static func run() {}
}

@EventTask(name: "show", event: .didFinishLaunching)  // error: two tasks are named 'show'
enum ShowAgain {
  static func run() {}
}
