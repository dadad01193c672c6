import TaskKit

@EventTask(
  event: .didFinishLaunching,  // note: 'event:' is here
  events: .didBecomeActive)  // error: 'event:' and 'events:' are both given; list all events behind 'events:'
enum Both {
  static func run() {}
}

@EventTask(events: .didBecomeActive, .didBecomeActive)  // error: event '.didBecomeActive' is listed twice
enum Repeated {
  static func run() {}
}

@EventTask(events: [.didBecomeActive, .willTerminate])  // error: events are not written in an array
enum Bracketed {
  static func run() {}
}

@EventTask(name: "", event: .didFinishLaunching)  // error: 'name:' is empty
enum Nameless {
  static func run() {}
}
