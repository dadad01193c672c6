import TaskKit

// error: 'event:' and 'events:' are both given; list all events behind 'events:'
@EventTask(event: .didFinishLaunching, events: .didBecomeActive)
enum Both {
  static func run() {}
}
