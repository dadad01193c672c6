import Core
import News
import TaskKit

@EventTask(name: "open", event: .didFinishLaunching)  // error: two tasks are named 'open'
enum OpenWindow {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [CloseDatabase.self])  // error: runs at 'willTerminate'
enum Show {
  static func run() {}
}

@EventTask(event: .didBecomeActive, dependencies: [News.Refresh.self, Refrsh.self])  // error: did you mean 'Refresh'?
enum Decorate {
  static func run() {}
}

@EventTask(event: .didBecomeActive, after: ["News.Refrsh"])  // warning: did you mean 'Refresh'?
enum Count {
  static func run() {}
}
