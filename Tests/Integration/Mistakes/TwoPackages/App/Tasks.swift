import Feed
import Storage
import TaskKit

@EventTask(name: "open", event: .didFinishLaunching)  // error: two tasks are named 'open'
enum OpenWindow {
  static func run() {}
}

@EventTask(event: .didBecomeActive, after: ["Refresh"])  // error: 'Storage.Refresh' or 'Feed.Refresh'
enum Show {
  static func run() {}
}

// error: a later event
@EventTask(event: .willFinishLaunching, dependencies: [OpenDatabase.self])
enum Prepare {
  static func run() {}
}
