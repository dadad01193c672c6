import TaskKit

@EventTask  // error: '@EventTask' names no event; add one, as in 'event: .didFinishLaunching'
enum Show {
  static func run() {}
}

@EventTask(priority: .high)  // error: '@EventTask' names no event; add one
enum Open {
  static func run() {}
}

@EventTask(events: [.didBecomeActive, .willTerminate])  // error: events are not written in an array
enum Bracketed {
  static func run() {}
}
