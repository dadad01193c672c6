import TaskKit

// What the plugin leaves to the compiler, which says it at the annotation.

typealias Launch = TaskContext<LaunchOptions>
typealias Options = LaunchOptions

@EventTask(event: .didFinishLaunching)  // error: or a 'TaskContext' that is called so and by no alias
enum Begin {
  static func run(_ launch: Launch) {}
}

@EventTask(event: .openURL)  // error: 'run' has to take the payload of the event (at
enum Open {
  static func run(_ options: Options) -> Bool { true }
}

@EventTask(event: .openURL)  // error: 'run' has to take the payload of the event (at
struct OpenLater {
  func run(_ options: Options) async -> Bool { true }
}

struct Order {}

extension LifecycleEvent<Order, Void> {
  nonisolated static var orderPlaced: Self { .init("orderPlaced") }
}

@EventTask(event: .orderPlaced)  // error: 'run' has to take a context of the event's payload
struct Pack {
  static func run(_ context: TaskContext<LaunchOptions>) {}
}

@EventTask(events: .orderPlaced, .didFinishLaunching)  // error: 'run' has to take the payload of the event
enum Show {
  static func run(_ options: LaunchOptions) {}
}
