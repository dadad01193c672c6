import TaskKit

// error: task 'App.Prepare' of 'willFinishLaunching' cannot wait for 'App.Show', which runs at 'didBecomeActive', a later event
@EventTask(event: .willFinishLaunching, dependencies: [Show.self])
enum Prepare {
  static func run() {}
}

// warning: task 'App.Decorate' runs after 'Shw', which is not registered; did you mean 'Show'?
@EventTask(event: .didBecomeActive, after: ["Shw"])
enum Decorate {
  static func run() {}
}

@EventTask(event: .didBecomeActive, dependencies: [Nothing.self])  // error: 'Nothing', which is not declared in module 'App'
enum Finish {
  static func run() {}
}
