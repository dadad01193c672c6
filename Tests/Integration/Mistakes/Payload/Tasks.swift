import TaskKit

@EventTask(event: .openURL)  // error: 'run' has to take the payload of the event (at
enum Open {
  static func run(_ options: LaunchOptions) -> Bool { true }
}

@EventTask(event: .didBecomeActive)  // error: 'run' has to take a context of the event's payload
struct Refresh {
  static func run(_ context: TaskContext<LaunchOptions>) {}
}

@EventTask(events: .didBecomeActive, .didFinishLaunching)  // error: 'run' has to take the payload of the event
enum Show {
  static func run(_ options: LaunchOptions) {}
}

typealias Launch = TaskContext<LaunchOptions>

@EventTask(event: .didFinishLaunching)  // error: or a 'TaskContext' that is called so and by no alias
enum Begin {
  static func run(_ launch: Launch) {}
}

@EventTask(event: .openURL)  // error: 'run' has to take the payload of the event (at
struct OpenLater {
  func run(_ options: LaunchOptions) async -> Bool { true }
}
