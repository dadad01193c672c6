import TaskKit

@EventTask(event: .willTerminate)  // note: 'App.Save' is declared here
enum Save {
  static func run() {}
}

// note: 'App.Show' is declared here
@EventTask(
  event: .didFinishLaunching,
  dependencies: [Save.self])  // error: 'App.Save', which runs at 'willTerminate', a later event
enum Show {
  static func run() {}
}

// error: task 'App.Prepare' of 'willFinishLaunching' cannot wait for 'App.Show', which runs at 'didFinishLaunching', a later event
@EventTask(event: .willFinishLaunching, dependencies: [Show.self])
enum Prepare {
  static func run() {}
}

// An event without a place among the moments of a launch may wait for any of them, and may be waited for by the last.
@EventTask(event: .didBecomeActive, dependencies: [Show.self])
enum Refresh {
  static func run() {}
}

@EventTask(event: .willTerminate, dependencies: [Refresh.self])
enum Count {
  static func run() {}
}
