public import TaskKit

struct Configuration: Sendable {}

@EventTask(event: .didFinishLaunching)
public enum LoadConfiguration {
  static func run() -> Configuration { Configuration() }  // error: Configuration
}
