import TaskKit

@EventTask(event: .openURL)
enum Open {
  // error: 'run' takes 'LaunchOptions', and event 'openURL' carries 'OpenURLRequest'; write 'OpenURLRequest', or remove
  static func run(_ options: LaunchOptions) -> Bool { true }
}

@EventTask(event: .didBecomeActive)
struct Refresh {
  // error: 'run' takes a context of 'LaunchOptions', and event 'didBecomeActive' carries nothing; write 'TaskContext<Void>'
  static func run(_ context: TaskContext<LaunchOptions>) {}
}

@EventTask(events: .didBecomeActive, .didFinishLaunching)
enum Show {
  // error: 'run' takes 'LaunchOptions', and event 'didBecomeActive' carries nothing; remove the parameter
  static func run(_ options: LaunchOptions) {}
}

@EventTask(events: .openURL, .didFinishLaunching)
enum Log {
  // error: 'run' takes 'String', and event 'openURL' carries 'OpenURLRequest'; its events carry different payloads, so remove
  static func run(_ text: String) {}
}

struct Order {}

@EventTask(event: .openURL)
struct OpenLater {
  func run(_ order: Order) async -> Bool { true }  // error: 'run' takes 'Order', and event 'openURL' carries
}
