import Feed
import Storage
import TaskKit

// error: two tasks are named 'open'; give one of them another name with 'name:'
@EventTask(name: "open", event: .didFinishLaunching)
enum OpenWindow {
  static func run() {}
}

// error: task 'App.Show' runs after 'Refresh', which can be 'Storage.Refresh' or 'Feed.Refresh'; write the full name
@EventTask(event: .didBecomeActive, after: ["Refresh"])
enum Show {
  static func run() {}
}

// error: task 'App.Prepare' of 'willFinishLaunching' cannot wait for 'open', which runs at 'didFinishLaunching', a later event
@EventTask(event: .willFinishLaunching, dependencies: [OpenDatabase.self])
enum Prepare {
  static func run() {}
}
