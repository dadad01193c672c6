import Core
import News
import TaskKit

// error: two tasks are named 'open'; give one of them another name with 'name:'
@EventTask(name: "open", event: .didFinishLaunching)
enum OpenWindow {
  static func run() {}
}

// error: task 'App.Show' of 'didFinishLaunching' cannot wait for 'Core.CloseDatabase', which runs at 'willTerminate', a later
@EventTask(event: .didFinishLaunching, dependencies: [CloseDatabase.self])
enum Show {
  static func run() {}
}

// error: task 'App.Decorate' needs 'Refrsh', which is not declared in module 'App' or in one that it depends on; did you mean 'Refresh'?
@EventTask(event: .didBecomeActive, dependencies: [News.Refresh.self, Refrsh.self])
enum Decorate {
  static func run() {}
}

@EventTask(event: .didBecomeActive, after: ["News.Refrsh"])  // warning: did you mean 'Refresh'?
enum Count {
  static func run() {}
}
