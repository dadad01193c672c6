import TaskKit

enum Feed {
  @EventTask(event: .didBecomeActive)  // note: 'App.Feed.Refresh' is first declared here
  enum Refresh {
    static func run() {}
  }
}

// error: two tasks are named 'App.Feed.Refresh'; give one of them another name with 'name:'
@EventTask(name: "App.Feed.Refresh", event: .didBecomeActive)
enum Other {
  static func run() {}
}
