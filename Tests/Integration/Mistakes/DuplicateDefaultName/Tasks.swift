import TaskKit

enum Feed {
  @EventTask(event: .didBecomeActive)  // note: 'App.Feed.Refresh' is first declared here
  enum Refresh {
    static func run() {}
  }
}

@EventTask(name: "App.Feed.Refresh", event: .didBecomeActive)  // error: two tasks are named 'App.Feed.Refresh'
enum Other {
  static func run() {}
}
