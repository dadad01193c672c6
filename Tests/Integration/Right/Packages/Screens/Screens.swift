import Feed
import Mail
public import TaskKit

@EventTask(event: .didFinishLaunching, dependencies: [Refresh.self, Mail.Fetch.self])
enum Show {
  static func run(_ context: TaskContext<LaunchOptions>) throws {
    print("show \(try context.output(of: Refresh.self))")
  }
}

public func registry() -> TaskRegistry { .generated }
