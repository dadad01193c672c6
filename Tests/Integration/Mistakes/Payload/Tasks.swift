import TaskKit

@EventTask(event: .openURL)  // error: LaunchOptions
enum Open {
  static func run(_ options: LaunchOptions) -> Bool { true }
}

@EventTask(event: .didBecomeActive)  // error: LaunchOptions
struct Refresh {
  static func run(_ context: TaskContext<LaunchOptions>) {}
}

@EventTask(events: .didBecomeActive, .didFinishLaunching)  // error: LaunchOptions
enum Show {
  static func run(_ options: LaunchOptions) {}
}

@EventTask(event: .openURL)  // error: LaunchOptions
struct OpenLater {
  func run(_ options: LaunchOptions) async -> Bool { true }
}
