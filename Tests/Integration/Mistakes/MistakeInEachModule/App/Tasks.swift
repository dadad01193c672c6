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
